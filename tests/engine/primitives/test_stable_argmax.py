"""Stable choices: exact outcome probabilities of all small tables of counts.

The threshold and the scale are the implementation's own; draws are compared with the same
probabilities, so the two together cover the choice from end to end.
"""

import functools
import itertools
import math
import sys
from fractions import Fraction

import numpy as np
import pytest
from discrete import (
    assert_drawn_from,
    hockey_stick,
    laplace_below,
    laplace_density,
    legendre,
    number_of_draws,
)
from flint import ctx
from scipy.special import ndtr

from engine.errors import ParameterError
from engine.primitives import (
    gaussian_cost,
    gaussian_threshold,
    stability_needed,
    stability_slack,
    stability_threshold,
    stable_argmax,
    stable_argmax_gaussian,
)
from engine.privacy import Privacy
from engine.randomness import reproducible, secure
from engine.sampling.balls import ball
from engine.sampling.noise import noise_step
from engine.sampling.output_grid import outward

choices = sys.modules[stable_argmax.__module__]

TABLES = list(itertools.product(range(4), repeat=3))
LARGER = [(a + 20, b + 20, c) for a, b, c in TABLES]


def outcomes(counts, threshold, density, below, reach):
    """Pr[each cell], then Pr[none]: the chosen one passes the threshold and all others are less."""
    held = [i for i, count in enumerate(counts) if count]
    steps = np.linspace(0, 1, 24) ** 2 * reach
    cuts = np.concatenate([threshold + steps, max(counts) + steps, max(counts) - steps, counts])
    z, weight = legendre(cuts[cuts >= threshold])
    chances = np.zeros(len(counts) + 1)
    less = {i: below(z - counts[i]) for i in held}
    for i in held:
        others = math.prod([less[j] for j in held if j != i], start=np.ones_like(z))
        chances[i] = np.sum(weight * density(z - counts[i]) * others)
    chances[-1] = math.prod(float(below(np.array(threshold - counts[i]))) for i in held)
    return chances


def laplace_outcomes(counts, threshold, scale):
    density, below = (functools.partial(f, scale=scale) for f in (laplace_density, laplace_below))
    return outcomes(counts, threshold, density, below, 45 * scale)


def gaussian_outcomes(counts, threshold, sigma):
    def density(z):
        return np.exp(-((z / sigma) ** 2) / 2) / (sigma * math.sqrt(2 * math.pi))

    return outcomes(counts, threshold, density, lambda z: ndtr(z / sigma), 12 * sigma)


def neighbours():
    """All pairs of tables of which one is the other with one record moved to another cell."""
    for counts in TABLES + LARGER:
        for source, goal in itertools.permutations(range(3), 2):
            if counts[source]:
                moved = list(counts)
                moved[source] -= 1
                moved[goal] += 1
                yield counts, tuple(moved)


def worst_delta(chances, epsilon):
    pairs = list(neighbours())
    table = {counts: chances(counts) for counts in {c for pair in pairs for c in pair}}
    for found in table.values():
        assert found.sum() == pytest.approx(1, abs=1e-12)
    p, q = (np.array([table[pair[side]] for pair in pairs]) for side in (0, 1))
    return hockey_stick(p, q, epsilon).max()


@pytest.mark.parametrize(
    "privacy",
    [Privacy(0.5, 1e-4), Privacy(1.0, 1e-6), Privacy(3.0, 1e-2), Privacy(0.4, -math.expm1(-0.2))],
    ids=repr,
)
def test_no_pair_of_neighbours_is_told_apart(privacy):
    scale, threshold = 2 / privacy.epsilon, stability_threshold(privacy)
    found = worst_delta(lambda counts: laplace_outcomes(counts, threshold, scale), privacy.epsilon)
    assert found <= privacy.delta * (1 + 1e-6)
    assert found >= privacy.delta * 0.99
    # the check can fail: a threshold that is too low, noise that is too small
    low = threshold - scale * math.log(4)
    lowered = worst_delta(lambda counts: laplace_outcomes(counts, low, scale), privacy.epsilon)
    assert lowered > privacy.delta * (2 if privacy.delta < 0.1 else 1.5)


