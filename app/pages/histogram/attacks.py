"""Attacks on histograms, as the page shows them; made in a worker, and private but for the guesses."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from app.model.wording.numbers import number
from app.plots.histogram.chart_view import AttackRates, IsolationRatesView
from engine.data.points import Points
from engine.domain import Box
from engine.histograms.attacks import ATTACKS, BASELINE, guesses
from engine.histograms.histogram import Histogram
from engine.histograms.isolation_sweeps import Sanitize, SweepPoint, sweep_c, sweep_d, sweep_t
from engine.histograms.proportions import CONFIDENCE
from engine.mechanisms.histograms.base import HistogramMechanism
from engine.privacy import Privacy
from engine.progress import Progress, part
from engine.randomness import reproducible

TRIALS = 1_000
"""Guesses of each attack."""

NAMES = {
    BASELINE: "uniform guess",
    "occupied": "center of a cell",
    "singleton": "center of a small cell",
    "weighted": "weighted point",
}
"""What attacks are called."""

SWEPT = {
    "c": "how far c δ reaches",
    "t": "how many points t protect",
    "d": "dimensions d of even points",
}
FACTORS = (1.0, 1.5, 2.0, 3.0, 4.0, 6.0, 8.0, 12.0, 16.0)
CROWDS = (2, 5, 10, 20, 50, 100, 200)
DIMENSIONS = (1, 2, 3, 4, 5, 6, 8)
EVEN = 1_000
"""Points of each dimension."""

T = 50
"""Of a mechanism that has none."""

Floats = NDArray[np.float64]


@dataclasses.dataclass(frozen=True)
class AttackAim:
    """Where an attack has put the query point, and what is to be said about it."""

    query: tuple[float, ...]
    words: str


def threshold(mechanism: Any) -> int:
    """Return the t of the test."""
    return int(getattr(mechanism, "t", T))


def aimed(attack: str, seed: int, histogram: Histogram, box: Box) -> AttackAim:
    """Draw one guess, from what is released alone."""
    rng = reproducible(seed)
    if attack == BASELINE:
        place = box.lower + rng.random(box.dimension) * box.width
        return AttackAim(tuple(place.tolist()), "A guess without the histogram.")
    [place], found = guesses(attack, histogram, 1, rng)
    inside = np.clip(place, box.lower, box.upper)
    words = "" if found else "No cell holds a single point: the emptiest of those with points was taken."
    return AttackAim(tuple(inside.tolist()), words)


def swept(
    sweep: str,
    mechanism: HistogramMechanism,
    privacy: Privacy,
    points: Points,
    histogram: Histogram,
    c: float,
    seed: int,
    progress: Progress,
) -> Iterator[IsolationRatesView]:
    """Yield the success of all attacks over more and more values of c, t or d."""
    t, rng = threshold(mechanism), reproducible(seed)
    sanitize, box = mechanism.sanitize_with(privacy), points.domain
    if sweep == "c":
        cs = sorted({*FACTORS, c})
        steps = sweep_c(points.values, histogram, box, cs, t, rng, TRIALS, progress)
        yield view(sweep, cs, steps, c)
        return
    values: Sequence[int] = sorted({*CROWDS, t}) if sweep == "t" else DIMENSIONS
    if sweep == "t":
        values = [crowd for crowd in values if crowd <= points.n] or [t]
    steps = []
    for done, value in enumerate(values):
        here = part(progress, done / len(values), (done + 1) / len(values))
        steps += _one(sweep, value, sanitize, points, c, t, rng, here)
        yield view(sweep, values, steps, t if sweep == "t" else box.dimension)


def _one(
    sweep: str,
    value: int,
    sanitize: Sanitize,
    points: Points,
    c: float,
    t: int,
    rng: np.random.Generator,
    progress: Progress,
) -> list[SweepPoint]:
    if sweep == "d":
        return sweep_d(sanitize, [value], EVEN, c, t, rng, TRIALS, progress)
    return sweep_t(points.values, sanitize, points.domain, c, [value], rng, TRIALS, progress)


def view(
    sweep: str, values: Sequence[float], steps: Sequence[SweepPoint], chosen: float | None
) -> IsolationRatesView:
    """Return rates with their intervals; NaN where nothing is known yet."""
    missing = [np.nan] * (len(values) - len(steps))
    rates = [_rates(name, steps, missing) for name in (BASELINE, *ATTACKS)]
    return IsolationRatesView(
        sweep,
        np.array(values, dtype=np.float64),
        tuple(rates),
        CONFIDENCE,
        None if chosen is None else chosen,
    )


def _rates(name: str, steps: Sequence[SweepPoint], missing: list[float]) -> AttackRates:
    hits = [_hits(step, name) for step in steps]
    ends = np.array([hit.interval() for hit in hits]).reshape(-1, 2)
    return AttackRates(
        NAMES[name],
        np.array([hit.rate for hit in hits] + missing),
        np.append(ends[:, 0], missing),
        np.append(ends[:, 1], missing),
        baseline=name == BASELINE,
    )


def _hits(step: SweepPoint, name: str) -> Any:
    if name == BASELINE:
        return step.attempts[0].baseline
    return next(attempt.hits for attempt in step.attempts if attempt.attack == name)


def advantage_words(rates: IsolationRatesView) -> str:
    """Say what the best attack gains over a blind guess, at the chosen value."""
    if rates.chosen is None or rates.chosen not in rates.values:
        return ""
    place = int(np.flatnonzero(rates.values == rates.chosen)[0])
    known = {attack.label: attack for attack in rates.attacks if not np.isnan(attack.rates[place])}
    blind = next((attack for attack in known.values() if attack.baseline), None)
    others = [attack for attack in known.values() if not attack.baseline]
    if blind is None or not others:
        return ""
    best = max(others, key=lambda attack: float(attack.rates[place]))
    where = f"{rates.swept} = {number(rates.chosen)}"
    gain = float(best.rates[place] - blind.rates[place])
    low, high = best.lower[place], best.upper[place]
    apart = low > blind.upper[place] or high < blind.lower[place]
    tries = (
        f"At {where} the best attack ({best.label}) isolates somebody in {_percent(best.rates[place])} "
        f"of its guesses, a blind guess in {_percent(blind.rates[place])}"
    )
    if not apart:
        return f"{tries}: no advantage that {TRIALS:,} guesses could tell from chance."
    more = "an advantage" if gain > 0 else "a disadvantage"
    return f"{tries}: {more} of {number(100 * abs(gain), 2)} percentage points."


def _percent(rate: float) -> str:
    return f"{number(100 * float(rate), 2)}\N{NO-BREAK SPACE}%"
