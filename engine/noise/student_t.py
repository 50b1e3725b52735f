"""Student's t noise: heavy tails with a smooth top."""

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
