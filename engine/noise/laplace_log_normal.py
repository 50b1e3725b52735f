"""Laplace times log-normal noise."""

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

CACHED = 1 << 15
"""How many nodes are integrated at once: what fits in a processor's cache."""


@dataclasses.dataclass(frozen=True)
class LaplaceLogNormal(ConcentratedNoise):
    """Z = X e^(sigma Y) with X Laplace and Y standard normal.

    Dilation by t is post-processing of N(0, 1) against N(t/sigma, 1): e = t/sigma.
    Sliding by s is pure (e^(3 sigma^2 / 2) s)-private, the slope of ln h at 0.
    Density and tail are Laplace transforms of a log-normal law, which have no closed
    form: `_log_mixture` integrates them.

    Examples
    --------
    Its tails are heavier than those of the Laplace law, whose 97.5 % quantile is 2.996.

    >>> round(LaplaceLogNormal(sigma=0.5).quantile(0.975).item(), 6)
    3.761792
    """

    sigma: float = parameter(
        default=0.5,
        label="Log-scale σ",
        help="Larger means heavier tails and allows a less smooth S, but costs scale like e^(1.5 σ²).",
        lower=0.05,
        upper=4,
        source="Bun, Steinke 2019",
    )

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

    def _tail_quantile(self, p: Floats) -> Floats:
        return solve_tail(self, p)

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

    def _dilation(self, budget: float) -> float:
        return budget * self.sigma


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
