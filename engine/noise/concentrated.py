"""What the three noises of Bun and Steinke share: log-normal tails and concentrated privacy."""

from __future__ import annotations

import abc
import dataclasses
import math

import numpy as np

from engine.noise.base import Admissible, Array, Noise
from engine.noise.calibration import concentrated
from engine.privacy import Privacy


@dataclasses.dataclass(frozen=True)
class Concentrated(Noise):
    """A family whose privacy is proved as concentrated privacy, e^2/2-zCDP.

    With e = sqrt(2 rho) and rho the largest that implies (epsilon, delta), the two
    steps add in e: `split` * e for sliding, the rest for dilation.  In d dimensions
    (product noise, L1) the rho of the coordinates add: dilation costs sqrt(d) times as
    much; sliding costs no more than on one coordinate, since the squares of shares sum
    to at most 1.
    """

    @abc.abstractmethod
    def _sliding(self, budget: float) -> float:
        """Return the alpha whose sliding is budget^2/2-zCDP."""

    @abc.abstractmethod
    def _dilation(self, budget: float) -> float:
        """Return the beta whose dilation is budget^2/2-zCDP, in one dimension."""

    def _tight(self, privacy: Privacy, dimension: int, split: float) -> Admissible:
        budget = math.sqrt(2 * concentrated(privacy))
        return Admissible(
            self._sliding(split * budget),
            self._dilation((1 - split) * budget / math.sqrt(dimension)),
            "Bun, Steinke 2019, by concentrated privacy (Canonne, Kamath, Steinke 2020, Corollary 13)",
        )

    def _published(self, privacy: Privacy, dimension: int) -> tuple[Admissible, ...]:
        return (self._tight(privacy, 1, 0.5),) if dimension == 1 else ()


def solve_tail(noise: Noise, p: Array) -> Array:
    """Return the r >= 0 with Pr[Z > r] = p by Newton's method, for families without a closed form.

    In x = ln(1 + r) the logarithm of the tail is nearly linear around 0 and nearly a
    parabola beyond; a bracket catches the steps that leave it.
    """
    shape, p = np.shape(p), np.ravel(p)
    log_p = np.log(np.where(p > 0, p, 0.5))
    low, high = np.zeros_like(p), np.full_like(p, 709.0)
    x = np.zeros_like(p)
    for _ in range(200):
        r = np.expm1(x)
        tail = noise._tail(r)
        excess = np.log(tail) - log_p
        low, high = np.where(excess >= 0, x, low), np.where(excess <= 0, x, high)
        with np.errstate(invalid="ignore"):
            step = excess * tail / (np.exp(noise._log_density(r)) * np.exp(x))
        trial = x + step
        trial = np.where((trial >= low) & (trial <= high), trial, (low + high) / 2)
        settled = np.abs(trial - x) <= 1e-15 * (1 + x)
        x = trial
        if settled.all():
            break
    return np.select([p == 0, p == 0.5], [np.inf, 0.0], np.expm1(x)).reshape(shape)
