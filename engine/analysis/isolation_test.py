"""One guess from a histogram, and whether it isolates a record."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

import numpy as np

from engine.analysis.memory import remembered
from engine.array_types import Floats
from engine.data.points import Points
from engine.domain import Box
from engine.histograms.attacks import BASELINE, guesses
from engine.histograms.histogram import Histogram
from engine.histograms.isolation import Isolation
from engine.randomness import reproducible
from engine.shown import ShownInALine

CORNER = 0.1
"""Where the query point is at first, in shares of the bounds: a public place."""


@dataclasses.dataclass(frozen=True, eq=False)
class IsolationGuess:
    """Where one guesses, from public facts or what was released alone: see `isolation_guess`.

    Attributes
    ----------
    query : ndarray, shape (d,)
        q.
    aimed : bool
        False for the attack "singleton" where no cell holds a single point, so that one with the
        fewest was taken.
    """

    query: Floats
    aimed: bool = True


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class IsolationTest(ShownInALine):
    """Whether a guess isolates a record (private), from `isolation_test`.

    Attributes
    ----------
    query : ndarray, shape (d,)
        q.
    c : float
        How many times δ the larger ball reaches.
    t : int
        So many records within it protect each other.
    nearest : ndarray, shape (d,)
        The record that is nearest to q.
    distance : float
        δ: how far it is.
    within : int
        How many records are within c δ of q, that one included.
    isolates : bool
        Whether those are fewer than t.
    """

    query: Floats
    c: float
    t: int
    nearest: Floats
    distance: float
    within: int
    isolates: bool


def isolation_guess(
    histogram: Histogram, box: Box, *, attack: str | None = None, seed: int = 1
) -> IsolationGuess:
    """Guess once, from a histogram alone."""
    if attack is None:
        return IsolationGuess(box.lower + CORNER * box.width)
    rng = reproducible(seed)
    if attack == BASELINE:
        return IsolationGuess(box.lower + rng.random(box.dimension) * box.width)
    [place], aimed = guesses(attack, histogram, 1, rng)
    return IsolationGuess(np.clip(place, box.lower, box.upper), aimed)


def isolation_test(data: Points, query: Sequence[float] | Floats, *, c: float, t: int) -> IsolationTest:
    """Test whether a guess, shape (d,), isolates a record: definition 1.1 of Chawla et al. 2005."""
    isolation = remembered(data, ("isolation",), lambda: Isolation(data.values))
    place = np.asarray(query, dtype=np.float64)
    found = isolation.verdict(place, c, t)
    nearest = data.values[found.nearest]
    return IsolationTest(place, c, t, nearest, found.distance, found.within, found.isolates)
