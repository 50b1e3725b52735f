"""Adds noise to counts of disjoint cells; replacing a record changes two of them by one each.

Notes
-----
A release is a count with real noise, rounded to a whole number; its law is not the discrete Laplace or
Gaussian law.  Rounding is post-processing, so every theorem on real noise holds with the same constants:
the exact condition of Balle and Wang, noise on several sums at once, decisions on the real noise as in
PrivTree.  For the discrete laws each would need a new proof.  The cost is small: rounding to multiples of
g adds about g^2/12 to the variance, and from a scale of 1 on the two laws are nearly equal.

Privacy also follows without any theorem on real numbers.  For Laplace noise of scale b with distribution
function F, a count c becomes k g with probability

    p_c(k) = F((k + 1/2) g - c) - F((k - 1/2) g - c),

the integral of the density over an interval.  The density of c + Z is nowhere more than e^(1/b) times
that of c + 1 + Z.  So p_c(k) <= e^(1/b) p_(c+1)(k) for all k, and the same holds in reverse and in both
tails.  A replaced record moves two counts by 1: with b >= 2/epsilon the ratio of the probabilities of any
release is at most e^epsilon.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from engine.array_types import Floats
from engine.errors import ParameterError
from engine.noise import Gaussian, Laplace
from engine.primitives.accounting import Concentrated, of_gaussian, of_pure
from engine.primitives.gaussian import analytic_gaussian_sigma
from engine.privacy import NEIGHBOURS, ZERO_OUT, Privacy
from engine.progress import Progress, silent
from engine.sampling.noise import GAUSSIAN, LAPLACE, add_noise, noise_step
from engine.sampling.output_grid import outward, round_up

FAMILIES = (LAPLACE, GAUSSIAN)

AT_ONCE = 1 << 17
"""Values that get noise between two progress reports; they take about 20 ms."""

CHANGED = {NEIGHBOURS: 2, ZERO_OUT: 1}
"""The number of counts of a partition that change by one: one falls and another rises, or one changes."""


@dataclasses.dataclass(frozen=True)
class AddedNoise:
    """Independent noise of one scale, rounded to a public grid."""

    family: str  # {"laplace", "gaussian"}
    scale: float  # mean absolute value of Laplace noise, standard deviation of Gaussian noise
    # no grid is finer: 1 for counts.  Of sums it is 0: their noise is rounded as finely as its scale asks for
    unit: float = 1.0

    @classmethod
    def of(cls, family: str, privacy: Privacy, l1: float, l2: float, unit: float = 1.0) -> AddedNoise:
        """Return the least noise that protects a vector of these sensitivities.

        Laplace noise of scale l1/epsilon is epsilon-private; Gaussian noise is
        (epsilon, delta)-private by its exact condition.  Scales are rounded up.
        """
        if family == LAPLACE:
            return cls(family, round_up(Fraction(l1) / Fraction(privacy.epsilon)), unit)
        check_delta(family, privacy)
        return cls(family, outward(l2 * analytic_gaussian_sigma(privacy)), unit)

    @property
    def step(self) -> float:
        """Spacing of the grid on which values with noise lie (public)."""
        return max(self.unit, noise_step(self.scale))

    @property
    def variance(self) -> float:
        """Variance of the noise before it is rounded."""
        return self.scale**2 * (2 if self.family == LAPLACE else 1)

    @property
    def half_width(self) -> float:
        """The half-width of a 95 % interval of the error, a multiple of the step."""
        widest = self.scale * float((Laplace() if self.family == LAPLACE else Gaussian()).quantile(0.975))
        return self.step * math.ceil(widest / self.step - 0.5)

    def intervals(self, noisy: Floats, released: Floats, most: ArrayLike) -> Floats:
        """Return 95 % intervals for the true counts, shape (m, 2); true counts are from 0 to `most`.

        They follow from the noisy counts, (m,).  A true count inside stays inside if both ends are pulled
        between 0 and `most`, and if an end is extended to a released count that post-processing moved
        outside.
        """
        width = self.half_width
        ends = (np.minimum(noisy - width, released), np.maximum(noisy + width, released))
        clipped: Floats = np.clip(np.stack(ends, axis=1), 0.0, np.expand_dims(most, -1)) + 0.0  # no -0.0
        return clipped

    @property
    def facts(self) -> Mapping[str, Any]:
        """The public facts of the noise in a release."""
        return {"family": self.family, "scale": self.scale}

    def added(self, values: ArrayLike, rng: np.random.Generator, progress: Progress = silent) -> Floats:
        """Return values with noise on each, rounded to multiples of `step`."""
        array = np.asarray(values, dtype=np.float64)
        flat, noisy = np.ravel(array), np.empty(array.size)
        for start in range(0, array.size, AT_ONCE):
            progress(start / array.size, "adding noise")
            some = slice(start, start + AT_ONCE)
            noisy[some] = add_noise(flat[some], self.scale, self.family, self.step, rng)
        return noisy.reshape(array.shape)


def check_delta(family: str, privacy: Privacy) -> None:
    """Raise `ParameterError` for Gaussian noise with a delta of 0."""
    if family == GAUSSIAN and privacy.delta == 0:
        raise ParameterError(
            "delta", "0 is not possible with Gaussian noise; it must be above 0 (say 1e-6), or use laplace"
        )


def concentrated_noise(family: str, privacy: Privacy) -> Concentrated:
    """Return what noise for a budget costs, whatever it is added to: 1/(2 sigma^2) of Gaussian noise.

    sigma is that for sensitivity 1; shares of 1/sigma^2 add up to it, and no delta is needed.
    """
    if family == GAUSSIAN:
        return of_gaussian(1.0, analytic_gaussian_sigma(privacy))
    return of_pure(privacy.epsilon)


def count_noise(family: str, privacy: Privacy, relation: str = NEIGHBOURS, partitions: int = 1) -> AddedNoise:
    """Return the noise for the counts of one partition, or of several of the same records.

    Source: Dwork, McSherry, Nissim, Smith 2006; where records are replaced, not added, the
    sensitivity is 2, not 1.
    """
    changed = CHANGED[relation] * partitions
    return AddedNoise.of(family, privacy, changed, math.sqrt(changed))


def nested_noise(family: str, privacy: Privacy, growth: Sequence[float]) -> tuple[AddedNoise, ...]:
    """Return noise for the counts of several partitions of the same records, released together.

    `growth` is the assumed number of counts of each partition in a question, up to a common factor.  The
    shares minimize the sum of their variances.  Laplace noise gets
    budgets that add up, epsilon_i proportional to growth_i^(1/3); Gaussian noise gets shares of
    1/sigma^2, which add up to that of one release, proportional to growth_i^(1/2).  Scales are rounded
    up, so that no rounding of the shares costs anything.

    Source: Cormode, Procopiuc, Srivastava, Shen, Yu 2012, section 4.2, for Laplace noise in quadtrees.
    """
    power = 1 / 3 if family == LAPLACE else 1 / 2
    weights = np.asarray(growth, dtype=np.float64) ** power
    shares = weights / weights.sum()
    whole = count_noise(family, privacy)
    parts = shares if family == LAPLACE else np.sqrt(shares)
    return tuple(AddedNoise(family, outward(whole.scale / part)) for part in parts.tolist())
