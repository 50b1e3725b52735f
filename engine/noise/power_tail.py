"""What the generalized Cauchy and Student's t share: density (1 + |z|^r / k)^-s.

Then ``W = |Z|^r / k`` has the beta-prime law with parameters 1/r and s - 1/r, which
gives cdf, quantile and sampler.  All is computed from ln W, so that |z| = 1e300 and
probabilities of 1e-300 neither overflow nor lose accuracy.
"""

from __future__ import annotations

import abc
import dataclasses
import math
from typing import TYPE_CHECKING

import numpy as np

from engine.array_types import Floats
from engine.noise import special
from engine.noise.base import Admissible, Noise
from engine.noise.enclosure import at_most, linear
from engine.privacy import Privacy

if TYPE_CHECKING:
    from flint import arb

FAR = 40.0
"""Beyond ln W = 40 the first term of the tail's expansion is exact in double precision."""


def beta_prime_quantile(p: Floats, a: float, b: float) -> Floats:
    """Return the t with Pr[ln W > t] = p for W of the beta-prime law."""
    far = -(np.log(p) + math.log(b) + special.betaln(a, b)) / b
    # whichever of W/(1 + W) and 1/(1 + W) is below 1/2 keeps its accuracy
    near = np.piecewise(
        p,
        [p < special.betaincc(a, b, 0.5)],
        [
            lambda p: -special.logit(special.betaincinv(b, a, p)),
            lambda p: special.logit(special.betaincinv(a, b, 1 - p)),
        ],
    )
    return np.where(far > FAR, far, near)


@dataclasses.dataclass(frozen=True)
class PowerTail(Noise):
    """Density proportional to ``(1 + |z|^r / k)^-s`` with r s > 1.

    The sup of |d ln h / dz| is `_slope`; dilating by e^lambda changes the log-density
    by at most max(1, r s - 1) |lambda| (at 0 when widening, in the tail when
    narrowing).  So, for the product noise in R^d and L1, where slopes do not add but
    dilations do::

        slope * alpha + d * max(1, r s - 1) * beta <= epsilon

    makes the mechanism (epsilon, 0)-private: Delta and lambda are met one after the
    other.
    """

    @property
    @abc.abstractmethod
    def _shape(self) -> tuple[float, float, float]:
        """Return (r, k, s)."""

    @property
    @abc.abstractmethod
    def _enclosed_shape(self) -> tuple[float, float, arb]:
        """Return (r, k, s), the last one, which need not be a double, as a ball."""

    @property
    @abc.abstractmethod
    def _slope(self) -> float:
        """Return the sup of |d ln h / dz|."""

    @property
    def _beta_prime(self) -> tuple[float, float]:
        r, _, s = self._shape
        return 1 / r, s - 1 / r

    def _log_w(self, z: Floats) -> Floats:
        r, k, _ = self._shape
        return r * np.log(z) - math.log(k)

    def _log_density(self, r: Floats) -> Floats:
        power, k, s = self._shape
        normaliser = math.log(2 / power) + math.log(k) / power + special.betaln(*self._beta_prime)
        return -s * np.logaddexp(0, self._log_w(r)) - normaliser

    def _tail(self, r: Floats) -> Floats:
        a, b = self._beta_prime
        log_w = self._log_w(r)
        return 0.5 * np.piecewise(
            log_w,
            [log_w > FAR, (log_w > 0) & (log_w <= FAR)],
            [
                lambda t: np.exp(-b * t - math.log(b) - special.betaln(a, b)),
                lambda t: special.betainc(b, a, special.expit(-t)),
                lambda t: special.betaincc(a, b, special.expit(t)),
            ],
        )

    def _tail_quantile(self, p: Floats) -> Floats:
        power, k, _ = self._shape
        return np.exp((beta_prime_quantile(2 * p, *self._beta_prime) + math.log(k)) / power)

    def _enclosed_quantile(self, p: arb) -> arb:
        from engine.sampling import laws

        power, k, s = self._enclosed_shape
        with np.errstate(divide="ignore", over="ignore", invalid="ignore"):
            guess = float(self._tail_quantile(np.array(float(p.mid()))))
        return laws.power_tail(p, power, k, s, guess)

    def sample(self, rng: np.random.Generator, size: int | tuple[int, ...]) -> Floats:
        a, b = self._beta_prime
        power, k, _ = self._shape
        # G(a) = G(a + 1) U^(1/a), and a = 1/power: G(a) itself underflows to 0 for large
        # powers, which would be an atom at the true value
        ratio = k * rng.gamma(a + 1, size=size) / rng.gamma(b, size=size)
        magnitude = (1 - rng.random(size)) * ratio ** (1 / power)
        return np.where(rng.random(size) < 0.5, -magnitude, magnitude)

    def _tight(self, privacy: Privacy, dimension: int, split: float) -> Admissible:
        r, _, s = self._shape
        dilation = dimension * max(1.0, r * s - 1)
        alpha, beta = split * privacy.epsilon / self._slope, (1 - split) * privacy.epsilon / dilation
        return Admissible(
            *linear(alpha, beta, at_most(self._slope), at_most(dilation), privacy.epsilon),
            "tight rule: the sup of the log-ratio of densities, exactly epsilon",
        )
