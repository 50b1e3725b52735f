"""The same divergences for noise in R^d that is the same in every direction."""

from __future__ import annotations

import functools
import math

import numpy as np

from engine.array_types import Floats
from engine.noise import special
from engine.noise.spherical import SphericalNoise

LENGTHS, ANGLES = 1001, 48
"""Nodes of the quadrature: quantiles of the length, equidistant in logits, by angles with the shift."""

DEEPEST = 80.0
"""Logit of the probability beyond which lengths are left out."""

FARTHEST = 1e120
"""How far out the log-ratio is looked at."""


class SphericalPairs:
    """Pairs (Z, Delta + e^lambda Z) in R^d; only the density and the law of |Z| are used.

    A point is given by its length and its angle with Delta.

    Parameters
    ----------
    noise : SphericalNoise
    lam, delta : arrays of shape (pairs,)
        The pairs; `delta` is the Euclidean length of the shift.
    dimension : int
        At least 2.
    """

    def __init__(self, noise: SphericalNoise, lam: Floats, delta: Floats, dimension: int) -> None:
        self.noise, self.dimension = noise, dimension
        self.lam, self.delta = lam, delta

    def loss(self, r: Floats, cosine: Floats | float, lam: float, delta: float) -> Floats:
        """Return the log-ratio at points of length `r`."""
        along, across = r * cosine - delta, r * np.sqrt(1 - np.square(cosine))
        moved = np.hypot(along, across) * math.exp(-lam)
        here, there = (self.noise.log_radial(one, self.dimension) for one in (r, moved))
        return here - there + self.dimension * lam

    def divergence(self, epsilon: float) -> Floats:
        """Return delta(epsilon) of every pair, right to 1e-3 of itself or to 1e-13; 0 below the supremum."""
        r, mass = _lengths(self.noise, self.dimension)
        cosine, weight = _angles(self.dimension)
        result = np.zeros(len(self.lam))
        for index, (lam, delta) in enumerate(zip(self.lam.tolist(), self.delta.tolist(), strict=True)):
            if self.supremum[index] <= epsilon * (1 + 1e-9):
                continue
            over = self.loss(r[:, None], cosine, lam, delta) - epsilon
            gain = np.where(over > 0, -np.expm1(-np.maximum(over, 0)), 0)
            result[index] = mass @ gain @ weight
        return result

    @functools.cached_property
    def supremum(self) -> Floats:
        """The sup of the log-ratio, which is opposite to the shift: there the other density is least."""
        pairs = zip(self.lam.tolist(), self.delta.tolist(), strict=True)
        return np.array([self._supremum(lam, delta) for lam, delta in pairs])

    def _supremum(self, lam: float, delta: float) -> float:
        r = np.concatenate([[0.0], np.geomspace(1e-6, FARTHEST, 2001)])
        for _ in range(5):
            values = self.loss(r, -1.0, lam, delta)
            peak = int(np.argmax(values))
            result = float(values[peak])
            r = np.linspace(r[max(0, peak - 1)], r[min(len(r) - 1, peak + 1)], 65)
        return result


@functools.lru_cache(maxsize=16)
def _lengths(noise: SphericalNoise, dimension: int) -> tuple[Floats, Floats]:
    """Return lengths, and the probability of each: the trapezoidal rule, which knows no ends here."""
    logits = np.linspace(-DEEPEST, 40.0, LENGTHS)
    step = logits[1] - logits[0]
    above, below = special.expit(logits), special.expit(-logits)
    return noise.radius_quantile(above, dimension), above * below * step


@functools.lru_cache(maxsize=16)
def _angles(dimension: int) -> tuple[Floats, Floats]:
    """Return cosines of angles, and the probability of each."""
    node, weight = np.polynomial.legendre.leggauss(ANGLES)
    angle = (node + 1) * math.pi / 2
    density = weight * np.sin(angle) ** (dimension - 2)
    return np.cos(angle), density / density.sum()
