"""Additive noise scaled to the global sensitivity, the worst case over all databases."""

from __future__ import annotations

import abc
import dataclasses
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from engine.array_types import Floats
from engine.data.database import Database
from engine.domain import Interval
from engine.mechanisms.guarantee import Guarantee
from engine.mechanisms.prepared import PreparedFields, ScalarPrepared
from engine.mechanisms.problem import Problem
from engine.mechanisms.release import Private
from engine.mechanisms.scalar import ScalarMechanism
from engine.noise import Gaussian, Laplace, Noise
from engine.primitives.accounting import of_gaussian
from engine.primitives.gaussian import analytic_gaussian_sigma
from engine.primitives.losses import Loss
from engine.privacy import Privacy
from engine.progress import Progress, silent
from engine.sampling.exactness import ROUNDED
from engine.sampling.output_grid import OutputGrid, round_up


@dataclasses.dataclass(frozen=True, repr=False)
class AdditivePrepared(PreparedFields, ScalarPrepared):
    """``center + scale * Z``, rounded to a public grid."""

    center: Fraction  # the true value, in the unit of the data (private)
    scale: float  # scale of the noise (private if it depends on the data)
    family: Noise  # the distribution of Z
    grid: OutputGrid  # grid of released values

    def draw(self, rng: np.random.Generator, size: int, progress: Progress = silent) -> Floats:
        return self.grid.noisy(self.center, self.scale, self.family, rng, size)

    def density(self, values: ArrayLike) -> Floats:
        z = (np.asarray(values, dtype=np.float64) - float(self.center)) / self.scale
        return self.family.density(z) / self.scale

    def quantile(self, p: ArrayLike) -> Floats:
        return self.grid.clamp(float(self.center) + self.scale * self.family.quantile(p))

    def unclamped(self) -> AdditivePrepared:
        return dataclasses.replace(self, grid=self.grid.unclamped)


def half_width(family: Noise, scale: float) -> float:
    """Return the error that the noise exceeds with probability 5 %."""
    return scale * float(family.quantile(0.975))


class GlobalRelease(ScalarMechanism, abc.ABC):
    """Release f(x) + GS * scale(privacy) * Z; Z is Laplace noise unless a subclass changes `added`."""

    added: ClassVar[Noise] = Laplace()
    # Whether the noise is added to another number than f(x), so that no error bar is known
    _is_biased: ClassVar[bool] = False

    @property
    def guarantee(self) -> Guarantee:
        return Guarantee(uses_delta=False, losses=lambda privacy: Loss.of_laplace(float(self.scale(privacy))))

    def scale(self, privacy: Privacy) -> Fraction:
        """Return the noise scale for sensitivity 1; for Laplace noise 1/epsilon, with delta = 0."""
        return 1 / Fraction(privacy.epsilon)

    def center(self, data: Any, progress: Progress = silent) -> Fraction:
        """Return the number that noise is added to (private): f(x)."""
        self.query.explore(data, progress)
        value: Fraction = self.query.exact_value(data)
        return value

    def largest_change(self, domain: Interval, n: int) -> Fraction:
        """Return the largest difference of `center` between neighbours: GS."""
        change: Fraction = self.query.exact_global_sensitivity(domain, n)
        return change

    def expected_error(self, domain: Interval, n: int, privacy: Privacy) -> float | None:
        if self._is_biased:
            return None
        scale = round_up(self.largest_change(domain, n) * self.scale(privacy))
        return min(half_width(self.added, scale), self._largest_error(domain, n))

    def prepare(self, data: Database, privacy: Privacy, progress: Progress = silent) -> AdditivePrepared:
        largest = self.largest_change(data.domain, data.n)
        scale = round_up(largest * self.scale(privacy))
        center = self.center(data, progress)
        value = self.query.exact_value(data) if self._is_biased else center
        return AdditivePrepared(
            center=center,
            scale=scale,
            family=self.added,
            grid=self.grid(data),
            noise={"family": self.added.name, "scale": scale},
            error=None if self._is_biased else half_width(self.added, scale),
            diagnostics=Private(
                {
                    "true_value": float(value),
                    **({"center": float(center)} if self._is_biased else {}),
                    "global": float(largest),
                    "scale": scale,
                }
            ),
        )


class LaplaceRelease(GlobalRelease):
    """Release f(x) + Lap(GS/epsilon): epsilon-differentially private.

    Source: Dwork, McSherry, Nissim, Smith 2006.

    Examples
    --------
    A mean of ten values in [0, 100] has GS = 10, so the scale is 10/epsilon.

    >>> from engine import Interval, Mean, Privacy, Sample, reproducible
    >>> data = Sample(range(1, 11), Interval(0, 100))
    >>> simulated = LaplaceRelease(query=Mean()).run(data, Privacy(2.0), reproducible(1))
    >>> simulated.noise
    {'family': 'laplace', 'scale': 5.0}
    """

    name: ClassVar[str] = "laplace"
    label: ClassVar[str] = "Global sensitivity, Laplace"
    summary: ClassVar[str] = "Laplace noise scaled to the global sensitivity"
    source: ClassVar[str] = "Dwork, McSherry, Nissim, Smith 2006"
    exact_because: ClassVar[str] = ROUNDED


class GaussianRelease(GlobalRelease):
    """Release f(x) + N(0, sigma^2), with the smallest sigma that is (epsilon, delta)-DP.

    Source: Balle and Wang 2018, Theorem 8.  The classical
    ``sqrt(2 ln(1.25/delta))/epsilon`` holds only for epsilon < 1 and is larger.

    Examples
    --------
    A mean of ten values in [0, 100] has GS = 10; the classical formula would give 53.

    >>> from engine import Interval, Mean, Privacy, Sample, reproducible
    >>> data = Sample(range(1, 11), Interval(0, 100))
    >>> simulated = GaussianRelease(query=Mean()).run(data, Privacy(1.0, 1e-6), reproducible(1))
    >>> round(simulated.noise["scale"], 2)
    42.25
    """

    name: ClassVar[str] = "gaussian"
    label: ClassVar[str] = "Global sensitivity, Gaussian"
    summary: ClassVar[str] = "Gaussian noise scaled to the global sensitivity"
    source: ClassVar[str] = "Balle, Wang 2018, Theorem 8"
    exact_because: ClassVar[str] = ROUNDED
    added: ClassVar[Noise] = Gaussian()

    @property
    def guarantee(self) -> Guarantee:
        # Gaussian noise is rho-zCDP with rho = 1/(2 sigma^2) and delta = 0
        return Guarantee(
            zcdp=lambda privacy: of_gaussian(1.0, float(self.scale(privacy))),
            losses=lambda privacy: Loss.of_gaussian(float(self.scale(privacy))),
        )

    def _problems(self, privacy: Privacy, domain: Interval, n: int) -> tuple[Problem, ...]:
        if privacy.delta == 0:
            return (
                Problem(
                    "delta",
                    "Gaussian noise needs delta above 0 (say 1e-6); for delta = 0 use Laplace noise",
                ),
            )
        return ()

    def scale(self, privacy: Privacy) -> Fraction:
        return Fraction(analytic_gaussian_sigma(privacy))
