"""Noise for counts of disjoint cells, of which replacing a record changes two by one each."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from engine.errors import ParameterError
from engine.primitives.gaussian import analytic_gaussian_sigma
from engine.privacy import Privacy

_Floats = NDArray[np.float64]

FAMILIES = ("laplace", "gaussian")

L1, L2 = 2.0, math.sqrt(2)
"""Sensitivity of all counts of a partition: one count falls and another rises."""


@dataclasses.dataclass(frozen=True)
class AddedNoise:
    """Independent noise of one scale.

    Attributes
    ----------
    family : {"laplace", "gaussian"}
    scale : float
        Mean absolute value of Laplace noise, standard deviation of Gaussian noise.
    """

    family: str
    scale: float

    @classmethod
    def of(cls, family: str, privacy: Privacy, l1: float, l2: float) -> AddedNoise:
        """Return the least noise that protects a vector of these sensitivities.

        Laplace noise of scale l1/epsilon is epsilon-private; Gaussian noise is
        (epsilon, delta)-private by its exact condition.

        Raises
        ------
        ParameterError
            For Gaussian noise with a delta of 0.
        """
        if family == "laplace":
            return cls(family, l1 / privacy.epsilon)
        check_delta(family, privacy)
        return cls(family, l2 * analytic_gaussian_sigma(privacy))

    @property
    def variance(self) -> float:
        """Variance of the noise."""
        return self.scale**2 * (2 if self.family == "laplace" else 1)

    @property
    def facts(self) -> Mapping[str, Any]:
        """What a release states of it."""
        return {"family": self.family, "scale": self.scale}

    def added(self, values: ArrayLike, rng: np.random.Generator) -> _Floats:
        """Return values with noise on each."""
        array = np.asarray(values, dtype=np.float64)
        draw = rng.laplace if self.family == "laplace" else rng.normal
        noisy: _Floats = array + draw(0.0, self.scale, array.shape)
        return noisy


def check_delta(family: str, privacy: Privacy) -> None:
    """Raise `ParameterError` for Gaussian noise with a delta of 0."""
    if family == "gaussian" and privacy.delta == 0:
        raise ParameterError(
            "delta", "0 is not possible with Gaussian noise; it must be above 0 (say 1e-6), or use laplace"
        )


def count_noise(family: str, privacy: Privacy) -> AddedNoise:
    """Return the noise for the counts of one partition.

    Source: Dwork, McSherry, Nissim, Smith 2006; where records are replaced, not added, the
    sensitivity is 2, not 1.
    """
    return AddedNoise.of(family, privacy, L1, L2)


def nested_noise(family: str, privacy: Privacy, growth: Sequence[float]) -> tuple[AddedNoise, ...]:
    """Return noise for the counts of several partitions of the same records, released together.

    A question is assumed to take so many counts of each partition as `growth` says (up to a common
    factor); the sum of their variances is made as small as the budget allows.  Laplace noise gets
    budgets that add up, epsilon_i proportional to growth_i^(1/3); Gaussian noise gets shares of
    1/sigma^2, which add up to that of one release, proportional to growth_i^(1/2).

    Source: Cormode, Procopiuc, Srivastava, Shen, Yu 2012, section 4.2, for Laplace noise in quadtrees.
    """
    power = 1 / 3 if family == "laplace" else 1 / 2
    weights = np.asarray(growth, dtype=np.float64) ** power
    shares = weights / weights.sum()
    whole = count_noise(family, privacy)
    if family == "laplace":
        return tuple(AddedNoise(family, whole.scale / share) for share in shares.tolist())
    return tuple(AddedNoise(family, whole.scale / math.sqrt(share)) for share in shares.tolist())
