"""The shape and the share with which a family has the least error, under a public model of the sensitivity.

Under the model S*_beta = c / beta^p the median error of a release is ``c m / (alpha beta^p)`` with m the
median of |Z|: a function of the pair alone.  p, the decline, says how fast S* falls: 1 for order statistics
of data without heaps, 0 where S* is the same for every beta.
"""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Iterable, Mapping

from engine.noise.arsinh_normal import ArsinhNormal
from engine.noise.base import Admissible, Noise
from engine.noise.gaussian import Gaussian
from engine.noise.generalized_cauchy import GeneralizedCauchy
from engine.noise.laplace import Laplace
from engine.noise.laplace_log_normal import LaplaceLogNormal
from engine.noise.lcp import LaplacePareto
from engine.noise.power_laplace import PowerLaplace
from engine.noise.student_t import StudentT
from engine.noise.uniform_log_normal import UniformLogNormal
from engine.privacy import Privacy

SHARES = (0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95)
"""Parts of epsilon that are tried for sliding."""

PURE: tuple[Noise, ...] = (
    PowerLaplace(g=2.2),
    LaplacePareto(g=2.2),
    StudentT(nu=2.2),
    GeneralizedCauchy(gamma=3.2),
)
"""Of the families for delta = 0 the shape with the heaviest tails that have a variance, with some room."""

WITH_DELTA: tuple[tuple[Noise, ...], ...] = (
    (Laplace(),),
    (Gaussian(),),
    (LaplaceLogNormal(sigma=0.5),),
    tuple(UniformLogNormal(sigma=sigma) for sigma in (0.5, 0.8, 1.0)),
    tuple(ArsinhNormal(sigma=sigma) for sigma in (1.0, 1.2, 1.4)),
)
"""The shapes that are tried of each of the others: 95 % of the noise within 8 times the half of it."""


@dataclasses.dataclass(frozen=True)
class Choice:
    """A family with its shape, and the share of epsilon for sliding.

    Attributes
    ----------
    noise : Noise
    split : float
    error : float
        The median error of a release in units of c, where S* = c / beta^p.
    """

    noise: Noise
    split: float
    error: float


MEDIANS: Mapping[Noise, float] = {
    StudentT(nu=2.2): 0.8019900942112833,
    GeneralizedCauchy(gamma=3.2): 0.6186897715180883,
}
"""The medians of |Z| of shapes that are always tried, of which each needs a special function of scipy."""


def median_error(noise: Noise, pair: Admissible, decline: float) -> float:
    """Return the median error in units of c, where S* = c / beta^decline."""
    error: float = _median(noise) / (pair.alpha * pair.beta**decline)
    return error


@functools.lru_cache(maxsize=256)
def _median(noise: Noise) -> float:
    """Return the median of |Z|."""
    return MEDIANS.get(noise) or float(noise.quantile(0.75))


def least(
    shapes: Iterable[Noise], privacy: Privacy, declines: Iterable[float], shares: Iterable[float] = SHARES
) -> dict[float, Choice]:
    """Return the best shape and share of a family, for each decline."""
    tried = [(noise, share, noise.admissible(privacy, split=share)) for noise in shapes for share in shares]
    return {
        decline: min(
            (Choice(noise, share, median_error(noise, pair, decline)) for noise, share, pair in tried),
            key=lambda choice: choice.error,
        )
        for decline in declines
    }
