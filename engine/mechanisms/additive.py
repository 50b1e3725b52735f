"""A query's value plus independent noise: what smooth and global noise share."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from engine.array_types import Floats
from engine.mechanisms.prepared import ScalarPrepared
from engine.mechanisms.release import Private
from engine.noise import Noise
from engine.progress import Progress, silent
from engine.sampling.output_grid import OutputGrid


@dataclasses.dataclass(frozen=True, repr=False)
class AdditivePrepared(ScalarPrepared):
    """``center + scale * Z``, rounded to a public grid."""

    center: Fraction  # the true value, in the unit of the data (private)
    scale: float  # that of the noise (private where it follows the data)
    family: Noise  # the distribution of Z
    grid: OutputGrid  # where released values lie
    noise: Mapping[str, Any]
    diagnostics: Private
    error: float | None

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
    """Return the error that is exceeded with probability 5 %."""
    return scale * float(family.quantile(0.975))
