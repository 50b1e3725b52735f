"""Attacks on histograms: guesses from a release, with or without knowledge of some columns of a record."""

from __future__ import annotations

import dataclasses

import numpy as np

from engine.array_types import Floats
from engine.domain import Box
from engine.errors import ParameterError
from engine.histograms.choices import ATTACKS, BASELINE
from engine.histograms.enclosing import EnclosingHistogram
from engine.histograms.histogram import Histogram
from engine.histograms.isolation import Isolation, check, is_isolating
from engine.histograms.proportions import CONFIDENCE, Proportion
from engine.progress import Progress, each, parts, silent
from engine.randomness import public_generator

TRIALS = 2000


@dataclasses.dataclass(frozen=True, repr=False)
class Attempt:
    """How often an attack isolates a record, and how often a blind guess does."""

    attack: str  # one of `ATTACKS`
    hits: Proportion  # of the attack, and of as many random guesses; for this database and this histogram
    baseline: Proportion
    # false for "singleton" if no cell holds one point; it then uses cells with the fewest
    aimed: bool = True

    @property
    def advantage(self) -> float:
        """Success rate of the attack minus that of a blind guess: the effect of the release."""
        return self.hits.rate - self.baseline.rate

    def interval(self, confidence: float = CONFIDENCE) -> tuple[float, float]:
        """Return a confidence interval for the advantage (Newcombe 1998)."""
        return self.hits.above(self.baseline, confidence)


def guesses(attack: str, histogram: Histogram, size: int, rng: np.random.Generator) -> tuple[Floats, bool]:
    """Draw `size` guesses, shape (size, d), from a histogram alone; tell whether the attack had a target."""
    if attack not in ATTACKS:
        raise ParameterError("attack", f"'{attack}' is not possible; it must be one of {', '.join(ATTACKS)}")
    counts = np.clip(histogram.counts, 0, None)
    if not counts.any():
        raise ParameterError("histogram", "no cell has a count above 0; one with points is needed")
    source = public_generator(rng)  # guesses depend only on the release
    if attack == "weighted":
        sizes = source.multinomial(size, counts / counts.sum())
        points = histogram.sampled(source, sizes)
        return points, True
    targets = np.flatnonzero(counts > 0)
    aimed = True
    if attack == "singleton":
        single = np.flatnonzero(np.rint(counts) == 1)  # noisy counts are not whole numbers
        aimed = len(single) > 0
        targets = single if aimed else targets[counts[targets] == counts[targets].min()]
    return centers(histogram)[source.choice(targets, size)], aimed


def centers(histogram: Histogram) -> Floats:
    """Return the center of each cell, shape (m, d): the middle of a box, or that of a Voronoi cell."""
    if isinstance(histogram, EnclosingHistogram):
        return histogram.centers
    return histogram.lower + (histogram.upper - histogram.lower) / 2


@dataclasses.dataclass(frozen=True, eq=False)
class Guessed:
    """Guesses of all attacks, and distances of the nearest records: enough for every c and for t up to a
    bound.
    """

    reaches: dict[str, Floats]  # (trials, t): for each attack and the baseline, as in `Isolation.reaches`
    aimed: dict[str, bool]  # as in `Attempt`

    @classmethod
    def against(
        cls,
        isolation: Isolation,
        histogram: Histogram,
        box: Box,
        t: int,
        trials: int,
        rng: np.random.Generator,
        *,
        progress: Progress = silent,
    ) -> Guessed:
        """Draw all guesses and find the t nearest records of each."""
        blind = public_generator(rng).random((trials, box.dimension))
        drawn = {BASELINE: (box.lower + blind * box.width, True)}
        drawn |= {attack: guesses(attack, histogram, trials, rng) for attack in ATTACKS}
        reaches = {
            name: isolation.reaches(points, t, here)
            for (name, (points, _)), here in zip(drawn.items(), parts(len(drawn), progress), strict=True)
        }
        return cls(reaches, {name: aimed for name, (_, aimed) in drawn.items()})

    def attempts(self, c: float, t: int) -> list[Attempt]:
        """Return the results of all attacks for one c and one t."""
        check(c, t)
        hits = {
            name: Proportion(int(is_isolating(reaches, c, t).sum()), len(reaches))
            for name, reaches in self.reaches.items()
        }
        return [Attempt(name, hits[name], hits[BASELINE], self.aimed[name]) for name in ATTACKS]


def guess_informed(
    attack: str, histogram: Histogram, known: Floats, box: Box, rng: np.random.Generator
) -> tuple[Floats, bool]:
    """Return guesses, shape (size, d), by attackers who each know the first columns of a record.

    The guesses use only cells that have records and match the known columns.  A noisy histogram may have
    none; then any cell with records is used.  The other columns of a guess follow the attack.

    `known`, shape (size, k), holds the known columns of each attacker; `BASELINE` ignores the histogram.  The
    second result is as in `guesses`.  `ParameterError` if no cell has a count above 0.
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


def guess_knowing(
    points: Floats,
    columns: int,
    histogram: Histogram,
    box: Box,
    t: int,
    trials: int,
    rng: np.random.Generator,
    *,
    progress: Progress = silent,
) -> Guessed:
    """Draw guesses of all attacks, each about a random record whose first columns are known (private)."""
    known = points[rng.integers(0, len(points), trials), :columns]
    isolation, names = Isolation(points), (BASELINE, *ATTACKS)
    reaches, aimed = {}, {}
    for name, here in zip(names, each(len(names), progress), strict=True):
        drawn, aimed[name] = guess_informed(name, histogram, known, box, rng)
        reaches[name] = isolation.reaches(drawn, t, here)
    return Guessed(reaches, aimed)
