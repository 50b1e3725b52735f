"""Predicate singling out: an attacker names a box that holds exactly one record."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable

import numpy as np

from engine.array_types import Floats
from engine.domain import Box
from engine.histograms.histogram import Histogram
from engine.histograms.proportions import Proportion
from engine.progress import Progress, each, silent


@dataclasses.dataclass(frozen=True)
class SinglingOut:
    """How often a box that follows from a histogram holds one record, and one of that size does by chance."""

    hits: Proportion
    chance: float  # mean of n w (1 - w)^(n - 1), w the weight of the box: what can be had without looking
    weight: float  # median of w


def predicate(histogram: Histogram) -> tuple[Floats, Floats]:
    """Return the box that the attacker draws: the smallest around a cell that counts about one.

    Of noisy counts, none may; then the one whose count is nearest to 1.
    """
    far = np.abs(histogram.counts - 1)
    near = np.flatnonzero(far < 0.5)
    if not near.size:
        near = np.flatnonzero(far == far.min())
    lower, upper = (side[near] for side in histogram.named_boxes())
    lower, upper = np.clip(lower, 0.0, 1.0), np.clip(upper, 0.0, 1.0)
    volumes = np.prod(upper - lower, axis=1)
    smallest = np.argmin(np.where(volumes > 0, volumes, np.inf))  # beyond the bounds there is nothing to name
    return lower[smallest], upper[smallest]


def single_out(
    sanitize: Callable[[Floats, Box, int, np.random.Generator], Histogram],
    d: int,
    n: int,
    t: int,
    trials: int,
    rng: np.random.Generator,
    *,
    progress: Progress = silent,
) -> SinglingOut:
    """Attack histograms of n even records in d dimensions, each of which is made once.

    The records are drawn from a law that the attacker knows, as the definition has it, and are synthetic:
    nothing here is private.  A predicate singles out if exactly one record satisfies it; a predicate of
    weight w does so by chance with probability n w (1 - w)^(n - 1), at most about 1/e.  What a release gives
    away is how much more often that happens, for predicates of small weight.

    Source: Cohen, Nissim 2020, Definitions 2.2 and 2.3.
    """
    box, hits, weights = Box.of([0.0] * d, [1.0] * d), 0, []
    for here in each(trials, progress, f"{d} dimensions"):
        del here
        points = rng.random((n, d))
        made = sanitize(points, box, t, rng)
        lower, upper = predicate(made)
        hits += int(((points >= lower) & (points <= upper)).all(axis=1).sum() == 1)
        weights.append(float(np.prod(upper - lower)))
    w = np.array(weights)
    return SinglingOut(
        Proportion(hits, trials), float((n * w * (1 - w) ** (n - 1)).mean()), float(np.median(w))
    )
