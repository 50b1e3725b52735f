"""Uniform times log-normal noise."""

from __future__ import annotations

import dataclasses
import math
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from engine.array_types import Floats
from engine.noise import special
from engine.noise.concentrated import ConcentratedNoise, solve_tail
from engine.parameters import parameter
from engine.sampling.exactness import ENCLOSED

if TYPE_CHECKING:
    from flint import arb

    from engine.sampling.bits import Bits


@dataclasses.dataclass(frozen=True)
class UniformLogNormal(ConcentratedNoise):
    """Z = U e^(sigma Y) with U uniform on [-1, 1] and Y standard normal.

    Dilation by t costs e = t/sigma as for `LaplaceLogNormal`.  Sliding by s costs
    e = e^(3 sigma^2 / 2) sqrt(2 / (pi sigma^2)) s of *concentrated* privacy; as pure
    privacy it would cost more.

    Examples
    --------
    It cannot be had without a delta.

    >>> from engine import Privacy
    >>> UniformLogNormal().needs_delta
    True
    """

    sigma: float = parameter(
        default=0.5,
        label="Log-scale σ",
        help="Larger means heavier tails and allows a less smooth S, but costs scale like e^(1.5 σ²).",
        lower=0.05,
        upper=4,
        source="Bun, Steinke 2019",
    )

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

    def _tail_quantile(self, p: Floats) -> Floats:
        return solve_tail(self, p)

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

    def _dilation(self, budget: float) -> float:
        return budget * self.sigma
