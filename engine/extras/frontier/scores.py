"""Scores of candidates, and a choice by them: what `ScoredChoice` weighs."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from engine.array_types import Floats
from engine.domain import Box
from engine.mechanisms.prepared import Prepared
from engine.mechanisms.release import Private
from engine.primitives.selection import exponential_mechanism, selection_probabilities
from engine.progress import Progress, each, silent
from engine.shown import ShownInALine

DIGITS = 52
"""Sums of scores are whole numbers below 2^52, which doubles hold."""


def digits_of_scores(box: Box, blocks: int) -> int:
    """Return the binary digits of the score of one block: sums of all scores are below 2^52."""
    widest = float(box.width.max()) or 1.0
    reach = 1 + float(box.lower.max() - box.lower.min()) / widest
    return DIGITS - math.ceil(math.log2(blocks * reach + 1))


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class Scores(ShownInALine):
    """The score of each candidate (private).

    Attributes
    ----------
    sums : ndarray, shape (m,)
        By which they are weighed.
    change : float
        By how much one record can change each of those.
    means : ndarray, shape (m,)
        The mean scores of blocks, in the unit of the function.
    """

    sums: Floats
    change: float
    means: Floats


def added_scores(scores: Floats, box: Box) -> Scores:
    """Return the sums of the scores of blocks, shape (b, m), each between the bounds in `box`.

    Each is rounded to a grid of its own range, so that sums are exact: a block adds a whole number
    between 0 and 2^digits, and where the range of its candidate begins, which is public.
    """
    widest = float(box.width.max()) or 1.0
    unit = 2.0 ** digits_of_scores(box, len(scores))
    gained = np.rint(np.clip((scores - box.lower) / widest, 0, 1) * unit)
    lowest = float(box.lower.min())
    before = np.rint((box.lower - lowest) / widest * unit)
    sums = gained.sum(axis=0) + len(scores) * before
    return Scores(sums, unit, lowest + sums / unit * widest / len(scores))


@dataclasses.dataclass(frozen=True, repr=False)
class ScoredPrepared(Prepared):
    """Scores and weights, ready for a choice (private).

    Attributes
    ----------
    scores : Scores
    weights : tuple of float, or None
        The prior; None for one that is the same for all.
    epsilon : float
    """

    scores: Scores
    weights: tuple[float, ...] | None
    epsilon: float
    noise: Mapping[str, Any]
    error: float | None
    diagnostics: Private
    only_simulates: bool = False

    @property
    def probabilities(self) -> Floats:
        """With which probability each candidate is chosen (private), shape (m,)."""
        return selection_probabilities(
            self.scores.sums, self.epsilon, sensitivity=self.scores.change, weights=self.weights
        )

    @property
    def batch_size(self) -> int:
        return max(1, min(10_000, 10**6 // (100 + self.scores.sums.size)))

    def draw(self, rng: np.random.Generator, size: int, progress: Progress = silent) -> Floats:
        """Draw the places of `size` choices, shape (size, 1)."""
        scores = self.scores
        places = [
            exponential_mechanism(
                scores.sums, self.epsilon, rng, sensitivity=scores.change, weights=self.weights
            )
            for _ in each(size, progress)
        ]
        return np.array(places, dtype=np.float64)[:, None]
