"""Overlapping cells on tiny grids, against a count of every cell."""

import itertools
from collections import Counter

import numpy as np
import pytest

from engine.domain import Box
from engine.mechanisms.one_cluster import Task, overlapping_cells
from engine.mechanisms.one_cluster.cells import (
    bounds,
    log_cells,
    merge_rows,
    most_in_a_cube,
    number_of_cells,
    side,
)
from engine.mechanisms.one_cluster.grid import DomainGrid
from engine.mechanisms.one_cluster.overlapping_cells import DyadicCells
from engine.privacy import Privacy
from engine.randomness import reproducible

WIDTHS = {1: [1.0], 2: [1.0, 0.4], 3: [0.7, 1.0, 0.3]}


def grid_of(d, steps):
    return DomainGrid(Box.of([0.0] * d, WIDTHS[d]), steps)


def all_cells(grid, level):
    """Return every cell of a level, by its index, as the set of its grid points (low, high)."""
    first = 0 if level == grid.bits + 1 else -1
    width = 1 if level == grid.bits + 1 else 2 * side(grid, level)
    ranges = [range(first, first + int(count)) for count in number_of_cells(grid, level)]
    return {v: (np.array(v) * side(grid, level), width) for v in itertools.product(*ranges)}


@pytest.mark.parametrize("d", [1, 2, 3])
def test_counts_and_heights_are_those_of_all_cells(d):
    rng = np.random.default_rng(d)
    for steps in (2, 3, 8, 16):
        grid = grid_of(d, steps)
        points = grid.index_points(rng.uniform(0, 1, (25, d)) ** 2)
        cells = DyadicCells(grid, points)
        heights = cells.heights
        assert heights[0] == 25
        assert np.all(np.diff(heights) <= 0)
        assert cells.levels == len(heights) == grid.bits + 2
        for level in range(cells.levels):
            counts = {
                v: int(((points >= low) & (points < low + width)).all(axis=1).sum())
                for v, (low, width) in all_cells(grid, level).items()
            }
            assert np.isclose(np.exp(log_cells(grid, level)), len(counts))
            found = cells.cells(level)
            filled = {v: count for v, count in counts.items() if count}
            assert dict(zip(map(tuple, found.corners.tolist()), found.counts.tolist(), strict=True)) == filled
            assert heights[level] == max(counts.values())
            low, high = bounds(grid, level, np.array(list(counts)))
            assert np.array_equal(high - low + 1, np.full(low.shape, all_cells(grid, level)[min(counts)][1]))


def test_a_ball_of_the_diameter_of_half_a_cell_lies_inside_one():
    """Any box of grid points b apart, as a closed ball of diameter b spans it, is within one cell."""
    grid = grid_of(2, 16)
    for level in range(grid.bits + 1):
        b = side(grid, level)
        for corner in itertools.product(*(range(int(last) + 1) for last in grid.last)):
            low, high = np.array(corner), np.minimum(np.array(corner) + b, grid.last)
            assert any(
                np.all(start <= low) and np.all(high < start + width)
                for start, width in all_cells(grid, level).values()
            )


def test_one_person_moves_every_height_and_count_by_at_most_one():
    """All databases of three points on a line of five, and all of two points on a grid of 3 x 2."""
    for grid, n in ((DomainGrid(Box.of([0], [1]), 4), 3), (DomainGrid(Box.of([0, 0], [1, 0.5]), 2), 2)):
        places = list(itertools.product(*(range(int(last) + 1) for last in grid.last)))
        found = {data: DyadicCells(grid, np.array(data)) for data in itertools.product(places, repeat=n)}
        largest = 0
        for data, cells in found.items():
            for moved in places:
                other = found[(moved, *data[1:])]
                largest = max(largest, int(np.abs(cells.heights - other.heights).max()))
        assert largest == 1


def test_rows_are_merged_even_where_codes_would_overflow():
    rng = np.random.default_rng(4)
    rows = rng.integers(0, 3, (500, 12)) * (1 << 18)
    counts = rng.integers(1, 9, 500)
    found = merge_rows(rows, counts, np.full(12, 1 << 20))
    expected, place = np.unique(rows, axis=0, return_inverse=True)
    sums = np.bincount(place.ravel(), counts)
    assert {tuple(row): count for row, count in zip(found.corners.tolist(), found.counts, strict=True)} == {
        tuple(row): count for row, count in zip(expected.tolist(), sums, strict=True)
    }


def test_an_empty_cell_is_drawn_uniformly():
    """3 of 5 cells of a level are empty; a count is 5 sigma off with probability below 1e-6 each."""
    grid = DomainGrid(Box.of([0], [1]), 4)
    task = Task(grid, 3, 1, Privacy(1.0, 1e-6), 0.1)
    level = grid.bits + 1
    cells = DyadicCells(grid, np.array([[1], [1], [3]])).cells(level)
    rng = reproducible(1)
    drawn = [int(overlapping_cells.empty_cell(task, level, cells, rng)[0]) for _ in range(3000)]
    values, counts = np.unique(drawn, return_counts=True)
    assert values.tolist() == [0, 2, 4]
    assert np.abs(counts - 1000).max() < 5 * np.sqrt(3000 * 2 / 9)


@pytest.mark.parametrize("dimension", [1, 2, 3, 12])
def test_the_fullest_cube_holds_most(dimension):
    """In twelve dimensions cubes of a small side have more numbers than 63 bits."""
    rng = np.random.default_rng(dimension)
    near = np.array([1, 1 << 16])[rng.integers(0, 2, (300, 1))]
    points = rng.integers(0, 1 << 20, (300, dimension)) // near
    for length in (1, 3, 1 << 10, 1 << 17, 1 << 21):
        cubes = Counter(map(tuple, (points // length).tolist()))
        assert most_in_a_cube(points, length) == max(cubes.values())
