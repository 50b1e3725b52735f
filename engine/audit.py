"""An empirical lower bound on epsilon, from what a mechanism draws on two neighbours.

The first half of the draws chooses an event and a direction, the second half bounds its two
probabilities: p from below and q from above (Clopper and Pearson 1934), so that with
probability 1 - eta

    epsilon >= ln((p - delta)/q).

A bound above the promised epsilon is a violation; one below proves nothing.
"""

from __future__ import annotations

import dataclasses
import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from engine.errors import ParameterError
from engine.mechanisms.base import DataT, Mechanism
from engine.privacy import Privacy
from engine.progress import Progress, part, silent
from engine.randomness import reproducible

_Floats = NDArray[np.float64]

THRESHOLDS = 400
"""Events that are tried for each feature: one above and one below each threshold."""

FEWEST = 1000
"""Draws on each side below which no bound is worth its name."""


@dataclasses.dataclass(frozen=True)
class Audit:
    """What an audit found.

    Attributes
    ----------
    privacy : Privacy
        What was promised.
    epsilon_lower_bound : float
        With the stated confidence, epsilon is at least this; 0 where nothing was found.
    confidence : float
    runs : int
        Draws on each side.
    event : str
        The event, in words.
    """

    privacy: Privacy
    epsilon_lower_bound: float
    confidence: float
    runs: int
    event: str

    @property
    def violated(self) -> bool:
        """Whether the promise is refuted."""
        return self.epsilon_lower_bound > self.privacy.epsilon

    @property
    def verdict(self) -> str:
        """Return "violated" or "consistent"."""
        return "violated" if self.violated else "consistent"


@dataclasses.dataclass(frozen=True)
class _Event:
    """A set of outcomes: a feature above or at most a threshold."""

    feature: int
    threshold: float
    above: bool
    swapped: bool


def audit(drawn: ArrayLike, neighbour: ArrayLike, privacy: Privacy, confidence: float = 0.999) -> Audit:
    """Return a lower bound on epsilon from draws on a database and on a neighbour.

    Parameters
    ----------
    drawn, neighbour : array_like, shape (runs,) or (runs, D)
        Independent outcomes on either; NaN where the mechanism refused to answer.
    privacy : Privacy
        What is promised; its delta enters the bound.
    confidence : float
        Probability with which the bound holds, 1 - eta.

    Raises
    ------
    ParameterError
        If there are fewer than 1,000 draws or not as many on either side.
    """
    first, second = (_rows(values) for values in (drawn, neighbour))
    runs = len(first)
    if runs != len(second) or runs < FEWEST:
        raise ParameterError(
            "runs",
            f"{runs:,} and {len(second):,} draws are not possible; give as many on both sides, "
            f"at least {FEWEST:,}",
        )
    half = runs // 2
    reference = first[:half], second[:half]
    event = _choose(_features(first[:half], reference), _features(second[:half], reference), privacy.delta)
    inside = [
        int(np.count_nonzero(_happens(event, _features(side[half:], reference)))) for side in (first, second)
    ]
    often, rarely = (inside[1], inside[0]) if event.swapped else (inside[0], inside[1])
    bound = _bound(often, rarely, runs - half, privacy.delta, 1 - confidence)
    return Audit(privacy, bound, confidence, runs, _words(event, first.shape[1]))


def audit_mechanism(
    mechanism: Mechanism[DataT],
    data: DataT,
    neighbour: DataT,
    privacy: Privacy,
    runs: int,
    seed: int,
    *,
    confidence: float = 0.999,
    progress: Progress = silent,
) -> Audit:
    """Run a mechanism on two neighbours and audit what it would release (reproducible, no release)."""
    rng, drawn = reproducible(seed), []
    for place, database in enumerate((data, neighbour)):
        ready = mechanism.prepare(database, privacy, part(progress, place / 2, place / 2 + 0.1))
        values = []
        for start in range(0, runs, ready.at_once):
            size = min(ready.at_once, runs - start)
            ends = (place / 2 + 0.1 + 0.4 * done / runs for done in (start, start + size))
            here = part(progress, *ends)
            here(0.0, "simulated releases")
            values.append(mechanism.shaped(ready.draw(rng, size, here), database.domain))
        drawn.append(np.concatenate(values))
    return audit(drawn[0], drawn[1], privacy, confidence)


