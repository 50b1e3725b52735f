"""Attacks that isolate records with a histogram: one guess, many guesses, rates along t."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence

import numpy as np

from engine.analysis.memory import noise_budget, remembered
from engine.analysis.prepared_histograms import released_histogram, simulated_histogram
from engine.analysis.preparing import MAX_PREPARED
from engine.array_types import Floats
from engine.data.points import Points
from engine.domain import Box
from engine.errors import ParameterError
from engine.findings import Finding
from engine.histograms.attacks import guesses
from engine.histograms.choices import ATTACKS, BASELINE, SWEPT
from engine.histograms.histogram import Histogram
from engine.histograms.isolation import Isolation, single_out
from engine.histograms.isolation_sweeps import SweepPoint, sweep_c, sweep_d, sweep_known, sweep_t
from engine.histograms.proportions import CONFIDENCE, Proportion
from engine.mechanisms.histograms.base import HistogramMechanism, sanitize_with
from engine.mechanisms.release import Release
from engine.privacy import Privacy, PrivacyLike, as_privacy
from engine.progress import Progress, Publish, each, part, parts, silent, unpublished
from engine.randomness import reproducible
from engine.shown import ShownInALine

CORNER = 0.1
"""Initial position of the query point, in shares of the bounds: public."""


@dataclasses.dataclass(frozen=True, eq=False)
class IsolationGuess:
    """A guess from public facts or a release alone: see `isolation_guess`."""

    query: Floats  # shape (d,); q
    # False for the attack "singleton" if no cell holds a single point; it then takes one with the fewest
    aimed: bool = True


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class IsolationTest(ShownInALine):
    """Whether a guess isolates a record (private), from `isolation_test`."""

    c: float  # radius of the larger ball, in multiples of δ
    t: int  # this many records within it protect each other
    nearest: Floats  # shape (d,); the record nearest to q
    distance: float  # δ: its distance
    within: Floats  # shape (m, d); the records within c δ of q, including that one
    isolates: bool  # whether these are fewer than t


def isolation_guess(
    histogram: Histogram, box: Box, *, attack: str | None = None, seed: int = 1
) -> IsolationGuess:
    """Guess once, from a histogram alone."""
    if attack is None:
        return IsolationGuess(box.lower + CORNER * box.width)
    rng = reproducible(seed)
    if attack == BASELINE:
        return IsolationGuess(box.lower + rng.random(box.dimension) * box.width)
    [position], aimed = guesses(attack, histogram, 1, rng)
    return IsolationGuess(np.clip(position, box.lower, box.upper), aimed)


def isolation_test(data: Points, query: Sequence[float] | Floats, *, c: float, t: int) -> IsolationTest:
    """Test whether a guess, shape (d,), isolates a record: definition 1.1 of Chawla et al. 2005."""
    isolation = remembered(data, ("isolation",), lambda: Isolation(data.values))
    position = np.asarray(query, dtype=np.float64)
    result = isolation.verdict(position, c, t)
    nearest, within = data.values[result.nearest], data.values[result.within]
    return IsolationTest(c, t, nearest, result.distance, within, result.isolates)


TRIALS = 1_000
"""Number of guesses of each attack."""

FACTORS = (1.0, 1.5, 2.0, 3.0, 4.0, 6.0, 8.0, 12.0, 16.0)
CROWDS = (2, 5, 10, 20, 50, 100, 200)
DIMENSIONS = (1, 2, 3, 4, 5, 6, 8)
UNIFORM_POINTS = 1_000
"""Number of uniform points in each dimension."""

CELL = "cell"
"""The attacker who names the box around a small cell of about one point."""

SINGLING_RUNS, SINGLING_RECORDS = 60, 300
"""Histograms per dimension for singling out a record, and points in each."""

DEFAULT_T = 50
"""Default t for mechanisms without one."""


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class AttackRates(ShownInALine):
    """How often one attack isolates a record, over a sweep (private; NaN if unknown).

    Part of the result of `attack_sweep`.
    """

    attack: str  # one of `engine.histograms.attacks.ATTACKS`, `BASELINE`, or `CELL`
    rates: Floats  # shape (p,); rates of success, 0 to 1
    lower: Floats  # shape (p,); ends of their confidence intervals
    upper: Floats

    @property
    def baseline(self) -> bool:
        """Whether this is the baseline: a guess without the histogram."""
        return self.attack == BASELINE


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class AttackSweep(ShownInALine):
    """Success rates of several attacks (private), from `attack_sweep`."""

    mechanism: HistogramMechanism  # the mechanism of the histograms
    swept: str  # the swept setting
    values: Floats  # shape (p,); values of c, t, d or the number of known columns, increasing
    attacks: tuple[AttackRates, ...]  # the baseline first
    chosen: float  # the chosen value
    confidence: float = CONFIDENCE  # of the intervals

    def findings(self) -> Iterator[Finding]:
        """Yield the swept setting, and the success rate of each attack."""
        yield Finding(f"values of {self.swept}", self.values, public=True)
        for attack in self.attacks:
            yield Finding(f"{attack.attack}: rate of isolation", attack.rates)

    def best(self) -> tuple[AttackRates, AttackRates, int] | None:
        """Return the best attack at the chosen value, the baseline, and the index of the value.

        None while either is unknown.
        """
        result = np.flatnonzero(self.values == self.chosen)
        if not result.size:
            return None
        index = int(result[0])
        known = [attack for attack in self.attacks if not np.isnan(attack.rates[index])]
        blind = next((attack for attack in known if attack.baseline), None)
        others = [attack for attack in known if not attack.baseline]
        if blind is None or not others:
            return None
        return max(others, key=lambda attack: float(attack.rates[index])), blind, index


def isolation_threshold(mechanism: HistogramMechanism) -> int:
    """Return how many points protect each other in the test of isolation: the t of the mechanism."""
    return int(getattr(mechanism, "t", DEFAULT_T))


def attack_sweep(
    mechanism: HistogramMechanism,
    data: Points,
    privacy: PrivacyLike,
    *,
    swept: str = "c",
    c: float = 4.0,
    seed: int = 1,
    released: Release | None = None,
    progress: Progress = silent,
    publish: Publish[AttackSweep] = unpublished,
) -> AttackSweep:
    """Repeat attacks on histograms of the data, at more and more values."""
    privacy = as_privacy(privacy)
    if swept not in SWEPT:
        raise ParameterError("swept", f"'{swept}' is not possible; it must be one of {', '.join(SWEPT)}")
    first, rest = part(progress, 0.0, 0.4), part(progress, 0.4, 1.0)
    if released is None:
        attacked = simulated_histogram(mechanism, data, privacy, seed=seed, progress=first)
    else:
        attacked = released_histogram(released)

    def work() -> AttackSweep:
        return _swept(mechanism, data, privacy, attacked, swept, c, seed=seed, progress=rest, publish=publish)

    key = ("attack sweep", mechanism, noise_budget(mechanism, privacy), attacked, swept, c, seed)
    return remembered(data, key, work, MAX_PREPARED)


def _swept(
    mechanism: HistogramMechanism,
    data: Points,
    privacy: Privacy,
    histogram: Histogram,
    swept: str,
    c: float,
    *,
    seed: int,
    progress: Progress,
    publish: Publish[AttackSweep],
) -> AttackSweep:
    t, rng, box = isolation_threshold(mechanism), reproducible(seed), data.domain
    if swept == "c":
        cs = sorted({*FACTORS, c})
        steps = sweep_c(data.values, histogram, box, cs, t, rng, trials=TRIALS, progress=progress)
        return _sweep(mechanism, swept, cs, steps, c)
    if swept == "known":
        steps = sweep_known(data.values, histogram, box, c, t, rng, trials=TRIALS, progress=progress)
        return _sweep(mechanism, swept, range(box.dimension), steps, box.dimension - 1)
    sanitize = sanitize_with(mechanism, privacy)
    values: Sequence[int] = DIMENSIONS
    if swept == "t":
        values = [crowd for crowd in sorted({*CROWDS, t}) if crowd <= data.n] or [t]
    if swept == "predicates":
        return _singled_out(mechanism, privacy, t, rng, progress=progress, publish=publish)
    steps, match = [], None
    for value, here in zip(values, parts(len(values), progress), strict=True):
        if swept == "d":
            steps += sweep_d(sanitize, [value], UNIFORM_POINTS, c, t, rng, trials=TRIALS, progress=here)
        else:
            steps += sweep_t(data.values, sanitize, box, c, [value], rng, trials=TRIALS, progress=here)
        match = _sweep(mechanism, swept, values, steps, t if swept == "t" else box.dimension)
        publish(match)
    assert match is not None
    return match


def _singled_out(
    mechanism: HistogramMechanism,
    privacy: Privacy,
    t: int,
    rng: np.random.Generator,
    *,
    progress: Progress,
    publish: Publish[AttackSweep],
) -> AttackSweep:
    sanitize, names = sanitize_with(mechanism, privacy), (BASELINE, CELL)
    known = np.full((2, 3, len(DIMENSIONS)), np.nan)
    for index, here in zip(range(len(DIMENSIONS)), each(len(DIMENSIONS), progress), strict=True):
        result = single_out(
            sanitize, DIMENSIONS[index], SINGLING_RECORDS, t, SINGLING_RUNS, rng, progress=here
        )
        known[0, :, index] = result.chance
        known[1, :, index] = result.hits.rate, *result.hits.interval()
        rates = tuple(AttackRates(name, *part) for name, part in zip(names, known.copy(), strict=True))
        sweep = AttackSweep(mechanism, "predicates", np.array(DIMENSIONS, float), rates, DIMENSIONS[-1])
        publish(sweep)
    return sweep


def _sweep(
    mechanism: HistogramMechanism,
    swept: str,
    values: Sequence[float],
    steps: Sequence[SweepPoint],
    chosen: float,
) -> AttackSweep:
    missing = [np.nan] * (len(values) - len(steps))
    rates = tuple(_rates(name, steps, missing) for name in (BASELINE, *ATTACKS))
    return AttackSweep(mechanism, swept, np.array(values, dtype=np.float64), rates, chosen)


def _rates(name: str, steps: Sequence[SweepPoint], missing: list[float]) -> AttackRates:
    hits = [_hits(step, name) for step in steps]
    ends = np.array([hit.interval() for hit in hits]).reshape(-1, 2)
    return AttackRates(
        name,
        np.array([hit.rate for hit in hits] + missing),
        np.append(ends[:, 0], missing),
        np.append(ends[:, 1], missing),
    )


def _hits(step: SweepPoint, name: str) -> Proportion:
    named = (attempt.hits for attempt in step.attempts if attempt.attack == name)
    return step.attempts[0].baseline if name == BASELINE else next(named)
