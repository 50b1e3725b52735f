"""A public error bar for noise whose scale follows from the data."""

from __future__ import annotations

import dataclasses
import math
from fractions import Fraction

import numpy as np

from engine.noise import Laplace, Noise
from engine.sampling.output_grid import OutputGrid, rounded_up

STEP = 2.0**-30
"""Spacing of the logarithms of scales: too fine to be seen, and coarser than any error of a logarithm."""

MISSED = 0.025
"""Probability with which the scale is underestimated; the noise exceeds the bar as rarely."""


@dataclasses.dataclass(frozen=True)
class ErrorBar:
    """The logarithm of a scale with Laplace noise, and the error that follows from it; all public.

    The logarithm of a beta-smooth bound changes by at most beta when a record is replaced, also where
    the bound is never below a constant.  It is rounded to multiples of `STEP`, which adds at most
    one of them; one more pays for the doubles in which it was worked out.

    Source: Nissim, Raskhodnikova, Smith 2007, Definition 2.1, and Laplace noise on the logarithm.

    Attributes
    ----------
    family : Noise
        What is scaled.
    beta : float
        Of the smooth bound.
    epsilon : float
        What the bar may cost.
    least, largest : float
        Between which every scale lies, above 0.
    widest : float
        No error is larger; infinite where results are not clamped.
    """

    family: Noise
    beta: float
    epsilon: float
    least: float
    largest: float
    widest: float

    @property
    def spread(self) -> float:
        """The scale of the noise on the logarithm."""
        return rounded_up((Fraction(self.beta) + 2 * Fraction(STEP)) / Fraction(self.epsilon))

    @property
    def grid(self) -> OutputGrid:
        """Where noisy logarithms lie."""
        return OutputGrid(STEP, lower=math.log(self.least), upper=math.log(self.largest))

    def noisy_scale(self, scale: float, rng: np.random.Generator) -> float:
        """Return a private scale with noise on its logarithm."""
        center = round(math.log(scale) / STEP) * Fraction(STEP)
        return math.exp(self.grid.noisy(center, self.spread, Laplace(), rng, 1)[0])

    def half_width(self, noisy_scale: float) -> float:
        """Return a bound that the error exceeds with a probability of at most 5 %.

        With probability `MISSED` the scale is larger than assumed, and else the noise exceeds
        its quantile with the same probability.
        """
        logarithm = math.log(noisy_scale) + STEP - self.spread * math.log(2 * MISSED)
        assumed = math.exp(min(logarithm, math.log(self.largest)))
        return min(assumed * float(self.family.quantile(1 - MISSED / 2)), self.widest)
