"""The opening scene: beliefs are posteriors, and bounded by epsilon where noise is private."""

import numpy as np
import pytest

from engine.analysis.leap import ANSWERS, HOME, LEFT, RIGHT, leap_scene


@pytest.mark.parametrize("epsilon", [0.1, 1.0, 5.0])
@pytest.mark.parametrize("position", [0.0, HOME, 11.0, 40.0, 89.0, 100.0])
def test_beliefs_are_bayes_and_those_under_smooth_noise_stay_within_epsilon(position, epsilon):
    scene = leap_scene(position, epsilon)
    for watcher in (scene.at_local, scene.at_smooth):
        home, moved = watcher.density(ANSWERS)
        seen = home + moved > 1e-290
        by_hand = home[seen] / (home[seen] + moved[seen])
        np.testing.assert_allclose(watcher.belief(ANSWERS[seen]), by_hand, rtol=1e-9, atol=1e-12)
    answers = np.concatenate([ANSWERS, [-1e6, 1e6], scene.at_smooth.center])
    beliefs = scene.at_smooth.belief(answers)
    assert beliefs.max() <= scene.most + 1e-12
    assert beliefs.min() >= 1 - scene.most - 1e-12


def test_local_sensitivity_is_that_of_the_sorted_records():
    for position in (HOME, 11.0, 50.0, 95.0):
        ordered = np.sort(np.concatenate([LEFT, RIGHT, [position]]))
        gaps = np.diff(ordered)[9:11]
        assert leap_scene(position, 1.0).now[0] == pytest.approx(gaps.max())


def test_the_record_gives_itself_away_under_the_one_noise_alone():
    scene = leap_scene(89.0, 1.0)
    assert scene.at_local.belief_at_home == pytest.approx(0.999, abs=1e-4)
    assert scene.at_smooth.belief_at_home < 0.55
    assert leap_scene(HOME, 1.0).at_local.belief_at_home == 0.5
    assert scene.smooth.min() > 60  # before the leap already


def test_densities_are_those_of_a_law():
    answers = np.linspace(-40_000, 40_000, 800_001)
    for densities in leap_scene(89.0, 1.0).at_smooth.density(answers):
        assert np.trapezoid(densities, answers) == pytest.approx(1, abs=1e-4)
