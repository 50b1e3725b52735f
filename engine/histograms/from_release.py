"""Trees of cubes from what was released of them."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.array_types import Ints
from engine.domain import Box
from engine.errors import ParameterError
from engine.histograms.cubes import BITS, DEEPEST, Cubes, Scheme, ShiftedCubes
from engine.histograms.histogram import BoxHistogram
from engine.histograms.tree import Level, Tree


def tree_from_release(box: Box, value: dict[str, Any]) -> Tree:
    """Read what `Tree.value` has written of cubes in a box.

    Raises
    ------
    ParameterError
        As `tree_from_cells`.
    """
    shift = value.get("shift")
    scheme = Cubes(box) if shift is None else ShiftedCubes(box, tuple(round(u * 2**BITS) for u in shift))
    return tree_from_cells(scheme, BoxHistogram.of(value))


def tree_from_cells(scheme: Scheme, cells: BoxHistogram) -> Tree:
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
    return Tree.from_levels(scheme, levels)


def _leaves(scheme: Scheme, cells: BoxHistogram, fine: NDArray[np.int32], level: int) -> Ints:
    """Return how the scheme names cells of one level, of whose middles the steps are given."""
    axes = range(scheme.dimension)
    index = np.column_stack([scheme.index(fine[:, axis], level, axis) for axis in axes]).astype(np.int64)
    near = scheme.box.width * 2.0**-BITS / 4
    for mine, theirs in zip(scheme.bounds(index, level), (cells.lower, cells.upper), strict=True):
        if not (np.abs(mine - theirs) <= near).all():
            raise ParameterError("cells", f"some are no cells of level {level} of these cubes")
    return index
