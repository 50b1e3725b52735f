"""Laplace core, Pareto tail: the default for delta = 0."""

from __future__ import annotations

import dataclasses
import math
from fractions import Fraction
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from engine.array_types import Floats
from engine.noise.base import Admissible, Noise
from engine.noise.calibration import linear
from engine.parameters import parameter
from engine.privacy import Privacy
from engine.sampling.exactness import ENCLOSED

if TYPE_CHECKING:
    from flint import arb

    from engine.sampling.balls import Bits


@dataclasses.dataclass(frozen=True)
class LaplacePareto(Noise):
    """Density proportional to e^-|z| up to K = g + 1, e^-K (|z|/K)^-(g+1) beyond.

    Both |d ln h/dz| <= 1 and |d ln h/d ln z| <= g + 1 hold with equality over a whole
    range, so nothing is wasted.  Sliding costs alpha, narrowing g beta, widening beta;
    for the product noise in R^d and L1::

        alpha + d * max(1, g) * beta <= epsilon

    makes the mechanism (epsilon, 0)-private.

    Examples
    --------
    Sliding costs alpha and widening by beta costs g beta: 1/2 + 4/8 = 1.

    >>> from engine import Privacy
    >>> pair = LaplacePareto(g=4.0).admissible(Privacy(1.0))
    >>> pair.alpha, pair.beta
    (0.5, 0.125)
    """

    g: float = parameter(
        default=4.0,
        label="Tail exponent g",
        help="Beyond g + 1 the density falls like |z|^-(g+1): larger means lighter tails and a smoother S. "
        "The variance exists above 2.",
        lower=0.1,
        upper=100,
        source="tight rule, derived in the docstring",
    )

    name: ClassVar[str] = "lcp"
    label: ClassVar[str] = "Laplace core, Pareto tail"
    needs_delta: ClassVar[bool] = False
    summary: ClassVar[str] = "Laplace in the middle, heavy only far out: the least noise here with delta = 0."
    source: ClassVar[str] = "tight rule, derived here"
    exact_because: ClassVar[str] = ENCLOSED

    @property
    def _knot(self) -> float:
        return self.g + 1

    @property
    def _masses(self) -> tuple[float, float]:
        """Return the mass of the core and of the tail, unnormalised, on one side."""
        return -math.expm1(-self._knot), math.exp(-self._knot) * self._knot / self.g

    def _log_density(self, r: Floats) -> Floats:
        beyond = -self._knot - (self.g + 1) * np.log(r / self._knot)
        return np.where(r <= self._knot, -r, beyond) - math.log(2 * sum(self._masses))

    def _tail(self, r: Floats) -> Floats:
        core, tail = self._masses
        near = np.exp(-r) - math.exp(-self._knot) + tail
        far = tail * (np.maximum(r, self._knot) / self._knot) ** -self.g
        return 0.5 * np.where(r <= self._knot, near, far) / (core + tail)

    def _tail_quantile(self, p: Floats) -> Floats:
        core, tail = self._masses
        mass = 2 * p * (core + tail)
        near = -np.log(np.maximum(mass, tail) - tail + math.exp(-self._knot))
        far = self._knot * (np.minimum(mass, tail) / tail) ** (-1 / self.g)
        return np.where(mass >= tail, np.maximum(near, 0), far)

    def enclosed(self, bits: Bits) -> arb:
        from engine.sampling import laws

        return laws.invert(bits, lambda p: laws.laplace_pareto(p, self.g))

    def sample(self, rng: np.random.Generator, size: int | tuple[int, ...]) -> Floats:
        core, tail = self._masses
        uniform = 1 - rng.random(size)  # in (0, 1]: the tail must not be infinite
        near = -np.log1p(-uniform * core)
        far = self._knot * uniform ** (-1 / self.g)
        magnitude = np.where(rng.random(size) * (core + tail) < tail, far, near)
        return np.where(rng.random(size) < 0.5, -magnitude, magnitude)

    @property
    def variance(self) -> float:
        if self.g <= 2:
            return math.inf
        k = self._knot
        core, tail = self._masses
        second = 2 - math.exp(-k) * (k * k + 2 * k + 2) + math.exp(-k) * k**3 / (self.g - 2)
        return second / (core + tail)

    def _tight(self, privacy: Privacy, dimension: int, split: float) -> Admissible:
        dilation = dimension * max(1.0, self.g)
        alpha, beta = split * privacy.epsilon, (1 - split) * privacy.epsilon / dilation
        return Admissible(
            *linear(alpha, beta, Fraction(1), dimension * Fraction(max(1.0, self.g)), privacy.epsilon),
            "tight rule: the sup of the log-ratio of densities, exactly epsilon",
        )
