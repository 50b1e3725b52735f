"""The three noises of Bun and Steinke: log-normal tails and concentrated privacy."""

from __future__ import annotations

import abc
import dataclasses
import functools
import math
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from engine.array_types import Floats
from engine.noise import special
from engine.noise.base import Admissible, Noise
from engine.noise.calibration import implying_rho, joint_factor, region
from engine.noise.divergences import divergences
from engine.parameters import parameter
from engine.privacy import Privacy
from engine.sampling.exactness import ENCLOSED

if TYPE_CHECKING:
    from flint import arb

    from engine.sampling.balls import Bits

INWARD = 1 - 2.0**-36
"""A budget is multiplied by it, to cover the rounding errors on its way to a pair."""

MIN_NUMERICAL_DELTA = 1e-10
"""A numerical delta has an error of 10^-14: below this, only formulas are used."""

MAX_DIMENSIONS = 16
"""Beyond this many coordinates, the divergence of a product is not computed numerically."""

MIN_EPSILON = 1e-3
"""Below this epsilon, the steps of a product's log-ratio are too coarse."""


class ConcentratedNoise(Noise):
    """A family whose privacy is proved as concentrated privacy, e^2/2-zCDP.

    With e = sqrt(2 rho) and rho the largest that implies (epsilon, delta), the two
    steps add in e: `split` * e for sliding, the rest for dilation.  In d dimensions
    (product noise, L1) the rho of the coordinates add: dilation costs sqrt(d) times as
    much; sliding costs no more than on one coordinate, since the squares of shares sum
    to at most 1.

    For a single release that proof is loose: the published pairs give a third of epsilon
    or less, and in several dimensions an eighth.  The tight pair is therefore 2 to 9 times as
    large: the largest multiple that the numerical divergence allows, less 0.02 % for its error.
    In several dimensions the divergence is that of the product, with the shift on one, two or
    all coordinates.  Beyond 16 coordinates, or with delta below 1e-10, the proved pair is used.
    """

    is_concentrated = True

    @abc.abstractmethod
    def _sliding(self, budget: float) -> float:
        """Return the alpha whose sliding is budget^2/2-zCDP."""

    @abc.abstractmethod
    def _dilation(self, budget: float) -> float:
        """Return the beta whose dilation is budget^2/2-zCDP, in one dimension."""

    def _tight(self, privacy: Privacy, dimension: int, split: float) -> Admissible:
        proven = self._proven(privacy, dimension, split)
        if dimension > 1 and not (
            dimension <= MAX_DIMENSIONS
            and privacy.delta >= MIN_NUMERICAL_DELTA
            and privacy.epsilon >= MIN_EPSILON
        ):
            return proven
        factor = _factor(self, proven, privacy, dimension) if privacy.delta >= MIN_NUMERICAL_DELTA else 1.0
        return Admissible(
            factor * proven.alpha,
            factor * proven.beta,
            "joint calibration of sliding and dilation, numerical delta",
        )

    def _proven(self, privacy: Privacy, dimension: int, split: float) -> Admissible:
        budget = math.sqrt(2 * implying_rho(privacy)) * INWARD
        return Admissible(
            self._sliding(split * budget),
            self._dilation((1 - split) * budget / math.sqrt(dimension)),
            "Bun, Steinke 2019, by concentrated privacy (Canonne, Kamath, Steinke 2020, Corollary 13)",
        )

    def _published(self, privacy: Privacy, dimension: int) -> tuple[Admissible, ...]:
        return (self._proven(privacy, 1, 0.5),) if dimension == 1 else ()


@functools.lru_cache(maxsize=1024)
def _factor(noise: Noise, pair: Admissible, privacy: Privacy, dimension: int) -> float:
    """Return by how much a proven pair can be enlarged."""

    def worst_delta(factor: float, steps: int = 1) -> float:
        lam, delta = region(factor * pair.alpha, factor * pair.beta, steps)
        return float(np.max(divergences(noise, lam, delta, dimension).divergence(privacy.epsilon)))

    factor = float(joint_factor(worst_delta, privacy.delta))
    # the corners of the region decide in all cases known; where they do not, give way
    while worst_delta(factor, steps=2) > privacy.delta:
        factor *= 0.99
    return factor


