"""Laplace noise with a power in place of the exponential: shift and scale have the whole of epsilon each."""

from __future__ import annotations

import dataclasses
import functools
import math
from fractions import Fraction
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from engine.array_types import Floats
from engine.noise import special
from engine.noise.base import Admissible, SphericalNoise
from engine.parameters import parameter
from engine.privacy import Privacy
from engine.sampling.exactness import ENCLOSED

if TYPE_CHECKING:
    from flint import arb

    from engine.sampling.balls import Bits


@dataclasses.dataclass(frozen=True)
class PowerLaplace(SphericalNoise):
    """In R^d a density like (1 - |z|/G)^(G - d) up to |z| = d, like (1 + |z|/G)^-(G + d) beyond, G = g d.

    With u = -d ln h/dr the rule of `SphericalNoise` reads, for alpha = epsilon and beta = epsilon/G::

        |r u - d|/G + u <= 1

    Beyond r = d this family has u = (G + d)/(G + r), where r u > d; up to there u = (G - d)/(G - r), where
    r u < d.  Both make it an equation: nowhere could the density fall faster, and none that keeps to the
    rule has shorter noise.  So::

        max(alpha, g d beta) <= epsilon

    makes the mechanism (epsilon, 0)-private; there is nothing to be shared between the two.  As g grows,
    one coordinate becomes Laplace noise of scale S/epsilon, with beta near 0.

    Examples
    --------
    >>> from engine import Privacy
    >>> pair = PowerLaplace(g=4.0).admissible(Privacy(1.0))
    >>> pair.alpha, pair.beta
    (1.0, 0.25)
    """

    g: float = parameter(
        default=2.2,
        label="Tail exponent g",
        help="The density of one number falls like |z|^-(g+1): larger means lighter tails and a smoother S. "
        "The variance exists above 2.",
        lower=1.05,
        upper=100,
        source="tight rule, derived in the docstring",
    )

    name: ClassVar[str] = "power-laplace"
    label: ClassVar[str] = "Power-law Laplace"
    needs_delta: ClassVar[bool] = False
    shares: ClassVar[bool] = False
    summary: ClassVar[str] = (
        "Laplace noise with a power tail: the least noise here with delta = 0, for numbers and for vectors."
    )
    source: ClassVar[str] = "derived here, after the aim of Hladík, Tětek 2025"
    exact_because: ClassVar[str] = ENCLOSED

    @functools.cached_property
    def _parts(self) -> tuple[float, float, float]:
        """Return half of the unnormalised masses of core and tail in one dimension, and ln C of the tail."""
        g, log_c = self.g, self._log_c(1)
        return -math.expm1(g * math.log1p(-1 / g)), math.exp(log_c - g * math.log1p(1 / g)), log_c

    def _log_c(self, dimension: int) -> float:
        """Return ln C of the tail, with which it meets the core at |z| = d."""
        d, total = dimension, self.g * dimension
        return (total - d) * math.log1p(-1 / self.g) + (total + d) * math.log1p(1 / self.g)

    def log_radial(self, r: Floats, dimension: int) -> Floats:
        d, total = dimension, self.g * dimension
        core = (total - d) * np.log1p(-np.minimum(r, d) / total)
        return np.where(r < d, core, self._log_c(d) - (total + d) * np.log1p(np.maximum(r, d) / total))

    def _log_density(self, r: Floats) -> Floats:
        core, tail, _ = self._parts
        return self.log_radial(r, 1) - math.log(2 * (core + tail))

    def _tail(self, r: Floats) -> Floats:
        core, tail, log_c = self._parts
        far = np.exp(log_c - self.g * np.log1p(np.maximum(r, 1) / self.g))
        near = core + tail + np.expm1(self.g * np.log1p(-np.minimum(r, 1) / self.g))
        return np.where(r < 1, near, far) / (2 * (core + tail))

    def _tail_quantile(self, p: Floats) -> Floats:
        core, tail, log_c = self._parts
        mass = 2 * p * (core + tail)
        far = self.g * np.expm1((log_c - np.log(mass)) / self.g)
        lost = np.minimum((core + tail) * (1 - 2 * p), core)
        near = -self.g * np.expm1(np.log1p(-lost) / self.g)
        return np.where(mass > tail, near, far)

    def enclosed(self, bits: Bits) -> arb:
        from engine.sampling import laws

        return laws.invert(bits, lambda p: laws.power_laplace(p, self.g))

    @property
    def variance(self) -> float:
        g = self.g
        if g <= 2:
            return math.inf
        core, tail, log_c = self._parts
        near = math.exp(special.betaln(3, g)) * special.betainc(3, g, 1 / g)
        far = math.exp(log_c + special.betaln(3, g - 2)) * special.betainc(g - 2, 3, g / (g + 1))
        return float(g**3 * (near + far) / (core + tail))

    def _beyond(self, dimension: int) -> float:
        """Return the share of vectors that are longer than d."""
        d, total = dimension, self.g * dimension
        core = special.betaln(d, total - d + 1) + math.log(special.betainc(d, total - d + 1, 1 / self.g))
        tail = (
            self._log_c(d)
            + special.betaln(d, total)
            + math.log(special.betainc(total, d, self.g / (self.g + 1)))
        )
        return float(special.expit(tail - core))

    def radius_quantile(self, p: Floats, dimension: int) -> Floats:
        d, total, beyond = dimension, self.g * dimension, self._beyond(dimension)
        far: Floats = np.minimum(p / beyond, 1) * special.betainc(total, d, self.g / (self.g + 1))
        near: Floats = np.minimum((1 - p) / (1 - beyond), 1) * special.betainc(d, total - d + 1, 1 / self.g)
        x: Floats = np.asarray(special.betaincinv(total, d, far), dtype=np.float64)
        w: Floats = np.asarray(special.betaincinv(d, total - d + 1, near), dtype=np.float64)
        return total * np.where(p < beyond, (1 - x) / x, w)

    def enclosed_radius(self, p: arb, dimension: int) -> arb:
        from engine.sampling import laws

        guess = float(self.radius_quantile(np.array(float(p.mid())), dimension))
        return laws.power_laplace_radius(p, self.g, dimension, guess)

    def _tight(self, privacy: Privacy, dimension: int, split: float) -> Admissible:
        beta, total = privacy.epsilon / (self.g * dimension), Fraction(self.g) * dimension
        while total * Fraction(beta) > Fraction(privacy.epsilon):
            beta = math.nextafter(beta, 0)
        return Admissible(
            privacy.epsilon,
            beta,
            "joint rule: shift and scale each with the whole of epsilon, exactly epsilon",
        )
