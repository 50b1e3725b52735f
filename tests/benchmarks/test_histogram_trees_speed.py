"""Speed of spanning trees under the distance of cells.

Run with ``python3 packaging/test.py --benchmarks -m benchmark -s tests/benchmarks``.
"""

import numpy as np
import pytest
from tilings import tiling, tree_cost
from timing import seconds, timed

from engine.domain import Box
from engine.histograms.cubes import ShiftedCubes
from engine.histograms.grow_tree import grow_tree
from engine.histograms.spanning_tree import euclidean_tree, spanning_tree
from engine.randomness import reproducible

pytestmark = pytest.mark.benchmark


def mixture(n, d, rng):
    """20 Gaussians of very different width."""
    middles, widths = rng.random((20, d)), 10 ** rng.uniform(-4, -1, 20)
    which = rng.integers(20, size=n)
    return np.clip(middles[which] + widths[which, None] * rng.normal(size=(n, d)), 0, 1)


def cells(kind, m, d):
    """Return m occupied cells: of a random tiling, or grown on points."""
    rng = reproducible(d)
    if kind == "tiling":
        histogram = tiling(m * 5 // 4 + 100, d, rng)
        return histogram.occupied.chosen(np.arange(m))
    n = m * 4
    while True:
        points = rng.random((n, d)) if kind == "uniform" else mixture(n, d, rng)
        histogram = grow_tree(ShiftedCubes.draw(Box.of([0.0] * d, [1.0] * d), rng), points, 2)
        if histogram.size >= m:
            # the first in an order of places, so that what is left out lies together
            order = np.lexsort((histogram.lower[:, -1], np.floor(histogram.lower[:, 0] * 64)))
            return histogram.chosen(np.sort(order[:m]))
        n *= 2


def delaunay(points):
    """Return the cost of the Euclidean tree in the usual way: the baseline."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import minimum_spanning_tree
    from scipy.spatial import Delaunay

    corners = Delaunay(points).simplices
    d = points.shape[1]
    pairs = np.unique(
        np.sort(np.concatenate([corners[:, [i, j]] for i in range(d + 1) for j in range(i)]), axis=1), axis=0
    )
    lengths = np.linalg.norm(points[pairs[:, 0]] - points[pairs[:, 1]], axis=1)
    graph = coo_array((lengths, (pairs[:, 0], pairs[:, 1])), shape=(len(points), len(points)))
    return float(minimum_spanning_tree(graph.tocsr()).sum())


@pytest.mark.parametrize("d", [2, 3, 4, 8])
@pytest.mark.parametrize("kind", ["tiling", "uniform", "mixture"])
def test_10_000_cells_within_10_seconds(kind, d):
    histogram = cells(kind, 10_000, d)
    ours = seconds(lambda: spanning_tree(histogram), repeats=1)
    points = np.random.default_rng(1).random((10_000, 2))
    baseline = seconds(lambda: delaunay(points), repeats=1)
    print(
        f"\n{kind}, d = {d}: {ours:.2f} s, {ours / baseline:.1f} x a Delaunay tree of as many points, d = 2"
    )
    if d < 8:
        assert ours <= 10.0


@pytest.mark.parametrize("d", [2, 3, 4])
@pytest.mark.parametrize("kind", ["tiling", "uniform", "mixture"])
def test_100_000_cells_within_60_seconds(kind, d):
    histogram = cells(kind, 100_000, d)
    ours = seconds(lambda: spanning_tree(histogram), repeats=1)
    points = np.random.default_rng(1).random((100_000, min(d, 3)))
    baseline = seconds(lambda: delaunay(points), repeats=1)
    print(
        f"\n{kind}, d = {d}: {ours:.1f} s, exact; {ours / baseline:.1f} x a Delaunay tree of as many points, "
        f"d = {min(d, 3)}"
    )
    assert ours <= 60.0


def test_exact_at_2_000_cells():
    """The same cost as Prim's algorithm on the matrix of all distances."""
    histogram = cells("mixture", 2000, 3)
    every = np.arange(histogram.size)
    expected = tree_cost(histogram.between(every[:, None], every[None, :]))
    assert spanning_tree(histogram).lengths.sum() == pytest.approx(expected)


@pytest.mark.parametrize("n", [10_000, 100_000, 1_000_000])
def test_trees_of_points(n):
    """The true tree: Delaunay finds it as fast or faster, but cannot be stopped, nor go beyond d = 3."""
    points = np.random.default_rng(1).random((n, 2))
    ours, found = timed(lambda: euclidean_tree(points))
    baseline, expected = timed(lambda: delaunay(points))
    print(f"\nn = {n:,}: {ours:.1f} s, {ours / baseline:.1f} x Delaunay")
    assert found.cost == pytest.approx(expected)
