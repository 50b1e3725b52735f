"""What the three noises of Bun and Steinke share: log-normal tails and concentrated privacy."""

from __future__ import annotations

import abc
import dataclasses
import functools
import math

import numpy as np

from engine.array_types import Floats
from engine.noise.base import Admissible, Noise
from engine.noise.calibration import concentrated, joint_factor, region
from engine.noise.divergences import divergences
from engine.privacy import Privacy

INWARD = 1 - 2.0**-36
"""By what a budget is made smaller for the roundings on its way to a pair."""

MIN_NUMERICAL_DELTA = 1e-10
"""A numerical delta has an error of 10^-14: below this, only what is proved in formulas is used."""

MAX_DIMENSIONS = 16
"""Coordinates up to which the divergence of a product is looked at."""

MIN_EPSILON = 1e-3
"""The least epsilon for it: below, the steps of a product's log-ratio are too coarse."""


@dataclasses.dataclass(frozen=True)
class ConcentratedNoise(Noise):
    """A family whose privacy is proved as concentrated privacy, e^2/2-zCDP.

    With e = sqrt(2 rho) and rho the largest that implies (epsilon, delta), the two
    steps add in e: `split` * e for sliding, the rest for dilation.  In d dimensions
    (product noise, L1) the rho of the coordinates add: dilation costs sqrt(d) times as
    much; sliding costs no more than on one coordinate, since the squares of shares sum
    to at most 1.

    For a single release that proof is loose: the pairs in print give a third of epsilon
    or less, and in several dimensions an eighth.  The tight pair is therefore that pair, enlarged
    as a whole as far as the numerical divergence allows, which is 2 to 9 times, less 0.02 % for its
    error; in several dimensions that of the product, with the shift on one, two or all
    coordinates (up to 16 of them, with delta from 1e-10 on; else what is proved).
    """

    @abc.abstractmethod
    def _sliding(self, budget: float) -> float:
        """Return the alpha whose sliding is budget^2/2-zCDP."""

    @abc.abstractmethod
    def _dilation(self, budget: float) -> float:
        """Return the beta whose dilation is budget^2/2-zCDP, in one dimension."""

    def _tight(self, privacy: Privacy, dimension: int, split: float) -> Admissible:
        proven = self._proven(privacy, dimension, split)
        if dimension > 1 and not (
            dimension <= MAX_DIMENSIONS
            and privacy.delta >= MIN_NUMERICAL_DELTA
            and privacy.epsilon >= MIN_EPSILON
        ):
            return proven
        factor = _factor(self, proven, privacy, dimension) if privacy.delta >= MIN_NUMERICAL_DELTA else 1.0
        return Admissible(
            factor * proven.alpha,
            factor * proven.beta,
            "joint calibration of sliding and dilation, numerical delta",
        )

    def _proven(self, privacy: Privacy, dimension: int, split: float) -> Admissible:
        budget = math.sqrt(2 * concentrated(privacy)) * INWARD
        return Admissible(
            self._sliding(split * budget),
            self._dilation((1 - split) * budget / math.sqrt(dimension)),
            "Bun, Steinke 2019, by concentrated privacy (Canonne, Kamath, Steinke 2020, Corollary 13)",
        )

    def _published(self, privacy: Privacy, dimension: int) -> tuple[Admissible, ...]:
        return (self._proven(privacy, 1, 0.5),) if dimension == 1 else ()


@functools.lru_cache(maxsize=1024)
def _factor(noise: Noise, pair: Admissible, privacy: Privacy, dimension: int) -> float:
    """Return by how much a proven pair can be enlarged."""

    def worst_delta(factor: float, steps: int = 1) -> float:
        lam, delta = region(factor * pair.alpha, factor * pair.beta, steps)
        return float(np.max(divergences(noise, lam, delta, dimension).divergence(privacy.epsilon)))

    factor = float(joint_factor(worst_delta, privacy.delta))
    # the corners of the region decide in all cases known; where they do not, give way
    while worst_delta(factor, steps=2) > privacy.delta:
        factor *= 0.99
    return factor


def solve_tail(noise: Noise, p: Floats) -> Floats:
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
