"""Noise on counts: its exact law by enumeration with balls, and that releases and simulations have it."""

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from discrete import assert_drawn_from
from flint import arb, ctx
from scipy.stats import ks_2samp, kstest

from engine.primitives.counts import AddedNoise, count_noise, nested_noise
from engine.primitives.gaussian import protects
from engine.privacy import Privacy
from engine.randomness import reproducible, secure
from engine.sampling.noise import add_noise

FALSE_ALARM = 1e-6


@pytest.fixture(autouse=True)
def precision():
    with ctx.workprec(300):
        yield


def upper_tail(x, family):
    """Pr[Z > x] of noise of scale 1."""
    if family == "gaussian":
        return (x / arb(2).sqrt()).erfc() / 2
    return (-x).exp() / 2 if x > 0 else 1 - x.exp() / 2


def chance(low, high, family):
    """Pr[low < Z < high], from the tail on the side where it is small."""
    if low >= 0:
        return upper_tail(low, family) - upper_tail(high, family)
    if high <= 0:
        return chance(-high, -low, family)
    return 1 - upper_tail(high, family) - upper_tail(-low, family)


def law(count, noise, step, places):
    """The exact probabilities that a noisy count is at each of the places, in steps, and beyond them."""
    scale, half = arb(noise.scale), arb(1) / 2
    at = [
        chance(
            ((k - half) * step - count) / scale,
            ((k + half) * step - count) / scale,
            noise.family,
        )
        for k in places
    ]
    low, high = ((places[0] - half) * step - count) / scale, ((places[-1] + half) * step - count) / scale
    return [upper_tail(-low, noise.family), *at, upper_tail(high, noise.family)]


def window(noise, step, around):
    """Places around two neighbouring counts, where probabilities change fastest, and far out."""
    reach = math.ceil(60 * noise.scale / step)
    if reach <= 3000:
        return list(range(math.floor(-reach), math.ceil(around / step) + reach))
    middle = round(around / step)
    return list(range(middle - 1500, middle + 1500))


@pytest.mark.parametrize("step", [1.0, 0.25, None], ids=["whole", "quarters", "its own"])
@pytest.mark.parametrize("epsilon", [1e-9, 0.1, 1.0, 3.0, 100.0])
def test_the_exact_law_of_noisy_counts_satisfies_epsilon(epsilon, step):
    """All neighbours of three records in two cells; each cell has noise of its own.

    The largest ratio of the law of two counts is the product of those of each; that it is below
    e^epsilon is certain, but for the width of the balls.  On a grid that is too fine for all places,
    those around the counts are looked at, and what is beyond them is taken together.
    """
    noise = count_noise("laplace", Privacy(epsilon))
    step = step or noise.step
    largest = {}
    for one, other in ((0, 1), (1, 2), (2, 3)):
        places = window(noise, step, other)
        p, q = law(one, noise, step, places), law(other, noise, step, places)
        assert abs(sum(p[1:], p[0]) - 1) < arb(2) ** -200
        ratios = [(a / b).log() for a, b in zip(p, q, strict=True)]
        largest[one, other] = max((abs(ratio) for ratio in ratios), key=lambda ball: float(ball.mid()))
    for rising, falling in itertools.product(largest.values(), repeat=2):
        assert rising + falling <= arb(epsilon) + arb(2) ** -250
        assert rising + falling > arb(epsilon) * (1 - arb(2) ** -40)


@pytest.mark.parametrize("epsilon", [0.5, 3.0])
def test_the_exact_law_of_gaussian_counts_satisfies_delta(epsilon):
    """A number that moves by sqrt(2), as two counts do along the line on which they move.

    The worst set of outcomes has at most e^epsilon times the probability that it has for the neighbour,
    and delta; rounding to a grid that is as coarse as the noise hides the rest.
    """
    privacy = Privacy(epsilon, 1e-3)
    noise = count_noise("gaussian", privacy)
    for step in (1.0, 0.25):
        places = list(range(-math.ceil(40 * noise.scale / step), math.ceil(40 * noise.scale / step)))
        p = law(arb(0), noise, step, places)
        q = law(arb(2).sqrt(), noise, step, places)
        for first, second in ((p, q), (q, p)):
            more = [a - arb(epsilon).exp() * b for a, b in zip(first, second, strict=True)]
            lost = sum((ball for ball in more if ball > 0), arb(0))
            assert lost <= arb(privacy.delta)
            assert lost > arb(privacy.delta) * 0.5


