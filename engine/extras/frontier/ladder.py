"""The ladder: values weighed by rungs, whose heights are local sensitivities at growing distance."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np

from engine.array_types import Floats
from engine.data.database import Database
from engine.domain import Interval
from engine.extras.frontier.inverse_sensitivity import ByDistance
from engine.mechanisms.facts import Mistake
from engine.mechanisms.problem import Problem
from engine.numerals import short
from engine.privacy import Privacy
from engine.progress import Progress, silent
from engine.queries.base import Query
from engine.queries.triangles import TriangleCount
from engine.sampling.exactness import CHOSEN
from engine.sampling.output_grid import OutputGrid
from engine.sampling.sums import exact_sum

MIN_EPSILON = 1e-3
"""Rungs up to some hundred/epsilon have mass; a smaller epsilon would take minutes."""


class Ladder(ByDistance, is_meant_for=lambda query, n: not query.weighted_ranks(n)):
    """Draw a value by its rung of a ladder; rung t has the height A^(t).

    Knots are y_k = f(x) + A^(0) + ... + A^(k-1) above f(x), and correspondingly below.  They end one width of
    the range of results beyond that range; values beyond the range are clamped.  Since
    A^(t)(x) <= A^(t+1)(x') and |f(x) - f(x')| <= A^(0)(x'), they are knots of `distance_pieces`, so the
    density proportional to ``exp(-epsilon distance/2)`` is epsilon-private.  For an integer query, each
    integer is the interval of length 1 around it, so only integers are drawn.

    If A^(t) is computed in doubles, it is enlarged by more than its error, and by as much again for each
    distance, so that A^(t)(x) <= A^(t+1)(x') holds for the computed numbers.

    Source: Zhang, Cormode, Procopiuc, Srivastava, Xiao 2015, for counts of subgraphs; the ladder function
    for triangles is the exact A^(t) of Nissim, Raskhodnikova, Smith 2007.  Here the rungs end at public
    numbers, and the answer may be a real number.

    Examples
    --------
    A release that is one triangle too many:

    >>> from engine import Privacy, SimpleGraph, TriangleCount, reproducible
    >>> graph = SimpleGraph([(0, 1), (1, 2), (0, 2), (2, 3)], n=4)
    >>> Ladder(query=TriangleCount()).run(graph, Privacy(2.0), reproducible(3)).value
    2.0
    """

    name: ClassVar[str] = "ladder"
    label: ClassVar[str] = "Ladder"
    summary: ClassVar[str] = "draws a value by steps as high as the local sensitivity at growing distance"
    source: ClassVar[str] = "Zhang, Cormode, Procopiuc, Srivastava, Xiao 2015"
    exact_because: ClassVar[str] = CHOSEN

    @property
    def _mistakes(self) -> Mapping[str, Mistake]:
        return (
            {"exponential-doubled": Mistake("second-triangle")}
            if isinstance(self.query, TriangleCount)
            else {}
        )

    def _problems(self, privacy: Privacy, domain: Interval, n: int) -> tuple[Problem, ...]:
        if not self.facts.is_meant_for(self.query, n):
            return (
                Problem(
                    "method",
                    f"for {self.query.label.lower()} the number of records to each value is known exactly, "
                    "and a ladder only bounds it; use inverse sensitivity",
                ),
            )
        if privacy.epsilon < MIN_EPSILON:
            message = f"{short(privacy.epsilon)} needs too many rungs; use at least {short(MIN_EPSILON)}"
            return (Problem("epsilon", message),)
        return ()

    def radius(self, results: Interval, resolution: float | None) -> float:
        return 0.5 if self.query.is_whole else super().radius(results, resolution)

    def public_grid(self, domain: Interval, n: int, resolution: float | None) -> OutputGrid:
        return super().public_grid(
            domain, n, max(1.0, resolution or 0.0) if self.query.is_whole else resolution
        )

    def knots(self, data: Database, progress: Progress) -> Rungs:
        self.query.explore(data, progress)
        return Rungs(self.query, data)


def candidates(results: Interval) -> Interval:
    """Return the range from which values are drawn before clamping: wider by one width on each side.

    If the truth is at an end of the results, it gains the mass of the values beyond.
    """
    return dataclasses.replace(
        results, lower=results.lower - results.width, upper=results.upper + results.width
    )


class Rungs:
    """The ends of the rungs within the range that is drawn, as `Knots`."""

    unit = 1
    most: int | None = None

    def __init__(self, query: Query[Any], data: Database) -> None:
        self._query, self._data = query, data
        self._heights = np.zeros(0)
        self._saturated, self._largest = query.saturation(data), query.global_sensitivity(data.domain, data.n)
        self.value = query.exact_value(data)
        drawn = candidates(query.value_range(data.domain, data.n))
        self.width = drawn.width
        self._range = Fraction(drawn.lower), Fraction(drawn.upper)
        # from there on all rungs have the largest height, and this many leave the range
        self.last = self._saturated + math.ceil(drawn.width / self._largest) + 1

    def rises(self, first: int, last: int, progress: Progress) -> tuple[Floats, Floats]:
        """Return the heights of rungs; 0 beyond the range that is drawn."""
        low, high = self._range
        heights = self._rungs(last, progress)
        below, above = (_within(heights, room) for room in (self.value - low, high - self.value))
        return below[first - 1 :], above[first - 1 :]

    def knot(self, k: int) -> Fraction:
        """Return the exact end of a rung."""
        if k == 0:
            return self.value
        climbed = exact_sum(self._rungs(abs(k), silent))
        low, high = self._range
        return min(self.value + climbed, high) if k > 0 else max(self.value - climbed, low)

    def _rungs(self, most: int, progress: Progress) -> Floats:
        """Return the heights of the first rungs."""
        if most > self._heights.size:
            self._heights = self._compute_heights(most, progress)
        return self._heights[:most]

    def _compute_heights(self, most: int, progress: Progress) -> Floats:
        """Return A^(0), ...; beyond saturation all of them are GS."""
        looked = min(most, self._saturated + 1)
        first = self._query.sensitivity_at_distance(self._data, looked - 1, progress)
        heights = np.concatenate([first, np.full(most - looked, self._largest)])
        if self._query.is_whole:
            return heights
        error = self._query.error(self._data.n)
        enlarged: Floats = heights * np.exp(4 * error * np.arange(1, most + 1))
        return enlarged


def _within(heights: Floats, room: Fraction) -> Floats:
    """Return heights, cut where their sum reaches `room`."""
    limited = heights.copy()
    # in doubles where they are certainly right, then exactly
    sure = np.cumsum(heights) * (1 + 2.0**-20) < float(room)
    start = int(np.argmin(sure)) if not sure.all() else heights.size
    left = room - exact_sum(heights[:start]) if start else room
    for rung in range(start, heights.size):
        height = min(Fraction(float(heights[rung])), max(left, Fraction(0)))
        limited[rung] = float(height)
        left -= height
        if left <= 0:
            limited[rung + 1 :] = 0.0
            break
    return limited
