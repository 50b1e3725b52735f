"""The Gaussian mechanism by its exact condition."""

from __future__ import annotations

import functools
import math

from engine.privacy import Privacy

TAIL = 2.0**-44
"""By what a normal quantile is enlarged for its own error."""

SLACK = 1e-11
"""By which share sigma is larger than the smallest one, or more where doubles do not tell that well."""


def normal_margin(sigma: float, probability: float) -> float:
    """Return what N(0, sigma^2) is above with at most a probability, in (0, 1): rounded up."""
    from scipy.special import ndtri

    quantile = -float(ndtri(probability))
    return sigma * (quantile + TAIL * (1 + abs(quantile)))


@functools.lru_cache(maxsize=1024)
def analytic_gaussian_sigma(privacy: Privacy) -> float:
    """Return the smallest sigma for which N(0, sigma^2) protects sensitivity 1, rounded up.

    Solves ``Phi(1/(2 sigma) - epsilon sigma) - e^epsilon Phi(-1/(2 sigma) - epsilon sigma)
    = delta`` (Balle and Wang 2018, Theorem 8).  In doubles the two terms cancel where delta is
    small; that the left side is at most delta is proved with balls.
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
    sigma, slack = math.exp(float(brentq(excess, low, high, xtol=1e-12))), SLACK
    while not protects(sigma * (1 + slack), privacy):
        slack *= 2
    return sigma * (1 + slack)


def protects(sigma: float, privacy: Privacy) -> bool:
    """Tell whether N(0, sigma^2) protects sensitivity 1, for certain."""
    from flint import arb

    from engine.sampling.balls import ball, decide

    def below(x: arb) -> arb:
        return (-x / arb(2).sqrt()).erfc() / 2

    def certain() -> bool | None:
        epsilon = ball(privacy.epsilon)
        here, away = epsilon * ball(sigma), 1 / (2 * ball(sigma))
        left = below(away - here) - epsilon.exp() * below(-away - here) - ball(privacy.delta)
        return True if left <= 0 else False if left > 0 else None

    return decide(certain)
