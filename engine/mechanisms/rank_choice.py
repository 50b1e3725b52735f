"""A value chosen by its rank: by the exponential mechanism, or by permute-and-flip among few values."""

from __future__ import annotations

import dataclasses
import functools
import math
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from engine.array_types import Floats
from engine.mechanisms.guarantee import FLIP
from engine.mechanisms.pieces import PiecewisePrepared
from engine.mechanisms.rank_gaps import Ranked, RankGaps
from engine.mechanisms.release import Private
from engine.primitives.permute_and_flip import flip_probabilities
from engine.progress import Progress, silent
from engine.sampling.choice import EXPONENTIAL, choose
from engine.sampling.output_grid import OutputGrid

if TYPE_CHECKING:
    from flint import arb

MAX_CANDIDATES = 1 << 14
"""Most values for permute-and-flip; among more, both choices have nearly the same law."""

MAX_MARGIN = 250.0
"""Largest margin in ranks."""


def few_candidates(grid: OutputGrid) -> bool:
    """Tell whether a grid has few multiples between its bounds (public)."""
    first, last = grid.ends
    return (last - first) / grid.step < MAX_CANDIDATES


def margin_of_ranks(grid: OutputGrid, epsilon: float, q: float) -> float:
    """Return the margin K of the q-quantile chosen by rank: 16 q (1 - q)/epsilon, or 0 without a resolution.

    A multiple with a records below it and b up to it has the distance max(0, a + g - t, t - b + g) from the
    rank t, with g = min((b - a)/4, K).  With g = 0, the neighbours of the right multiple would be as near as
    the nearest of their records.  With g > 0, the right one may miss t by at most K.  K is public: it depends
    on no record.
    """
    if not grid.declared:
        return 0.0
    # a multiple of 1/8, so that doubles hold all distances exactly
    return min(MAX_MARGIN, math.floor(8 * 16 * q * (1 - q) / epsilon) / 8)


def rank_choice(
    data: Ranked,
    target: float,
    epsilon: float,
    grid: OutputGrid,
    choice: str,
    *,
    margin: float,
    diagnostics: Private,
    progress: Progress = silent,
) -> PiecewisePrepared:
    """Prepare the choice of a multiple of the grid near a target rank.

    A multiple at the distance d from the target scores -d; `margin` is from `margin_of_ranks`.  The
    exponential mechanism draws it with probability proportional to exp(-epsilon d / 2).
    """
    near = RankGaps.near(data, target, epsilon, grid.step, margin, progress=progress)
    kind = RankFlips if choice == FLIP and few_candidates(grid) else PiecewisePrepared
    return kind(near=near, grid=grid, diagnostics=diagnostics)


@dataclasses.dataclass(frozen=True, repr=False)
class RankFlips(PiecewisePrepared):
    """A choice among the multiples of a step by permute-and-flip.

    Statement.  The pieces that `near` omits have together less than 2^-69 of the probability, as for the
    exponential mechanism.

    Proof.  Let r_j = exp(-epsilon d_j / 2).  Against one piece of m multiples with ratio r, multiple j wins
    with probability at most r_j times the integral of (1 - s r)^m over s in [0, 1], below r_j/(m r).
    """

    near: RankGaps

    @functools.cached_property
    def probability(self) -> Floats:
        return flip_probabilities(-self.near.distance, self.near.epsilon, counts=np.diff(self.near.places))

    def _released(self, rng: np.random.Generator) -> float:
        """Return the multiple with the largest score after exponential noise is added to each.

        The omitted multiples have noise too, but their scores are read only if one of them could win.
        """
        near, step = self.near, Fraction(self.grid.step)
        first, last = (round(Fraction(end) / step) for end in self._ends)
        start, stop = round(near.places[0] + 0.5) - first, round(near.places[-1] + 0.5) - first
        scores = np.full(last - first + 1, -near.least_omitted)
        scores[start:stop] = np.repeat(-near.distance, np.diff(near.places).astype(np.int64))
        omitted = np.ones(scores.size, dtype=bool)
        omitted[start:stop] = False
        rate = near.epsilon / 2

        def enclosed(index: int) -> arb:
            from engine.sampling.balls import ball

            score = -near.distance_at(first + index) if omitted[index] else float(scores[index])
            return ball(near.epsilon) * ball(score) / 2

        magnitude = rate * float(np.abs(scores).max())
        number = choose(rate * scores, enclosed, rng, magnitude, EXPONENTIAL, bounds=omitted)
        return self.grid.point(first + number)

    @property
    def _ends(self) -> tuple[float, float]:
        """The lowest and the highest multiple between the public bounds, which count if `grid` has none."""
        domain = self.near.data.domain
        return dataclasses.replace(self.grid, lower=domain.lower, upper=domain.upper).ends
