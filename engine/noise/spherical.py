"""Noise in R^d that is the same in every direction, for sensitivity in the Euclidean norm."""

from __future__ import annotations

import abc
import dataclasses
from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from engine.array_types import Floats
from engine.noise.base import Noise

if TYPE_CHECKING:
    from flint import arb

    from engine.sampling.bits import Bits


@dataclasses.dataclass(frozen=True)
class SphericalNoise(Noise):
    """A family whose density h in R^d falls with the length of z alone; `MultivariateT` is one.

    What pairs it has follows from one rule.  Let u(r) = -d ln h/dr.  Between Z and Delta + e^lambda Z lies
    the path of the laws of m(t) + e^(t lambda) Z with m(t) = Delta (e^(t lambda) - 1)/(e^lambda - 1), along
    which the logarithm of the density changes, at a point that is r away in units of the scale, by at most

        |lambda| |r u - d| + a u,  a = |m'(t)| e^(-t lambda) = |Delta| lambda/(e^lambda - 1)

    for each unit of t.  For |lambda| <= beta and |Delta| <= alpha min(1, e^lambda) is a <= alpha.  So

        beta |r u(r) - d| + alpha u(r) <= epsilon for all r

    makes the mechanism (epsilon, 0)-private: sliding and dilation are paid where they meet, not each at
    its worst.
    """

    norm: ClassVar[str] = "L2"

    @abc.abstractmethod
    def log_radial(self, r: Floats, dimension: int) -> Floats:
        """Return ln h at a point of R^d that is `r` >= 0 from 0, up to a constant."""

    @abc.abstractmethod
    def radius_quantile(self, p: Floats, dimension: int) -> Floats:
        """Return the r with Pr[|Z| > r] = p, for `p` in (0, 1)."""

    @abc.abstractmethod
    def enclosed_radius(self, p: arb, dimension: int) -> arb:
        """Return a ball around the r with Pr[|Z| > r] = p."""

    def sample_vectors(self, rng: np.random.Generator, size: int, dimension: int) -> Floats:
        """Draw `size` vectors: a length, and a direction."""
        if dimension == 1:
            return self.sample(rng, (size, 1))
        directions = rng.standard_normal((size, dimension))
        directions /= np.linalg.norm(directions, axis=1, keepdims=True)
        return directions * self.radius_quantile(1 - rng.random((size, 1)), dimension)

    def enclosed_coordinate(self, bits: Sequence[Bits], index: int) -> arb:
        """Return a ball that holds one coordinate: the length, by one of a vector of normals."""
        from flint import arb

        from engine.sampling import laws

        if len(bits) == 1:
            return self.enclosed(bits[0])
        normals = [laws.inverted(one, laws.normal) for one in bits]
        length = sum((normal * normal for normal in normals), arb(0)).sqrt()
        return self.enclosed_radius(bits[0].uniform(1), len(bits)) * normals[index] / length
