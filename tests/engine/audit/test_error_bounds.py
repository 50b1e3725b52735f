"""Trade-off curves and posterior beliefs, against closed forms."""

import numpy as np
import pytest
from scipy.special import ndtr, ndtri

from engine.audit import bound, posterior, trade_off
from engine.audit.bounding import audit_draws
from engine.privacy import Privacy
from engine.randomness import reproducible

ALARMS = np.linspace(0, 1, 101)


def test_the_bound_of_pure_privacy_is_met_by_randomized_answers():
    """A truth told with probability e/(1 + e): the best test believes the answer."""
    p = np.e / (1 + np.e)
    assert bound(Privacy(1.0), [0.0, 1 - p, 1.0]) == pytest.approx([1, 1 - p, 0])


def test_the_bound_falls_is_convex_and_knows_delta():
    for privacy in (Privacy(0.1), Privacy(2.0, 0.1), Privacy(800.0)):
        missed = bound(privacy, ALARMS)
        assert missed[0] == pytest.approx(1 - privacy.delta)
        assert missed.min() == 0
        assert np.diff(missed).max() <= 0
        assert np.diff(missed, 2).min() >= -1e-12


def test_the_curve_of_two_normal_laws():
    """For N(0, 1) and N(1, 1): misses Phi(Phi^-1(1 - a) - 1); off by 0.025 with probability < 1e-6."""
    rng = reproducible(1)
    run = audit_draws(rng.normal(0, 1, 100_000), rng.normal(1, 1, 100_000), Privacy(1.0))
    alarms, missed = trade_off(run)
    assert (alarms[0], missed[-1]) == (0, 0)
    assert np.diff(alarms).min() > 0
    exact = ndtr(ndtri(1 - ALARMS) - 1)
    assert np.abs(np.interp(ALARMS, alarms, missed) - exact).max() < 0.025


def test_the_curve_of_a_private_mechanism_stays_above_the_bound():
    """Up to what 50,000 draws can be off by (0.02: less than 1e-6)."""
    rng = reproducible(2)
    run = audit_draws(rng.laplace(0, 1, 100_000), rng.laplace(1, 1, 100_000), Privacy(1.0))
    alarms, missed = trade_off(run)
    assert (missed - bound(Privacy(1.0), alarms)).min() > -0.02


def test_beliefs_move_by_the_odds():
    low, high = posterior([0.0, 0.5, 0.1, 1.0], 1.0)
    assert high == pytest.approx([0, np.e / (1 + np.e), np.e / (np.e + 9), 1])
    assert low == pytest.approx([0, 1 / (1 + np.e), 1 / (1 + 9 * np.e), 1])
    low, high = posterior([0.0, 0.3, 1.0], np.inf)
    assert low.tolist() == [0, 0, 1]
    assert high.tolist() == [0, 1, 1]
