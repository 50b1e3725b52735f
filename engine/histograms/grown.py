"""Histograms that grow: cells with many points are cut, again and again."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from engine.domain import Box
from engine.errors import ParameterError
from engine.histograms.cubes import BITS, DEEPEST, Cubes, Scheme, ShiftedCubes
from engine.histograms.descent import Descent
from engine.histograms.histogram import BoxHistogram
from engine.progress import Progress, silent

_Floats = NDArray[np.float64]
_Ints = NDArray[np.int64]
_Mask = NDArray[np.bool_]

COARSE = 4
"""Points for each cell of the level at which they are counted first, all at once."""


_CELLS = 1 << 16
"""Cells whose corners are worked out between two reports of progress."""


@dataclasses.dataclass(frozen=True, eq=False)
class Level:
    """The cells of one level that hold points.

    Attributes
    ----------
    index : ndarray of int64, shape (m, d)
        As `Scheme` names them.
    counts : ndarray, shape (m,)
    parent : ndarray of int64, shape (m,)
        Their places in the level before.
    cut : ndarray of bool, shape (m,)
        Which were cut further.
    """

    index: _Ints
    counts: NDArray[np.float64] | _Ints
    parent: _Ints
    cut: _Mask


@dataclasses.dataclass(frozen=True, eq=False)
class Tree(BoxHistogram):
    """A histogram that knows how it was cut; cells without points are left out, which says where they are.

    Attributes
    ----------
    scheme : Scheme
    levels : tuple of Level
        From the whole box on.
    """

    scheme: Scheme
    levels: tuple[Level, ...]

    @classmethod
    def grown(cls, scheme: Scheme, levels: Sequence[Level], progress: Progress = silent) -> Tree:
        """Gather the cells that were not cut."""
        leaves = [~level.cut for level in levels]
        corners = []
        for number, (level, leaf) in enumerate(zip(levels, leaves, strict=True)):
            index = level.index[leaf]
            for start in range(0, max(1, len(index)), _CELLS):
                progress((number + start / max(1, len(index))) / len(levels))
                corners.append(scheme.bounds(index[start : start + _CELLS], number))
        return cls(
            np.concatenate([lower for lower, _ in corners]),
            np.concatenate([upper for _, upper in corners]),
            np.concatenate([level.counts[leaf] for level, leaf in zip(levels, leaves, strict=True)]).astype(
                np.float64
            ),
            np.repeat(np.arange(len(levels)), [np.count_nonzero(leaf) for leaf in leaves]),
            scheme,
            tuple(levels),
        )

    @classmethod
    def released(cls, box: Box, value: dict[str, Any]) -> Tree:
        """Read what `value` has written of cubes in a box.

        Raises
        ------
        ParameterError
            As `rebuilt`.
        """
        shift = value.get("shift")
        scheme = Cubes(box) if shift is None else ShiftedCubes(box, tuple(round(u * 2**BITS) for u in shift))
        return cls.rebuilt(scheme, BoxHistogram.of(value))

    @classmethod
    def rebuilt(cls, scheme: Scheme, cells: BoxHistogram) -> Tree:
        """Return the tree that was cut into these cells: what was cut follows, and so does what it held.

        Raises
        ------
        ParameterError
            If some of them are no cells of the scheme, or lie in others.
        """
        fine = scheme.fine((cells.lower + cells.upper) / 2)
        levels: list[Level] = []
        index = np.empty((0, scheme.dimension), dtype=np.int64)
        counts, below = np.empty(0), index
        for number in range(min(cells.deepest, DEEPEST), -1, -1):
            here = cells.level == number
            leaves = _leaves(scheme, cells.chosen(here), fine[here], number)
            mothers = np.column_stack(
                [scheme.parent(below[:, axis], number + 1, axis) for axis in range(scheme.dimension)]
            )
            inner, place = np.unique(mothers, axis=0, return_inverse=True)
            if levels:
                levels[0] = dataclasses.replace(levels[0], parent=len(leaves) + place.reshape(-1))
            index = np.concatenate([leaves, inner])
            if len(np.unique(index, axis=0)) < len(index):
                raise ParameterError("cells", "some lie in others; cells do not overlap")
            held = np.bincount(place.reshape(-1), counts, len(inner)) if len(inner) else np.empty(0)
            counts, below = np.concatenate([cells.counts[here], held]), index
            cut = np.arange(len(index)) >= len(leaves)
            levels.insert(0, Level(index, counts, np.zeros(len(index), dtype=np.int64), cut))
        return cls.grown(scheme, levels)

    def at_level(self, level: int) -> Tree:
        """Return the histogram as it was when no cell had been cut more than `level` times."""
        if level >= self.deepest:
            return self
        kept = [*self.levels[:level], dataclasses.replace(self.levels[level], cut=_none(self.levels[level]))]
        return Tree.grown(self.scheme, kept)

    def chosen(self, cells: ArrayLike) -> BoxHistogram:  # type: ignore[override]
        """Return some of the cells, which are not a tree any more."""
        some = np.asarray(cells)
        return BoxHistogram(self.lower[some], self.upper[some], self.counts[some], self.level[some])

    def value(self, progress: Progress = silent) -> dict[str, Any]:
        """Return what is released, as numbers and lists; where the cells began, too."""
        return {**super().value(progress), **self.scheme.facts}

    def places(self, points: ArrayLike) -> _Ints:
        """Return the cell of each point, found from level to level; -1 in those that are left out."""
        scheme = self.scheme
        fine = scheme.fine(np.atleast_2d(np.asarray(points, dtype=np.float64)))
        found = np.full(len(fine), -1, dtype=np.int64)
        moving, cell, leaves = np.arange(len(fine)), np.zeros(len(fine), dtype=np.int64), 0
        for number, level in enumerate(self.levels):
            rank = np.where(level.cut, -1, leaves + np.cumsum(~level.cut) - 1)
            found[moving] = rank[cell]
            leaves += int(np.count_nonzero(~level.cut))
            if number + 1 == len(self.levels):
                break
            on = level.cut[cell]
            moving, cell = moving[on], cell[on]
            cell, there = _below(scheme, number, cell, self.levels[number + 1], fine[moving])
            moving, cell = moving[there], cell[there]
        return found

    @cached_property
    def empty(self) -> BoxHistogram:
        """The cells without points, which are parts of cells that were cut."""
        lower, upper, levels = [], [], []
        for number, level in enumerate(self.levels[:-1]):
            descent = Descent(self.scheme, np.empty((0, self.scheme.dimension), dtype=np.int32))
            descent.level, descent.index = number, level.index
            descent.split(level.cut, empty=True)
            held = self.levels[number + 1]
            full = np.isin(_rows(descent.index, descent.parent), _rows(held.index, held.parent))
            low, high = self.scheme.bounds(descent.index[~full], number + 1)
            lower.append(low)
            upper.append(high)
            levels.append(np.full(len(low), number + 1))
        if not lower:
            return self.chosen(np.zeros(self.size, dtype=bool))
        deep = np.concatenate(levels)
        return BoxHistogram(np.concatenate(lower), np.concatenate(upper), np.zeros(len(deep)), deep)


def grow(
    scheme: Scheme, points: ArrayLike, t: int, max_depth: int = DEEPEST, progress: Progress = silent
) -> Tree:
    """Cut every cell that holds at least 2t points, and the whole box in any case.

    Parameters
    ----------
    scheme : Scheme
        How cells are cut.
    points : array_like, shape (n, d)
        In the box of the scheme.
    t : int
        Half of the points below which a cell stays whole, at least 2.
    max_depth : int
        How often a cell is cut at most: points that are all the same never part.
    progress : Progress

    Source: Chawla, Dwork, McSherry, Talwar 2005, section 1.1, where the rule is stated in three ways;
    it is "at least 2t".
    """
    values = np.asarray(points, dtype=np.float64)
    progress(0.0, "finding cells")
    fine = scheme.fine(values)
    start = _dense_level(scheme, len(fine), max_depth)
    levels, descent = _counted_at_once(scheme, fine, start, t, max_depth)
    while levels[-1].cut.any():
        progress(min(0.9, 0.3 + 0.1 * descent.level), f"cutting cells of level {descent.level}")
        descent.split(levels[-1].cut)
        cut = (descent.counts >= 2 * t) & (descent.level < max_depth)
        levels.append(Level(descent.index, descent.counts, descent.parent, cut))
    return Tree.grown(scheme, levels)


def _dense_level(scheme: Scheme, n: int, max_depth: int) -> int:
    level = 0
    while level < max_depth and math.prod(scheme.parts(level + 1)) * COARSE <= n:
        level += 1
    return level


def _counted_at_once(
    scheme: Scheme, fine: NDArray[np.int32], start: int, t: int, max_depth: int
) -> tuple[list[Level], Descent]:
    """Count points in all cells of one level; those of the levels before are sums of these."""
    d, descent = scheme.dimension, Descent(scheme, fine)
    codes = np.zeros(len(fine), dtype=np.int32)
    for axis, parts in enumerate(scheme.parts(start)):
        codes *= np.int32(parts)
        codes += scheme.index(fine[:, axis], start, axis)
    counts = np.bincount(codes, minlength=math.prod(scheme.parts(start))).reshape(scheme.parts(start))
    pyramid = [counts]
    for level in range(start, 0, -1):
        for axis in range(d):
            firsts = scheme.first(np.arange(scheme.parts(level - 1)[axis]), level - 1, axis)
            counts = np.add.reduceat(counts, firsts, axis=axis)
        pyramid.insert(0, counts)
    levels: list[Level] = []
    alive: _Mask = np.ones((1,) * d, dtype=bool)
    rank = np.zeros((1,) * d, dtype=np.int64)
    for level, counts in enumerate(pyramid):
        if level:
            mothers = [
                scheme.parent(np.arange(parts), level, axis) for axis, parts in enumerate(scheme.parts(level))
            ]
            alive, upward = alive[np.ix_(*mothers)], rank[np.ix_(*mothers)]
        else:
            upward = rank
        held = alive & (counts > 0)
        index = np.argwhere(held).astype(np.int64)
        cut = (counts >= 2 * t) & alive & (level < max_depth)
        if level == 0:
            cut[:] = max_depth > 0
        levels.append(Level(index, counts[held], upward[held], cut[held]))
        rank = np.zeros(counts.shape, dtype=np.int64)
        rank[held] = np.arange(len(index))
        alive = cut
    points = np.flatnonzero(alive.reshape(-1)[codes])
    descent.begin(start, levels[-1].index, points, rank.reshape(-1)[codes[points]])
    return levels, descent


def _leaves(scheme: Scheme, cells: BoxHistogram, fine: NDArray[np.int32], level: int) -> _Ints:
    """Return how the scheme names cells of one level, of whose middles the steps are given."""
    axes = range(scheme.dimension)
    index = np.column_stack([scheme.index(fine[:, axis], level, axis) for axis in axes]).astype(np.int64)
    near = scheme.box.width * 2.0**-BITS / 4
    for mine, theirs in zip(scheme.bounds(index, level), (cells.lower, cells.upper), strict=True):
        if not (np.abs(mine - theirs) <= near).all():
            raise ParameterError("cells", f"some are no cells of level {level} of these cubes")
    return index


def _none(level: Level) -> _Mask:
    return np.zeros(len(level.cut), dtype=bool)


def _below(
    scheme: Scheme, level: int, cell: _Ints, held: Level, fine: NDArray[np.int32]
) -> tuple[_Ints, _Mask]:
    """Return in which cell of the next level each point lies, and whether that cell is there at all."""
    index = np.column_stack(
        [scheme.index(fine[:, axis], level + 1, axis) for axis in range(scheme.dimension)]
    )
    sought, known = _rows(index.astype(np.int64), cell), _rows(held.index, held.parent)
    order = np.argsort(known)
    place = np.minimum(np.searchsorted(known, sought, sorter=order), len(known) - 1)
    return order[place], known[order[place]] == sought


def _rows(index: _Ints, parent: _Ints) -> NDArray[np.void]:
    """Return rows of whole numbers as things that can be compared and sorted."""
    table = np.ascontiguousarray(np.column_stack([parent, index]).astype(">i8"))
    return table.view(np.dtype((np.void, table.shape[1] * 8))).reshape(-1)
