"""Arsinh-normal noise: the hyperbolic sine of a normal."""

from __future__ import annotations

import dataclasses
import math
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from engine.array_types import Floats
from engine.noise import special
from engine.noise.concentrated import ConcentratedNoise
from engine.parameters import parameter
from engine.sampling.exactness import ENCLOSED

if TYPE_CHECKING:
    from flint import arb

    from engine.sampling.bits import Bits


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

        return (self.sigma * laws.inverted(bits, laws.normal)).sinh() / self.sigma

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
