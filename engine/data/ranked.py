"""Values by rank of records that can be passed over: what samples in memory and in files have in common."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from functools import partial
from typing import Any, TypeVar

import numpy as np

from engine.array_types import Floats, Ints
from engine.data.rank_runs import RankRun, chunks, ties_of
from engine.domain import Interval
from engine.sampling.sums import exact_sum
from engine.shown import ShownDatabase

FoundT = TypeVar("FoundT")

_MAX_SORTED = 1 << 16
"""So many values are not put in order to be added."""

_MAX_FRACTIONS = 4
"""Values that are added as fractions, one after the other."""

_KEPT_RUNS = 7
"""Runs of ranks that are remembered beside the newest."""


class RankedRecords(ShownDatabase, ABC):
    """n values, clamped to a public interval, of which runs of ranks can be found."""

    _domain: Interval
    _runs: tuple[RankRun, ...] = ()

    @property
    @abstractmethod
    def n(self) -> int:
        """Number of records (public)."""

    @abstractmethod
    def _run(self, first: int, last: int) -> RankRun:
        """Return a run of the values, not clamped, that covers the ranks."""

    @abstractmethod
    def found_in_parts(self, examine: Callable[[Floats], FoundT]) -> Iterator[FoundT]:
        """Yield what a function finds in parts of the clamped values, all of them together."""

    @property
    def most_ranks(self) -> int | None:
        """How many ranks are best asked for at once, at most (public); None for all."""
        return None

    @property
    def domain(self) -> Interval:
        """The public interval to which the values are clamped."""
        return self._domain

    @property
    def resolution(self) -> float | None:
        """The public step to which results are rounded, if one is declared."""
        return self._domain.resolution

    @property
    def records(self) -> int:
        """Number of records (public)."""
        return self.n

    @property
    def facts(self) -> Mapping[str, Any]:
        """The public bounds and the resolution."""
        return self._domain.facts

    def ranks(self, first: int, last: int) -> Floats:
        """Return the clamped values at the ranks `first` to `last`, in order.

        Ranks count from 1; those below 1 hold L, those above n hold U.  Costs one pass
        over the data and a sort of a few per cent of it, and nothing when a run of
        ranks asked for before covers them.
        """
        for run in self._runs:
            if run.covers(first, last):
                return run.ranks(first, last)
        low, high = min(max(first, 1), self.n), min(max(last, 1), self.n)
        inside = self._inside(low, high)
        before = np.full(max(0, min(0, last) - first + 1), self.domain.lower)
        after = np.full(max(0, last - max(first, self.n + 1) + 1), self.domain.upper)
        if len(before) + len(after) == last - first + 1:
            return np.concatenate([before, after])
        return np.concatenate([before, inside, after]) if len(before) + len(after) else inside

    def ties(self, first: int, last: int) -> tuple[Floats, Ints]:
        """Return the different values at the ranks `first` to `last`, sorted, and how often each is there."""
        return ties_of(self.ranks(first, last))

    def total(self, first: int, last: int) -> Fraction:
        """Return the sum of the clamped values at the ranks `first` to `last`, exactly.

        For an inner window the values strictly between its ends are summed and the ends
        added as often as their ties fall inside.
        """
        if 0 <= last - first < _MAX_FRACTIONS:
            # not only quicker: how long `exact_sum` takes tells a 0 from other values
            return sum(map(Fraction, self.ranks(first, last).tolist()), Fraction(0))
        if (first, last) == (1, self.n):
            return sum(self.found_in_parts(exact_sum), Fraction(0))
        if last - first < _MAX_SORTED:
            return exact_sum(self.ranks(first, last))
        low, high = (Fraction(float(self.ranks(rank, rank)[0])) for rank in (first, last))
        if low == high:
            return low * (last - first + 1)
        sums = self.found_in_parts(partial(_sum_inside, float(low), float(high)))
        between, at_most_low, below_high = map(sum, zip(*sums, strict=True))
        return between + low * (at_most_low - first + 1) + high * (last - below_high)

    def _inside(self, first: int, last: int) -> Floats:
        for run in self._runs:
            if run.covers(first, last):
                return run.ranks(first, last)
        new = self._run(first, last).clamped(self.domain)
        # a wider run replaces those that it covers
        kept = tuple(run for run in self._runs if not new.covers(run.first, run.last))
        self._runs = (*kept[-_KEPT_RUNS:], new)
        return new.ranks(first, last)


def _sum_inside(low: float, high: float, values: Floats) -> tuple[Fraction, int, int]:
    """Return the sum of the values between, how many are at most `low`, and how many below `high`."""
    between, at_most_low, below_high = Fraction(0), 0, 0
    for chunk in chunks(values):
        above, below = chunk > low, chunk < high
        at_most_low += chunk.size - int(np.count_nonzero(above))
        below_high += int(np.count_nonzero(below))
        between += exact_sum(chunk[above & below])
    return between, at_most_low, below_high
