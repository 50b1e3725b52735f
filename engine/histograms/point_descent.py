"""Track the cells of points, one level at a time, without copying points."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from engine.array_types import Bools, Ints
from engine.histograms.cubes import Scheme, blocks
from engine.progress import Progress, silent

MAX_CHILDREN_PER_POINT = 4
"""Counts include empty children while there are at most this many children per point."""


_ALL = slice(None)


class PointDescent:
    """The cells of one level, and the cell of each point.

    `fine`, (n, d), are the points in steps (private).  `index`, (m, d), names the cells of `level`; `counts`,
    (m,), are their numbers of points; `parent`, (m,), are their cells of the previous level.
    """

    def __init__(self, scheme: Scheme, fine: NDArray[np.int32]) -> None:
        self._scheme = scheme
        self._fine = fine
        self.level = 0
        self.index = np.zeros((1, scheme.dimension), dtype=np.int64)
        self.counts = np.array([len(fine)], dtype=np.int64)
        self.parent = np.zeros(1, dtype=np.int64)
        self._points: NDArray[np.intp] | slice = _ALL
        self._cell: Ints | None = None  # of each of `points`; None if all are in the first one

    @property
    def cells(self) -> Ints:
        """The cell of each remaining point."""
        return np.zeros(len(self._fine), dtype=np.int64) if self._cell is None else self._cell

    @property
    def size(self) -> int:
        """Number of remaining points."""
        return len(self._fine) if isinstance(self._points, slice) else len(self._points)

    def keep(self, cut: Bools) -> None:
        """Drop the points in cells that are not split."""
        self._rename(np.where(cut, np.arange(len(cut)), -1))

    def steps(self, axis: int, some: slice = _ALL) -> NDArray[np.int32]:
        """Return one coordinate of some remaining points."""
        column = self._fine[:, axis]
        return column[some] if isinstance(self._points, slice) else column.take(self._points[some])

    def jump(self, level: int, index: Ints, codes: Ints, places: NDArray[np.int32]) -> None:
        """Move to cells of a lower level; ``places[codes]`` are the cells of the points, -1 drops one.

        The cells overwrite the codes.
        """
        everyone = isinstance(self._points, slice)
        points = np.empty(len(codes), dtype=np.intp) if isinstance(self._points, slice) else self._points
        size = 0
        for some in blocks(len(codes)):
            cell = places.take(codes[some])
            stay = np.flatnonzero(cell >= 0)
            here = slice(
                size, size := size + len(stay)
            )  # never overtakes `some`: remaining points move forward
            codes[here] = cell.take(stay)
            stay += some.start
            points[here] = stay if everyone else points.take(stay)
        self.level, self.index, self._points, self._cell = level, index, points[:size], codes[:size]

    def stay(self, level: int, index: Ints) -> None:
        """Move to the single cell of a lower level that holds all remaining points."""
        self.level, self.index = level, index
        self._cell = None if self._cell is None else np.zeros_like(self._cell)

    def split(self, cut: Bools, *, empty: bool = False, progress: Progress = silent) -> None:
        """Move to the parts of the cells with `cut`.

        With `empty`, includes parts without points.
        """
        scheme, d = self._scheme, self._scheme.dimension
        cells = np.flatnonzero(cut)
        rank = np.full(len(cut), -1, dtype=np.int64)
        rank[cells] = np.arange(len(cells))
        self._rename(rank)
        starts = [scheme.first(self.index[cells, axis], self.level, axis) for axis in range(d)]
        codes = self._codes(starts)
        progress(0.3)
        ways = scheme.ways**d
        if empty or len(cells) * ways <= MAX_CHILDREN_PER_POINT * len(codes):
            held = np.bincount(codes, minlength=len(cells) * ways)
            here = self._parts(cells, starts) if empty else np.flatnonzero(held)
            rank_of = np.zeros(len(held), dtype=np.int64)
            rank_of[here] = np.arange(len(here))
            counts = held[here]
            for some in blocks(len(codes)):
                codes[some] = rank_of.take(codes[some])
            self._cell = codes
        else:
            here, self._cell, counts = np.unique(codes, return_inverse=True, return_counts=True)
        progress(0.6)
        mothers, digits = np.divmod(here, ways)
        self.parent = cells[mothers]
        self.index = self._children(mothers, starts, digits, progress)
        self.counts = counts.astype(np.int64)
        self.level += 1

    def _rename(self, names: Ints) -> None:
        """Change the numbers of cells; drop the points in cells with number -1."""
        if self._cell is None:
            return
        self._cell = names.take(self._cell)
        kept = np.flatnonzero(self._cell >= 0)
        if len(kept) < len(self._cell):
            points = self._points
            self._points = kept if isinstance(points, slice) else points.take(kept)
            self._cell = self._cell.take(kept)

    def _codes(self, starts: Sequence[Ints]) -> Ints:
        """Return for each point one number that encodes its cell and its part of it.

        The parts of the cells begin at `starts` along each axis.
        """
        scheme, cells = self._scheme, self.cells
        codes = np.zeros(self.size, dtype=np.int64)
        offset = np.arange(len(starts[0]))
        for start in starts:
            offset = offset * scheme.ways - start
        for some in blocks(self.size):
            here = codes[some]
            for axis in range(scheme.dimension):
                here *= scheme.ways
                here += scheme.index(self.steps(axis, some), self.level + 1, axis)
            here += offset.take(cells[some])
        return codes

    def _parts(self, cells: Ints, starts: Sequence[Ints]) -> Ints:
        """Return the codes of all parts of cells, increasing; a cell may have fewer than `ways` along an
        axis.
        """
        scheme = self._scheme
        mother = codes = np.arange(len(cells))
        for axis, start in enumerate(starts):
            fanout = (scheme.following(self.index[cells, axis], self.level, axis) - start)[mother]
            first = np.repeat(np.cumsum(fanout) - fanout, fanout)
            mother, codes = np.repeat(mother, fanout), np.repeat(codes, fanout)
            codes = codes * scheme.ways + np.arange(len(codes)) - first
        return codes

    def _children(self, mothers: Ints, starts: Sequence[Ints], digits: Ints, progress: Progress) -> Ints:
        index, rest = np.empty((len(mothers), len(starts)), dtype=np.int64), digits
        for axis, start in reversed(list(enumerate(starts))):
            progress(1 - 0.4 * axis / len(starts))
            rest, digit = np.divmod(rest, self._scheme.ways)
            index[:, axis] = start[mothers] + digit
        return index
