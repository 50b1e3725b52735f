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
    """Guess once, from a histogram alone.

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

    Returns
    -------
    IsolationGuess

    Raises
    ------
    ParameterError
        If there is no such attack, or no cell has a count above 0.

    Examples
    --------
    Without an attack, a public place near to a corner; with one, the middle of a cell.

    >>> from engine import NO_PROMISE, Box, Points, RecursiveHistogram
    >>> data = Points([[0.1], [0.2], [0.3], [0.4], [0.5], [0.6], [0.7], [0.8]], Box.of([0], [1]))
    >>> histogram = RecursiveHistogram(t=2).run(data, NO_PROMISE).histogram
    >>> isolation_guess(histogram, data.domain).query.tolist()
    [0.1]
    >>> isolation_guess(histogram, data.domain, attack="singleton").query.tolist()
    [0.875]
    """
    if attack is None:
        return IsolationGuess(box.lower + CORNER * box.width)
    rng = reproducible(seed)
    if attack == BASELINE:
        return IsolationGuess(box.lower + rng.random(box.dimension) * box.width)
    [place], aimed = guesses(attack, histogram, 1, rng)
    return IsolationGuess(np.clip(place, box.lower, box.upper), aimed)


def isolation_test(data: Points, query: Sequence[float] | Floats, *, c: float, t: int) -> IsolationTest:
    """Test whether a guess, shape (d,), isolates a record: definition 1.1 of Chawla et al. 2005.

    Parameters
    ----------
    data : Points
    query : array_like, shape (d,)
        The guess, in the units of the data.
    c : float
        How many times the distance of the nearest record the larger ball reaches, at least 1.
    t : int
        So many records within it protect each other.

    Returns
    -------
    IsolationTest

    Raises
    ------
    ParameterError
        If c < 1, or t is not a whole number of at least 1.

    Examples
    --------
    The record at 1 is 1 away from 0; four times as far is a second one, at 2, and t = 3 are not.

    >>> from engine import Box, Points
    >>> data = Points([[1.0], [2.0], [9.0]], Box.of([0], [10]))
    >>> found = isolation_test(data, [0.0], c=4.0, t=3)
    >>> found.distance, found.within, found.isolates
    (1.0, 2, True)
    """
    isolation = remembered(data, ("isolation",), lambda: Isolation(data.values))
    place = np.asarray(query, dtype=np.float64)
    found = isolation.verdict(place, c, t)
    nearest = data.values[found.nearest]
    return IsolationTest(place, c, t, nearest, found.distance, found.within, found.isolates)
