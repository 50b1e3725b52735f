"""Laplace noise: the lightest tails, for delta > 0."""

from __future__ import annotations

import functools
import math
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from engine.array_types import Floats
from engine.noise import special
from engine.noise.base import Admissible, Noise
from engine.noise.calibration import inward, joint_pair, largest, region
from engine.privacy import Privacy
from engine.sampling.exactness import ENCLOSED

if TYPE_CHECKING:
    from flint import arb

    from engine.sampling.balls import Bits


class Laplace(Noise):
    """Density e^{-|z|}/2.

    Tight pair in one dimension: joint calibration (`joint_delta`).  In d dimensions (L1),
    sliding by alpha = split * epsilon is pure, and dilation has all of delta at the
    remaining epsilon.  With dilation first and sliding second the deltas do not multiply,
    and the region is symmetric in the two databases.

    Examples
    --------
    The density at 0, and the 95 % quantile of the absolute value: ln 20.

    >>> Laplace().density(0.0).item(), round(Laplace().quantile(0.975).item(), 6)
    (0.5, 2.995732)
    """

    name: ClassVar[str] = "laplace"
    label: ClassVar[str] = "Laplace"
    needs_delta: ClassVar[bool] = True
    summary: ClassVar[str] = "A sharp peak and light tails: little noise, but it needs a delta above 0."
    source: ClassVar[str] = "Nissim, Raskhodnikova, Smith 2007, Example 3; joint calibration derived here"
    exact_because: ClassVar[str] = ENCLOSED

    def _log_density(self, r: Floats) -> Floats:
        return -r - math.log(2)

    def _tail(self, r: Floats) -> Floats:
        return 0.5 * np.exp(-r)

    def _tail_quantile(self, p: Floats) -> Floats:
        return -np.log(2 * p)

    def enclosed(self, bits: Bits) -> arb:
        from engine.sampling import laws

        return laws.invert(bits, laws.laplace)

    def sample(self, rng: np.random.Generator, size: int | tuple[int, ...]) -> Floats:
        return rng.laplace(size=size)

    @property
    def variance(self) -> float:
        return 2.0

    def _tight(self, privacy: Privacy, dimension: int, split: float) -> Admissible:
        if dimension == 1:
            return Admissible(
                *joint_pair(privacy, split, joint_delta, enclosed_delta),
                "joint calibration of sliding and dilation, exact delta",
            )
        return Admissible(*_one_by_one(privacy, dimension, split), "pure sliding, exact delta of dilation")

    def _published(self, privacy: Privacy, dimension: int) -> tuple[Admissible, ...]:
        epsilon, delta = privacy.epsilon, privacy.delta
        if dimension == 1:
            return (
                Admissible(
                    epsilon / 2,
                    epsilon / (2 * math.log(1 / delta)),
                    "Nissim, Raskhodnikova, Smith 2007 (conference), Example 3",
                ),
                Admissible(
                    epsilon / 2,
                    epsilon / (2 * math.log(2 / delta)),
                    "Nissim, Raskhodnikova, Smith, full version",
                ),
            )
        return (
            Admissible(
                epsilon / 2,
                epsilon / (4 * (dimension + math.log(2 / delta))),
                "Nissim, Raskhodnikova, Smith, full version",
            ),
        )


@functools.lru_cache(maxsize=1024)
def _one_by_one(privacy: Privacy, dimension: int, split: float) -> tuple[float, float]:
    alpha, delta = split * privacy.epsilon, privacy.delta
    rest = math.nextafter(privacy.epsilon - alpha, 0)
    beta = largest(lambda beta: dilation_delta(beta, rest, dimension) <= delta, 0.1 * rest)
    _, beta = inward(alpha, beta, delta, lambda _, b: enclosed_dilation(b, rest, dimension) <= delta)
    return alpha, beta


