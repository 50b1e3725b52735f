"""Events that are far more likely on one of two databases: features above or below a threshold."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterator
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from engine.array_types import Bools, Floats, Ints

REFUSES = "whether it refuses"
POSITION = "position on the line of both centers"
COORDINATE = "coordinate "  # and its number, from 1
MAX_UNSCALED = 1e100
"""Larger numbers are scaled before they are multiplied: their squares would overflow."""

DISTANCES = ("the distance from the first center", "the distance from the second center")


def exchanged(feature: str) -> str:
    """Return the name of a feature if both databases are exchanged."""
    return DISTANCES[feature == DISTANCES[0]] if feature in DISTANCES else feature


class Outcomes:
    """Draws from one database, shape (runs,) or (runs, D); refusals are NaN, and beyond every answer."""

    def __init__(self, values: ArrayLike) -> None:
        array = np.asarray(values, dtype=np.float64)
        self.values: Floats = array.reshape(len(array), -1)

    def __len__(self) -> int:
        return len(self.values)

    @property
    def dimension(self) -> int:
        return int(self.values.shape[1])

    def halves(self) -> tuple[Outcomes, Outcomes]:
        """Return the first and the second half; the second is longer for an odd number."""
        half = len(self) // 2
        return Outcomes(self.values[:half]), Outcomes(self.values[half:])

    @cached_property
    def refused(self) -> Bools:
        """Which runs have no answer, shape (runs,)."""
        return np.asarray(np.isnan(self.values).any(axis=1))

    @cached_property
    def refuses(self) -> bool:
        return bool(self.refused.any())

    @cached_property
    def middle(self) -> Floats:
        """The median of each coordinate of the answers, shape (D,); 0 without answers."""
        answers = self.values[~self.refused] if self.refuses else self.values
        middle: Floats = np.median(answers, axis=0) if len(answers) else np.zeros(self.dimension)
        return middle


@dataclasses.dataclass(frozen=True, eq=False)
class Features:
    """Numerical features for the comparison of outcomes, one for each of `names`.

    They are: whether there was an answer; each coordinate; the position between the two centers; and the
    distances from both centers, for noise of different scale at one position.
    """

    first: Outcomes  # centers come from these draws, never from the draws that are judged afterwards
    second: Outcomes

    @cached_property
    def _shrink(self) -> float:
        """A power of two that keeps products of outcomes finite; 1 for all ordinary ones."""
        sides = (self.first, self.second)
        largest = max(float(np.abs(s.values[np.isfinite(s.values)]).max(initial=0.0)) for s in sides)
        return 1.0 if largest <= MAX_UNSCALED else float(2.0 ** -np.ceil(np.log2(largest / MAX_UNSCALED)))

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Names of the features; for a single number, the position is the number itself."""
        if self.first.dimension == 1:
            return (REFUSES, "the value", *DISTANCES)
        coordinates = (f"{COORDINATE}{index + 1}" for index in range(self.first.dimension))
        return (REFUSES, *coordinates, POSITION, *DISTANCES)

    def of(self, outcomes: Outcomes, name: str) -> Floats:
        """Return one feature of outcomes, shape (runs,): inf for a refusal."""
        if name == REFUSES:
            return outcomes.refused.astype(np.float64)
        numbers = self._of_answers(outcomes.values, name)
        return np.where(outcomes.refused, np.inf, numbers) if outcomes.refuses else numbers

    def pairs(self) -> Iterator[tuple[str, Floats, Floats]]:
        """Yield each feature with its values on either side."""
        for name in self.names:
            yield name, self.of(self.first, name), self.of(self.second, name)

    def _of_answers(self, values: Floats, name: str) -> Floats:
        if name == POSITION:
            start, end = self.first.middle * self._shrink, self.second.middle * self._shrink
            away = (values * self._shrink - (start + end) / 2) @ (end - start)
            return np.asarray(away / (np.linalg.norm(end - start) * self._shrink or 1.0))
        if name in DISTANCES:
            middle = (self.first, self.second)[DISTANCES.index(name)].middle
            if values.shape[1] == 1:
                return np.asarray(np.abs(values[:, 0] - middle[0]))
            return np.asarray(np.linalg.norm((values - middle) * self._shrink, axis=1)) / self._shrink
        return values[:, max(0, self.names.index(name) - 1)]


