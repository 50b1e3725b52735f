"""What releases cost together by their privacy losses: against exact formulas, which share no code."""

import math

import numpy as np
import pytest

from engine.errors import ParameterError
from engine.mechanisms import ExponentialRelease, GaussianRelease, LaplaceRelease
from engine.noise.calibration import log_delta
from engine.primitives.losses import INSTALL, Loss, composed_losses, is_installed
from engine.privacy import Privacy

needs = pytest.mark.skipif(not is_installed(), reason="dp-accounting is missing (extra 'accounting')")
SLACK = 1e-6


def delta_of_stated(epsilon, delta, times, total):
    """Return delta(total) of pairs composed, by enumeration (Kairouz, Oh, Viswanath 2017, Theorem 3.3)."""
    odds = math.exp(epsilon)
    excess = sum(
        math.comb(times, i) * max(odds ** (times - i) - math.exp(total) * odds**i, 0) / (1 + odds) ** times
        for i in range(times + 1)
    )
    return 1 - (1 - delta) ** times * (1 - excess)


def delta_of_two_laplaces(scale, total):
    """Return delta(total) of two draws of Lap(scale) beside those shifted by 1, by integration."""
    grid = np.linspace(-30 * scale, 30 * scale + 1, 2001)
    density = np.exp(-np.abs(grid) / scale) / (2 * scale)
    shifted = np.exp(-np.abs(grid - 1) / scale) / (2 * scale)
    excess = np.maximum(np.outer(density, density) - math.exp(total) * np.outer(shifted, shifted), 0)
    return float(np.trapezoid(np.trapezoid(excess, grid, axis=1), grid))


@needs
@pytest.mark.parametrize(("epsilon", "delta", "times"), [(0.5, 0.0, 12), (1.0, 1e-8, 6), (0.1, 0.0, 40)])
def test_stated_pairs_come_to_what_enumeration_says(epsilon, delta, times):
    told = composed_losses({Loss.of_stated(Privacy(epsilon, delta)): times}, SLACK)
    found, target = told.epsilon, told.delta
    assert target == pytest.approx(times * delta + SLACK, rel=1e-12)
    assert delta_of_stated(epsilon, delta, times, found) <= target
    assert delta_of_stated(epsilon, delta, times, 0.98 * found - 2e-3) > target


@needs
def test_laplace_noise_comes_to_what_integration_says():
    found = composed_losses({Loss.of_laplace(1.0): 2}, 0.05).epsilon
    assert delta_of_two_laplaces(1.0, found) <= 0.05
    assert delta_of_two_laplaces(1.0, found - 0.01) > 0.05


@needs
def test_gaussian_noise_comes_to_what_the_exact_condition_says():
    sigma, times = 4.0, 9
    mu = math.sqrt(times) / sigma

    def exact(epsilon):
        upper = math.erfc((epsilon / mu - mu / 2) / math.sqrt(2)) / 2
        return upper - math.exp(epsilon) * math.erfc((epsilon / mu + mu / 2) / math.sqrt(2)) / 2

    found = composed_losses({Loss.of_gaussian(sigma): times}, SLACK).epsilon
    assert exact(found) <= SLACK < exact(found - 0.02)
    assert log_delta(times / (2 * sigma**2), found) > math.log(
        exact(found)
    )  # concentrated privacy gives more


@needs
def test_different_losses_compose_and_never_pass_the_plain_sum():
    several = {Loss.of_laplace(2.0): 3, Loss.of_stated(Privacy(0.2)): 2}
    assert 0 < composed_losses(several, SLACK).epsilon <= 1.9
    assert composed_losses({Loss.of_laplace(1.0): 1}, SLACK).epsilon <= 1.0


def test_a_planted_loss_that_is_too_small_would_be_seen():
    """Half of epsilon stated: enumeration finds more than delta at the epsilon that would be told."""
    if not is_installed():
        pytest.skip("dp-accounting is missing (extra 'accounting')")
    wrong = composed_losses({Loss.of_stated(Privacy(0.25)): 12}, SLACK).epsilon
    assert delta_of_stated(0.5, 0.0, 12, wrong) > SLACK


def test_what_cannot_be_told_is_refused(monkeypatch):
    with pytest.raises(ParameterError, match="no privacy loss"):
        Loss("cauchy", 1.0)
    if is_installed():
        with pytest.raises(ParameterError, match="too small"):
            composed_losses({Loss.of_laplace(1.0): 1}, 1e-12)
    monkeypatch.setattr("engine.primitives.losses.is_installed", lambda: False)
    with pytest.raises(ParameterError, match="is not installed"):
        composed_losses({Loss.of_laplace(1.0): 1}, 1e-6)
    assert INSTALL.endswith("'sensiscope[accounting]'")


def test_mechanisms_state_their_losses():
    asked = Privacy(0.5, 1e-6)
    assert LaplaceRelease().guarantee.loss(asked) == Loss.of_laplace(2.0)
    assert GaussianRelease().guarantee.loss(asked) == Loss.of_gaussian(float(GaussianRelease().scale(asked)))
    assert ExponentialRelease().guarantee.loss(asked) == Loss.of_stated(Privacy(0.5))
