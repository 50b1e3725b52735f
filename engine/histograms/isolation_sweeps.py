"""Success of isolation attacks against c, t, the dimension, and known columns."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence

import numpy as np

from engine.array_types import Floats
from engine.domain import Box
from engine.histograms.attacks import TRIALS, Attempt, Guessed, guess_knowing
from engine.histograms.histogram import Histogram
from engine.histograms.isolation import Isolation, check
from engine.progress import Progress, each, parts, silent

Sanitize = Callable[[Floats, Box, int, np.random.Generator], Histogram]
"""Makes a histogram of points (n, d) in a box, with the t that determines splits."""


@dataclasses.dataclass(frozen=True)
class SweepPoint:
    """All attacks at one value of the swept setting."""

    value: float
    attempts: list[Attempt]


def sweep_c(
    points: Floats,
    histogram: Histogram,
    box: Box,
    cs: Sequence[float],
    t: int,
    rng: np.random.Generator,
    *,
    trials: int = TRIALS,
    progress: Progress = silent,
) -> list[SweepPoint]:
    """Attack one histogram; every c judges the same guesses, so that rates only fall with c."""
    for c in cs:
        check(c, t)
    guessed = Guessed.against(Isolation(points), histogram, box, t, trials, rng, progress=progress)
    return [SweepPoint(c, guessed.attempts(c, t)) for c in cs]


def sweep_t(
    points: Floats,
    sanitize: Sanitize,
    box: Box,
    c: float,
    ts: Sequence[int],
    rng: np.random.Generator,
    *,
    trials: int = TRIALS,
    progress: Progress = silent,
) -> list[SweepPoint]:
    """Make a histogram with each t, and attack it with the same t."""
    isolation, steps = Isolation(points), []
    for t in ts:
        check(c, t)
    for t, here in zip(ts, parts(len(ts), progress), strict=True):
        here(0.0, f"t = {t}")
        histogram = sanitize(points, box, t, rng)
        guessed = Guessed.against(isolation, histogram, box, t, trials, rng, progress=here)
        steps.append(SweepPoint(t, guessed.attempts(c, t)))
    return steps


def sweep_d(
    sanitize: Sanitize,
    dimensions: Sequence[int],
    n: int,
    c: float,
    t: int,
    rng: np.random.Generator,
    *,
    trials: int = TRIALS,
    progress: Progress = silent,
) -> list[SweepPoint]:
    """Attack histograms of n points drawn uniformly from the unit cube in each dimension.

    This is the distribution of theorem 1.1 (Chawla, Dwork, McSherry, Talwar 2005): for one constant c,
    isolation has probability 2^(-Ω(d)).  The points are synthetic: nothing here is private.
    """
    check(c, t)
    steps = []
    for d, here in zip(dimensions, parts(len(dimensions), progress), strict=True):
        here(0.0, f"{d} dimensions")
        points, box = rng.random((n, d)), Box.of([0.0] * d, [1.0] * d)
        histogram = sanitize(points, box, t, rng)
        guessed = Guessed.against(Isolation(points), histogram, box, t, trials, rng, progress=here)
        steps.append(SweepPoint(d, guessed.attempts(c, t)))
    return steps


def sweep_known(
    points: Floats,
    histogram: Histogram,
    box: Box,
    c: float,
    t: int,
    rng: np.random.Generator,
    *,
    trials: int = TRIALS,
    progress: Progress = silent,
) -> list[SweepPoint]:
    """Attack one histogram with knowledge of none, one, ... but not all of the columns of a record.

    Auxiliary information helps the guess without the histogram, too; only the difference counts (Chawla,
    Dwork, McSherry, Talwar 2005, section 1: sanitizing must not help much, whatever is known already).
    """
    check(c, t)
    steps = []
    for columns, here in zip(range(box.dimension), each(box.dimension, progress), strict=True):
        guessed = guess_knowing(points, columns, histogram, box, t, trials, rng, progress=here)
        steps.append(SweepPoint(columns, guessed.attempts(c, t)))
    return steps
