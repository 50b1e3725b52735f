"""Student's t, its law for vectors, and the generalized Cauchy: density (1 + |z|^r / k)^-s.

Then ``W = |Z|^r / k`` has the beta-prime law with parameters 1/r and s - 1/r, which
gives cdf, quantile and sampler.  All is computed from ln W, so that |z| = 1e300 and
probabilities of 1e-300 neither overflow nor lose accuracy.
"""

from __future__ import annotations

import abc
import dataclasses
import math
from fractions import Fraction
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from engine.array_types import Floats
from engine.noise import special
from engine.noise.base import Admissible, Noise, SphericalNoise
from engine.noise.calibration import at_most, linear
from engine.parameters import parameter
from engine.privacy import Privacy
from engine.sampling.exactness import ENCLOSED

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


@dataclasses.dataclass(frozen=True)
class StudentT(PowerTail):
    """Density proportional to (1 + z^2/nu)^(-(nu + 1)/2).

    The tight rule spends max(1, nu) beta on dilation, where Bun and Steinke print
    (nu + 1) beta: nu is the exact sup of the log-ratio.

    Examples
    --------
    With half of epsilon for dilation, which costs nu beta, beta is 1/6.

    >>> from engine import Privacy
    >>> pair = StudentT(nu=3.0).admissible(Privacy(1.0))
    >>> round(pair.alpha, 6), round(pair.beta, 6)
    (0.433013, 0.166667)
    """

    nu: float = parameter(
        default=3.0,
        label="Degrees of freedom ν",
        help="The density falls like |z|^-(ν+1): larger means lighter tails and a smoother S. "
        "The variance exists above 2.",
        lower=0.1,
        upper=100,
        source="Bun, Steinke 2019, Theorem 31",
    )

    name: ClassVar[str] = "student-t"
    label: ClassVar[str] = "Student's t"
    needs_delta: ClassVar[bool] = False
    summary: ClassVar[str] = (
        "A bell with heavy tails: private with delta = 0 and calmer than generalized Cauchy."
    )
    source: ClassVar[str] = "Bun, Steinke 2019, Theorem 31; tight rule derived here"
    exact_because: ClassVar[str] = ENCLOSED

    @property
    def _shape(self) -> tuple[float, float, float]:
        return 2.0, self.nu, (self.nu + 1) / 2

    @property
    def _enclosed_shape(self) -> tuple[float, float, arb]:
        from flint import arb

        return 2.0, self.nu, (arb(self.nu) + 1) / 2

    @property
    def _slope(self) -> float:
        # |h'/h| = (nu + 1) z / (nu + z^2) is largest at z = sqrt(nu)
        return (self.nu + 1) / (2 * math.sqrt(self.nu))

    @property
    def variance(self) -> float:
        return self.nu / (self.nu - 2) if self.nu > 2 else math.inf

    def _published(self, privacy: Privacy, dimension: int) -> tuple[Admissible, ...]:
        if dimension > 1:
            return ()
        return (
            Admissible(
                privacy.epsilon / 2 / self._slope,
                privacy.epsilon / 2 / (self.nu + 1),
                "Bun, Steinke 2019, Theorem 31, half of epsilon each",
            ),
        )


@dataclasses.dataclass(frozen=True)
class GeneralizedCauchy(PowerTail):
    """Density proportional to 1/(1 + |z|^gamma).

    The conference's pair (epsilon/(4 gamma), epsilon/gamma) is not admissible for
    gamma > 2: narrowing by beta costs (gamma - 1) beta, more than epsilon/2.  The
    mechanism is nevertheless epsilon-private up to gamma = 6, since sliding uses less
    than its half; at gamma = 8 it is not for small epsilon, at gamma = 12 never.

    Examples
    --------
    With half of epsilon for dilation, which costs (gamma - 1) beta, beta is 1/6.

    >>> from engine import Privacy
    >>> pair = GeneralizedCauchy(gamma=4.0).admissible(Privacy(1.0))
    >>> round(pair.alpha, 6), round(pair.beta, 6)
    (0.219346, 0.166667)
    """

    gamma: float = parameter(
        default=4.0,
        label="Tail exponent γ",
        help="The density falls like |z|^-γ: larger means lighter tails and a smoother S. "
        "The mean exists above 2, the variance above 3.",
        lower=1.1,
        upper=100,
        source="Nissim, Raskhodnikova, Smith 2007, Example 2",
    )

    name: ClassVar[str] = "generalized-cauchy"
    label: ClassVar[str] = "Generalized Cauchy"
    needs_delta: ClassVar[bool] = False
    summary: ClassVar[str] = "Heavy tails, flat on top: private with delta = 0, with a few very large errors."
    source: ClassVar[str] = "Nissim, Raskhodnikova, Smith 2007, Example 2; tight rule derived here"
    exact_because: ClassVar[str] = ENCLOSED

    @property
    def _shape(self) -> tuple[float, float, float]:
        return self.gamma, 1.0, 1.0

    @property
    def _enclosed_shape(self) -> tuple[float, float, arb]:
        from flint import arb

        return self.gamma, 1.0, arb(1)

    @property
    def _slope(self) -> float:
        # |h'/h| = gamma z^(gamma-1) / (1 + z^gamma) is largest at z^gamma = gamma - 1
        return math.pow(self.gamma - 1, (self.gamma - 1) / self.gamma)

    @property
    def variance(self) -> float:
        if self.gamma <= 3:
            return math.inf
        return math.sin(math.pi / self.gamma) / math.sin(3 * math.pi / self.gamma)

    def _published(self, privacy: Privacy, dimension: int) -> tuple[Admissible, ...]:
        epsilon, gamma = privacy.epsilon, self.gamma
        full = Admissible(
            epsilon / (2 * (gamma + 1)),
            epsilon / (2 * dimension * (gamma + 1)),
            "Nissim, Raskhodnikova, Smith, full version",
        )
        if dimension > 1:
            return (full,)
        conference = Admissible(
            epsilon / (4 * gamma),
            epsilon / gamma,
            "Nissim, Raskhodnikova, Smith 2007 (conference), Example 2",
        )
        return conference, full