@pytest.mark.parametrize("privacy", [Privacy(0.5, 1e-4), Privacy(1.0, 1e-6), Privacy(3.0, 1e-2)], ids=repr)
def test_a_record_that_is_left_empty_needs_half_of_the_noise(privacy):
    """All small tables, of which one count is one less; with twice the budget of a replaced record."""
    threshold, scale = stability_threshold(Privacy(2 * privacy.epsilon, privacy.delta)), 1 / privacy.epsilon
    laws = {counts: laplace_outcomes(counts, threshold, scale) for counts in TABLES + LARGER}
    pairs = [
        (counts, lower)
        for counts in laws
        for lower in (tuple(c - (i == j) for j, c in enumerate(counts)) for i in range(3))
        if lower in laws
    ]
    p, q = (np.array([laws[pair[side]] for pair in pairs]) for side in (0, 1))
    found = max(hockey_stick(p, q, privacy.epsilon).max(), hockey_stick(q, p, privacy.epsilon).max())
    assert 0.9 * privacy.delta < found <= privacy.delta * (1 + 1e-6)
    less = {counts: laplace_outcomes(counts, threshold, scale / 2) for counts in TABLES + LARGER}
    p, q = (np.array([less[pair[side]] for pair in pairs]) for side in (0, 1))
    assert max(hockey_stick(p, q, privacy.epsilon).max(), hockey_stick(q, p, privacy.epsilon).max()) > found


def test_noise_of_half_the_scale_is_noticed():
    privacy = Privacy(1.0, 1e-3)
    threshold = 1 + math.log(1 / (2 * privacy.delta))
    assert worst_delta(lambda counts: laplace_outcomes(counts, threshold, 1.0), 1.0) > 10 * privacy.delta


def rounded_outcomes(counts, threshold, scale, step):
    """As `outcomes`, for noise rounded to a step: passing is half a step more, the first wins ties."""
    j = np.arange(math.ceil((threshold + step / 2) / step), math.ceil((max(counts) + 60 * scale) / step))
    up_to = {i: laplace_below((j + 0.5) * step - c, scale) for i, c in enumerate(counts) if c}
    less = {i: laplace_below((j - 0.5) * step - c, scale) for i, c in enumerate(counts) if c}
    chances = np.zeros(len(counts) + 1)
    for i in up_to:
        others = [less[k] if k < i else up_to[k] for k in up_to if k != i]
        chances[i] = np.sum((up_to[i] - less[i]) * math.prod(others, start=np.ones(j.shape)))
    chances[-1] = math.prod(one[0] for one in less.values())
    return chances


COARSE = (0.25, 1.0, 3.0)
"""Steps so coarse that rounding shows; they need not divide the counts."""


@pytest.mark.parametrize("step", COARSE)
@pytest.mark.parametrize("privacy", [Privacy(1.0, 1e-3), Privacy(3.0, 1e-2)], ids=repr)
def test_rounded_counts_tell_no_more(privacy, step):
    """The exact law of what is released, all grid points of all small tables."""
    scale, threshold = 2 / privacy.epsilon, stability_threshold(privacy)
    found = worst_delta(lambda counts: rounded_outcomes(counts, threshold, scale, step), privacy.epsilon)
    assert 0.01 * privacy.delta < found <= privacy.delta * (1 + 1e-9)
    # two steps lower a rounded count passes where the real one has not
    lower = threshold - 2 * step
    lowered = worst_delta(lambda counts: rounded_outcomes(counts, lower, scale, step), privacy.epsilon)
    assert lowered > privacy.delta


@pytest.mark.parametrize("rng", [reproducible(4), secure()], ids=["simulated", "released"])
@pytest.mark.parametrize("step", COARSE)
@pytest.mark.parametrize("counts", [(4, 3, 1), (6, 6, 0)])
@number_of_draws(1_500, 5_000)
def test_choices_by_rounded_counts_follow_their_law(counts, step, rng, runs, monkeypatch):
    monkeypatch.setattr(choices, "noise_step", lambda scale: step)
    privacy = Privacy(1.0, 0.1)
    drawn = np.array([stable_argmax(counts, privacy, rng) for _ in range(runs)])
    assert_drawn_from(drawn % 4, rounded_outcomes(counts, stability_threshold(privacy), 2.0, step))


PRIVACIES = [
    Privacy(epsilon, min(delta, 0.9 * -math.expm1(-epsilon / 2)))
    for epsilon, delta in itertools.product((1e-9, 1e-3, 1.0, 20.0, 100.0), (1e-200, 1e-12, 1e-3, 0.49))
]


@pytest.mark.parametrize("privacy", PRIVACIES, ids=repr)
def test_a_count_of_one_passes_with_probability_delta_at_most(privacy, monkeypatch):
    """By an enclosure, for the step and the doubles that a release uses."""
    scale = outward(2 / privacy.epsilon)
    step, threshold = noise_step(scale), stability_threshold(privacy)
    least = math.ceil((threshold + step / 2) / step) * Fraction(step)  # the first double that passes
    monkeypatch.setattr(ctx, "prec", 300)
    tail = (-ball(least - Fraction(step) / 2 - 1) / ball(scale)).exp() / 2
    assert tail < ball(privacy.delta)
    # a multiple of the step is lost, or doubles are farther apart than that
    assert tail > ball(privacy.delta * math.exp(-2 * max(step, 2**-40 * threshold) / scale))
    sigma, delta = 3.0 * scale, privacy.delta
    step, threshold = noise_step(sigma), gaussian_threshold(sigma, delta)
    least = math.ceil((threshold + step / 2) / step) * Fraction(step)
    assert ((ball(least - Fraction(step) / 2 - 1) / ball(sigma)) / ball(2).sqrt()).erfc() / 2 < ball(delta)
    rng = secure()
    assert stable_argmax([1, 10**15, 0], privacy, rng) in (-1, 1)
    assert stable_argmax_gaussian([1, 10**15, 0], sigma, delta, rng) in (-1, 0, 1)


