"""Possible answers follow the law of their mechanism, and the curve of the handle can be read both ways."""

import numpy as np
import pytest

from engine import (
    Box,
    Interval,
    LaplaceRelease,
    Mean,
    Median,
    Points,
    Privacy,
    Release,
    Sample,
    SmoothRelease,
    simulate,
)
from engine.analysis.possible_answers import (
    ANSWERS,
    RUNS,
    answers_around,
    error_curve,
    quantile_releases,
    simulated_releases,
)
from engine.catalog import questions
from engine.mechanisms import ProposeTestRelease

SAMPLE = Sample(np.linspace(10, 90, 101), Interval(0, 100))
SMOOTH = SmoothRelease(query=Median())
ONE = Privacy(1.0)


@pytest.mark.parametrize("mechanism", [SMOOTH, LaplaceRelease(query=Mean())])
def test_numbers_are_quantiles_of_what_simulate_draws(mechanism):
    made = quantile_releases(mechanism, SAMPLE, ONE, seed=5)
    drawn = simulate(mechanism, SAMPLE, ONE, runs=RUNS, seed=5).values
    shares = (np.arange(ANSWERS) + 0.5) / ANSWERS
    assert sorted(one.value for one in made) == np.quantile(drawn, shares, method="inverted_cdf").tolist()
    assert all(one.simulated for one in made)
    assert [one.value for one in made] != sorted(one.value for one in made)  # they move at random


def test_sets_of_numbers_are_seeded_releases():
    data = Points(np.random.default_rng(1).random((200, 2)), Box.of([0, 0], [1, 1]))
    mechanism = questions()["noisy-average"]()
    made = simulated_releases(mechanism, data, ONE, seed=3)
    rows = simulate(mechanism, data, ONE, runs=ANSWERS, seed=3).values
    assert np.array_equal([one.value for one in made], rows)


def test_a_mechanism_that_always_refuses_has_no_answers():
    mechanism = ProposeTestRelease(query=Median(), bound=1e-6)
    privacy = Privacy(1.0, 1e-6)
    assert quantile_releases(mechanism, SAMPLE, privacy, seed=1) == []
    curve = error_curve(mechanism, SAMPLE, privacy, lowest=0.1, highest=1.0, seed=1)
    assert curve.epsilons.size == 0


@pytest.fixture(scope="module")
def curve():
    return error_curve(SMOOTH, SAMPLE, ONE, lowest=0.01, highest=10.0, seed=1)


def test_a_larger_epsilon_has_a_smaller_error(curve):
    assert (np.diff(curve.epsilons) > 0).all()
    assert (np.diff(curve.errors) < 0).all()
    epsilons = np.geomspace(0.01, 10.0, 200)
    assert (np.diff([curve.error(one) for one in epsilons]) <= 0).all()


def test_epsilon_and_error_are_inverse(curve):
    low, high = curve.epsilons[[0, -1]]
    for epsilon in (0.05, 0.1, 0.37, 1.0, 2.5):
        if low <= epsilon <= high:
            assert curve.epsilon(curve.error(epsilon)) == epsilon
    for error in np.geomspace(curve.errors[-1], curve.errors[0], 50):
        epsilon = curve.epsilon(error)
        assert epsilon == float(f"{epsilon:.2g}")
        assert low <= epsilon <= high
        assert curve.error(epsilon) == pytest.approx(error, rel=0.15)  # two digits of epsilon


def test_beyond_the_ends_the_curve_stays_at_them(curve):
    assert curve.epsilon(10 * curve.errors[0]) == curve.epsilons[0]
    assert curve.epsilon(curve.errors[-1] / 10) == curve.epsilons[-1]
    assert curve.error(1000.0) == pytest.approx(curve.errors[-1])


def test_errors_are_those_of_simulate(curve):
    index = int(np.argmin(np.abs(curve.epsilons - 1.0)))
    privacy = Privacy(float(curve.epsilons[index]))
    assert curve.errors[index] == np.median(simulate(SMOOTH, SAMPLE, privacy, runs=RUNS, seed=1).errors)


def test_around_a_release_lies_public_noise_alone():
    mechanism = LaplaceRelease(query=Mean())
    release = mechanism.run(SAMPLE, ONE, seed=1)
    around = np.array([one.value for one in answers_around(release, seed=2)])
    assert around.shape == (ANSWERS,)
    assert np.abs(around - release.value).max() < 20 * release.noise["scale"]
    assert answers_around(SMOOTH.run(SAMPLE, ONE, seed=1), seed=2) == []  # its width follows from the data


def test_around_a_release_of_many_numbers_each_has_its_scale():
    data = Points(np.random.default_rng(1).random((200, 2)), Box.of([0, 0], [1, 10]))
    release: Release = questions()["noisy-average"]().run(data, ONE, seed=1)
    away = np.abs(np.array([one.value for one in answers_around(release, seed=2)]) - release.value)
    scales = np.array(release.noise["scale"])
    assert away.shape == (ANSWERS, 2)
    assert (np.median(away, axis=0) < 3 * scales).all()
    assert (np.median(away, axis=0) > scales / 5).all()