def enclosed_delta(lam: arb, delta: arb, epsilon: arb) -> arb:
    """Return a ball around the delta at `epsilon` of (Z, Delta + e^lambda Z), as in `joint_delta`."""
    from flint import arb

    s, zero = (-lam).exp(), arb(0)
    at_zero, at_delta = delta * s + lam - epsilon, -delta + lam - epsilon
    if not lam < 0:
        if not at_zero > 0:
            return zero if at_zero <= 0 else arb.nan()
        low = -at_zero / (1 - s) if lam > 0 else arb.neg_inf()
        above = delta + at_delta / (1 - s) if lam > 0 else arb.pos_inf()
        high = above if at_delta > 0 else at_zero / (1 + s)
        return _above(-high, low) - epsilon.exp() * _above((delta - high) * s, (low - delta) * s)
    left = at_zero / (s - 1) if at_zero < 0 else at_zero / (1 + s)
    right = delta - at_delta / (s - 1)
    outside = _enclosed_below(left) + _enclosed_below(-right)
    return outside - epsilon.exp() * (
        _enclosed_below((left - delta) * s) + _enclosed_below((delta - right) * s)
    )


def _above(minus_high: arb, low: arb) -> arb:
    """Return Pr[low < Z < high]."""
    return 1 - _enclosed_below(low) - _enclosed_below(minus_high)


def _enclosed_below(z: arb) -> arb:
    return z.exp() / 2 if z < 0 else 1 - (-z).exp() / 2


def joint_delta(alpha: float, beta: float, epsilon: float) -> float:
    """Return the largest delta at `epsilon` over the region of (alpha, beta), in one dimension.

    With s = e^-lambda the log-ratio of Z to Delta + e^lambda Z, less epsilon, is
    -|z| + s|z - Delta| + lambda - epsilon: linear between the knots 0 and Delta, of
    slopes 1 - s, -(1 + s), s - 1.  So it is positive on an interval around the knots
    (lambda >= 0) or outside of one (lambda < 0), with ends in closed form.
    """
    lam, delta = region(alpha, beta)
    s = np.exp(-lam)
    at_zero, at_delta = delta * s + lam - epsilon, -delta + lam - epsilon
    middle = np.clip(at_zero / (1 + s), 0, delta)
    with np.errstate(divide="ignore", invalid="ignore"):
        # lambda >= 0: the interval (low, high), empty unless at_zero > 0
        low = np.where(at_zero > 0, -at_zero / (1 - s), 0.0)
        high = np.where(at_delta > 0, delta + at_delta / (1 - s), middle)
        inside = _mass(low, high) - math.exp(epsilon) * _mass((low - delta) * s, (high - delta) * s)
        # lambda < 0: everything below `left` and above `right`
        left = np.where(at_zero < 0, at_zero / (s - 1), middle)
        right = delta - at_delta / (s - 1)
        outside = (_below(left) + _below(-right)) - math.exp(epsilon) * (
            _below((left - delta) * s) + _below((delta - right) * s)
        )
    return float(np.max(np.where(lam >= 0, inside, outside)))


def dilation_delta(beta: float, epsilon: float, dimension: int) -> float:
    """Return the largest delta at `epsilon` of dilating Laplace noise in R^d by e^{+-beta}.

    The L1 norm r of the noise is Gamma(d) and tells everything: the wide law against
    the narrow one has log-ratio above epsilon beyond a radius, the other way below one.
    """
    d = dimension
    radius = (epsilon + d * beta) / math.expm1(beta)
    wide = special.gammaincc(d, radius) - math.exp(epsilon) * special.gammaincc(d, math.exp(beta) * radius)
    radius = max(0.0, (d * beta - epsilon) / math.expm1(beta))
    narrow = special.gammainc(d, math.exp(beta) * radius) - math.exp(epsilon) * special.gammainc(d, radius)
    return float(max(wide, narrow))


def enclosed_dilation(beta: float, epsilon: float, dimension: int) -> arb:
    """Return a ball around `dilation_delta`."""
    from flint import arb

    d, b, e = dimension, arb(beta), arb(epsilon)
    radius = (e + d * b) / b.expm1()
    wide = radius.gamma_upper(d, regularized=1) - e.exp() * (b.exp() * radius).gamma_upper(d, regularized=1)
    if not d * b > e:
        return wide
    radius = (d * b - e) / b.expm1()
    narrow = (b.exp() * radius).gamma_lower(d, regularized=1) - e.exp() * radius.gamma_lower(d, regularized=1)
    return wide.max(narrow)


def _below(z: Floats) -> Floats:
    return 0.5 * np.where(z < 0, np.exp(np.minimum(z, 0)), 2 - np.exp(-np.maximum(z, 0)))


def _mass(low: Floats, high: Floats) -> Floats:
    return _below(high) - _below(low)
