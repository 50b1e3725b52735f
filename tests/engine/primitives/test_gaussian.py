"""The exact condition of the Gaussian mechanism."""

import math

import pytest
from scipy.special import log_ndtr

from engine.primitives import analytic_gaussian_sigma
from engine.primitives.gaussian import protects
from engine.privacy import Privacy


@pytest.mark.parametrize(("epsilon", "sigma"), [(0.2, 18.99), (0.25, 15.41), (0.5, 8.06), (1.0, 4.22)])
def test_known_values_of_the_analytic_gaussian(epsilon, sigma):
    assert analytic_gaussian_sigma(Privacy(epsilon, 1e-6)) == pytest.approx(sigma, abs=0.006)


@pytest.mark.parametrize(("epsilon", "delta"), [(0.001, 1e-12), (50.0, 1e-3), (700.0, 0.5), (0.01, 0.9)])
def test_extreme_privacy_of_the_analytic_gaussian(epsilon, delta):
    sigma = analytic_gaussian_sigma(Privacy(epsilon, delta))
    assert math.isfinite(sigma)
    assert sigma > 0


@pytest.mark.parametrize(("epsilon", "delta"), [(0.01, 1e-9), (0.5, 1e-3), (1.0, 1e-6), (20.0, 1e-12)])
def test_the_analytic_gaussian_holds_to_the_last_digits(epsilon, delta):
    """The exact delta of sigma: doubles lose few digits to the difference of the two tails."""
    sigma = analytic_gaussian_sigma(Privacy(epsilon, delta))
    near, far = log_ndtr([0.5 / sigma - epsilon * sigma, -0.5 / sigma - epsilon * sigma])
    exact = math.exp(near) - math.exp(epsilon + far)
    assert delta * (1 - 1e-6) <= exact <= delta * (1 + 1e-7)


@pytest.mark.parametrize("epsilon", [1e-9, 1e-6, 1e-3, 1.0, 100.0])
@pytest.mark.parametrize("delta", [1e-15, 1e-12, 1e-6, 0.4])
def test_the_analytic_gaussian_is_proved_to_be_enough(epsilon, delta):
    """Where doubles lose nearly all digits of the difference, too; and hardly less would be enough."""
    privacy = Privacy(epsilon, delta)
    sigma = analytic_gaussian_sigma(privacy)
    assert protects(sigma, privacy)
    assert not protects(sigma * (1 - (1e-4 if delta < 1e-9 else 1e-9)), privacy)
