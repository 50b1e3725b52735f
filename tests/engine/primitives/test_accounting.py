"""What steps cost together, against distributions whose composition is known exactly."""

import itertools
import math
from decimal import Decimal

import numpy as np
import pytest
from scipy import optimize
from scipy.special import gammaln, log_ndtr, logsumexp

from engine.errors import ParameterError
from engine.primitives import (
    Concentrated,
    advanced_composition,
    best_share,
    compose,
    largest_rho,
    of_exponential,
    of_gaussian,
    of_pure,
    selection_probabilities,
)
from engine.privacy import Privacy


def log_delta_of_rho(rho, epsilon):
    """The conversion by a search over the order that knows nothing of its slope."""

    def logarithm(log_excess):
        a = 1 + math.exp(log_excess)
        return (a - 1) * (a * rho - epsilon) - math.log(a - 1) + a * math.log1p(-1 / a)

    found = optimize.minimize_scalar(logarithm, bounds=(-10, 25), method="bounded", options={"xatol": 1e-10})
    return found.fun


def gaussian_delta(rho, epsilon):
    """The exact delta of Gaussian noise that costs rho (Balle and Wang 2018)."""
    mu = math.sqrt(2 * rho)
    near, far = log_ndtr([mu / 2 - epsilon / mu, -mu / 2 - epsilon / mu])
    return math.exp(near) - math.exp(epsilon + far)


def largest_rate(p, q):
    """The least rho for distributions p and q over the last axis: Rényi divergence by order."""
    order = np.concatenate([1 + np.geomspace(1e-3, 1, 12), np.geomspace(2.1, 200, 25)])
    order = order.reshape(-1, *[1] * np.ndim(p))
    logarithm = logsumexp(order * np.log(p) + (1 - order) * np.log(q), axis=-1, keepdims=True)
    return np.max(logarithm / (order - 1) / order)


@pytest.mark.parametrize(
    ("epsilon", "rho"), [(0.1, 0.00032), (0.2, 0.00118), (0.25, 0.00180), (0.5, 0.00664), (1.0, 0.02436)]
)
def test_the_largest_rho_for_a_delta_of_1e_6(epsilon, rho):
    found = largest_rho(Privacy(epsilon, 1e-6))
    assert found == pytest.approx(rho, abs=6e-6)
    direct = optimize.brentq(lambda x: log_delta_of_rho(x, epsilon) - math.log(1e-6), 1e-6, 1.0, xtol=1e-14)
    assert found == pytest.approx(direct, rel=1e-7)


@pytest.mark.parametrize(
    ("rho", "delta"), [*itertools.product([1e-6, 1e-3, 0.02, 0.5, 40.0], [1e-12, 1e-6, 1e-2, 0.4])]
)
def test_conversion_covers_the_gaussian_and_is_the_inverse(rho, delta):
    privacy = Concentrated(rho).privacy(delta)
    assert privacy.delta == delta
    assert gaussian_delta(rho, privacy.epsilon) <= delta
    if privacy.epsilon > 1e-8:
        assert math.exp(log_delta_of_rho(rho, privacy.epsilon)) == pytest.approx(delta, rel=1e-6)
        assert largest_rho(privacy) == pytest.approx(rho, rel=1e-9)
        assert rho + 2 * math.sqrt(rho * math.log(1 / delta)) >= privacy.epsilon
        # half of that epsilon would be wrong
        assert delta > 0.1 or gaussian_delta(rho, 0.5 * privacy.epsilon) > delta


@pytest.mark.parametrize("own", [1e-9, 4e-7, 9.9e-7])
def test_conversion_uses_what_the_step_leaves_of_delta(own):
    """Gaussian noise, but with probability `own` everything is revealed."""
    privacy = Concentrated(0.02, own).privacy(1e-6)
    assert own + (1 - own) * gaussian_delta(0.02, privacy.epsilon) <= 1e-6
    assert own + (1 - own) * math.exp(log_delta_of_rho(0.02, privacy.epsilon)) == pytest.approx(
        1e-6, rel=1e-6
    )


def test_conversion_of_almost_nothing():
    assert Concentrated(0.0).privacy(1e-6).epsilon == pytest.approx(1e-9)
    assert Concentrated(1e-30).privacy(1e-6).epsilon == pytest.approx(1e-9)


@pytest.mark.parametrize("epsilon", [0.2, 1.0, 3.0])
def test_steps_cost_no_more_than_their_rho(epsilon):
    """Rényi divergences of the exponential mechanism and of randomized response."""
    scores = np.array(list(itertools.product(range(3), repeat=3)), dtype=float)
    first, second = np.nonzero(np.abs(scores[:, None] - scores).max(axis=2) <= 1)
    table = np.array([selection_probabilities(row, epsilon) for row in scores])
    found = largest_rate(table[first], table[second])
    assert 0.85 * of_exponential(epsilon).rho < found <= of_exponential(epsilon).rho * (1 + 1e-9)
    answers = np.array([math.exp(epsilon), 1]) / (1 + math.exp(epsilon))
    found = largest_rate(answers, answers[::-1])
    assert of_exponential(epsilon).rho < found <= of_pure(epsilon).rho * (1 + 1e-9)


