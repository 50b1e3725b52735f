"""The Gaussian mechanism by its exact condition."""

from __future__ import annotations

import functools
import math

from engine.privacy import Privacy

FINEST = 1e-11
"""Relative width by which a root is enlarged, at least."""


@functools.lru_cache(maxsize=1024)
def analytic_gaussian_sigma(privacy: Privacy) -> float:
    """Return the smallest sigma for which N(0, sigma^2) protects sensitivity 1.

    Solves ``Phi(1/(2 sigma) - epsilon sigma) - e^epsilon Phi(-1/(2 sigma) - epsilon sigma)
    = delta`` (Balle and Wang 2018, Theorem 8), rounded up: what is returned is proved to be enough.
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
    root = math.exp(float(brentq(excess, low, high, xtol=1e-12)))
    wider = FINEST
    # where epsilon and delta are tiny, the difference of two tails has few right digits
    while not is_enough(root * (1 + wider), privacy):
        wider *= 4
    return root * (1 + wider)


def is_enough(sigma: float, privacy: Privacy) -> bool:
    """Tell whether N(0, sigma^2) protects sensitivity 1, by an enclosure of its exact delta."""
    from flint import arb

    from engine.sampling.balls import ball, decided

    def certain() -> bool | None:
        width, epsilon = ball(sigma), ball(privacy.epsilon)
        loss, gain = (((epsilon * width - side / (2 * width)) / arb(2).sqrt()).erfc() / 2 for side in (1, -1))
        delta = loss - epsilon.exp() * gain
        return True if delta < ball(privacy.delta) else False if delta > ball(privacy.delta) else None

    return decided(certain)
