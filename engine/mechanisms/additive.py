"""A query's value plus independent noise: what smooth and global noise share."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from engine.domain import Interval
from engine.mechanisms.base import Private, ScalarPrepared
from engine.noise import Noise
from engine.progress import Progress, silent


@dataclasses.dataclass(frozen=True, repr=False)
class AdditivePrepared(ScalarPrepared):
    """``center + scale * Z``, rounded to the public resolution where one is declared.

    Attributes
    ----------
    center, scale : float
        The true value and the scale of the noise, in the unit of the data (private).
    family : Noise
        The distribution of Z.
    domain : Interval
        Where the resolution comes from.
    """

    center: float
    scale: float
    family: Noise
    domain: Interval
    noise: Mapping[str, Any]
    diagnostics: Private
    error: float | None

    def draw(self, rng: np.random.Generator, size: int, progress: Progress = silent) -> NDArray[np.float64]:
        """Draw `size` released values."""
        return self.domain.round(self.center + self.scale * self.family.sample(rng, size))

    def density(self, values: ArrayLike) -> NDArray[np.float64]:
        """Return the density of the released value, before rounding."""
        z = (np.asarray(values, dtype=np.float64) - self.center) / self.scale
        return self.family.density(z) / self.scale

    def quantile(self, p: ArrayLike) -> NDArray[np.float64]:
        """Return quantiles of the released value, before rounding."""
        return self.center + self.scale * self.family.quantile(p)


def half_width(family: Noise, scale: float) -> float:
    """Return the error that is exceeded with probability 5 %."""
    return scale * float(family.quantile(0.975))
