"""Private averages of points around a public center: noisy sum by noisy count, and NoisyAVG.

A cell around its center is given by its *reach*: a number is the radius of a ball, an array
of d numbers the half-widths of a box.

The sum of a release is exact, and its noise is rounded to a public step; so is that of a count.
"""

from __future__ import annotations

import dataclasses
import math

import numpy as np
from numpy.typing import ArrayLike

from engine.array_types import Floats
from engine.errors import ParameterError
from engine.numerals import short
from engine.primitives.accounting import Concentrated
from engine.primitives.gaussian import analytic_gaussian_sigma
from engine.privacy import Privacy
from engine.randomness import is_release
from engine.sampling.noise import GAUSSIAN, LAPLACE, add_noise, noise_step
from engine.sampling.output_grid import OutputGrid, finest_step, outward
from engine.sampling.sums import exact_sum

OUTWARD = 1 + 2.0**-30
"""By what the noise of a sum is widened: points that are moved into a cell may miss it by a rounding,
and a cell may be wider by 1e-12 than the noise is made for."""


def diameter(reach: ArrayLike) -> float:
    """Return the largest distance between two points of a cell."""
    return 2 * float(np.linalg.norm(np.asarray(reach, dtype=np.float64)))


def clip(points: ArrayLike, reach: ArrayLike) -> Floats:
    """Move each point (..., d) that is outside of a cell to the nearest one in it."""
    offsets, size = np.asarray(points, dtype=np.float64), np.asarray(reach, dtype=np.float64)
    if size.ndim:
        return np.clip(offsets, -size, size)
    norms = np.linalg.norm(offsets, axis=-1, keepdims=True)
    inside: Floats = offsets * np.divide(size, norms, out=np.ones_like(norms), where=norms > size)
    return inside


@dataclasses.dataclass(frozen=True)
class SumCount:
    """Release the mean of the points in a cell as a noisy sum by a noisy count.

    The sum gets N(0, D^2/(2 rho) I) and the count N(0, 1/(1.5 rho)), D the diameter.  One person
    either moves a point within the cell, at cost D^2/(2 sigma_sum^2), or takes it in or out, at
    cost (D/2)^2/(2 sigma_sum^2) + 1/(2 sigma_count^2); both are rho.  No failure probability, and
    an empty cell gives an answer, too.

    `diameter` is that of the cell, public: no point is farther than half of it from the center.  One person
    can change `changes` points; both noises grow by it.
    """

    diameter: float
    rho: float
    changes: float = 1.0

    def __post_init__(self) -> None:
        for field in ("diameter", "rho", "changes"):
            value = getattr(self, field)
            if not (math.isfinite(value) and value > 0):
                raise ParameterError(
                    field, f"{short(value)} is not possible; it must be a finite number above 0"
                )

    @classmethod
    def of(cls, diameter: float, privacy: Privacy, *, changes: float = 1.0) -> SumCount:
        """Return the least noise that is (epsilon, delta)-private.

        Sum and count are one Gaussian release, whose exact condition (Balle and Wang 2018) asks
        for less noise than the conversion from concentrated privacy.
        """
        if privacy.delta == 0:
            raise ParameterError(
                "delta", "0 is not possible with Gaussian noise; it must be above 0 (say 1e-6)"
            )
        return cls(diameter, 0.5 / analytic_gaussian_sigma(privacy) ** 2, changes)

    @classmethod
    def of_rho(cls, diameter: float, rho: float, *, changes: float = 1.0) -> SumCount:
        """Return the noise that costs rho."""
        return cls(diameter, rho, changes)

    @property
    def cost(self) -> Concentrated:
        """The cost of the release as concentrated privacy."""
        return Concentrated(self.rho)

    @property
    def sigma_sum(self) -> float:
        """Standard deviation of the noise in each coordinate of the sum."""
        return OUTWARD * self.changes * self.diameter / math.sqrt(2 * self.rho)

    @property
    def sigma_count(self) -> float:
        """Standard deviation of the noise of the count."""
        return outward(self.changes / math.sqrt(1.5 * self.rho))

    def release(self, points: ArrayLike, reach: ArrayLike, rng: np.random.Generator) -> Floats:
        """Draw the mean's offset from the center, in the cell, shape (d,).

        `points`, (m, d), are relative to the center of the cell, and are clipped to it; `reach` is the
        radius of a ball, or the half-widths, (d,), of a box.
        """
        if diameter(reach) > self.diameter * (1 + 1e-12):
            raise ParameterError(
                "reach",
                f"a cell of diameter {short(diameter(reach))} is too wide for noise made for "
                f"{short(self.diameter)}",
            )
        inside = clip(points, reach)
        total = _noisy_sum(inside, 1, self.sigma_sum, rng)
        count = add_noise(len(inside), self.sigma_count, GAUSSIAN, noise_step(self.sigma_count), rng)
        return clip(total / max(float(count), 1.0), reach)


