"""PrivTree: which parts of a space to cut further, by noisy decisions whose number costs nothing."""

from __future__ import annotations

import dataclasses
import math

import numpy as np
from numpy.typing import ArrayLike

from engine.array_types import Bools, Floats
from engine.errors import ParameterError
from engine.numerals import short
from engine.primitives.counts import CHANGED
from engine.privacy import NEIGHBOURS
from engine.sampling.noise import is_above
from engine.sampling.output_grid import outward

FINEST, DIGITS = 20, 40
"""Decays and thresholds are multiples of 2^-20, or have so many binary digits where they are large."""


@dataclasses.dataclass(frozen=True)
class Cutting:
    """The decisions of PrivTree, for records that are replaced, or left empty.

    A cell at depth i with count c is cut where ``b + Lap(scale) > threshold`` with
    ``b = max(threshold - decay, c - i decay)``.

    Threshold and decay are multiples of one power of two, of which b is a multiple, too: worked out
    in doubles without any rounding for counts below 2^32, epsilon of 10^-9 or more and 30 levels.  So
    b moves by no more than the count, and what is decided is what is proved below.

    Source: Zhang, Xiao, Xie 2016, Algorithm 2 and Theorem 3.1, for records that are added or removed:
    scale ``(2 e^g - 1)/((e^g - 1) epsilon)`` and decay ``g scale``, g > 0, which for replaced ones
    has to be called with epsilon/2.  What differs here is derived below: less noise is enough.

    Write F(x) = Pr[Lap(s) > -x] for the probability to cut a cell whose b is x above the threshold,
    and G = ln F.  Then G' <= 1/s everywhere, and for x >= 0

        G'(x) = (1/s)/(2 e^(x/s) - 1).

    Replacing a record lowers by 1 the counts on one path A of nested cells, and raises by 1 those on
    another one, B; the cells that hold both are as they were.  Let x_0, x_1, ... be the larger values
    of c - i decay - threshold along A.  Counts do not grow downwards, so x_(i+1) <= x_i - decay.  In
    favour of the database with the larger counts on A, the probability of the whole tree changes

    * on A, where cells are cut, by exp of the sum of ``G(max(-decay, x_i)) - G(max(-decay, x_i - 1))``,
      which is the integral over u in [0, 1] of the sum of G'(x_i - u) over those i with
      x_i - u > -decay.  For each u at most one of these numbers is in (-decay, 0], and gives 1/s at
      most; the others are at least 0, decay, 2 decay, ..., so that with decay >= g s all together
      give at most 1/s + (1/s) sum over k >= 0 of 1/(2 e^(g k) - 1);
    * on A, where the path ends in a cell that is not cut, by a factor of at most 1;
    * on B, where cells are cut, by a factor of at most 1, for counts are smaller there;
    * on B, at its end, by at most e^(1/s), since b changes by 1 at most.

    So the loss is at most ``(3 + sum over k >= 1 of 1/(2 e^(g k) - 1))/s``.  Cells that are not
    cut for public reasons take no decision, which changes nothing.

    Leaving a record empty lowers the counts on A, and nothing else: there is no B.  In favour of the
    larger counts it is the first two points, ``(2 + sum over k >= 1 of 1/(2 e^(g k) - 1))/s``; in favour
    of the smaller ones the end of A alone, 1/s.  That is below Theorem 3.1, which has
    ``(2 + 1/(e^g - 1))/s`` for records that are added or removed.
    """

    threshold: float  # public
    scale: float  # of the noise
    decay: float  # what a count loses with each level: g scale or more, with the g below

    @classmethod
    def of(cls, epsilon: float, parts: float, threshold: float = 0.0, relation: str = NEIGHBOURS) -> Cutting:
        """Return the decisions that are epsilon-private, for cells that fall into so many parts at most.

        With g = ln(parts) a cell without points is cut with probability 1/(2 parts), so that half a
        part of it is cut further, on average: the tree ends.  The scale and then the decay are rounded
        up; the threshold, for which nothing has to be proved, to the nearest multiple.
        """
        if not (math.isfinite(epsilon) and epsilon > 0):
            raise ParameterError(
                "epsilon", f"{short(epsilon)} is not possible; it must be a finite number above 0"
            )
        if not parts >= 2:
            raise ParameterError("parts", f"{short(parts)} is not possible; it must be at least 2")
        g = math.log(parts)
        scale = outward(path_constant(g, relation) / epsilon)
        least = outward(g * scale)
        unit = math.ldexp(1.0, max(-FINEST, math.frexp(least)[1] - DIGITS))
        return cls(round(threshold / unit) * unit, scale, math.ceil(least / unit) * unit)

    def biased(self, counts: ArrayLike, depth: int) -> Floats:
        """Return b of cells of one depth with these counts (private)."""
        numbers = np.asarray(counts, dtype=np.float64)
        return np.maximum(self.threshold - self.decay, numbers - depth * self.decay)

    def chosen(self, counts: ArrayLike, depth: int, rng: np.random.Generator) -> Bools:
        """Decide which cells of one depth to cut."""
        return is_above(self.biased(counts, depth), self.scale, self.threshold, rng)

    def probabilities(self, counts: ArrayLike, depth: int) -> Floats:
        """Return with which probability each cell of one depth is cut."""
        x = (self.biased(counts, depth) - self.threshold) / self.scale
        return np.where(x < 0, 0.5 * np.exp(np.minimum(x, 0)), 1 - 0.5 * np.exp(-np.maximum(x, 0)))


def path_constant(g: float, relation: str = NEIGHBOURS) -> float:
    """Return what a record costs, times the scale: 3 + sum over k >= 1 of 1/(2 e^(g k) - 1) if replaced.

    Of a record that is left empty it is 1 less, for no other path.
    """
    terms = math.ceil(40 / g)  # what is left is below 2^-54
    return 1 + CHANGED[relation] + math.fsum(1 / (2 * math.exp(g * k) - 1) for k in range(1, terms + 1))
