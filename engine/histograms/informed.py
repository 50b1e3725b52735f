"""Attacks by those who know some columns of a record already: auxiliary information."""

from __future__ import annotations

import numpy as np

from engine.array_types import Floats
from engine.domain import Box
from engine.errors import ParameterError
from engine.histograms.attacks import ATTACKS, BASELINE, Guessed, centers
from engine.histograms.histogram import Histogram
from engine.histograms.isolation import Isolation
from engine.progress import Progress, each, silent


def informed_guesses(
    attack: str, histogram: Histogram, known: Floats, box: Box, rng: np.random.Generator
) -> tuple[Floats, bool]:
    """Return guesses, shape (size, d), by attackers who know the first columns of a record each.

    Only cells that have records and hold what is known are aimed at; of histograms with noise there may
    be none, and any cell with records does.  The other columns of a guess are those of the attack.

    Parameters
    ----------
    attack : str
        One of `ATTACKS`, or the baseline, which does not look at the histogram.
    histogram : Histogram
    known : ndarray, shape (size, k)
        What each of them knows.
    box : Box
        Public bounds.
    rng : Generator

    Returns
    -------
    guesses : ndarray, shape (size, d)
    aimed : bool
        As of `engine.histograms.attacks.guesses`.

    Raises
    ------
    ParameterError
        If no cell has a count above 0.
    """
    size, k = known.shape
    if attack == BASELINE:
        guessed = box.lower + rng.random((size, box.dimension)) * box.width
        guessed[:, :k] = known
        return guessed, True
    counts = np.clip(histogram.counts, 0, None)
    occupied = np.flatnonzero(counts > 0)
    if not occupied.size:
        raise ParameterError("histogram", "no cell has a count above 0; one with points is needed")
    lower, upper, middles = (
        part[occupied] for part in (histogram.lower, histogram.upper, centers(histogram))
    )
    counts = counts[occupied]
    guessed, aimed = np.empty((size, box.dimension)), True
    for row, facts in enumerate(known):
        possible = np.flatnonzero(((lower[:, :k] <= facts) & (facts <= upper[:, :k])).all(axis=1))
        if not possible.size:
            possible = np.arange(occupied.size)
        if attack == "singleton":
            fewest = possible[counts[possible] == counts[possible].min()]
            aimed &= bool(np.rint(counts[fewest[0]]) == 1)
            possible = fewest
        if attack == "weighted":
            cell = rng.choice(possible, p=counts[possible] / counts[possible].sum())
            guessed[row] = lower[cell] + rng.random(box.dimension) * (upper[cell] - lower[cell])
        else:
            guessed[row] = middles[rng.choice(possible)]
    guessed[:, :k] = known
    return guessed, aimed


def guessed_knowing(
    points: Floats,
    columns: int,
    histogram: Histogram,
    box: Box,
    t: int,
    trials: int,
    rng: np.random.Generator,
    progress: Progress = silent,
) -> Guessed:
    """Draw guesses of all attacks, each about a random record whose first columns are known (private)."""
    known = points[rng.integers(0, len(points), trials), :columns]
    isolation, names = Isolation(points), (BASELINE, *ATTACKS)
    reaches, aimed = {}, {}
    for name, here in zip(names, each(len(names), progress), strict=True):
        drawn, aimed[name] = informed_guesses(name, histogram, known, box, rng)
        reaches[name] = isolation.reaches(drawn, t, here)
    return Guessed(reaches, aimed)
