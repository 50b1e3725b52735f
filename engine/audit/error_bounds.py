"""How well an attacker can distinguish two neighbours, and the limit that differential privacy sets.

`bound` has the formula.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from engine.array_types import Floats
from engine.audit.bounding import AuditRun
from engine.privacy import Privacy

POINTS = 400
"""Number of thresholds for the curve."""


def trade_off(run: AuditRun) -> tuple[Floats, Floats]:
    """Return the best tests that compare the event's feature with a threshold.

    Tests may be randomized, so that the curve is convex.  It is an estimate from the judged runs (private if
    a database is).
    """
    first, second = np.sort(run.first), np.sort(run.second)
    places = np.unique(np.linspace(0, run.judged - 1, POINTS).astype(np.int64))
    thresholds = np.unique(np.concatenate([first[places], second[places]]))
    low, low_too = (np.searchsorted(side, thresholds, side="right") / run.judged for side in (first, second))
    # the test names the neighbour above the threshold, or up to it
    alarms = np.concatenate([[0.0, 1.0], 1 - low, low])
    misses = np.concatenate([[1.0, 0.0], low_too, 1 - low_too])
    return _lower_hull(alarms, misses)


def bound(privacy: Privacy, false_alarm: ArrayLike) -> Floats:
    """Return the smallest possible rate of misses for these rates of false alarms.

    A test sees a release and may say "it was the neighbour".  This is a false alarm for the first database;
    if the test does not say so for the neighbour, it misses.  Every test on an (epsilon, delta)-private
    release satisfies

        missed >= max(0, 1 - delta - e^epsilon false alarms, e^-epsilon (1 - delta - false alarms)).

    Source: Wasserman and Zhou 2010; Kairouz, Oh, Viswanath 2015, Theorem 2.1.
    """
    alarms = np.asarray(false_alarm, dtype=np.float64)
    rest = 1 - privacy.delta
    with np.errstate(over="ignore", invalid="ignore"):
        steep = rest - np.where(alarms > 0, np.exp(privacy.epsilon) * alarms, 0.0)
        flat = np.exp(-privacy.epsilon) * (rest - alarms)
    missed: Floats = np.maximum(0.0, np.maximum(steep, flat))
    return missed


def posterior(prior: ArrayLike, epsilon: float) -> tuple[Floats, Floats]:
    """Return the range of posterior probabilities after any release.

    For delta = 0: the odds change by a factor of at most e^epsilon.
    """
    before = np.asarray(prior, dtype=np.float64)
    less = before * np.exp(-epsilon)
    # odds in a form that allows an infinite epsilon
    high = np.where(before > 0, before / (before + np.exp(-epsilon) * (1 - before) + (before == 0)), 0.0)
    low = np.where(before < 1, less / (less + (1 - before) + (before == 1)), 1.0)
    return low, high


def _lower_hull(x: Floats, y: Floats) -> tuple[Floats, Floats]:
    """Return the lower convex hull of points, by increasing x (Andrew 1979)."""
    order = np.lexsort((y, x))
    hull: list[tuple[float, float]] = []
    for point in zip(x[order].tolist(), y[order].tolist(), strict=True):
        while len(hull) > 1 and _turns_up(hull[-2], hull[-1], point) <= 0:
            hull.pop()
        if not hull or point[0] > hull[-1][0]:
            hull.append(point)
    alarms, misses = np.array(hull).T
    return alarms, misses


def _turns_up(a: tuple[float, float], b: tuple[float, float], c: tuple[float, float]) -> float:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