@dataclasses.dataclass(frozen=True)
class MultivariateT(SphericalNoise, StudentT):
    """Density in R^d proportional to (1 + |z|^2/nu)^(-(nu + d)/2): Student's t along every line.

    A shift by alpha alone costs alpha (nu + d)/(2 sqrt(nu)), the steepest slope of ln h, at |z| = sqrt(nu).
    A dilation by beta alone costs max(d, nu) beta, at 0 or far out.  The two maxima are at different points:
    with |z| = sqrt(nu) tan(t/2) the slope is (nu + d)/(2 sqrt(nu)) sin t, and the dilation
    (d - nu)/2 + (nu + d)/2 cos t.  So by the rule of `SphericalNoise`::

        beta |d - nu|/2 + (nu + d)/2 sqrt(beta^2 + alpha^2/nu) <= epsilon

    makes the mechanism (epsilon, 0)-private.  The noise is least for nu near d.

    Examples
    --------
    Half of the largest beta, 1/nu, leaves sqrt(3)/2 of the largest alpha where nu = d:

    >>> from engine import Privacy
    >>> pair = MultivariateT(nu=3.0).admissible(Privacy(1.0), dimension=3)
    >>> round(pair.alpha, 6), round(pair.beta, 6)
    (0.5, 0.166667)
    """

    name: ClassVar[str] = "multivariate-t"
    label: ClassVar[str] = "Multivariate Student's t"
    for_vectors: ClassVar[bool] = True
    summary: ClassVar[str] = (
        "Student's t for vectors, the same in every direction: much calmer than a draw for each coordinate."
    )
    source: ClassVar[str] = "the law is classical (Cornish 1954); its joint rule is derived here"
    exact_because: ClassVar[str] = ENCLOSED

    def log_radial(self, r: Floats, dimension: int) -> Floats:
        with np.errstate(divide="ignore"):
            return -(self.nu + dimension) / 2 * np.logaddexp(0, self._log_w(r))

    def radius_quantile(self, p: Floats, dimension: int) -> Floats:
        # |Z|^2/nu has the beta-prime law with parameters d/2 and nu/2
        log_w = beta_prime_quantile(p, dimension / 2, self.nu / 2)
        return np.exp((log_w + math.log(self.nu)) / 2)

    def enclosed_radius(self, p: arb, dimension: int) -> arb:
        from flint import arb

        from engine.sampling import laws

        guess = float(beta_prime_quantile(np.array(float(p.mid())), dimension / 2, self.nu / 2))
        log_w = laws.beta_prime(p, arb(dimension) / 2, arb(self.nu) / 2, guess)
        return ((log_w + arb(self.nu).log()) / 2).exp()

    def _tight(self, privacy: Privacy, dimension: int, split: float) -> Admissible:
        nu, d = self.nu, dimension
        beta = (1 - split) * privacy.epsilon / max(d, nu)
        # the root may be as large as this
        left = 2 * (privacy.epsilon - beta * abs(d - nu) / 2) / (nu + d)
        alpha = math.sqrt(nu) * math.sqrt((left - beta) * (left + beta))
        while not self._holds(alpha, beta, privacy.epsilon, dimension):
            alpha, beta = alpha * (1 - 2.0**-52), beta * (1 - 2.0**-52)
        return Admissible(alpha, beta, "joint rule: the sup of what both change together, exactly epsilon")

    def _holds(self, alpha: float, beta: float, epsilon: float, dimension: int) -> bool:
        """Tell whether the rule holds to the last bit, in fractions."""
        a, b, nu, d = Fraction(alpha), Fraction(beta), Fraction(self.nu), dimension
        left = Fraction(epsilon) - b * abs(d - nu) / 2
        return left >= 0 and (nu + d) ** 2 / 4 * (b * b + a * a / nu) <= left * left
