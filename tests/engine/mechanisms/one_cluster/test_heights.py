"""Heights without a list of cells, against the counts of all cells, however they are counted."""

import numpy as np
import pytest

from engine.domain import Box
from engine.mechanisms.one_cluster import overlapping_cells as module
from engine.mechanisms.one_cluster.cells import overlapping
from engine.mechanisms.one_cluster.grid import DomainGrid
from engine.mechanisms.one_cluster.overlapping_cells import heights_of

WAYS = {"all cells": (2, 1 << 16), "those with points": (0, 0), "both": (2, 0)}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("d", [1, 2, 3, 4])
def test_they_are_the_largest_counts(d, way, monkeypatch):
    per_point, at_least = WAYS[way]
    monkeypatch.setattr(module, "PER_POINT", per_point)
    monkeypatch.setattr(module, "MIN_CELLS", at_least)
    rng = np.random.default_rng(d)
    for steps in (2, 7, 64, 1 << 12):
        for spread in (1, 2, 5):
            grid = DomainGrid(Box.of([0.0] * d, [1.0, 0.4, 0.7, 0.2][:d]), steps)
            points = grid.index_points(rng.uniform(0, 1, (40, d)) ** spread * grid.box.width)
            counts = [overlapping(grid, points, level).counts for level in range(grid.bits + 2)]
            assert heights_of(grid, points).tolist() == [int(each.max()) for each in counts]


def test_too_many_cells_for_whole_numbers():
    grid = DomainGrid(Box.of([0.0] * 6, [1.0] * 6), 1 << 16)
    points = grid.index_points(np.random.default_rng(1).uniform(0.3, 0.31, (50, 6)))
    counts = [overlapping(grid, points, level).counts for level in range(grid.bits + 2)]
    assert heights_of(grid, points).tolist() == [int(each.max()) for each in counts]


def test_of_no_points_they_are_0():
    grid = DomainGrid(Box.of([0.0], [1.0]), 16)
    assert heights_of(grid, np.empty((0, 1), np.int64)).tolist() == [0] * (grid.bits + 2)
