"""One guess from a histogram, and whether it isolates a record."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from engine.analysis.memory import remembered
from engine.data.points import Points
from engine.domain import Box
from engine.histograms.attacks import BASELINE, guesses
from engine.histograms.histogram import Histogram
from engine.histograms.isolation import Isolation
from engine.randomness import reproducible

CORNER = 0.1
"""Where the query point is at first, in shares of the bounds: a public place."""

_Floats = NDArray[np.float64]


@dataclasses.dataclass(frozen=True, eq=False)
class IsolationGuess:
    """Where one guesses, from public facts or what was released alone.

    Attributes
    ----------
    query : ndarray, shape (d,)
        q.
    aimed : bool
        False for the attack "singleton" where no cell holds a single point, so that one with the
        fewest was taken.
    """

    query: _Floats
    aimed: bool = True


@dataclasses.dataclass(frozen=True, eq=False)
class IsolationTest:
    """Whether a guess isolates a record (private).

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

    query: _Floats
    c: float
    t: int
    nearest: _Floats
    distance: float
    within: int
    isolates: bool


def isolation_guess(
    histogram: Histogram, box: Box, *, attack: str | None = None, seed: int = 1
) -> IsolationGuess:
    """IsolationGuess once, from a histogram alone.

    Parameters
    ----------
    histogram : Histogram
    box : Box
        Public bounds; the guess lies within.
    attack : str, optional
        One of `engine.histograms.attacks.ATTACKS`, or `BASELINE` for a blind guess; without one,
        the guess is the place of `CORNER`.
    seed : int
        Of the attack.
    """
    if attack is None:
        return IsolationGuess(box.lower + CORNER * box.width)
    rng = reproducible(seed)
    if attack == BASELINE:
        return IsolationGuess(box.lower + rng.random(box.dimension) * box.width)
    [place], aimed = guesses(attack, histogram, 1, rng)
    return IsolationGuess(np.clip(place, box.lower, box.upper), aimed)


def isolation_test(data: Points, query: Sequence[float] | _Floats, *, c: float, t: int) -> IsolationTest:
    """Test whether a guess, shape (d,), isolates a record: definition 1.1 of Chawla et al. 2005.

    Raises
    ------
    ParameterError
        If c < 1, or t is not a whole number of at least 1.
    """
    isolation = remembered(data, ("isolation",), lambda: Isolation(data.values))
    place = np.asarray(query, dtype=np.float64)
    found = isolation.verdict(place, c, t)
    nearest = data.values[found.nearest]
    return IsolationTest(place, c, t, nearest, found.distance, found.within, found.isolates)
