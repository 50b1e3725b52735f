"""Grids of equal cells."""

import itertools

import numpy as np
import pytest

from engine.domain import Box, Interval
from engine.histograms.grid import MAX_CELLS, Grid, max_bins, round_edges
from engine.histograms.histogram import BoxHistogram

BOX = Box.of([0, -3], [1, 7])


@pytest.mark.parametrize("d", range(1, 13))
def test_no_more_bins_than_cells_allow(d):
    most = max_bins(d)
    assert most**d <= MAX_CELLS < (most + 1) ** d


def test_every_point_is_counted_where_its_cell_is():
    grid = Grid(BOX, 5)
    rng = np.random.default_rng(1)
    points = np.concatenate([rng.uniform(BOX.lower, BOX.upper, (500, 2)), [BOX.lower, BOX.upper]])
    points[:100] = BOX.lower + BOX.width * rng.integers(0, 6, (100, 2)) / 5  # on planes
    counts = grid.counts(points)
    histogram = grid.histogram(counts)
    cells = grid.cells(points)
    assert np.array_equal(np.bincount(cells, minlength=25), counts)
    assert np.all(points >= histogram.lower[cells])
    last = histogram.upper[cells] == BOX.upper
    assert np.all(np.where(last, points <= histogram.upper[cells], points < histogram.upper[cells]))
    assert np.array_equal(histogram.places(points), cells)
    assert histogram.places([[2.0, 0.0], [0.5, 8.0]]).tolist() == [-1, -1]
    assert (histogram.upper - histogram.lower).prod(axis=1).sum() == pytest.approx(10)
    assert np.array_equal(histogram.occupied.counts, counts[counts > 0])


@pytest.mark.parametrize(("d", "bins"), [(1, 7), (2, 5), (3, 4)])
def test_estimates_are_those_of_the_boxes(d, bins):
    rng, box = np.random.default_rng(2), Box.of([-1] * d, [2] * d)
    grid = Grid(box, bins)
    histogram = grid.histogram(rng.normal(size=grid.size))
    boxes = BoxHistogram(histogram.lower, histogram.upper, histogram.counts, histogram.level)
    lower = rng.uniform(-2, 1, (20, d))
    upper = lower + rng.uniform(0, 3, (20, d))
    assert histogram.estimates(lower, upper) == pytest.approx(boxes.estimates(lower, upper), abs=1e-9)


ROUND = {
    (0, 120): (24, 5),
    (0, 500_000): (25, 20_000),
    (0, 1): (20, 0.05),
    (18, 65): (47, 1),  # no wider parts end at both bounds
    (18, 99): (17, 5),  # 15 to 100
    (0, 10): (10, 1),  # not half numbers
    (-180, 180): (18, 20),
    (0.13, 127.37): (13, 10),
    (-3, 200_000): (21, 10_000),
    (0.1, 0.4): (30, 0.01),
    (0, 120, 1): (25, 5),  # 120 alone
    (0, 1, 1): (2, 1),
    (1, 5, 1): (5, 1),
    (0, 10, 0.25): (11, 1),
    (0, 3, 0.25): (13, 0.25),
}


@pytest.mark.parametrize("bounds", ROUND, ids=str)
def test_equal_parts_have_round_edges(bounds):
    side, (count, width) = Interval(*bounds), ROUND[bounds]
    edges = round_edges(side)
    assert len(edges) - 1 == count
    assert edges.tolist() == pytest.approx((round(edges[0] / width) + np.arange(count + 1)) * width)
    assert max(len(repr(edge)) for edge in edges.tolist()) <= 9  # 0.15, not 0.15000000000000002
    assert edges[0] <= side.lower < edges[1]
    assert edges[-2] <= side.upper <= edges[-1]
    within = Grid.between(Box((side,)), edges).edges
    assert (within[0], within[-1]) == (side.lower, side.upper)


@pytest.mark.parametrize(
    "bounds", [(0, 100, 7), (1, 5, 1), (18, 65, 1), (0, 99, 1), (1900, 2026, 1), (0, 1, 0.01)]
)
def test_each_part_holds_one_of_the_declared_values(bounds):
    low, high, resolution = bounds
    edges = round_edges(Interval(*bounds))
    values = np.arange(low / resolution, high / resolution + 1e-9) * resolution
    counts = np.bincount(np.searchsorted(edges, values + 1e-9, side="right") - 1)
    assert counts.size == edges.size - 1
    assert counts.min() > 0


def test_a_grid_between_edges_counts_by_comparison():
    grid = Grid.between(Box.of([0], [10]), [2.5, 4, 9])
    values = np.random.default_rng(2).uniform(0, 10, 1000)
    edges = [0, 2.5, 4, 9, 10]
    expected = [int(((values >= low) & (values < high)).sum()) for low, high in itertools.pairwise(edges)]
    assert grid.counts(values[:, None]).tolist() == expected
    assert grid.histogram(grid.counts(values[:, None])).upper[:, 0].tolist() == edges[1:]
