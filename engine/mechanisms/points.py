"""Mechanisms that compute a vector or a set of points from points."""

from __future__ import annotations

import abc
import dataclasses
from collections.abc import Callable, Hashable, Sequence
from typing import Any, ClassVar, TypeAlias

import numpy as np

from engine.aggregation.function import BlockFunction, numbered_outputs
from engine.aggregation.spaces import Euclidean, OutputSpace
from engine.array_types import Floats
from engine.data.points import Points
from engine.domain import Box
from engine.errors import ParameterError
from engine.mechanisms.base import Mechanism, checked_mechanism
from engine.mechanisms.problem import Problem
from engine.numerals import grouped


@dataclasses.dataclass(frozen=True)
class Vectors:
    """Describes the released vectors of a mechanism, or the outputs of a block function."""

    noun: str = "output"  # word for one released point
    unordered: bool = False  # whether a vector is a set of points, listed one after the other
    among_data: bool = True  # whether it consists of points in the box of the data
    space: Callable[[Box], OutputSpace] = Euclidean  # the space of vectors, and its metric
    # Names the coordinates from the names of columns, if a vector is not a point among the data
    named: Callable[[Sequence[str]], tuple[str, ...]] | None = None

    def coordinates(self, columns: Sequence[str], box: Box) -> tuple[str, ...]:
        """Return the names of the coordinates of a vector that is not a point of `box` (public)."""
        return numbered_outputs(self.space(box)) if self.named is None else self.named(columns)


class PointsMechanism(Mechanism[Points], abc.ABC, topic="clusters", shape="points"):
    """A mechanism on points in a public box that releases `vectors`.

    `NoisyAverage` is an example.
    """

    reads: ClassVar[str] = "points"
    worst_cases: ClassVar[str] = "engine.audit.pairs_of_points:pairs_of_points"

    @property
    def vectors(self) -> Vectors | BlockFunction:
        """Description of the released vectors."""
        return Vectors()

    @property
    def estimand(self) -> Hashable:
        """Everything that the true value depends on besides the data; equal keys mean equal true values."""
        return self

    def _largest_error(self, domain: Box, n: int) -> float:
        return self.vectors.space(domain).diameter

    def _in_order(self, values: Floats, domain: Box) -> Floats:
        """Return vectors, shape (size, D), in released order; sets as (size, k, d), sorted.

        A set is sorted by its released coordinates, so that the order reveals nothing about the data.
        Sorting before the noise would not be continuous in the data.
        """
        return sort_sets(values, domain.dimension) if self.vectors.unordered else values

    def _released(self, value: Floats, domain: Box) -> Any:
        if np.isnan(value).any():
            return None
        shaped = self._in_order(value[None], domain)[0]
        return shaped.tolist() if self.vectors.unordered or shaped.size > 1 else float(shaped[0])

    def _points_of(self, value: Any) -> Floats:
        return np.atleast_2d(np.asarray(value, dtype=np.float64))

    def _errors(self, values: Floats, true_value: Any, domain: Box) -> Floats:
        return self.vectors.space(domain).distances(values, np.atleast_2d(true_value))[:, 0]


PointsMechanismLike: TypeAlias = PointsMechanism | type[PointsMechanism] | str
"""Types that functions accept as a mechanism on points, as `MechanismLike`."""


def checked_points_mechanism(mechanism: PointsMechanismLike) -> PointsMechanism:
    """Convert to a mechanism that releases vectors of points; raise `ParameterError` for another."""
    made = checked_mechanism(mechanism)
    if not isinstance(made, PointsMechanism):
        problem = f"{made.label} releases no points; give a mechanism that does, such as NoisyAverage()"
        raise ParameterError("mechanism", problem)
    return made


def lives_with_data(mechanism: PointsMechanism, box: Box) -> bool:
    """Return whether released points can be drawn among data in `box` (public)."""
    return mechanism.vectors.among_data or mechanism.vectors.space(box).box == box


def points_of(mechanism: PointsMechanism, value: Any) -> Floats:
    """Return the points in a released value, shape (k, d)."""
    return mechanism._points_of(value)


def sort_sets(values: Floats, dimension: int) -> Floats:
    """Return rows of k points each, shape (size, k d), as sorted sets, shape (size, k, d)."""
    sets = values.reshape(len(values), -1, dimension)
    order = np.lexsort(np.moveaxis(sets, -1, 0)[::-1], axis=-1)
    return np.take_along_axis(sets, order[..., None], axis=1)


def too_many_centers(k: int, n: int) -> tuple[Problem, ...]:
    """Return a problem if there are more centers than records."""
    if k <= n:
        return ()
    message = f"{grouped(n)} records cannot have {k} centers; choose at most {grouped(n)}"
    return (Problem("k", message),)