@pytest.mark.parametrize("rng", [reproducible(4), secure()], ids=["simulated", "released"])
@pytest.mark.parametrize("counts", [(4, 3, 1), (1, 1, 1), (6, 6, 0), (0, 0, 2), (9, 2, 8)])
@number_of_draws(1_500, 4_000)
def test_choices_follow_the_probabilities(counts, rng, runs):
    privacy = Privacy(1.0, 0.1)
    drawn = np.array([stable_argmax(counts, privacy, rng) for _ in range(runs)])
    expected = laplace_outcomes(counts, stability_threshold(privacy), 2.0)
    assert_drawn_from(drawn % 4, expected)  # -1, for none, becomes the last


@pytest.mark.parametrize(("sigma", "delta"), [(2.0, 1e-3), (4.0, 1e-6), (1.0, 0.05)])
def test_gaussian_choice_costs_what_it_says(sigma, delta):
    cost = gaussian_cost(sigma, delta)
    assert cost.delta == delta
    threshold = gaussian_threshold(sigma, delta)
    assert ndtr((1 - threshold) / sigma) == pytest.approx(delta, rel=1e-9)
    privacy = cost.privacy(1.5 * delta)
    assert worst_delta(lambda c: gaussian_outcomes(c, threshold, sigma), privacy.epsilon) <= privacy.delta
    lowered = threshold - sigma
    assert worst_delta(lambda c: gaussian_outcomes(c, lowered, sigma), privacy.epsilon) > privacy.delta


def test_two_counts_of_gaussian_noise_cost_their_rho():
    """Where no cell appears or vanishes, all the noisy counts could be shown."""
    assert gaussian_cost(3.0, 1e-6).rho == pytest.approx((1 + 1) / (2 * 3.0**2))


@pytest.mark.parametrize("rng", [reproducible(5), secure()], ids=["simulated", "released"])
@number_of_draws(3_000, 10_000)
def test_gaussian_choices_follow_the_probabilities(rng, runs):
    counts = (3, 2, 1)
    drawn = np.array([stable_argmax_gaussian(counts, 1.5, 0.1, rng) for _ in range(runs)])
    assert_drawn_from(drawn % 4, gaussian_outcomes(counts, gaussian_threshold(1.5, 0.1), 1.5))


@pytest.mark.parametrize("cells", [1, 3, 12])
@pytest.mark.parametrize("beta", [0.5, 0.05])
def test_from_the_count_needed_there_is_a_good_answer(cells, beta):
    privacy = Privacy(0.7, 1e-5)
    threshold, needed = stability_threshold(privacy), stability_needed(cells, privacy, beta)
    loss = 2 * stability_slack(cells, privacy, beta)
    # all others are just too small to be good answers
    chances = laplace_outcomes((needed, *[needed - loss] * (cells - 1)), threshold, 2 / 0.7)
    assert chances[0] >= 1 - beta - 1e-12
    alone = laplace_outcomes((needed,), threshold, 2 / 0.7)
    assert alone[0] >= 1 - beta - 1e-12
    if cells == 1:
        # it misses by two half steps of a grid of 2^-18
        assert alone[0] == pytest.approx(1 - beta, rel=1e-5)


def test_nothing_is_stable_in_no_cells():
    assert stable_argmax([], Privacy(1.0, 1e-6), np.random.default_rng(0)) == -1
    assert stable_argmax_gaussian([], 1.0, 1e-6, np.random.default_rng(0)) == -1
    assert stable_argmax([10_000, 0, 0], Privacy(1.0, 1e-6), np.random.default_rng(0)) == 0


@pytest.mark.parametrize("privacy", [Privacy(1.0), Privacy(1.0, 0.4), Privacy(20.0, 0.51)], ids=repr)
def test_a_delta_for_which_there_is_no_threshold_is_refused(privacy):
    for call in (stability_threshold, lambda p: stable_argmax([5], p, np.random.default_rng(0))):
        with pytest.raises(ParameterError) as caught:
            call(privacy)
        assert caught.value.field == "delta"


@pytest.mark.parametrize("delta", [0.0, 1.0])
def test_a_delta_for_which_there_is_no_gaussian_threshold_is_refused(delta):
    with pytest.raises(ParameterError, match="delta"):
        gaussian_threshold(1.0, delta)
