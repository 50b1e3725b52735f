"""The Gaussian mechanism by its exact condition."""

from __future__ import annotations

import math

from engine.privacy import Privacy


def analytic_gaussian_sigma(privacy: Privacy) -> float:
    """Return the smallest sigma for which N(0, sigma^2) protects sensitivity 1.

    Solves ``Phi(1/(2 sigma) - epsilon sigma) - e^epsilon Phi(-1/(2 sigma) - epsilon sigma)
    = delta`` (Balle and Wang 2018, Theorem 8), rounded up.
    """
    from scipy.optimize import brentq
    from scipy.special import log_ndtr, ndtr

    def excess(log_sigma: float) -> float:
        sigma = math.exp(log_sigma)
        loss = ndtr(0.5 / sigma - privacy.epsilon * sigma)
        gain = math.exp(min(0.0, privacy.epsilon + float(log_ndtr(-0.5 / sigma - privacy.epsilon * sigma))))
        return float(loss - gain) - privacy.delta

    low, high = -1.0, 1.0
    while excess(low) < 0:
        low -= 1.0
    while excess(high) > 0:
        high += 1.0
    root = float(brentq(excess, low, high, xtol=1e-12))
    return math.exp(root) * (1.0 + 1e-11)
