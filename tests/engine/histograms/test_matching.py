"""Matchings on cells and points: pairs of all, between bounds that hold, against all matchings."""

import functools

import numpy as np
import pytest
from scipy.optimize import linear_sum_assignment
from scipy.spatial.distance import cdist
from tilings import tiling

from engine.data.points import Points
from engine.domain import Box
from engine.errors import ParameterError
from engine.histograms.histogram import BoxHistogram
from engine.histograms.matching import MAX_MATCHED, match_cells, match_distances, match_points
from engine.histograms.synthetic import synthetic_points
from engine.mechanisms import NetHistogram, RandomCentersHistogram, ShiftedHistogram
from engine.privacy import NO_PROMISE
from engine.randomness import reproducible

CLOSE = 1 + 1e-9


def least(distances):
    """The minimum cost over all matchings, by the partner of the first; of an odd number one is left out."""

    @functools.cache
    def of(members):
        if len(members) < 2:
            return 0.0
        first, *rest = members
        found = [distances[first, other] + of(tuple(one for one in rest if one != other)) for other in rest]
        return min([*found, *([of(tuple(rest))] if len(members) % 2 else [])])

    return of(tuple(range(len(distances))))


@pytest.mark.parametrize("n", range(9))
def test_the_least_cost_of_all_matchings_is_between_the_bounds(n):
    rng = np.random.default_rng(n)
    exact = 0
    for _ in range(20):
        distances = cdist(*[rng.random((n, 2)) ** 3] * 2)
        found, truth = match_distances(distances), least(distances)
        assert found.lower <= truth * CLOSE
        assert truth <= found.cost * CLOSE
        assert sorted(np.unique(found.pairs)) == sorted(found.pairs.ravel())
        assert len(found.pairs) == n // 2
        exact += found.cost <= truth * CLOSE
    assert exact >= 15


def test_of_two_groups_far_apart_it_is_their_assignment():
    """Every red point is as near to every blue one as none to its own: the pairs are those of scipy."""
    rng = np.random.default_rng(3)
    between = rng.random((30, 30))
    distances = np.full((60, 60), 100.0)
    distances[:30, 30:], distances[30:, :30] = between, between.T
    found = match_distances(distances)
    best = between[linear_sum_assignment(between)].sum()
    assert found.cost == pytest.approx(best)
    assert found.lower == pytest.approx(best)


def check_cells(histogram, points):
    """The true minimum is between the bounds, and the cost is off by no more than is proved."""
    truth = least(cdist(points, points))
    found = match_cells(histogram)
    diameters = histogram.diameters[histogram.places(points)].sum()
    assert found.lower <= truth * CLOSE
    assert truth <= found.cost * CLOSE
    odd = np.flatnonzero(histogram.counts % 2)
    gap = found.lengths.sum() - match_distances(histogram.between(odd[:, None], odd[None, :])).lower
    assert found.cost <= (truth + 1.5 * diameters + gap) * CLOSE
    assert found.lower == pytest.approx(max(0.0, found.lengths.sum() - gap - diameters))
    return found.lower


def test_on_cells_of_any_size_the_true_minimum_is_between_the_bounds():
    rng, positive = np.random.default_rng(5), 0
    for _ in range(60):
        histogram = tiling(int(rng.integers(1, 12)), int(rng.integers(1, 4)), rng)
        histogram.counts[:] = np.minimum(histogram.counts, 1 + (histogram.counts > 2))
        while histogram.counts.sum() > 10:
            histogram.counts[histogram.counts.argmax()] -= 1
        check_cells(histogram, synthetic_points(histogram, rng))
    for _ in range(10):  # small cells far from each other, where the lower bound says something
        low = rng.random((6, 2))
        cells = BoxHistogram(low, low + 0.01, np.ones(6), np.zeros(6, dtype=np.int64))
        positive += check_cells(cells, synthetic_points(cells, rng)) > 0
    assert positive == 10


@pytest.mark.parametrize(
    "mechanism", [NetHistogram(t=2, depth=2), RandomCentersHistogram(t=2, centers=9), ShiftedHistogram(t=2)]
)
def test_on_cells_of_mechanisms(mechanism):
    data = Points(np.random.default_rng(7).random((9, 2)), Box.of([0, 0], [1, 1]))
    check_cells(mechanism.run(data, NO_PROMISE, reproducible(1)).histogram, data.values)


def test_a_bound_that_forgets_the_diameters_is_caught():
    """Points at the near ends of two long cells: without the diameters the bound would be above the truth."""
    ones = np.zeros(2, dtype=np.int64)
    cells = BoxHistogram(np.array([[0.0], [1.0]]), np.array([[1.0], [2.0]]), np.ones(2), ones)
    truth = least(cdist([[0.9], [1.1]], [[0.9], [1.1]]))
    assert match_distances(cells.between(ones[:, None] + [[0], [1]], [[0, 1]])).lower > truth
    assert check_cells(cells, np.array([[0.9], [1.1]])) == 0


def test_too_many_are_refused_in_one_line():
    with pytest.raises(ParameterError, match="too many to match"):
        match_points(np.zeros((MAX_MATCHED + 1, 1)))
    many = MAX_MATCHED + 1
    low = np.arange(float(many))[:, None]
    cells = BoxHistogram(low, low + 1, np.ones(many), np.zeros(many, dtype=np.int64))
    with pytest.raises(ParameterError, match="choose a larger t"):
        match_cells(cells)
