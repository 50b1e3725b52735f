"""The error bar of a smooth release: its sensitivity by enumeration, its promise, and what it costs."""

import functools
import itertools
import math

import numpy as np
import pytest

from engine import (
    InterquartileRange,
    Interval,
    LaplacePareto,
    Mean,
    Privacy,
    Sample,
    SmoothRelease,
    TrimmedMean,
    UniformLogNormal,
    reproducible,
)
from engine.analysis.noise import certify_noise
from engine.analysis.sensitivity import pair_of
from engine.mechanisms.smooth import STEP
from engine.primitives.accounting import largest_rho
from engine.randomness import secure

DOMAIN = Interval(0.0, 3.0)
PRIVACY = Privacy(1.0)
TRIMMED = TrimmedMean(trim=0.2)
HALF = SmoothRelease(query=TRIMMED, noise=LaplacePareto(), error_share=0.5)
TALL = tuple(Sample(values, DOMAIN) for values in itertools.product(range(4), repeat=5))


def neighbours(databases):
    """Yield all pairs that differ in one record; the order of records is of no account."""
    known = {tuple(np.sort(data.values)): data for data in databases}
    for values, data in known.items():
        for place, value in itertools.product(range(len(values)), range(4)):
            other = list(values)
            other[place] = value
            yield data, known[tuple(sorted(other))]


def largest_change(scales, databases=TALL):
    """Return by how much the logarithm of a scale, worked out once for each database, changes at most."""
    scale_of = functools.cache(scales)
    return max(abs(math.log(scale_of(x) / scale_of(y))) for x, y in neighbours(databases))


@pytest.mark.parametrize("query", [InterquartileRange(), TrimmedMean(trim=0.2)])
@pytest.mark.parametrize("epsilon", [0.2, 1.0, 8.0])
def test_logarithm_of_the_scale_changes_by_beta_at_most(query, epsilon):
    mechanism = SmoothRelease(query=query, noise=LaplacePareto(), error_share=0.5)
    privacy = Privacy(epsilon)
    bar = mechanism.error_bar(privacy, DOMAIN, 5)
    change = largest_change(lambda data: mechanism.prepare(data, privacy).diagnostics["scale"])
    assert 0 < change <= bar.beta + STEP
    # so Laplace noise of this spread gives the share of epsilon, roundings of logarithms included
    assert (change + STEP) / bar.spread <= bar.epsilon <= epsilon / 2


def test_enumeration_catches_a_bar_from_the_local_sensitivity():
    bar = HALF.error_bar(PRIVACY, DOMAIN, 5)
    local = [lambda data: max(TRIMMED.local_sensitivity(data), 2.0**-40)]
    assert largest_change(local[0]) > bar.epsilon * bar.spread


def test_both_parts_together_cost_no_more_than_asked():
    for share, epsilon in itertools.product((0.1, 1 / 3, 0.5, 0.9), (0.1, 0.7, 3.0)):
        mechanism, privacy = SmoothRelease(query=TRIMMED, error_share=share), Privacy(epsilon)
        bar = mechanism.error_bar(privacy, DOMAIN, 5)
        left = mechanism.calibrate(privacy).privacy
        assert left.epsilon + bar.epsilon <= epsilon
        assert bar.epsilon == pytest.approx(share * epsilon)
        assert pair_of(mechanism, privacy) == pair_of(SmoothRelease(query=TRIMMED), left)
    assert HALF.guarantee.cost(PRIVACY) == PRIVACY
    assert certify_noise(HALF, PRIVACY).certificate.joint_epsilon <= 0.5


def test_concentrated_cost_holds_both():
    privacy = Privacy(1.0, 1e-6)
    mechanism = SmoothRelease(noise=UniformLogNormal(), constants="published", error_share=0.5)
    expected = largest_rho(Privacy(0.5, 1e-6)) + 0.5**2 / 2
    assert mechanism.guarantee.zcdp_cost(privacy).rho == pytest.approx(expected)


@pytest.mark.slow
@pytest.mark.parametrize(
    "noise", [SmoothRelease().noise, pytest.param(LaplacePareto(), marks=pytest.mark.slow)]
)
def test_the_bar_holds_nineteen_of_twenty_errors(noise):
    """Chance of a false alarm below 1e-6: the share of 4,000 misses 5 % by 5 standard deviations."""
    data = Sample(np.linspace(0, 100, 1001) ** 2 / 100, Interval(0, 10_000))
    mechanism = SmoothRelease(query=TRIMMED, noise=noise, error_share=0.5)
    ready, rng = mechanism.prepare(data, PRIVACY), reproducible(1)
    made = [mechanism.release(ready, data, PRIVACY, rng) for _ in range(4000)]
    misses = np.mean([abs(one.value - ready.diagnostics["true_value"]) > one.error for one in made])
    assert misses <= 0.05 + 5 * math.sqrt(0.05 * 0.95 / 4000)
    assert min(one.error for one in made) < max(one.error for one in made) <= 10_000


def test_a_release_states_the_noisy_scale_and_no_other():
    data = Sample([0.0, 1.0, 1.0, 2.0, 3.0], DOMAIN)
    made = HALF.run(data, PRIVACY, secure())
    bar = HALF.error_bar(PRIVACY, DOMAIN, 5)
    assert not made.simulated
    assert made.exact
    assert made.error == bar.half_width(made.noise["noisy_scale"]) <= DOMAIN.width
    assert bar.least <= made.noise["noisy_scale"] * (1 + STEP)
    assert made.noise["noisy_scale"] <= bar.largest * (1 + STEP)
    assert made.parameters["error_share"] == 0.5
    assert "scale" not in made.noise
    logarithm = math.log(made.noise["noisy_scale"])
    on_grid = abs(logarithm / STEP - round(logarithm / STEP)) < 1e-3
    assert on_grid or logarithm == pytest.approx(math.log(bar.largest))


def test_without_a_share_nothing_changes():
    data = Sample([0.0, 1.0, 1.0, 2.0, 3.0], DOMAIN)
    made = SmoothRelease().run(data, PRIVACY, reproducible(1))
    assert made.error is None
    assert "noisy_scale" not in made.noise
    assert SmoothRelease().calibrate(PRIVACY).privacy is PRIVACY


def test_unclamped_results_have_a_bar_beyond_the_range():
    data = Sample([0.0, 0.0, 0.0, 3.0, 3.0], DOMAIN)
    small = Privacy(0.01)
    mechanism = SmoothRelease(query=Mean(), error_share=0.5)
    assert mechanism.run(data, small, reproducible(1)).error == DOMAIN.width
    assert mechanism.unprocessed().run(data, small, reproducible(1)).error > DOMAIN.width