def solve_tail(noise: Noise, p: Floats) -> Floats:
    """Return the r >= 0 with Pr[Z > r] = p by Newton's method, for families without a closed form.

    In x = ln(1 + r) the logarithm of the tail is nearly linear around 0 and nearly a
    parabola beyond; a bracket catches the steps that leave it.
    """
    shape, p = np.shape(p), np.ravel(p)
    log_p = np.log(np.where(p > 0, p, 0.5))
    low, high = np.zeros_like(p), np.full_like(p, 709.0)
    x = np.zeros_like(p)
    for _ in range(200):
        r = np.expm1(x)
        tail = noise._tail(r)
        excess = np.log(tail) - log_p
        low, high = np.where(excess >= 0, x, low), np.where(excess <= 0, x, high)
        with np.errstate(invalid="ignore"):
            step = excess * tail / (np.exp(noise._log_density(r)) * np.exp(x))
        trial = x + step
        trial = np.where((trial >= low) & (trial <= high), trial, (low + high) / 2)
        settled = np.abs(trial - x) <= 1e-15 * (1 + x)
        x = trial
        if settled.all():
            break
    return np.select([p == 0, p == 0.5], [np.inf, 0.0], np.expm1(x)).reshape(shape)


CACHED = 1 << 15
"""How many nodes are integrated at once: what fits in a processor's cache."""


@dataclasses.dataclass(frozen=True)
class LogNormalScale(ConcentratedNoise, abc.ABC):
    """Z = X e^(sigma Y) with Y standard normal, and X of a law without log-normal tails.

    Dilation by t is post-processing of N(0, 1) against N(t/sigma, 1): e = t/sigma.
    """

    sigma: float = parameter(
        default=0.5,
        label="Log-scale σ",
        help="Larger means heavier tails and allows a less smooth S, but costs scale like e^(1.5 σ²).",
        lower=0.05,
        upper=4,
        source="Bun, Steinke 2019",
    )

    def _tail_quantile(self, p: Floats) -> Floats:
        return solve_tail(self, p)

    def _dilation(self, budget: float) -> float:
        return budget * self.sigma


@dataclasses.dataclass(frozen=True)
class LaplaceLogNormal(LogNormalScale):
    """Z = X e^(sigma Y) with X Laplace and Y standard normal.

    Sliding by s is pure (e^(3 sigma^2 / 2) s)-private, the slope of ln h at 0.
    Density and tail are Laplace transforms of a log-normal law, which have no closed
    form: `_log_mixture` integrates them.

    Examples
    --------
    Its tails are heavier than those of the Laplace law, whose 97.5 % quantile is 2.996.

    >>> round(LaplaceLogNormal(sigma=0.5).quantile(0.975).item(), 6)
    3.761792
    """

    name: ClassVar[str] = "laplace-log-normal"
    label: ClassVar[str] = "Laplace log-normal"
    needs_delta: ClassVar[bool] = True
    summary: ClassVar[str] = (
        "Laplace noise of random scale: made for many releases under concentrated privacy."
    )
    source: ClassVar[str] = "Bun, Steinke 2019, Laplace log-normal distribution"
    exact_because: ClassVar[str] = ENCLOSED

    def _log_density(self, r: Floats) -> Floats:
        return _log_mixture(r, self.sigma, 1)

    def _tail(self, r: Floats) -> Floats:
        return np.exp(_log_mixture(r, self.sigma, 0))

    def enclosed(self, bits: Bits) -> arb:
        """Return a ball that holds one draw: a Laplace quantile by the exponential of a normal one."""
        from engine.sampling import laws

        normal = bits.sign(1) * laws.normal(bits.uniform(1) / 2)
        return bits.sign() * laws.laplace(bits.uniform() / 2) * (self.sigma * normal).exp()

    def sample(self, rng: np.random.Generator, size: int | tuple[int, ...]) -> Floats:
        return rng.laplace(size=size) * np.exp(self.sigma * rng.standard_normal(size))

    @property
    def variance(self) -> float:
        return 2 * math.exp(2 * self.sigma**2)

    def _sliding(self, budget: float) -> float:
        return budget * math.exp(-1.5 * self.sigma**2)


