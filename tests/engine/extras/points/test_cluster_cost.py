"""The cost of clusters: what one record moves it by, what noise that gets, and how near it comes."""

import itertools

import numpy as np
import pytest

from engine import ClusterCost
from engine.data.points import Points
from engine.domain import Box
from engine.extras.points.cluster_cost import farthest, squared_distances
from engine.privacy import Privacy
from engine.randomness import reproducible, secure

SQUARE = Box.of([0, 0], [1, 1])
CENTERS = np.array([[0.2, 0.2], [0.8, 0.3], [0.5, 0.8]])


def blobs(n):
    rng = np.random.default_rng(n)
    return Points(CENTERS[rng.integers(0, 3, n)] + 0.03 * rng.standard_normal((n, 2)), SQUARE)


class Recorder:
    """In the place of noise: none, and what it would have been added to."""

    def __init__(self):
        self.seen = []

    def added(self, values, rng):
        self.seen.append(float(values[0]))
        return values


@pytest.mark.parametrize("k", [1, 2])
def test_one_record_moves_what_gets_noise_by_no_more_than_it_hides(k):
    """All databases of three records on a grid, and all neighbours, with the same centers."""
    box, places = Box.of([0.0], [10.0]), np.linspace(0, 10, 5)
    mechanism, privacy = ClusterCost(k=k, share=0.25), Privacy(2.0)
    for centers in ([0.0, 2.5], [5.0, 5.0], [3.0, 9.0]):
        sums = {}
        for values in itertools.product(places, repeat=3):
            ready = mechanism.prepare(Points(np.array(values)[:, None], box), privacy)
            recorder = Recorder()
            object.__setattr__(ready, "added", recorder)
            object.__setattr__(ready.finder, "centers", lambda *_, c=centers: np.array(c[:k])[:, None])
            cost = ready.draw(reproducible(1), 1)[0, 0]
            exact = np.mean([min((v - c) ** 2 for c in centers[:k]) for v in values])
            assert cost == pytest.approx(exact, abs=1e-6)
            sums[values] = recorder.seen[0]
        moved = max(abs(sums[values] - sums[(other, *values[1:])]) for values in sums for other in places)
        fresh = mechanism.prepare(Points([[0.0], [1.0], [2.0]], box), privacy)
        assert moved <= fresh.steps
        assert moved / fresh.added.scale <= 1.5  # what is left of epsilon
        assert fresh.added.scale == pytest.approx(fresh.steps / 1.5)
        assert k > 1 or centers[0] == 5 or moved > 0.9 * fresh.steps


def test_the_budget_is_shared_with_the_search_for_centers():
    for_centers, for_cost = ClusterCost(share=0.25).budgets(Privacy(2.0, 1e-6))
    assert (for_centers, for_cost) == (Privacy(0.5), Privacy(1.5))
    assert ClusterCost().guarantee.cost(Privacy(2.0, 1e-6)) == Privacy(2.0)


def test_no_point_of_the_box_is_farther_than_said():
    rng, box = np.random.default_rng(4), Box.of([-1, 2, 0], [3, 2.5, 9])
    corners = np.array(list(itertools.product(*zip(box.lower, box.upper, strict=True))))
    for k in (1, 2, 5):
        centers = rng.uniform(box.lower, box.upper, (k, 3))
        assert squared_distances(corners, centers).max() <= farthest(centers, box) <= box.diameter**2 * 1.001


def test_squared_distances_are_those_of_the_nearest_center():
    rng = np.random.default_rng(5)
    points, centers = rng.normal(size=(500, 3)), rng.normal(size=(4, 3))
    expected = ((points[:, None] - centers) ** 2).sum(axis=2).min(axis=1)
    found = squared_distances(points, centers)
    assert found == pytest.approx(expected)
    some = rng.permutation(500)[:77]
    assert np.array_equal(squared_distances(points[some], centers), found[some])


def test_the_cost_is_near_the_true_one():
    data, mechanism = blobs(10_000), ClusterCost()
    ready = mechanism.prepare(data, Privacy(1.0))
    drawn, truth = ready.draw(reproducible(1), 30), ready.true_value()
    assert truth[0] == pytest.approx(2 * 0.03**2, rel=0.05)
    assert np.median(mechanism.output.errors(drawn, truth, SQUARE)) < 3e-4
    assert isinstance(mechanism.run(data, Privacy(1.0), secure()).value, float)


def test_what_makes_no_sense_is_refused():
    def fields(mechanism, epsilon, n):
        return [problem.field for problem in mechanism.problems(Privacy(epsilon), SQUARE, n)]

    assert fields(ClusterCost(k=9), 1.0, 8) == ["k"]
    assert fields(ClusterCost(), 1e-9, 100) == ["epsilon"]
    assert fields(ClusterCost(share=0.999), 1e-7, 100) == ["share"]
    assert fields(ClusterCost(share=0.001), 1e-7, 100) == ["share"]
    assert fields(ClusterCost(), 1e-7, 100) == []
