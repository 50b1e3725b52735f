"""Histograms with their tree of splits, and how to reconstruct it from a release."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from engine.array_types import Bools, Floats, Ints
from engine.domain import Box
from engine.errors import ParameterError
from engine.histograms.cubes import BITS, DEEPEST, Cubes, Scheme, ShiftedCubes
from engine.histograms.histogram import BoxHistogram
from engine.histograms.point_descent import PointDescent
from engine.progress import Progress, silent

_CELLS = 1 << 16
"""Cells whose corners are computed between two progress reports."""


@dataclasses.dataclass(frozen=True, eq=False)
class Level:
    """The occupied cells of one level."""

    index: Ints  # (m, d): names as in `Scheme`
    counts: Floats | Ints  # (m,)
    parent: Ints  # (m,): their indices in the previous level
    cut: Bools  # (m,): which were split further


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class Tree(BoxHistogram):
    """A histogram with its tree of splits; empty cells are omitted, and follow from the tree."""

    scheme: Scheme
    levels: tuple[Level, ...]  # from the whole box on

    @classmethod
    def from_levels(cls, scheme: Scheme, levels: Sequence[Level], *, progress: Progress = silent) -> Tree:
        """Collect the cells that were not split."""
        leaves = [~level.cut for level in levels]
        index = np.concatenate([level.index[leaf] for level, leaf in zip(levels, leaves, strict=True)])
        counts = np.concatenate([level.counts[leaf] for level, leaf in zip(levels, leaves, strict=True)])
        number = np.repeat(np.arange(len(levels)), [np.count_nonzero(leaf) for leaf in leaves])
        lower, upper = np.empty(index.shape), np.empty(index.shape)
        for start in range(0, len(index), _CELLS):
            progress(start / len(index))
            some = slice(start, start + _CELLS)
            lower[some], upper[some] = scheme.bounds(index[some], number[some])
        return cls(lower, upper, counts.astype(np.float64), number, scheme, tuple(levels))

    def at_level(self, level: int) -> Tree:
        if level >= self.deepest:
            return self
        kept = [*self.levels[:level], dataclasses.replace(self.levels[level], cut=_none(self.levels[level]))]
        return Tree.from_levels(self.scheme, kept)

    def chosen(self, cells: ArrayLike) -> BoxHistogram:  # type: ignore[override]
        some = np.asarray(cells)
        return BoxHistogram(self.lower[some], self.upper[some], self.counts[some], self.level[some])

    def value(self, progress: Progress = silent) -> dict[str, Any]:
        """Return the released value, as numbers and lists, including the start of the cells."""
        return {**super().value(progress), **self.scheme.facts}

    def places(self, points: ArrayLike) -> Ints:
        """Return the cell of each point, found level by level; -1 in omitted cells."""
        scheme = self.scheme
        fine = scheme.fine(np.atleast_2d(np.asarray(points, dtype=np.float64)))
        indices = np.full(len(fine), -1, dtype=np.int64)
        moving, cell, leaves = np.arange(len(fine)), np.zeros(len(fine), dtype=np.int64), 0
        for number, level in enumerate(self.levels):
            rank = np.where(level.cut, -1, leaves + np.cumsum(~level.cut) - 1)
            indices[moving] = rank[cell]
            leaves += int(np.count_nonzero(~level.cut))
            if number + 1 == len(self.levels):
                break
            on = level.cut[cell]
            moving, cell = moving[on], cell[on]
            cell, there = _below(scheme, number, cell, self.levels[number + 1], fine[moving])
            moving, cell = moving[there], cell[there]
        return indices

    @cached_property
    def empty(self) -> BoxHistogram:
        """The empty cells, which are parts of split cells."""
        lower, upper, levels = [], [], []
        for number, level in enumerate(self.levels[:-1]):
            descent = PointDescent(self.scheme, np.empty((0, self.scheme.dimension), dtype=np.int32))
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


def _none(level: Level) -> Bools:
    return np.zeros(len(level.cut), dtype=bool)


def _below(
    scheme: Scheme, level: int, cell: Ints, held: Level, fine: NDArray[np.int32]
) -> tuple[Ints, Bools]:
    """Return the cell of the next level for each point, and whether that cell exists."""
    index = np.column_stack(
        [scheme.index(fine[:, axis], level + 1, axis) for axis in range(scheme.dimension)]
    )
    sought, known = _rows(index.astype(np.int64), cell), _rows(held.index, held.parent)
    order = np.argsort(known)
    position = np.minimum(np.searchsorted(known, sought, sorter=order), len(known) - 1)
    return order[position], known[order[position]] == sought


def _rows(index: Ints, parent: Ints) -> NDArray[np.void]:
    """Return rows of integers as values that can be compared and sorted."""
    table = np.ascontiguousarray(np.column_stack([parent, index]).astype(">i8"))
    return table.view(np.dtype((np.void, table.shape[1] * 8))).reshape(-1)


def tree_from_release(box: Box, value: dict[str, Any]) -> Tree:
    """Read the output of `Tree.value` for cubes in a box."""
    shift = value.get("shift")
    scheme = Cubes(box) if shift is None else ShiftedCubes(box, tuple(round(u * 2**BITS) for u in shift))
    return tree_from_cells(scheme, BoxHistogram.of(value))


def tree_from_cells(scheme: Scheme, cells: BoxHistogram) -> Tree:
    """Reconstruct the tree from its leaf cells, with all split cells and their counts."""
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
        inner, mother = np.unique(mothers, axis=0, return_inverse=True)
        if levels:
            levels[0] = dataclasses.replace(levels[0], parent=len(leaves) + mother.reshape(-1))
        index = np.concatenate([leaves, inner])
        if len(np.unique(index, axis=0)) < len(index):
            raise ParameterError("cells", "some contain others; cells must not overlap")
        held = np.bincount(mother.reshape(-1), counts, len(inner)) if len(inner) else np.empty(0)
        counts, below = np.concatenate([cells.counts[here], held]), index
        cut = np.arange(len(index)) >= len(leaves)
        levels.insert(0, Level(index, counts, np.zeros(len(index), dtype=np.int64), cut))
    return Tree.from_levels(scheme, levels)


def _leaves(scheme: Scheme, cells: BoxHistogram, fine: NDArray[np.int32], level: int) -> Ints:
    """Return the scheme's names of cells of one level, from the steps of their centers."""
    axes = range(scheme.dimension)
    index = np.column_stack([scheme.index(fine[:, axis], level, axis) for axis in axes]).astype(np.int64)
    near = scheme.box.width * 2.0**-BITS / 4
    for mine, theirs in zip(scheme.bounds(index, level), (cells.lower, cells.upper), strict=True):
        if not (np.abs(mine - theirs) <= near).all():
            raise ParameterError("cells", f"some are not cells of level {level} of these cubes")
    return index