@pytest.mark.parametrize("family", ["laplace", "gaussian"])
@pytest.mark.parametrize("source", [secure, lambda: reproducible(5)], ids=["release", "simulation"])
def test_draws_have_the_exact_law(family, source):
    """100,000 draws on whole numbers, by Pearson's test; false alarm 1e-6."""
    noise, places = AddedNoise(family, 2.3), list(range(-30, 41))
    drawn = add_noise(np.full(100_000, 3.0), noise.scale, family, 1.0, source())
    outcomes = np.clip(drawn - places[0] + 1, 0, len(places) + 1).astype(int)
    assert_drawn_from(
        np.append(outcomes, len(places) + 1), [float(p.mid()) for p in law(3, noise, 1.0, places)]
    )


@pytest.mark.parametrize("family", ["laplace", "gaussian"])
@pytest.mark.parametrize("epsilon", [1e-9, 1e-3, 1.0, 100.0])
def test_releases_and_simulations_have_the_same_law(family, epsilon):
    """20,000 draws of each, Kolmogorov-Smirnov; false alarm 1e-6."""
    noise = count_noise(family, Privacy(epsilon, 1e-6))
    released, simulated = (noise.added(np.full(20_000, 7), rng) for rng in (secure(), reproducible(8)))
    assert ks_2samp(released, simulated).pvalue > FALSE_ALARM
    for drawn in (released, simulated):
        if noise.scale > 1000:  # else the steps are seen
            assert kstest((drawn - 7) / noise.scale, family.replace("gaussian", "norm")).pvalue > FALSE_ALARM
        assert np.array_equal(np.rint(drawn / noise.step) * noise.step, drawn)


@pytest.mark.parametrize("epsilon", [1e-9, 0.7, 1.0, 100.0])
def test_scales_are_rounded_up_by_nothing_that_matters(epsilon):
    for l1 in (1.0, 2.0, 6.0, 7.3):
        noise = AddedNoise.of("laplace", Privacy(epsilon), l1, math.nan, unit=0.0)
        assert Fraction(l1) <= Fraction(noise.scale) * Fraction(epsilon)
        assert noise.scale == pytest.approx(l1 / epsilon, rel=1e-15)
        assert noise.scale * 2.0**-41 < noise.step <= noise.scale * 2.0**-19
        assert noise.step**2 / 12 < noise.variance * 2.0**-40
        assert math.frexp(noise.step)[0] == 0.5
    assert count_noise("gaussian", Privacy(epsilon, 1e-6)).scale > math.sqrt(2) * 1e-9


def test_noisy_counts_are_whole_numbers():
    for epsilon in (1e-9, 0.7, 100.0):
        noise = count_noise("laplace", Privacy(epsilon))
        assert noise.step == 1.0
        drawn = noise.added(np.arange(100), secure())
        assert np.array_equal(drawn, np.rint(drawn))
    assert count_noise("laplace", Privacy(1e-13)).step == 2.0**5


@pytest.mark.parametrize("growth", [[1.0] * 20, [2.0**level for level in range(20)], [1.0, 1e9]])
def test_levels_spend_no_more_than_there_is(growth):
    pure, approximate = Privacy(0.7), Privacy(0.7, 1e-6)
    levels = nested_noise("laplace", pure, growth)
    assert sum((arb(2.0) / arb(level.scale) for level in levels), arb(0)) < arb(0.7)
    shares = [1 / arb(level.scale) ** 2 for level in nested_noise("gaussian", approximate, growth)]
    one = 1 / (2 * sum(shares, arb(0))).sqrt()  # of which all counts of all levels are a release
    assert one > 0
    assert protects(float(one.mid()), approximate)


@pytest.mark.parametrize("epsilon", [1e-9, 1e-6, 0.1, 1.0, 100.0])
@pytest.mark.parametrize("delta", [1e-300, 1e-15, 1e-6, 0.5])
def test_gaussian_noise_is_proved_to_be_enough(epsilon, delta):
    """Where the terms of the condition cancel, too."""
    sigma = count_noise("gaussian", Privacy(epsilon, delta)).scale / math.sqrt(2)
    assert protects(sigma, Privacy(epsilon, delta))
    assert not protects(sigma * (1 - 1e-4), Privacy(epsilon, delta))
