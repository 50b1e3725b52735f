"""Points moved by their t-radius: lengths, order, what holds of isolation, and that nothing is promised."""

import numpy as np
import pytest
from scipy import stats

from engine.data.points import Points
from engine.domain import Box
from engine.histograms.isolation import Isolation, predicate, single_out
from engine.mechanisms import PerturbedPoints
from engine.mechanisms.histograms.base import sanitize_with
from engine.mechanisms.histograms.perturbed import MovedPoints, move_points, own_isolation_bound
from engine.privacy import NO_PROMISE, Privacy
from engine.randomness import reproducible

FALSE_ALARM = 1e-6
UNIT = Box.of([0, 0, 0], [1, 1, 1])
POINTS = Points(np.random.default_rng(1).random((300, 3)), UNIT)


def brute_radii(values, t):
    """The t-th smallest distance to another point, from the definition."""
    apart = np.linalg.norm(values[:, None] - values[None], axis=2)
    np.fill_diagonal(apart, np.inf)
    return np.sort(apart, axis=1)[:, t - 1]


def test_the_radius_is_that_of_the_definition():
    prepared = PerturbedPoints(t=7).prepare(POINTS, NO_PROMISE)
    assert prepared.sanitizer.radii == pytest.approx(brute_radii(POINTS.values, 7))


def test_gaussian_lengths_follow_chi_and_those_of_the_sphere_are_the_radius():
    radii = brute_radii(POINTS.values, 5)
    gaussian = np.linalg.norm(
        move_points(POINTS.values, radii, "gaussian", reproducible(2)) - POINTS.values, axis=1
    )
    assert stats.kstest(gaussian * np.sqrt(3) / radii, stats.chi(3).cdf).pvalue > FALSE_ALARM
    sphere = move_points(POINTS.values, radii, "sphere", reproducible(2)) - POINTS.values
    assert np.linalg.norm(sphere, axis=1) == pytest.approx(radii)
    heights = sphere[:, 0] / radii  # even on [-1, 1] on a sphere in three dimensions (Archimedes)
    assert stats.kstest((1 + heights) / 2, "uniform").pvalue > FALSE_ALARM


@pytest.mark.parametrize("law", ["gaussian", "sphere"])
def test_a_moved_point_isolates_its_own_record_no_more_often_than_is_proved(law):
    """From the definition, on data of all kinds: no law of the records is assumed."""
    c, t, rng = 3.0, 4, np.random.default_rng(3)
    for values in (
        rng.random((200, 3)),
        rng.standard_cauchy((200, 3)),
        np.repeat(rng.random((20, 3)), 10, 0),
    ):
        radii = brute_radii(values, t)
        drawn = np.concatenate([values[radii > 0]] * 10)
        made = move_points(drawn, np.concatenate([radii[radii > 0]] * 10), law, rng)
        reach = c * np.linalg.norm(made - drawn, axis=1)
        within = [
            int((np.linalg.norm(values - q, axis=1) <= r * (1 + 1e-12)).sum())
            for q, r in zip(made, reach, strict=True)
        ]
        own = sum(held < t for held in within)
        if law == "sphere":
            assert own == 0
        elif own:
            bound = own_isolation_bound(c, 3)
            assert stats.binom.sf(own - 1, len(drawn), bound) > FALSE_ALARM


def test_the_bound_is_above_the_exact_tail():
    for d in (1, 2, 5, 20):
        for c in (2.5, 4.0, 10.0):
            assert stats.chi2.cdf(d / (c - 1) ** 2, d) <= own_isolation_bound(c, d) < 1


def test_a_faulty_scale_isolates_more_often_than_is_proved():
    radii = brute_radii(POINTS.values, 4)
    made = move_points(POINTS.values, radii / 10, "gaussian", reproducible(4))
    isolated = Isolation(POINTS.values).isolates(made, 3.0, 4)
    assert stats.binom.sf(isolated.sum() - 1, 300, own_isolation_bound(3.0, 3)) < FALSE_ALARM


def test_equal_points_stay_and_tell_neighbours_apart_with_certainty():
    equal = Points(np.repeat([[0.5, 0.5, 0.5], [0.9, 0.1, 0.2]], [5, 30], axis=0), UNIT)
    neighbour = equal.replaced(0, [0.9, 0.1, 0.2])
    for seed in range(5):
        stays = PerturbedPoints(t=4).run(equal, NO_PROMISE, reproducible(seed)).value
        moves = PerturbedPoints(t=4).run(neighbour, NO_PROMISE, reproducible(seed)).value
        assert stays.count([0.5, 0.5, 0.5]) == 5
        assert moves.count([0.5, 0.5, 0.5]) == 0
    assert PerturbedPoints().guarantee.cost(Privacy(1.0)) is NO_PROMISE


def test_all_points_are_released_in_an_order_of_their_own():
    release = PerturbedPoints(t=7).run(POINTS, NO_PROMISE)
    assert not release.simulated
    assert len(release.value) == POINTS.n
    assert release.value == sorted(release.value)
    assert release.histogram.lower.tolist() == release.value


def test_boxes_that_an_attacker_names_hold_a_record_no_more_often_than_by_chance():
    made = MovedPoints.at([[0.2, 0.2], [0.4, 0.2], [0.9, 0.9], [-3.0, 0.5]])
    lower, upper = predicate(made)
    assert ((upper - lower) > 0).all()
    sanitize = sanitize_with(PerturbedPoints(t=10), NO_PROMISE)
    found = single_out(sanitize, 3, 100, 10, 30, reproducible(2))
    assert found.hits.rate < 0.5  # recursive cells: 0.9 and more


def test_without_so_many_neighbours_points_move_as_far_as_the_bounds_are_wide():
    (notice,) = PerturbedPoints(t=50).notices(UNIT, 40)
    assert notice.message.endswith("and every point moves by about the diameter of the bounds")
    one = Points(np.full((1, 3), 0.5), UNIT)
    (moved_one,) = PerturbedPoints(t=50, law="sphere").run(one, NO_PROMISE, reproducible(1)).value
    assert np.linalg.norm(np.array(moved_one) - 0.5) == pytest.approx(np.sqrt(3))
