"""Generalized Cauchy noise, the heavy-tailed noise of the first paper on smooth sensitivity."""

from __future__ import annotations

import dataclasses
import math
from typing import TYPE_CHECKING, ClassVar

from engine.noise.base import Admissible
from engine.noise.power_tail import PowerTail
from engine.parameters import parameter
from engine.privacy import Privacy
from engine.sampling.exactness import ENCLOSED

if TYPE_CHECKING:
    from flint import arb


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
