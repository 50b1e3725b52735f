"""Isolation: whether a guess is much closer to one person than to t of them; and singling out."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from engine.array_types import Bools, Floats, Ints
from engine.data.points import search_tree
from engine.domain import Box
from engine.errors import ParameterError
from engine.histograms.histogram import Histogram
from engine.histograms.proportions import Proportion
from engine.numerals import short
from engine.progress import Progress, each, silent

if TYPE_CHECKING:
    from scipy.spatial import cKDTree


_BLOCK = 1 << 11
_ROUNDING = 1e-12
"""A point this far beyond the surface of a ball, relative to its radius, counts as on it."""


@dataclasses.dataclass(frozen=True, repr=False)
class IsolationVerdict:
    """The result of one guess q."""

    nearest: int  # index of the nearest record y (from 0); of several, the first
    distance: float  # δ = |q - y|
    within: Ints  # indices of the records in B(q, c δ), including y
    isolates: bool  # whether these are fewer than t


class Isolation:
    """The (c, t)-isolation test on one database; its answers are private.

    Chawla, Dwork, McSherry, Talwar 2005, definition 1.1: q isolates a record y at distance δ_y if the closed
    ball B(q, c δ_y) holds fewer than t records. q isolates any record iff it isolates the nearest one, y*.
    For every y, δ_y* <= δ_y, so B(q, c δ_y) contains B(q, c δ_y*) and no fewer records.  With d_(j) the
    distance of the j-th nearest record, the condition is d_(t) > c d_(1).

    `points`, (n, d), are the records, in data units.
    """

    def __init__(self, points: ArrayLike) -> None:
        self._points = np.atleast_2d(np.asarray(points, dtype=np.float64))

    @cached_property
    def _index(self) -> cKDTree:
        return search_tree(self._points)

    def verdict(self, query: ArrayLike, c: float, t: int) -> IsolationVerdict:
        """Test one guess, shape (d,), with details; slower than `isolates` for many."""
        check(c, t)
        distances = np.linalg.norm(self._points - np.asarray(query, dtype=np.float64), axis=1)
        nearest = int(distances.argmin())
        within = np.flatnonzero(distances <= _radius(c, distances[nearest]))
        return IsolationVerdict(nearest, float(distances[nearest]), within, len(within) < t)

    def reaches(self, queries: ArrayLike, t: int, progress: Progress = silent) -> Floats:
        """Return the distances of the t nearest records, shape (k, t), of guesses (k, d).

        Missing ones are infinite.
        """
        values = np.atleast_2d(np.asarray(queries, dtype=np.float64))
        reaches = np.full((len(values), t), np.inf)
        for start in range(0, len(values), _BLOCK):
            progress(start / len(values))
            some = slice(start, start + _BLOCK)
            reaches[some] = np.reshape(self._index.query(values[some], k=t)[0], (-1, t))
        return reaches

    def isolates(self, queries: ArrayLike, c: float, t: int, progress: Progress = silent) -> Bools:
        """Tell which of the guesses (k, d) isolate a record."""
        check(c, t)
        return is_isolating(self.reaches(queries, t, progress), c, t)


def is_isolating(reaches: Floats, c: float, t: int) -> Bools:
    """Tell which guesses isolate a record, from the distances (k, t or more) of the nearest ones."""
    return np.asarray(reaches[:, t - 1] > _radius(c, reaches[:, 0]))


def check(c: float, t: int) -> None:
    """Raise `ParameterError` for c or t out of range."""
    if not (np.isfinite(c) and c >= 1):
        raise ParameterError(
            "c",
            f"{short(c)} is not possible; it must be a number of at least 1, so that the ball "
            "holds the nearest point",
        )
    if t != int(t) or t < 1:
        raise ParameterError("t", f"{short(t)} is not possible; it must be a whole number of at least 1")


def _radius(c: float, distance: Floats) -> Floats:
    return np.asarray(c * distance * (1 + _ROUNDING))


@dataclasses.dataclass(frozen=True)
class SinglingOut:
    """How often a box from a histogram holds exactly one record, and how often a box of that size does by
    chance.
    """

    hits: Proportion
    chance: float  # mean of n w (1 - w)^(n - 1), w the weight of the box: the rate without the histogram
    weight: float  # median of w


def predicate(histogram: Histogram) -> tuple[Floats, Floats]:
    """Return the attacker's box: the smallest around a cell that counts about one.

    If no noisy count is about one, the cell with the count nearest to 1.
    """
    far = np.abs(histogram.counts - 1)
    near = np.flatnonzero(far < 0.5)
    if not near.size:
        near = np.flatnonzero(far == far.min())
    lower, upper = (side[near] for side in histogram.named_boxes())
    lower, upper = np.clip(lower, 0.0, 1.0), np.clip(upper, 0.0, 1.0)
    volumes = np.prod(upper - lower, axis=1)
    smallest = np.argmin(np.where(volumes > 0, volumes, np.inf))  # there are no points beyond the bounds
    return lower[smallest], upper[smallest]


def single_out(
    sanitize: Callable[[Floats, Box, int, np.random.Generator], Histogram],
    d: int,
    n: int,
    t: int,
    trials: int,
    rng: np.random.Generator,
    *,
    progress: Progress = silent,
) -> SinglingOut:
    """Attack histograms of n uniform records in d dimensions; each is made once.

    The attacker knows the distribution of the records, as the definition requires, and they are synthetic:
    nothing here is private.  A predicate singles out if exactly one record satisfies it.  A predicate of
    weight w does so by chance with probability n w (1 - w)^(n - 1), at most about 1/e.  The effect of a
    release is how much more often this happens, for predicates of small weight.

    Source: Cohen, Nissim 2020, Definitions 2.2 and 2.3.
    """
    box, hits, weights = Box.of([0.0] * d, [1.0] * d), 0, []
    for here in each(trials, progress, f"{d} dimensions"):
        del here
        points = rng.random((n, d))
        made = sanitize(points, box, t, rng)
        lower, upper = predicate(made)
        hits += int(((points >= lower) & (points <= upper)).all(axis=1).sum() == 1)
        weights.append(float(np.prod(upper - lower)))
    w = np.array(weights)
    return SinglingOut(
        Proportion(hits, trials), float((n * w * (1 - w) ** (n - 1)).mean()), float(np.median(w))
    )
