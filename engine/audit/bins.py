"""Histograms of a feature of releases from two databases."""

from __future__ import annotations

import dataclasses

import numpy as np
from numpy.typing import ArrayLike

from engine.array_types import Floats
from engine.round_numbers import nice

_MAX_BARS = 12  # largest number of distinct values with a bar each
_BINS = 40
_CUT = 0.002  # largest share of the runs on either side outside the axis at each end
_CUT_TAILS = 0.025  # likewise, if far outliers would compress all others
_HEAVY = 4.0  # ratio of widths from which outliers are left out
_SPANS = 30.0  # ratio of the sides' typical numbers from which the axis is logarithmic
_DEEPEST = 1e-12  # share of the largest; smaller numbers are drawn at the left edge of a logarithmic axis
_REFUSED_GAP = 0.06  # of the width, between numbers and refusals
_WIDE = 0.07  # of the width, for refusals


@dataclasses.dataclass(frozen=True, eq=False)
class AuditBins:
    """Shares of the runs in bins."""

    # positions on the axis, shape (bins + 1,); empty if every run was refused
    edges: Floats
    shares: Floats  # of all runs on the database and on its neighbour, shape (2, bins)
    values: Floats  # the distinct values if they are few: bins are then centered at them
    refused: Floats  # shares of the runs without an answer, shape (2,)
    out: Floats  # shares of the runs outside the axis, shape (2,)
    # 0 for a linear axis; otherwise the start of a logarithmic one, where smaller numbers are drawn
    least: float = 0.0

    @classmethod
    def of(cls, first: Floats, second: Floats, threshold: float, *, trimmed: bool = False) -> AuditBins:
        """Count the runs of both sides; the threshold is an edge, so that no bin is half in the event.

        `trimmed`: leave out the tails, even if they are light.
        """
        sides = [side[np.isfinite(side)] for side in (first, second)]
        sizes = np.array([max(1, first.size), max(1, second.size)])
        refused = 1 - np.array([side.size for side in sides]) / sizes
        pooled = np.concatenate(sides)
        if not pooled.size:
            return cls(np.empty(0), np.empty((2, 0)), np.empty(0), refused, np.zeros(2))
        values = np.unique(pooled) if np.unique(pooled[:1000]).size <= _MAX_BARS else pooled
        if values.size <= _MAX_BARS:
            shares = [(side[:, None] == values).sum(axis=0) for side in sides]
            return cls(_around(values), np.array(shares) / sizes[:, None], values, refused, np.zeros(2))
        least = _least(sides, threshold)
        positions = [_position(side, least) for side in sides]
        edges = _edges(positions, float(_position(threshold, least)), 1.0 if trimmed else _HEAVY)
        shares = [np.histogram(side, edges)[0] for side in positions]
        seen = np.array([counts.sum() for counts in shares])
        out = (np.array([side.size for side in sides]) - seen) / sizes
        return cls(edges, np.array(shares) / sizes[:, None], np.empty(0), refused, out, least)

    def exchanged(self) -> AuditBins:
        shares, refused, out = (one[::-1] for one in (self.shares, self.refused, self.out))
        return dataclasses.replace(self, shares=shares, refused=refused, out=out)

    def positions(self, values: ArrayLike) -> Floats:
        """Return the positions of values on the axis."""
        return _position(values, self.least)

    def value(self, position: float) -> float:
        return float(10.0**position if self.least else position)

    @property
    def refusals(self) -> tuple[float, float]:
        """The edges of a bar for refusals, beyond all numbers."""
        if not self.edges.size:
            return 0.0, 1.0
        width = float(self.edges[-1] - self.edges[0])
        start = float(self.edges[-1]) + _REFUSED_GAP * width
        return start, start + _WIDE * width


def _edges(sides: list[Floats], threshold: float, heavy: float) -> Floats:
    """Return about `_BINS` edges at whole steps from the threshold, which is one of them."""
    wide, narrow = _ends(sides, _CUT), _ends(sides, _CUT_TAILS)
    low, high = narrow if np.ptp(wide) > heavy * np.ptp(narrow) else wide
    low, high = min(low, threshold), max(high, threshold)
    width = high - low or abs(high) or 1.0
    step = nice(width / _BINS, up=True)
    if all((side == np.round(side)).all() for side in sides):
        step = float(np.ceil(step))  # no bin between two whole numbers, which would always be empty
    if threshold > 0 and low < 2 * step and all((side >= 0).all() for side in sides):
        # sizes are never negative: whole bins begin at 0
        count = np.ceil(threshold / step)
        step = threshold / count
        above = np.ceil((high - threshold) / step) + 1
        edges = np.nextafter(threshold, np.inf) + step * np.arange(-count, above + 1)
        edges[0] = 0.0
        return np.asarray(edges)
    below, above = np.ceil((threshold - low) / step) + 1, np.ceil((high - threshold) / step) + 1
    # a bin includes its lower edge, but the threshold belongs to the numbers up to it
    start = np.nextafter(threshold, np.inf)
    return np.asarray(start + step * np.arange(-below, above + 1))


def _ends(sides: list[Floats], cut: float) -> tuple[float, float]:
    """Return the range of both sides' runs, except for a share at each end."""
    ends = np.array([np.quantile(side, [cut, 1 - cut]) for side in sides if side.size])
    return float(ends[:, 0].min()), float(ends[:, 1].max())


def _least(sides: list[Floats], threshold: float) -> float:
    """Return the start of a logarithmic axis; 0 if a linear one shows both sides.

    If the numbers of one side are far smaller, a linear axis would show them as a line at its edge.
    """
    pooled = np.concatenate(sides)
    if pooled.min() < 0 or threshold < 0:
        return 0.0
    high = _ends(sides, _CUT)[1]
    if high <= _SPANS * min(float(np.median(side)) for side in sides if side.size):
        return 0.0
    positive = pooled[pooled > 0]
    # an event of zeros only has its own bin, below all other numbers
    least = float(np.quantile(positive, _CUT) if threshold > 0 else positive.min() / 2)
    return max(min(least, threshold) if threshold > 0 else least, _DEEPEST * high)


def _position(values: ArrayLike, least: float) -> Floats:
    """Return the positions of numbers on a linear axis, or a logarithmic one that starts at `least`."""
    numbers = np.asarray(values, dtype=np.float64)
    return np.log10(np.maximum(numbers, least)) if least else numbers


def _around(values: Floats) -> Floats:
    """Return the edges between values, shape (values + 1,)."""
    if values.size == 1:
        return np.array([values[0] - 0.5, values[0] + 0.5])
    middles = (values[1:] + values[:-1]) / 2
    return np.concatenate([[2 * values[0] - middles[0]], middles, [2 * values[-1] - middles[-1]]])
