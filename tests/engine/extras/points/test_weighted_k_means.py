"""k-means of the cells of a histogram, against all ways to divide few cells."""

import itertools

import numpy as np
import pytest

from engine.extras.points.weighted_k_means import centers_of
from engine.histograms.histogram import BoxHistogram
from engine.randomness import reproducible


def histogram(middles, counts):
    middles = np.asarray(middles, dtype=np.float64)
    return BoxHistogram(middles - 0.01, middles + 0.01, np.asarray(counts, float), np.ones(len(counts), int))


def cost(middles, counts, centers):
    squared = ((middles[:, None] - centers) ** 2).sum(axis=2).min(axis=1)
    return float(np.maximum(counts, 0) @ squared)


def least_cost(middles, counts, k):
    """Over all ways to divide the cells among k centers, each the mean of its own."""
    weights, found = np.maximum(counts, 0), np.inf
    for labels in itertools.product(range(k), repeat=len(counts)):
        centers = np.zeros((k, middles.shape[1]))
        for j in range(k):
            own = np.array(labels) == j
            if weights[own].sum() > 0:
                centers[j] = weights[own] @ middles[own] / weights[own].sum()
        found = min(found, cost(middles, counts, centers))
    return found


@pytest.mark.parametrize("seed", range(8))
def test_the_best_of_many_starts_is_the_best_there_is(seed):
    rng = np.random.default_rng(seed)
    k, d = 1 + seed % 3, 1 + seed % 2
    middles, counts = rng.uniform(0, 1, (6, d)), rng.integers(-3, 20, 6)
    centers = centers_of(histogram(middles, counts), k, 40, reproducible(1))
    assert centers.shape == (k, d)
    assert cost(middles, counts, centers) == pytest.approx(least_cost(middles, counts, k), abs=1e-9)


def test_cells_without_points_do_not_matter():
    middles, counts = [[0.1], [0.5], [0.9]], [4, 0, 2]
    with_empty = centers_of(histogram(middles, counts), 2, 4, reproducible(1))
    assert np.sort(with_empty.ravel()) == pytest.approx([0.1, 0.9])
    nothing = centers_of(histogram(middles, [0, -1, 0]), 2, 4, reproducible(1))
    assert nothing.ravel() == pytest.approx([0.5, 0.5])
    alike = centers_of(histogram(middles, [0, 3, 0]), 2, 4, reproducible(1))
    assert alike.ravel() == pytest.approx([0.5, 0.5])


def test_scales_far_from_one_do_no_harm():
    middles = np.array([[1.0], [2.0], [9.0]])
    for factor in (1e-140, 1e150):
        cells = BoxHistogram(
            (middles - 0.5) * factor, (middles + 0.5) * factor, np.array([1.0, 1.0, 1.0]), np.ones(3, int)
        )
        found = np.sort(centers_of(cells, 2, 8, reproducible(1)).ravel() / factor)
        assert found == pytest.approx([1.5, 9.0])
