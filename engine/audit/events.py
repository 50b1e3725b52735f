"""Events of which two databases could make one far likelier: a feature above or at most a threshold."""

from __future__ import annotations

import dataclasses
import math

import numpy as np

from engine.array_types import Bools, Floats, Ints
from engine.audit.features import REFUSES, Features, Outcomes

RANKS = 400
"""Thresholds that are tried between the smallest and the largest number of a feature, on either side."""

TAIL = 60
"""Further ones at each end, nearer and nearer to it."""


@dataclasses.dataclass(frozen=True)
class Event:
    """A set of outcomes, chosen by `audit_run`.

    Attributes
    ----------
    feature : str
        What is looked at, in words.
    threshold : float
    above : bool
        Whether outcomes above the threshold belong to it, or those at most there.
    swapped : bool
        Whether it is likelier on the second database.
    """

    feature: str
    threshold: float
    above: bool
    swapped: bool

    def words(self) -> str:
        """Say what happens."""
        if self.feature == REFUSES:
            return "it refuses to answer" if self.above else "it answers"
        return f"{self.feature} is {'above' if self.above else 'at most'} {self.threshold:.6g}"

    def happens(self, numbers: Floats) -> Bools:
        """Tell for each number of the feature, shape (runs,), whether it is in the event."""
        inside: Bools = numbers > self.threshold if self.above else numbers <= self.threshold
        return inside


def telling_event(first: Outcomes, second: Outcomes, delta: float) -> tuple[Event, Features]:
    """Return the event whose estimated log-ratio is largest, rare events held back.

    Parameters
    ----------
    first, second : Outcomes
        As many on either side.  What is learnt from them must be judged on others.
    delta : float
        What the promise allows beside the ratio.
    """
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
                place = int(np.argmax(ratios))
                if ratios[place] > best:
                    best = float(ratios[place])
                    chosen = Event(name, float(thresholds[place]), above, swapped)
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
