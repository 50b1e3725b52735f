"""The friendly core: its exact privacy on small spaces, its budget, and what it gives."""

import math

import numpy as np
import pytest
from outputs import multisets, within
from scipy.special import ndtr

from engine.aggregation.spaces import Euclidean, Wasserstein
from engine.domain import Box
from engine.extras.frontier import friendly_core as friendly_weights
from engine.extras.frontier.friendly_core import CoreBudget, FriendlyCore
from engine.extras.frontier.planted import AbruptCore
from engine.primitives import crossing_scores, of_exponential, of_gaussian, selection_probabilities
from engine.privacy import Privacy
from engine.randomness import reproducible, secure

LINE = Box.of([0], [4])
NUMBERS = np.array([[0.0], [1.0], [3.0], [4.0]])
GENEROUS = Privacy(16.0, 1e-3)
"""So much that a few outputs are released."""


def law(ready):
    """Return chances of radii, their weights and means, and the noise per unit of weight."""
    s, steps, totals = ready.friendly.s, ready.steps, ready.friendly.totals
    scores = crossing_scores(totals, ready.target)
    chances = selection_probabilities(scores, steps.epsilon, sensitivity=3 * s)
    means = np.array([ready.mean(place)[0] for place in range(len(totals))])
    return chances, totals, means, steps.factor * 2 * ready.friendly.radii * 3 * s


def sliding(shift, sigma, epsilon):
    """Return the hockey-stick divergence of N(0, sigma^2) and N(shift, sigma^2)."""
    ratio = np.maximum(shift / sigma, 1e-12)
    return ndtr(ratio / 2 - epsilon / ratio) - np.exp(epsilon) * ndtr(-ratio / 2 - epsilon / ratio)


def divergence(first, second, epsilon):
    """Return the exact delta at epsilon of radius, noisy weight and mean, by quadrature over the weight."""
    s, steps = first.friendly.s, first.steps
    (p, w, mu, noise), (q, v, nu, _) = law(first), law(second)
    z = np.linspace(-9, 9, 601) * steps.sigma
    total = 0.0
    for place in np.flatnonzero((p > 1e-9) | (q > 1e-9)):
        weight = np.append(w[place] + z, v[place] + z) - steps.margin
        weight.sort()
        here, there = (
            np.log(chance[place])
            - np.square(weight + steps.margin - held[place]) / (2 * steps.sigma**2)
            - math.log(steps.sigma * math.sqrt(2 * math.pi))
            for chance, held in ((p, w), (q, v))
        )
        ratio = epsilon + there - here
        released = weight > 3 * s
        scale = noise[place] / np.maximum(weight, 3 * s)
        delta = np.where(
            released,
            sliding(abs(mu[place] - nu[place]), scale, np.clip(ratio, -30, 600)),
            np.maximum(0, -np.expm1(np.minimum(ratio, 0))),
        )
        total += np.trapezoid(np.exp(here) * np.where(ratio < -30, 1, delta), weight)
    return total


def worst_delta(aggregator, m, s, privacy):
    everything = multisets(len(NUMBERS), m)
    near = within(everything, len(NUMBERS), s)
    ready = [aggregator.prepare(NUMBERS[row], Euclidean(LINE), s, privacy) for row in everything]
    # mirror images have the same divergence; each pair is looked at both ways
    pairs = [(i, j) for i, j in np.argwhere(near) if i != j and everything[i].sum() <= 2 * m]
    return max(divergence(ready[i], ready[j], privacy.epsilon) for i, j in pairs)


@pytest.mark.parametrize(("m", "s"), [(5, 1), pytest.param(6, 2, marks=pytest.mark.slow)])
def test_the_exact_divergence_of_all_neighbours_is_at_most_delta(m, s, monkeypatch):
    monkeypatch.setattr(friendly_weights, "HALVINGS", 3)  # below the smallest distance
    found = worst_delta(FriendlyCore(), m, s, GENEROUS)
    assert 0 < found <= GENEROUS.delta


def test_abrupt_weights_exceed_delta():
    """Four of seven agree at 0, and one of them goes away."""
    agreeing, less = (np.array([0.0] * a + [4.0] * (7 - a))[:, None] for a in (5, 4))
    pair = [AbruptCore().prepare(x, Euclidean(LINE), 1, GENEROUS) for x in (agreeing, less)]
    right = [FriendlyCore().prepare(x, Euclidean(LINE), 1, GENEROUS) for x in (agreeing, less)]
    assert divergence(*right, GENEROUS.epsilon) <= GENEROUS.delta
    assert divergence(*pair, GENEROUS.epsilon) > 10 * GENEROUS.delta


