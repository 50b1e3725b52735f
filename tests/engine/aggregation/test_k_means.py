"""k-means of many blocks at once, against the best of all partitions and against scikit-learn."""

import itertools

import numpy as np
import pytest

from engine.aggregation.functions import KMeans
from engine.aggregation.functions.lloyd import _labels, _nearest, cluster, cluster_sums


def cost(points, centers):
    return np.square(points[:, None] - centers[None]).sum(axis=2).min(axis=1).sum()


def least_cost(points, k):
    """The smallest cost of any k centers: those of some partition into at most k parts."""
    best = np.inf
    for parts in itertools.product(range(k), repeat=len(points) - 1):
        labels = np.array([0, *parts])
        best = min(
            best,
            sum(
                np.square(part - part.mean(axis=0)).sum()
                for j in range(k)
                if len(part := points[labels == j])
            ),
        )
    return best


@pytest.mark.parametrize(("k", "d"), [(1, 2), (2, 1), (2, 3), (3, 2)])
def test_the_best_of_many_restarts_is_optimal(k, d):
    """40 restarts on 7 points; each misses the optimum with probability far below 1/2."""
    rng = np.random.default_rng(10 * k + d)
    blocks = rng.random((16, 7, d))
    blocks[::4] = np.round(blocks[::4] * 3)
    found = cluster(blocks, np.arange(16), k, 40)
    best = [least_cost(points, k) for points in blocks]
    assert np.allclose(found.costs, best, rtol=1e-12, atol=1e-12)


def test_what_is_found_fits_together():
    """Costs and labels are those of the centers, and a center is the mean of its points."""
    rng = np.random.default_rng(1)
    blocks = rng.random((20, 50, 2))
    found = cluster(blocks, np.arange(20), 4, 2)
    for points, centers, labels, value in zip(blocks, found.centers, found.labels, found.costs, strict=True):
        apart = np.square(points[:, None] - centers[None]).sum(axis=2)
        assert np.array_equal(labels, apart.argmin(axis=1))
        assert np.isclose(value, cost(points, centers), rtol=1e-13)
        for j in range(4):
            assert np.allclose(centers[j], points[labels == j].mean(axis=0), rtol=1e-13)


def test_more_restarts_never_cost_more():
    blocks = np.random.default_rng(2).random((50, 30, 2))
    few, more = (cluster(blocks, np.arange(50), 5, restarts).costs for restarts in (1, 6))
    assert (more <= few).all()
    assert (more < few).any()


@pytest.mark.slow
def test_as_good_as_scikit_learn():
    from sklearn.cluster import KMeans as Reference

    blocks = np.random.default_rng(3).random((10, 60, 2))
    ours = cluster(blocks, np.arange(10), 3, 8).costs
    theirs = [Reference(3, n_init=8, random_state=0).fit(points).inertia_ for points in blocks]
    assert np.mean(ours) <= 1.02 * np.mean(theirs)


@pytest.mark.parametrize("distinct", [1, 2, 3])
def test_fewer_distinct_points_than_centers(distinct):
    rng = np.random.default_rng(4)
    places = rng.random((distinct, 2))
    block = places[np.arange(12) % distinct]
    found = cluster(block[None], np.array([5]), 4, 3)
    assert np.allclose(np.unique(found.centers[0].round(12), axis=0), np.unique(places, axis=0))
    assert found.costs[0] < 1e-24


def test_as_many_points_as_centers():
    block = np.random.default_rng(5).random((1, 3, 2))
    found = cluster(block, np.array([1]), 3, 10)
    assert sorted(map(tuple, found.centers[0])) == sorted(map(tuple, block[0]))


def test_the_seed_decides_and_nothing_else_is_drawn():
    block = np.random.default_rng(6).random((1, 40, 2))
    many = np.repeat(block, 60, axis=0)
    results = KMeans(k=4, restarts=1).apply(many, np.arange(60))
    assert np.array_equal(results, KMeans(k=4, restarts=1).apply(many, np.arange(60)))
    assert len(np.unique(results, axis=0)) > 5
    assert len(np.unique(KMeans(k=4, restarts=1).apply(many, np.full(60, 7)), axis=0)) == 1


def test_starting_points_are_spread_by_squared_distance():
    """0, 0, 1, 3 in one dimension: the second start is 3 with probability 9/10 after a 0, and so on.

    20,000 seeds; the count is within 6 standard deviations, missed with probability below 1e-8.
    """
    from engine.aggregation.functions.lloyd import _started

    points = np.array([0.0, 0.0, 1.0, 3.0])
    draws = np.random.default_rng(7).random((20_000, 2))
    starts = _started(np.tile(points, (1, 20_000, 1)), draws)[:, 0]
    for first, second, chance in [
        (0, 3, 0.5 * 0.9),
        (0, 1, 0.5 * 0.1),
        (1, 3, 0.25 * 4 / 6),
        (3, 0, 0.25 * 18 / 22),
    ]:
        seen = np.count_nonzero((starts[0] == first) & (starts[1] == second))
        assert abs(seen - 20_000 * chance) < 6 * np.sqrt(20_000 * chance * (1 - chance))


def test_separated_clusters_are_found_in_any_order_of_the_records():
    rng = np.random.default_rng(8)
    middles = np.array([[0.2, 0.2], [0.8, 0.3], [0.5, 0.8]])
    block = middles[np.arange(90) % 3] + rng.normal(0, 0.02, (90, 2))
    for order in (np.arange(90), rng.permutation(90), np.arange(90)[::-1]):
        centers = cluster(block[order][None], np.array([1]), 3, 4).centers[0]
        assert np.allclose(centers[np.lexsort(centers.T[::-1])], middles[[0, 2, 1]], atol=0.02)


def test_numbers_too_large_to_square_do_not_stop_it():
    with np.errstate(all="ignore"):
        found = cluster(np.array([[[1e200], [-1e200], [0.0]]]), np.array([1]), 2, 2)
    assert found.centers.shape == (1, 2, 1)


def test_sums_over_clusters():
    rng = np.random.default_rng(9)
    values, labels = rng.random((5, 20)), rng.integers(0, 3, (5, 20))
    expected = [[values[i][labels[i] == j].sum() for i in range(5)] for j in range(3)]
    assert np.allclose(cluster_sums(values, labels, 3), expected)


@pytest.mark.parametrize("kind", ["even", "whole numbers", "all equal", "far away", "huge", "tiny"])
@pytest.mark.parametrize(("k", "d"), [(8, 2), (8, 8), (2, 40)])
def test_products_of_matrices_find_the_nearest_centers_that_distances_do(kind, k, d):
    """The first of several at the same distance included; points half-way between two centers, too."""
    rng = np.random.default_rng(k + d)
    points = rng.random((d, 20, 60))
    if kind in ("whole numbers", "all equal"):
        points = np.rint(points * (3 if kind == "whole numbers" else 0))
    centers = np.moveaxis(points[:, :, :k], 2, 0).copy()
    centers[-1, :, ::2] = centers[0, :, ::2]  # some center twice
    points[:, :, -1] = (centers[0] + centers[1]) / 2
    scale, shift = {"far away": (1.0, 1e9), "huge": (1e200, 0), "tiny": (1e-160, 0)}.get(kind, (1, 0))
    points, centers = points * scale + shift, centers * scale + shift
    largest = np.abs(points).max(axis=(0, 2))
    with np.errstate(over="ignore"):  # distances of huge numbers are infinite
        assert np.array_equal(_labels(points, centers, largest), _nearest(points, centers)[0])
