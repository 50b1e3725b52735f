"""A sample whose values stay in a file: the same ranks and sums as in memory, by passing over it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import NoReturn

import numpy as np

from engine.data.rank_runs import RankRun
from engine.data.ranked import RankedRecords
from engine.data.stored.column import StoredColumn
from engine.data.stored.passes import (
    DIGITS,
    Floats,
    Inside,
    Narrowed,
    assembled,
    binned,
    examined,
    number_of,
    reached,
)
from engine.domain import Interval
from engine.errors import DataError
from engine.numerals import grouped
from engine.progress import Progress, silent

PIVOTS = 1 << 20
"""Size of the random sample that brackets a run of ranks, at most."""

SHARE = 50
"""One of so many pieces is sampled, but at least `LEAST` of them."""

LEAST = 4
MOST = 1 << 23
"""Values that are held in memory at once."""


class StoredSample(RankedRecords):
    """The values of a column in a file, clamped to a public interval.

    Records without a value must not be there, or are dropped.

    Parameters
    ----------
    column : StoredColumn
    domain : Interval
        Public bounds.
    missing : {"refuse", "drop"}
    progress : Progress
        Hears of every pass over the file.

    Raises
    ------
    DataError
        If there is no value, or one is missing and that is refused.  A value that is not finite is found
        by the first pass.

    Notes
    -----
    A random sample of a few pieces brackets the ranks; one pass by several threads counts what lies below
    the bracket and collects what lies inside, as in `engine.data.rank_runs`.  Pieces of which the file
    says that they lie outside are only counted, once all values were seen to be finite.  Where the
    records are sorted or come in groups the sample misleads; the counts show it, and the values at both
    ends are then found for certain, 16 binary digits by each of four passes, before they are collected.
    """

    def __init__(
        self, column: StoredColumn, domain: Interval, missing: str = "refuse", progress: Progress = silent
    ) -> None:
        self._column = column
        self._domain = domain
        self._progress = progress
        self.dropped = column.missing
        if self.dropped and missing == "refuse":
            raise DataError(
                f"the value is missing in {grouped(self.dropped)} of {grouped(column.records)} records; "
                "fill it in, or choose to drop records with missing values",
                source=column.source,
                column=column.name,
            )
        self._n = column.records - self.dropped
        if not self._n:
            raise DataError("there are no values; at least one is needed", source=column.source)
        self._checked = False
        self._outside = 0

    def __reduce__(self) -> tuple[type[StoredSample], tuple[StoredColumn, Interval, str]]:
        """Arrive in another process without what was found here."""
        return StoredSample, (self._column, self._domain, "drop" if self.dropped else "refuse")

    @property
    def n(self) -> int:
        """Number of records (public)."""
        return self._n

    @property
    def outside(self) -> int:
        """Number of records that clamping moves (private)."""
        self.check()
        return self._outside

    def check(self) -> None:
        """Read all values once, unless that was done; `DataError` for one that is not finite."""
        if not self._checked:
            self._pass(np.inf, np.inf)

    def replaced(self, record: int, value: float) -> NoReturn:
        """Refuse: what stays in its file is not changed."""
        raise DataError(
            "records of a file that is not held in memory cannot be replaced; use a part of them",
            source=self._column.source,
        )

    def clamped_parts(self) -> Iterator[Floats]:
        pieces = range(len(self._column.pieces))
        clamp = self._domain.clamp
        yield from self._column.over(
            pieces, lambda values, _: clamp(values), self._progress, f"adding {self._column.source}"
        )

    def _run(self, first: int, last: int) -> RankRun:
        if last - first >= MOST:
            raise DataError(
                f"values at {grouped(last - first + 1)} ranks are wanted at once, which is more "
                "than is held in "
                "memory; choose smooth or global noise, or use a part of the records",
                source=self._column.source,
            )
        lower, upper = self._bracket(first, last)
        found = self._pass(lower, upper)
        run = assembled(found, lower, upper)
        if run.covers(first, last) and found.count <= 2 * MOST:
            return run
        low, high = max(first, 1), min(last, self.n)
        lower, upper = self._values_at(low, high)
        return assembled(self._pass(lower, upper), lower, upper)

    def _bracket(self, first: int, last: int) -> tuple[float, float]:
        """Return two numbers between which the values at the ranks lie very likely; infinite at the ends."""
        lower, upper = self._told_bracket(first, last)
        pieces = self._column.pieces
        near = [place for place, piece in enumerate(pieces) if piece.upper >= lower and piece.lower <= upper]
        size = sum(pieces[place].present for place in near)
        if size <= MOST:
            return lower, upper
        rng = np.random.Generator(np.random.PCG64(self.n))
        count = min(len(near), max(LEAST, len(near) // SHARE))
        places = np.sort(rng.choice(near, count, replace=False)).tolist()
        each = max(1, PIVOTS // count)

        def some(values: Floats, place: int) -> Floats:
            own = np.random.Generator(np.random.PCG64([self.n, place]))
            return values if values.size <= each else values[own.integers(0, values.size, each)]

        sample = np.sort(np.concatenate(list(self._column.over(places, some, silent, ""))))
        pivots = sample.size
        under = sum(piece.present for piece in pieces if piece.upper < lower)
        slack = 3.0 * np.sqrt(pivots) + 1  # 6 standard deviations of a sample quantile
        low = int(np.floor((first - under) / size * pivots - slack))
        high = int(np.ceil((last - under) / size * pivots + slack))
        return (
            max(lower, float(sample[low])) if 0 <= low < pivots else lower,
            min(upper, float(sample[high])) if 0 <= high < pivots else upper,
        )

    def _told_bracket(self, first: int, last: int) -> tuple[float, float]:
        """Return two numbers between which the values lie for certain, by what the file says of pieces."""
        by_upper = sorted((piece.upper, piece.present) for piece in self._column.pieces)
        by_lower = sorted((-piece.lower, piece.present) for piece in self._column.pieces)
        return -reached(by_lower, self.n - first + 1), reached(by_upper, last)

    def _pass(self, lower: float, upper: float) -> Inside:
        """Count and collect by one pass; the first one also checks all values."""
        pieces = self._column.pieces
        if self._checked:
            under = sum(piece.present for piece in pieces if piece.upper < lower)
            places = [
                place
                for place, piece in enumerate(pieces)
                if piece.upper >= lower and piece.lower <= upper and piece.records
            ]
        else:
            under, places = 0, list(range(len(pieces)))
        outsides = [0] * len(pieces)

        def examine(values: Floats, place: int) -> tuple[Floats, tuple[int, int, int]]:
            if not self._checked:
                self._column.check(values, place)
                outsides[place] = self._domain.outside(values)
            return examined(lower, upper, values, place)

        message = f"reading {self._column.source}"
        below, at_lower, at_upper = under, 0, 0
        between: list[Floats] = []
        held = 0
        for part, counts in self._column.over(places, examine, self._progress, message):
            below, at_lower, at_upper = below + counts[0], at_lower + counts[1], at_upper + counts[2]
            held += part.size
            if held <= 2 * MOST:
                between.append(part)
        if not self._checked:
            self._checked, self._outside = True, sum(outsides)
        if held > 2 * MOST:  # too many to be held: the caller narrows the range
            between = [np.empty(2 * MOST + 1)]
        return Inside(tuple(between), below, at_lower, at_upper)

    def _values_at(self, *ranks: int) -> list[float]:
        """Return the values at ranks for certain, 16 binary digits more of each by every pass."""
        found = [Narrowed(rank, 0) for rank in ranks]
        message = f"counting {self._column.source}"
        for shift in range(64 - DIGITS, -1, -DIGITS):
            examine = partial(binned, [each.low for each in found], shift)
            counts = np.zeros((len(found), 1 << DIGITS), np.int64)
            for part in self._column.over(range(len(self._column.pieces)), examine, self._progress, message):
                counts += part
            found = [each.within(part, shift) for each, part in zip(found, counts, strict=True)]
        return [number_of(each.low) for each in found]