def test_gaussian_noise_costs_its_rho():
    z, step = np.linspace(-30, 30, 30001, retstep=True)
    p, q = (np.exp(-((z - center) ** 2) / 8) / math.sqrt(8 * math.pi) for center in (0.0, 1.5))
    for order in (1.1, 2.0, 5.0):
        found = math.log(np.sum(p**order * q ** (1 - order)) * step) / (order - 1)
        assert found == pytest.approx(order * of_gaussian(1.5, 2.0).rho, rel=1e-6)


def test_costs_add():
    total = compose([Concentrated(0.1, 0.2), of_pure(1.0), Concentrated(0.3, 0.5)])
    assert total.rho == pytest.approx(0.9)
    assert total.delta == pytest.approx(1 - 0.8 * 0.5)
    assert compose([]) == Concentrated(0.0)
    # two Gaussian steps are one of sqrt(2) the sensitivity
    both = compose([of_gaussian(1.0, 3.0)] * 2)
    assert both.rho == pytest.approx(of_gaussian(math.sqrt(2), 3.0).rho)


def composed_delta(privacy, k, epsilon):
    """The exact delta of k steps that are as bad as (epsilon, delta) allows.

    Randomized response, but with probability delta the answer is revealed (Kairouz, Oh,
    Viswanath 2017); the number of true answers is binomial.
    """
    i = np.arange(k + 1)
    ways = gammaln(k + 1) - gammaln(i + 1) - gammaln(k - i + 1)
    base = ways - k * np.logaddexp(0, privacy.epsilon)
    p, q = base + privacy.epsilon * i, base + privacy.epsilon * (k - i)
    excess = np.sum(np.maximum(np.exp(p) - np.exp(epsilon + q), 0))
    return 1 - (1 - privacy.delta) ** k * (1 - excess)


@pytest.mark.parametrize("epsilon", [0.001, 0.1, 1.0, 3.0])
def test_advanced_composition_covers_randomized_response(epsilon):
    step = Privacy(epsilon, 1e-5)
    for k, slack in itertools.product((1, 2, 10, 100, 1000), (1e-9, 1e-3, 0.1)):
        total = advanced_composition(step, k, slack)
        assert total.delta == pytest.approx(k * 1e-5 + slack)
        linear = epsilon * math.sqrt(2 * k * math.log(1 / slack))
        assert total.epsilon == pytest.approx(2 * k * epsilon**2 + linear)
        if total.epsilon < 500:
            assert composed_delta(step, k, total.epsilon) <= total.delta


@pytest.mark.parametrize("privacy", [Privacy(0.3, 1e-6), Privacy(1.0, 1e-9), Privacy(5.0, 1e-2)], ids=repr)
def test_shares_compose_to_the_whole_and_not_to_less(privacy):
    for k in (1, 2, 7, 30, 400, 5000):
        share = best_share(privacy, k)
        assert composed_delta(share, k, privacy.epsilon) <= privacy.delta * (1 + 1e-6)
        assert share.epsilon >= privacy.epsilon / k
        if share.epsilon > privacy.epsilon / k:
            total = advanced_composition(share, k, privacy.delta / 2)
            assert total.epsilon == pytest.approx(privacy.epsilon)
        else:
            total = Privacy(k * share.epsilon, k * share.delta)
            assert advanced_composition(share, k, privacy.delta / 2).epsilon >= privacy.epsilon
        assert total.delta == pytest.approx(privacy.delta)


def test_many_steps_get_more_by_advanced_composition():
    assert best_share(Privacy(1.0, 1e-6), 10) == Privacy(0.1, 1e-7)
    assert best_share(Privacy(1.0, 1e-6), 1000).epsilon > 5e-3
    assert best_share(Privacy(1.0), 1000) == Privacy(1e-3)


@pytest.mark.parametrize(
    ("call", "field"),
    [
        (lambda: Concentrated(-1.0), "rho"),
        (lambda: Concentrated(math.inf), "rho"),
        (lambda: Concentrated(0.1, 1.0), "delta"),
        (lambda: Concentrated(0.1, 1e-6).privacy(1e-6), "delta"),
        (lambda: Concentrated(0.1).privacy(0.0), "delta"),
        (lambda: Concentrated(0.1).privacy(1.0), "delta"),
        (lambda: largest_rho(Privacy(1.0)), "delta"),
        (lambda: advanced_composition(Privacy(1.0), 0, 0.1), "k"),
        (lambda: advanced_composition(Privacy(1.0), 2, 0.0), "delta_slack"),
        (lambda: advanced_composition(Privacy(1.0, 0.5), 2, 0.1), "delta"),
        (lambda: best_share(Privacy(1.0), 0), "k"),
    ],
)
def test_what_makes_no_sense_is_refused(call, field):
    with pytest.raises(ParameterError) as caught:
        call()
    assert caught.value.field == field


@pytest.mark.parametrize("rho", [1.01e8, 1e200, 1.7e308])
def test_a_cost_near_the_largest_double_is_converted_too(rho):
    found = Concentrated(rho).privacy(1e-6).epsilon
    by_digits = Decimal(rho) + 2 * (Decimal(rho) * -Decimal("1e-6").ln()).sqrt()
    assert found == pytest.approx(float(by_digits), rel=1e-14)
