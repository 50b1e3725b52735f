"""Events that are far likelier on one of two databases: features of outcomes above or below a threshold."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterator
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from engine.array_types import Bools, Floats, Ints

REFUSES = "whether it refuses"
POSITION = "the position on the line through both middles"
HUGE = 1e100
"""Numbers beyond this are shrunk before they are multiplied: squares of larger ones are infinite."""

DISTANCES = ("the distance from the first middle", "the distance from the second middle")


class Outcomes:
    """Draws from one database, shape (runs,) or (runs, D); a refusal is NaN, and beyond every answer."""

    def __init__(self, values: ArrayLike) -> None:
        array = np.asarray(values, dtype=np.float64)
        self.values: Floats = array.reshape(len(array), -1)

    def __len__(self) -> int:
        return len(self.values)

    @property
    def dimension(self) -> int:
        return int(self.values.shape[1])

    def halves(self) -> tuple[Outcomes, Outcomes]:
        """Return the first half, and the second, which for an odd number is the longer one."""
        half = len(self) // 2
        return Outcomes(self.values[:half]), Outcomes(self.values[half:])

    @cached_property
    def refused(self) -> Bools:
        """Where there is no answer, shape (runs,)."""
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
    """The numbers by which outcomes are compared, one for each of `names`.

    Whether there was an answer; each coordinate; the position between the middles of the two
    sides; and the distances from both middles, for noise of different size at one place.
    """

    first: Outcomes  # the middles come from these, never from the draws that are judged afterwards
    second: Outcomes

    @cached_property
    def _shrink(self) -> float:
        """A factor, a power of two, that keeps products of outcomes finite; 1 for all ordinary ones."""
        sides = (self.first, self.second)
        largest = max(float(np.abs(s.values[np.isfinite(s.values)]).max(initial=0.0)) for s in sides)
        return 1.0 if largest <= HUGE else float(2.0 ** -np.ceil(np.log2(largest / HUGE)))

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Say what each is; of a single number the position is the number itself."""
        dimension = self.first.dimension
        if dimension == 1:
            return (REFUSES, "the value", *DISTANCES)
        coordinates = (f"coordinate {index + 1}" for index in range(dimension))
        return (REFUSES, *coordinates, POSITION, *DISTANCES)

    def of(self, outcomes: Outcomes, name: str) -> Floats:
        """Return one feature of outcomes, shape (runs,): inf for a refusal."""
        if name == REFUSES:
            return outcomes.refused.astype(np.float64)
        numbers = self._of_answers(outcomes.values, name)
        return np.where(outcomes.refused, np.inf, numbers) if outcomes.refuses else numbers

    def pairs(self) -> Iterator[tuple[str, Floats, Floats]]:
        """Yield each feature with its numbers on either side."""
        for name in self.names:
            yield name, self.of(self.first, name), self.of(self.second, name)

    def _of_answers(self, values: Floats, name: str) -> Floats:
        if name == POSITION:
            first, second = (side.middle * self._shrink for side in (self.first, self.second))
            return np.asarray((values * self._shrink) @ (first - second))
        if name in DISTANCES:
            middle = (self.first, self.second)[DISTANCES.index(name)].middle
            if values.shape[1] == 1:
                return np.asarray(np.abs(values[:, 0] - middle[0]))
            return np.asarray(np.linalg.norm((values - middle) * self._shrink, axis=1)) / self._shrink
        return values[:, max(0, self.names.index(name) - 1)]


RANKS = 400
"""Thresholds that are tried between the smallest and the largest number of a feature, on either side."""

TAIL = 60
"""Further ones at each end, nearer and nearer to it."""


@dataclasses.dataclass(frozen=True)
class Event:
    """A set of outcomes, chosen by `audit_run`."""

    feature: str  # in words, as `Features.names` has it
    threshold: float
    above: bool  # or at most at the threshold
    swapped: bool  # whether it is likelier on the second database

    def describe(self) -> str:
        if self.feature == REFUSES:
            return "it refuses to answer" if self.above else "it answers"
        return f"{self.feature} is {'above' if self.above else 'at most'} {self.threshold:.6g}"

    def happens(self, numbers: Floats) -> Bools:
        """Tell for each number of the feature, shape (runs,), whether it is in the event."""
        inside: Bools = numbers > self.threshold if self.above else numbers <= self.threshold
        return inside


def telling_event(first: Outcomes, second: Outcomes, delta: float) -> tuple[Event, Features]:
    """Return the event whose estimated log-ratio is largest, rare events held back."""
    features = Features(first, second)
    best, chosen = -math.inf, Event(REFUSES, 0.5, True, False)
    for name, *sides in features.pairs():
        ordered = [np.sort(side) for side in sides]
        thresholds = _thresholds(name, *ordered)
        at_most = [np.searchsorted(side, thresholds, side="right") for side in ordered]
        for above in (False, True):
            p, q = (np.asarray(len(first) - count if above else count) for count in at_most)
            for swapped, (often, rarely) in ((False, (p, q)), (True, (q, p))):
                ratios = _cautious(often, rarely, delta * len(first))
                index = int(np.argmax(ratios))
                if ratios[index] > best:
                    best = float(ratios[index])
                    chosen = Event(name, float(thresholds[index]), above, swapped)
    return chosen, features


def _thresholds(name: str, first: Floats, second: Floats) -> Floats:
    """Return numbers at some ranks of either side, which are sorted."""
    if name == REFUSES:
        return np.array([0.5])
    runs = len(first)
    tail = np.geomspace(1, max(2, runs // RANKS), TAIL)
    ranks = np.concatenate([np.linspace(1, runs, RANKS), tail, runs - tail])
    places = np.unique(np.clip(np.rint(ranks).astype(np.int64) - 1, 0, runs - 1))
    return np.unique(np.concatenate([first[places], second[places]]))


def _cautious(often: Ints, rarely: Ints, allowed: float) -> Floats:
    """Return log-ratios of counts, three standard deviations of both counts against the event."""
    low = often - 3 * np.sqrt(np.maximum(often, 1)) - allowed
    high = rarely + 3 * np.sqrt(np.maximum(rarely, 1)) + 1
    return np.where(low > 0, np.log(np.maximum(low, 1e-300) / high), -np.inf)