def _log_mixture(r: Floats, sigma: float, m: int) -> Floats:
    """Return ln E[exp(-m sigma Y - r exp(-sigma Y))/2] for Y ~ N(0, 1).

    The trapezoidal rule in u = y - y*, y* the mode of the integrand (a Wright omega
    function), where the exponent is less by u^2/2 + slope (u + (e^(-sigma u) - 1)/sigma).
    The integrand is analytic, so that steps of two thirds of its width, or of 2/5 of the
    length 1/sigma on which e^(-sigma u) turns, leave no more than rounding: 1e-15 against
    steps five times finer, for sigma from 0.05 to 4.
    """
    shape, r = np.shape(r), np.minimum(np.ravel(r), np.finfo(np.float64).max)
    v = special.wrightomega(np.log(r) + 2 * math.log(sigma) + m * sigma**2)
    mode, slope = v / sigma - m * sigma, v / sigma
    width = 1 / np.sqrt(1 + v)
    # The exponent falls by at least (u/width)^2/2 to the left; to the right by a third
    # of that up to 1/sigma, and by at least u^2/2 + slope (u - 1/sigma) beyond.  The
    # integral ends where that passes 38.
    far = 38 + slope / sigma
    beyond = 2 * far / (slope + np.sqrt(slope**2 + 2 * far))
    left, right = 8.8 * width, np.where(10.7 * width * sigma <= 1, 10.7 * width, beyond)
    nodes = int(np.max((left + right) / width, initial=0) * max(1.5, 2.5 * sigma)) + 2
    step = (left + right) / (nodes - 1)
    total = np.empty_like(v)
    size = max(1, CACHED // nodes)
    for start in range(0, v.size, size):
        part = slice(start, start + size)
        u = step[part, None] * np.arange(nodes) - left[part, None]
        # u^2/2 + slope (u + (e^(-sigma u) - 1)/sigma), in place: half of the time goes into memory
        turn = np.exp(-sigma * u)
        turn -= 1
        turn /= sigma
        turn += u
        turn *= slope[part, None]
        drop = 0.5 * u
        drop *= u
        drop += turn
        total[part] = np.exp(np.negative(drop, out=drop), out=drop).sum(axis=1)
    # r exp(-sigma y*) = v / sigma^2
    at_mode = -0.5 * mode**2 - m * sigma * mode - v / sigma**2
    logs: Floats = at_mode + np.log(total * step) - math.log(2 * math.sqrt(2 * math.pi))
    return logs.reshape(shape)


@dataclasses.dataclass(frozen=True)
class UniformLogNormal(LogNormalScale):
    """Z = U e^(sigma Y) with U uniform on [-1, 1] and Y standard normal.

    Sliding by s costs e = e^(3 sigma^2 / 2) sqrt(2 / (pi sigma^2)) s of *concentrated* privacy; as pure
    privacy it would cost more.

    Examples
    --------
    It cannot be had without a delta.

    >>> from engine import Privacy
    >>> UniformLogNormal().needs_delta
    True
    """

    name: ClassVar[str] = "uniform-log-normal"
    label: ClassVar[str] = "Uniform log-normal"
    needs_delta: ClassVar[bool] = True
    summary: ClassVar[str] = "Uniform noise of random scale: often a little tighter than Laplace log-normal."
    source: ClassVar[str] = "Bun, Steinke 2019, uniform log-normal distribution"
    exact_because: ClassVar[str] = ENCLOSED

    def _log_density(self, r: Floats) -> Floats:
        return special.log_ndtr(-np.log(r) / self.sigma - self.sigma) + self.sigma**2 / 2 - math.log(2)

    def _tail(self, r: Floats) -> Floats:
        """By parts: (Q(k) - r e^(sigma^2/2) Q(k + sigma))/2 with k = ln r / sigma, Q the normal tail.

        In the tail both terms are the normal density times a Mills ratio, which keeps
        their difference accurate.
        """
        k = np.log(r) / self.sigma
        below, above = np.minimum(k, 0), np.maximum(k, 0)
        near = special.ndtr(-below) - np.exp(self.sigma * below + self.sigma**2 / 2) * special.ndtr(
            -below - self.sigma
        )
        far = (
            0.5
            * np.exp(-0.5 * above**2)
            * (special.erfcx(above / math.sqrt(2)) - special.erfcx((above + self.sigma) / math.sqrt(2)))
        )
        return 0.5 * np.where(k > 0, far, near)

    def enclosed(self, bits: Bits) -> arb:
        """Return a ball that holds one draw: a uniform number by the exponential of a normal one."""
        from engine.sampling import laws

        normal = bits.sign(1) * laws.normal(bits.uniform(1) / 2)
        return bits.sign() * bits.uniform() * (self.sigma * normal).exp()

    def sample(self, rng: np.random.Generator, size: int | tuple[int, ...]) -> Floats:
        return rng.uniform(-1, 1, size) * np.exp(self.sigma * rng.standard_normal(size))

    @property
    def variance(self) -> float:
        return math.exp(2 * self.sigma**2) / 3

    def _sliding(self, budget: float) -> float:
        return budget * math.exp(-1.5 * self.sigma**2) * self.sigma * math.sqrt(math.pi / 2)


@dataclasses.dataclass(frozen=True)
class ArsinhNormal(ConcentratedNoise):
    """Z = sinh(sigma Y)/sigma with Y standard normal.

    Dilation by t costs e = sqrt(t (t/sigma^2 + 1/sigma + 2)) and sliding by s costs
    e = (2/(3 sigma) + sigma/2) s; the latter is least at sigma = 2/sqrt(3) = 1.155.

    Examples
    --------
    The 97.5 % quantile is that of the normal law, 1.96, as sinh(1.15 * 1.96)/1.15.

    >>> round(ArsinhNormal(sigma=1.15).quantile(0.975).item(), 6)
    4.09582
    """

    sigma: float = parameter(
        default=1.15,
        label="Log-scale σ",
        help="Larger means heavier tails; sliding is cheapest at 1.155.",
        lower=0.05,
        upper=4,
        source="Bun, Steinke 2019",
    )

    name: ClassVar[str] = "arsinh-normal"
    label: ClassVar[str] = "Arsinh-normal"
    needs_delta: ClassVar[bool] = True
    summary: ClassVar[str] = "A bell with log-normal tails, for concentrated privacy with a very smooth S."
    source: ClassVar[str] = "Bun, Steinke 2019, arsinh-normal distribution"
    exact_because: ClassVar[str] = ENCLOSED

    def _log_density(self, r: Floats) -> Floats:
        y = np.arcsinh(self.sigma * r) / self.sigma
        # ln(1 + (sigma r)^2), without overflow at large r nor cancellation at small r
        widening: Floats = np.logaddexp(0, 2 * np.log(self.sigma * r))
        return -0.5 * (y * y + math.log(2 * math.pi) + widening)

    def _tail(self, r: Floats) -> Floats:
        return special.ndtr(-np.arcsinh(self.sigma * r) / self.sigma)

    def _tail_quantile(self, p: Floats) -> Floats:
        return np.sinh(-self.sigma * special.ndtri(p)) / self.sigma

    def enclosed(self, bits: Bits) -> arb:
        from engine.sampling import laws

        return (self.sigma * laws.invert(bits, laws.normal)).sinh() / self.sigma

    def sample(self, rng: np.random.Generator, size: int | tuple[int, ...]) -> Floats:
        return np.sinh(self.sigma * rng.standard_normal(size)) / self.sigma

    @property
    def variance(self) -> float:
        return math.expm1(2 * self.sigma**2) / (2 * self.sigma**2)

    def _sliding(self, budget: float) -> float:
        return budget / (2 / (3 * self.sigma) + self.sigma / 2)

    def _dilation(self, budget: float) -> float:
        # the positive root of t^2/sigma^2 + (1/sigma + 2) t - budget^2
        linear = 1 / self.sigma + 2
        return 2 * budget**2 / (linear + math.sqrt(linear**2 + (2 * budget / self.sigma) ** 2))