def _rows(values: ArrayLike) -> _Floats:
    array = np.asarray(values, dtype=np.float64)
    return array.reshape(len(array), -1)


def _features(values: _Floats, reference: tuple[_Floats, _Floats]) -> _Floats:
    """Return numbers that tell the two sides apart, shape (features, runs).

    Whether there was an answer; each coordinate; the position between the middles of the two
    sides; and the distances from both middles, for noise of different size at one place.
    """
    refused: NDArray[np.bool_] = np.asarray(np.isnan(values).any(axis=1))
    filled = np.where(refused[:, None], 0.0, values)
    middles = [np.nanmedian(np.where(np.isnan(side), 0.0, side), axis=0) for side in reference]
    rows = [refused.astype(np.float64), *filled.T, filled @ (middles[0] - middles[1])]
    rows += [np.linalg.norm(filled - middle, axis=1) for middle in middles]
    features: _Floats = np.stack(rows)
    # a refusal is an outcome of its own, beyond every answer
    features[1:, refused] = np.inf
    return features


def _choose(first: _Floats, second: _Floats, delta: float) -> _Event:
    """Return the event whose estimated log-ratio is largest, rare events held back."""
    best, chosen = -math.inf, _Event(0, 0.5, True, False)
    runs = first.shape[1]
    for feature, (x, y) in enumerate(zip(first, second, strict=True)):
        pooled = np.concatenate([x, y])
        thresholds = np.unique(np.quantile(pooled, np.linspace(0, 1, THRESHOLDS), method="nearest"))
        counts = [np.searchsorted(np.sort(side), thresholds, side="right") for side in (x, y)]
        for above in (False, True):
            p, q = (np.asarray(runs - count if above else count) for count in counts)
            for swapped, (often, rarely) in ((False, (p, q)), (True, (q, p))):
                # three standard deviations of both counts against the event
                low = often - 3 * np.sqrt(np.maximum(often, 1)) - delta * runs
                high = rarely + 3 * np.sqrt(np.maximum(rarely, 1)) + 1
                with np.errstate(invalid="ignore", divide="ignore"):
                    ratio = np.where(low > 0, np.log(np.maximum(low, 1e-300) / high), -np.inf)
                place = int(np.argmax(ratio))
                if ratio[place] > best:
                    best, chosen = (
                        float(ratio[place]),
                        _Event(feature, float(thresholds[place]), above, swapped),
                    )
    return chosen


def _happens(event: _Event, features: _Floats) -> NDArray[np.bool_]:
    values = features[event.feature]
    result: NDArray[np.bool_] = values > event.threshold if event.above else values <= event.threshold
    return result


def _bound(often: int, rarely: int, runs: int, delta: float, eta: float) -> float:
    """Return ln((p - delta)/q) with p from below and q from above, each at eta/2."""
    from scipy.special import betaincinv

    low = 0.0 if often == 0 else float(betaincinv(often, runs - often + 1, eta / 2))
    high = 1.0 if rarely == runs else float(betaincinv(rarely + 1, runs - rarely, 1 - eta / 2))
    return max(0.0, math.log((low - delta) / high)) if low > delta else 0.0


def _words(event: _Event, dimension: int) -> str:
    coordinates = ["the value"] if dimension == 1 else [f"coordinate {i + 1}" for i in range(dimension)]
    names = [
        "whether it refuses",
        *coordinates,
        "the position on the line through both middles",
        "the distance from the first middle",
        "the distance from the second middle",
    ]
    return f"{names[event.feature]} is {'above' if event.above else 'at most'} {event.threshold:.6g}"