def noisy_average(
    values: ArrayLike,
    inside: ArrayLike,
    radius: float,
    privacy: Privacy,
    rng: np.random.Generator,
) -> Floats | None:
    """Release the mean of the points that a public predicate holds of, or refuse: NoisyAVG.

    With m of them and ``m~ = m + Lap(2/epsilon) - (2/epsilon) ln(2/delta)``, the noise is
    N(0, sigma^2 I), ``sigma = 8 radius/(epsilon m~) sqrt(2 ln(8/delta))``.  m~ is rounded down to a
    public step, and so is above m no more often than it should be.

    Source: Nissim, Stemmer, Vadhan 2016, Algorithm 5.  One person moves the mean by
    2 radius/max(m, m') at most; the paper's 4 radius/(m + 1) is twice as much.

    `values`, (n, d), are relative to a public center; those with `inside`, (n,), are clipped to the public
    `radius`. epsilon is below 2: the Gaussian mechanism in print, which has epsilon/2, needs that below 1.
    None where m~ is not above 0.
    """
    if privacy.epsilon >= 2:
        raise ParameterError(
            "epsilon", f"{short(privacy.epsilon)} is not possible for NoisyAVG; it must be below 2"
        )
    if privacy.delta == 0:
        raise ParameterError("delta", "0 is not possible for NoisyAVG; it must be above 0 (say 1e-6)")
    chosen = clip(np.asarray(values, dtype=np.float64)[np.asarray(inside, dtype=bool)], radius)
    m, scale = len(chosen), outward(2 / privacy.epsilon)
    step = noise_step(scale)
    # a step less than the nearest multiple is no more than the number itself, as doubles go
    less = outward(scale * math.log(2 / privacy.delta) + step)
    count = float(add_noise(m, scale, LAPLACE, step, rng)) - less
    if count <= 0:
        return None
    return _noisy_sum(chosen, max(m, 1), OUTWARD * noisy_average_sigma(count, radius, privacy), rng)


def noisy_average_sigma(count: float, radius: float, privacy: Privacy) -> float:
    """Return the standard deviation of NoisyAVG's noise where its noisy count is `count` > 0."""
    return 8 * radius / (privacy.epsilon * count) * math.sqrt(2 * math.log(8 / privacy.delta))


def _noisy_sum(points: Floats, parts: int, sigma: float, rng: np.random.Generator) -> Floats:
    """Return the sum of points (m, d), divided into equal parts, with N(0, sigma^2) on each coordinate.

    A release rounds each coordinate to a step that sigma tells, which is public.
    """
    if not is_release(rng):
        total = np.ascontiguousarray(points.T).sum(axis=1) / parts
        return np.asarray(total + sigma * rng.standard_normal(total.shape))
    from engine.noise import Gaussian

    grid = OutputGrid(finest_step(sigma, sigma))
    sums = (exact_sum(column) / parts for column in points.T)
    return np.array([grid.noisy(one, sigma, Gaussian(), rng, 1)[0] for one in sums])
