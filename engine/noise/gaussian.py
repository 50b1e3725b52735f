"""Gaussian noise: for delta > 0, and for sensitivity in the Euclidean norm."""

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


class Gaussian(Noise):
    """Density e^{-z^2/2}/sqrt(2 pi).

    Tight pair in one dimension: joint calibration (`joint_delta`).  In d dimensions
    (L2): sliding at split * epsilon and dilation at the rest, each with the share of
    delta that composes to delta: dilating by (e2, delta2), then sliding by
    (e1, delta1) costs (e1 + e2, delta2 + e^e2 delta1), and the other order likewise.

    Examples
    --------
    The 97.5 % quantile of the normal law:

    >>> round(Gaussian().quantile(0.975).item(), 6)
    1.959964
    """

    name: ClassVar[str] = "gaussian"
    label: ClassVar[str] = "Gaussian"
    needs_delta: ClassVar[bool] = True
    norm: ClassVar[str] = "L2"
    summary: ClassVar[str] = (
        "The bell curve: the lightest tails, at the price of a very smooth S and a delta."
    )
    source: ClassVar[str] = "Nissim, Raskhodnikova, Smith 2007, Example 3; joint calibration derived here"
    exact_because: ClassVar[str] = ENCLOSED

    def _log_density(self, r: Floats) -> Floats:
        return -0.5 * r * r - 0.5 * math.log(2 * math.pi)

    def _tail(self, r: Floats) -> Floats:
        return special.ndtr(-r)

    def _tail_quantile(self, p: Floats) -> Floats:
        return -special.ndtri(p)

    def enclosed(self, bits: Bits) -> arb:
        from engine.sampling import laws

        return laws.invert(bits, laws.normal)

    def sample(self, rng: np.random.Generator, size: int | tuple[int, ...]) -> Floats:
        return rng.standard_normal(size)

    @property
    def variance(self) -> float:
        return 1.0

    def _tight(self, privacy: Privacy, dimension: int, split: float) -> Admissible:
        if dimension == 1:
            return Admissible(
                *joint_pair(privacy, split, joint_delta, enclosed_delta),
                "joint calibration of sliding and dilation, exact delta",
            )
        return Admissible(
            *_one_by_one(privacy, dimension, split), "exact deltas of sliding and of dilation, composed"
        )

    def _published(self, privacy: Privacy, dimension: int) -> tuple[Admissible, ...]:
        epsilon, delta = privacy.epsilon, privacy.delta
        full = Admissible(
            epsilon / (5 * math.sqrt(2 * math.log(2 / delta))),
            epsilon / (4 * (dimension + math.log(2 / delta))),
            "Nissim, Raskhodnikova, Smith, full version",
        )
        if dimension > 1:
            return (full,)
        conference = Admissible(
            epsilon / math.sqrt(math.log(1 / delta)),
            epsilon / (2 * math.log(1 / delta)),
            "Nissim, Raskhodnikova, Smith 2007 (conference), Example 3",
        )
        return conference, full


@functools.lru_cache(maxsize=1024)
def _one_by_one(privacy: Privacy, dimension: int, split: float) -> tuple[float, float]:
    sliding = split * privacy.epsilon
    dilation = math.nextafter(privacy.epsilon - sliding, 0)
    share = privacy.delta / (1 + math.exp(min(sliding, dilation))) * (1 - 2.0**-48)
    return inward(
        largest(lambda alpha: sliding_delta(alpha, sliding) <= share, sliding / 4),
        largest(lambda beta: dilation_delta(beta, dilation, dimension) <= share, dilation / 10),
        share,
        lambda alpha, beta: (
            enclosed_sliding(alpha, sliding) <= share
            and enclosed_dilation(beta, dilation, dimension) <= share
        ),
    )


def enclosed_delta(lam: arb, delta: arb, epsilon: arb) -> arb:
    """Return a ball around the delta at `epsilon` of (Z, Delta + e^lambda Z), as in `joint_delta`."""
    from flint import arb

    s, zero = (-lam).exp(), arb(0)
    a, b, c = (s * s - 1) / 2, -delta * s * s, (delta * s) ** 2 / 2 + lam - epsilon
    if lam == 0:
        if delta == 0:
            return zero
        return _normal_below(-c / b) - epsilon.exp() * _normal_below(-c / b - delta)
    discriminant = b * b - 4 * a * c
    if not discriminant > 0:
        return zero if discriminant <= 0 else arb.nan()
    half = (discriminant.sqrt() - b) / 2
    # the smaller root first where a < 0, the larger first where a > 0
    first, second = half / a, c / half
    below = _normal_below(second) - epsilon.exp() * _normal_below((second - delta) * s)
    if lam > 0:
        return below - _normal_below(first) + epsilon.exp() * _normal_below((first - delta) * s)
    return below + _normal_below(-first) - epsilon.exp() * _normal_below((delta - first) * s)