@pytest.mark.parametrize("privacy", [Privacy(1.0, 1e-6), Privacy(0.1, 1e-9), GENEROUS])
@pytest.mark.parametrize("s", [1, 3])
def test_all_steps_together_cost_the_budget(privacy, s):
    steps = CoreBudget.of(privacy, s)
    parts = (
        of_exponential(steps.epsilon).rho,
        of_gaussian(3 * s, steps.sigma).rho,
        of_gaussian(1, steps.factor).rho,
    )
    assert sum(parts) == pytest.approx(steps.spent.rho, rel=1e-9)
    assert sum(parts) <= steps.spent.rho
    assert ndtr(-steps.margin / steps.sigma) <= steps.spent.delta
    assert (
        privacy.epsilon * 0.999 < steps.spent.privacy(privacy.delta).epsilon <= privacy.epsilon * (1 + 1e-9)
    )


@pytest.mark.parametrize("order", [1.01, 2.0, 10.0])
@pytest.mark.parametrize("cut", [-2.0, 0.0, 3.0])
def test_cutting_off_makes_the_divergence_no_larger(order, cut):
    """Two Gaussian laws 1 apart, cut off at the same point: at most order/2, by quadrature."""
    x = np.linspace(-40, cut, 400_001)
    logs = [-np.square(x - mean) / 2 for mean in (0.0, 1.0)]
    norms = [math.log(np.trapezoid(np.exp(one), x)) for one in logs]
    p, q = (one - norm for one, norm in zip(logs, norms, strict=True))
    for here, there in ((p, q), (q, p)):
        found = math.log(np.trapezoid(np.exp(order * here + (1 - order) * there), x)) / (order - 1)
        assert 0 < found <= order / 2


def heaps(m, spread, seed=1):
    """Return sets of two centers around (1, 1) and (3, 2), each in an order of its own."""
    rng = np.random.default_rng(seed)
    sets = np.array([[1.0, 1.0], [3.0, 2.0]]) + rng.normal(0, spread, (m, 2, 2))
    return np.stack([one[rng.permutation(2)] for one in sets]).reshape(m, 4)


SETS = Wasserstein(Box.of([0, 0], [4, 4]).times(2), 2)


def test_sets_without_an_order_are_averaged():
    outputs = heaps(1000, 0.05)
    outputs[:100] = [0, 0, 4, 4]
    ready = FriendlyCore().prepare(outputs, SETS, 1, Privacy(1.0, 1e-6))
    drawn = ready.draw(reproducible(1), 200)
    far = SETS.distances(drawn, [[1, 1, 3, 2]])[:, 0]
    assert np.mean(far < 0.1) > 0.95
    assert SETS.distances(ready.center[None], [[1, 1, 3, 2]])[0, 0] < 0.01


def test_a_release_is_drawn_around_the_exact_mean():
    ready = FriendlyCore().prepare(heaps(700, 0.05), SETS, 1, Privacy(4.0, 1e-6))
    released = ready.draw(secure(), 3)
    assert np.all(SETS.distances(released, [[1, 1, 3, 2]]) < 0.2)
    steps = FriendlyCore().steps(SETS)
    assert np.array_equal(np.rint(released / steps) * steps, released)
    place = int(np.flatnonzero(ready.friendly.totals >= ready.target)[-1])
    assert np.allclose([float(one) for one in ready.exact_mean(place)], ready.mean(place), rtol=1e-14)


def test_nothing_is_released_where_outputs_do_not_agree():
    """Sets of centers that are not apart at any radius that holds most of them."""
    rng = np.random.default_rng(2)
    outputs = rng.uniform(0, 4, (700, 4))
    drawn = FriendlyCore().prepare(outputs, SETS, 1, Privacy(1.0, 1e-6)).draw(reproducible(1), 100)
    assert np.mean(np.isnan(drawn).any(axis=1)) > 0.95


def test_what_is_impossible_is_explained():
    line = Euclidean(LINE)
    [pure] = FriendlyCore().problems(line, 1000, 1, Privacy(1.0))
    assert (pure.field, "above 0" in pure.message) == ("delta", True)
    fewest = FriendlyCore().fewest(line, 1, Privacy(1.0, 1e-6))
    [few] = FriendlyCore().problems(line, fewest - 1, 1, Privacy(1.0, 1e-6))
    assert (few.field, f"at least {fewest} blocks" in few.message) == ("blocks", True)
    assert not FriendlyCore().problems(line, fewest, 1, Privacy(1.0, 1e-6))
    for s, held in ((1, 0.8), (3, 0.6), (2, 1.0)):
        core = FriendlyCore(held=held)
        need = 2 * CoreBudget.of(Privacy(1.0, 1e-6), s).lost
        m = core.fewest(line, s, Privacy(1.0, 1e-6))
        assert core.sought(m, s) >= need
        assert held * (m - 2) * (2 * held * (m - 2) - (m - 2) - s) / (m - 2 - s) < need
