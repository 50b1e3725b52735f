"""Base of all histograms: cells that tile a public space, and the number of points in each."""

from __future__ import annotations

import abc
import contextlib
import dataclasses
import gc
from collections.abc import Iterator
from functools import cached_property
from typing import Any, TypeVar

import numpy as np
from numpy.typing import ArrayLike

from engine.array_types import Floats, Ints
from engine.numerals import grouped
from engine.progress import Progress, part, silent
from engine.randomness import public_generator
from engine.shown import ShownInALine

_CHUNK = 1 << 18
"""Largest number of shares in memory at once."""

_ROWS = 1 << 14
"""Cells to write between two progress reports."""

COUNTING, WRITING = "counting points in ranges", "writing down cells"

HistogramT = TypeVar("HistogramT", bound="Histogram")


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class Histogram(ShownInALine, abc.ABC):
    """Cells of a space of d dimensions, with counts; created by mechanisms such as `RecursiveHistogram`.

    Anything computed from it alone costs no further privacy.
    """

    lower: Floats  # shape (m, d); bounding box of each cell
    upper: Floats
    counts: Floats  # shape (m,); number of points in each cell: whole numbers, unless noise was added
    level: Ints  # shape (m,); number of splits that made each cell
    # shape (m, 2) or None; 95 % intervals for the true counts, from the noisy ones
    intervals: Floats | None = dataclasses.field(default=None, kw_only=True)

    @property
    def in_a_line(self) -> str:
        return f"{grouped(self.size)} cells, d={self.dimension}"

    @property
    def dimension(self) -> int:
        """Number of coordinates d."""
        return int(self.lower.shape[1])

    @property
    def size(self) -> int:
        """Number of cells m."""
        return len(self.counts)

    @property
    def deepest(self) -> int:
        """The largest level of a cell."""
        return int(self.level.max(initial=0))

    @property
    @abc.abstractmethod
    def diameters(self) -> Floats:
        """Largest distance of two points of each cell, or a bound on it, shape (m,)."""

    @abc.abstractmethod
    def between(self, first: ArrayLike, second: ArrayLike) -> Floats:
        """Return the largest distance between a point of one cell and a point of another.

        The histogram distance d_H of Chawla, Dwork, McSherry, Talwar 2005, section 3; for a cell and itself
        it is the diameter.
        """

    def farthest(self, cell: int) -> Floats:
        """Return d_H between one cell and all cells, shape (m,)."""
        return self.between(cell, np.arange(self.size))

    @abc.abstractmethod
    def shares(self, lower: ArrayLike, upper: ArrayLike) -> Floats:
        """Return the share of each cell's volume in boxes (k, d) to (k, d), shape (k, m)."""

    def named_boxes(self) -> tuple[Floats, Floats]:
        """Return a box for each cell that an attacker may use as a predicate, shape (m, d) each."""
        return self.lower, self.upper

    def ready_to_measure(self, progress: Progress) -> None:
        """Do slow preparations for `shares`, once; most histograms need none."""
        progress(1.0, COUNTING)

    def estimates(self, lower: ArrayLike, upper: ArrayLike, progress: Progress = silent) -> Floats:
        """Estimate the number of points in boxes (k, d) to (k, d), assuming uniform points in each cell."""
        low, high = (np.atleast_2d(np.asarray(side, dtype=np.float64)) for side in (lower, upper))
        held = self.chosen(self.counts != 0)
        held.ready_to_measure(part(progress, 0.0, 0.5))
        progress = part(progress, 0.5, 1.0)
        rows = max(1, _CHUNK // max(1, held.size))
        some = []
        for at in range(0, len(low), rows):
            progress(at / len(low), COUNTING)
            some.append(held.shares(low[at : at + rows], high[at : at + rows]) @ held.counts)
        return np.concatenate(some) if some else np.zeros(0)

    @abc.abstractmethod
    def sampled(self, rng: np.random.Generator, sizes: ArrayLike, progress: Progress = silent) -> Floats:
        """Draw `sizes` points, shape (m,), uniformly from each cell, one cell after the other.

        They depend on the histogram alone, so that doubles do no harm in a release.
        """

    @abc.abstractmethod
    def places(self, points: ArrayLike) -> Ints:
        """Return the index of the cell that holds each of `points`, (n, d); -1 for none."""

    def chosen(self: HistogramT, cells: ArrayLike) -> HistogramT:
        """Return the histogram with only some of its cells, by index or as a mask."""
        some = np.asarray(cells)
        return dataclasses.replace(
            self,
            lower=self.lower[some],
            upper=self.upper[some],
            counts=self.counts[some],
            level=self.level[some],
            intervals=None,
        )

    @property
    def occupied(self: HistogramT) -> HistogramT:
        """The cells with a count above 0."""
        return self.chosen(self.counts > 0)

    def at_level(self, level: int) -> Histogram:
        """Return the histogram after `level` splits; unchanged if it was never split."""
        return self

    def value(self, progress: Progress = silent) -> dict[str, Any]:
        """Return the released value, as numbers and lists."""
        cells: list[dict[str, Any]] = []
        with uncollected():
            for start in range(0, self.size, _ROWS):
                progress(start / self.size, WRITING)
                some = slice(start, start + _ROWS)
                columns = (
                    column[some].tolist() for column in (self.lower, self.upper, self.counts, self.level)
                )
                cells += [
                    {"lower": lower, "upper": upper, "count": count, "level": level}
                    for lower, upper, count, level in zip(*columns, strict=True)
                ]
                if self.intervals is not None:
                    for cell, interval in zip(cells[start:], self.intervals[some].tolist(), strict=True):
                        cell["interval"] = interval
        return {"cells": cells}


class BoxHistogram(Histogram):
    """Cells that are boxes."""

    @classmethod
    def of(cls, value: dict[str, Any]) -> BoxHistogram:
        """Read the output of `value`."""
        cells = value["cells"]
        columns = {name: [cell[name] for cell in cells] for name in ("lower", "upper", "count", "level")}
        return cls(
            np.array(columns["lower"], dtype=np.float64),
            np.array(columns["upper"], dtype=np.float64),
            np.array(columns["count"], dtype=np.float64),
            np.array(columns["level"], dtype=np.int64),
        )

    @cached_property
    def diameters(self) -> Floats:
        """Length of each cell's diagonal, shape (m,)."""
        return _norms(self.upper - self.lower)

    def between(self, first: ArrayLike, second: ArrayLike) -> Floats:
        one, other = np.asarray(first), np.asarray(second)
        return _norms(np.maximum(self.upper[one] - self.lower[other], self.upper[other] - self.lower[one]))

    def shares(self, lower: ArrayLike, upper: ArrayLike) -> Floats:
        """Return products of the shares of sides, shape (k, m)."""
        low, high = (np.atleast_2d(np.asarray(side, dtype=np.float64)) for side in (lower, upper))
        result = np.ones((len(low), self.size))
        for axis in range(self.dimension):  # one plane (k, m) at a time
            result *= side_shares(self.lower[:, axis], self.upper[:, axis], low[:, axis], high[:, axis])
        return result

    def sampled(self, rng: np.random.Generator, sizes: ArrayLike, progress: Progress = silent) -> Floats:
        cells = np.repeat(np.arange(self.size), np.asarray(sizes, dtype=np.int64))
        low, high = self.lower[cells], self.upper[cells]
        points: Floats = low + public_generator(rng).random(low.shape) * (high - low)
        return points

    def places(self, points: ArrayLike) -> Ints:
        """Return the box of each point; lower faces belong to a box, upper ones only if no other box has
        them.

        Tests all boxes for each point; histograms with a tree of splits are faster.
        """
        values = np.atleast_2d(np.asarray(points, dtype=np.float64))
        result = np.full(len(values), -1, dtype=np.int64)
        rows = max(1, (1 << 22) // max(1, self.size * self.dimension))
        for start in range(0, len(values), rows):
            some = values[start : start + rows, None, :]
            above = (some >= self.lower).all(axis=2)
            for ends in (some <= self.upper, some < self.upper):
                inside = above & np.asarray(ends.all(axis=2))
                hit = np.asarray(inside.any(axis=1))
                result[start : start + rows][hit] = inside.argmax(axis=1)[hit]
        return result


@contextlib.contextmanager
def uncollected() -> Iterator[None]:
    """Disable garbage collection: for a million new lists without cycles it would take most of the time."""
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()


def side_shares(bottom: Floats, top: Floats, low: Floats, high: Floats) -> Floats:
    """Return the share of each side, (m,) to (m,), in intervals (k,) to (k,), shape (k, m).

    Far from 0, a small cell's side may round to length 0: it is then in an interval or not.
    """
    inside = np.minimum(high[:, None], top)
    inside -= np.maximum(low[:, None], bottom)
    length = top - bottom
    shares: Floats = np.maximum(inside, 0.0)
    shares /= np.where(length > 0, length, 1.0)
    flat = length == 0
    shares[:, flat] = inside[:, flat] >= 0
    return shares


def _norms(vectors: Floats) -> Floats:
    """Return Euclidean lengths along the last axis, without overflow in squares."""
    lengths: Floats = np.sqrt(np.einsum("...i,...i->...", vectors, vectors))
    return lengths