def enclosed_sliding(alpha: float, epsilon: float) -> arb:
    """Return a ball around `sliding_delta`."""
    from flint import arb

    a, e = arb(alpha), arb(epsilon)
    return _normal_below(a / 2 - e / a) - e.exp() * _normal_below(-a / 2 - e / a)


def enclosed_dilation(beta: float, epsilon: float, dimension: int) -> arb:
    """Return a ball around `dilation_delta`."""
    from flint import arb

    b, e = arb(beta), arb(epsilon)
    half, square = arb(dimension) / 2, (2 * b).exp()
    radius = (e + dimension * b) / (2 * b).expm1()
    wide = radius.gamma_upper(half, regularized=1) - e.exp() * (square * radius).gamma_upper(
        half, regularized=1
    )
    if not dimension * b > e:
        return wide
    radius = (dimension * b - e) / (2 * b).expm1()
    narrow = (square * radius).gamma_lower(half, regularized=1) - e.exp() * radius.gamma_lower(
        half, regularized=1
    )
    return wide.max(narrow)


def _normal_below(z: arb) -> arb:
    from flint import arb

    return (-z / arb(2).sqrt()).erfc() / 2


def joint_delta(alpha: float, beta: float, epsilon: float) -> float:
    """Return the largest delta at `epsilon` over the region of (alpha, beta), in one dimension.

    The log-ratio of Z to Delta + e^lambda Z, less epsilon, is the quadratic
    a z^2 + b z + c below: positive between its roots when it is concave (lambda >= 0),
    outside of them when it is convex.
    """
    lam, delta = region(alpha, beta)
    s = np.exp(-lam)
    a, b, c = (s * s - 1) / 2, -delta * s * s, (delta * s) ** 2 / 2 + lam - epsilon
    discriminant = b * b - 4 * a * c
    half = (np.sqrt(np.maximum(discriminant, 0)) - b) / 2
    with np.errstate(divide="ignore", invalid="ignore"):
        # the smaller root first where a < 0, the larger first where a > 0
        first = np.where(a == 0, -np.inf, half / a)
        second = np.where(half == 0, -np.inf, c / half)

    def below(z: Floats) -> Floats:
        """Pr[Z < z] less e^epsilon Pr[Delta + e^lambda Z < z]."""
        return special.ndtr(z) - math.exp(epsilon) * special.ndtr((z - delta) * s)

    above = special.ndtr(-first) - math.exp(epsilon) * special.ndtr((delta - first) * s)
    worst = np.where(lam >= 0, below(second) - below(first), below(second) + above)
    return float(np.max(np.where(discriminant > 0, worst, 0)))


def sliding_delta(alpha: float, epsilon: float) -> float:
    """Return the delta at `epsilon` of shifting Gaussian noise by `alpha` (Balle, Wang 2018, Theorem 5)."""
    return float(
        special.ndtr(alpha / 2 - epsilon / alpha)
        - math.exp(epsilon) * special.ndtr(-alpha / 2 - epsilon / alpha)
    )


def dilation_delta(beta: float, epsilon: float, dimension: int) -> float:
    """Return the largest delta at `epsilon` of dilating Gaussian noise in R^d by e^{+-beta}.

    The squared Euclidean norm of the noise is chi-squared with d degrees of freedom
    and tells everything, as for Laplace noise.
    """
    half, square = dimension / 2, math.exp(2 * beta)
    radius = (epsilon + dimension * beta) / math.expm1(2 * beta)
    wide = special.gammaincc(half, radius) - math.exp(epsilon) * special.gammaincc(half, square * radius)
    radius = max(0.0, (dimension * beta - epsilon) / math.expm1(2 * beta))
    narrow = special.gammainc(half, square * radius) - math.exp(epsilon) * special.gammainc(half, radius)
    return float(max(wide, narrow))