RANK_THRESHOLDS = 400
"""Thresholds to try on either side, between the smallest and the largest value of a feature."""

TAIL_THRESHOLDS = 60
"""Further thresholds at each end, closer and closer to it."""


@dataclasses.dataclass(frozen=True)
class Event:
    """A set of outcomes, chosen by `audit_run`."""

    feature: str  # a name of `Features.names`
    threshold: float
    above: bool  # otherwise at most the threshold
    swapped: bool  # whether it is more likely on the second database

    def describe(self) -> str:
        if self.feature == REFUSES:
            return "it refuses to answer" if self.above else "it answers"
        return f"{self.feature} is {'above' if self.above else 'at most'} {self.threshold:.6g}"

    def exchanged(self) -> Event:
        return dataclasses.replace(self, feature=exchanged(self.feature), swapped=not self.swapped)

    def happens(self, numbers: Floats) -> Bools:
        """Tell for each value of the feature, shape (runs,), whether it is in the event."""
        inside: Bools = numbers > self.threshold if self.above else numbers <= self.threshold
        return inside


@dataclasses.dataclass(frozen=True, eq=False)
class Telling:
    """The most telling events among draws from both databases."""

    features: Features
    event: Event  # with the largest estimated log-ratio; rare events are penalized
    log_ratio: float  # of `event`; minus infinity if none was found
    guess: Event  # with the largest difference of both probabilities: the best guess by a threshold
    variation: float  # this difference, an estimate


def telling_events(first: Outcomes, second: Outcomes, delta: float) -> Telling:
    """Return the events that tell both databases apart best, by ratio and by difference."""
    features = Features(first, second)
    ratio, difference = -math.inf, -math.inf
    event = guess = Event(REFUSES, 0.5, True, False)
    for name, *sides in features.pairs():
        ordered = [np.sort(side) for side in sides]
        thresholds = _thresholds(name, *ordered)
        at_most = [np.searchsorted(side, thresholds, side="right") for side in ordered]
        for above in (False, True):
            p, q = (np.asarray(len(first) - count if above else count) for count in at_most)
            for swapped, (often, rarely) in ((False, (p, q)), (True, (q, p))):
                ratios = _cautious(often, rarely, delta * len(first))
                index = int(np.argmax(ratios))
                if ratios[index] > ratio:
                    ratio = float(ratios[index])
                    event = Event(name, float(thresholds[index]), above, swapped)
                index = int(np.argmax(often - rarely))
                if (often - rarely)[index] > difference:
                    difference = float((often - rarely)[index])
                    guess = Event(name, float(thresholds[index]), above, swapped)
    return Telling(features, event, ratio, guess, difference / len(first))


def _thresholds(name: str, first: Floats, second: Floats) -> Floats:
    """Return values at some ranks of either sorted side."""
    if name == REFUSES:
        return np.array([0.5])
    runs = len(first)
    tail = np.geomspace(1, max(2, runs // RANK_THRESHOLDS), TAIL_THRESHOLDS)
    ranks = np.concatenate([np.linspace(1, runs, RANK_THRESHOLDS), tail, runs - tail])
    places = np.unique(np.clip(np.rint(ranks).astype(np.int64) - 1, 0, runs - 1))
    return np.unique(np.concatenate([first[places], second[places]]))


def _cautious(often: Ints, rarely: Ints, allowed: float) -> Floats:
    """Return log-ratios of counts, reduced by three standard deviations of both counts."""
    low = often - 3 * np.sqrt(np.maximum(often, 1)) - allowed
    high = rarely + 3 * np.sqrt(np.maximum(rarely, 1)) + 1
    return np.where(low > 0, np.log(np.maximum(low, 1e-300) / high), -np.inf)
