"""A sample whose values stay in a file: exact ranks and sums by passes over the file."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import NoReturn, TypeVar

import numpy as np
from numpy.typing import NDArray

from engine.array_types import Floats, Ints
from engine.data.order_statistics import FAR_ENDS, RankedRecords, RankRun, Sample
from engine.domain import BoundsLike, Interval, as_interval
from engine.errors import DataError
from engine.extras.stored.column import StoredColumn, check_statistics, column_stats
from engine.extras.stored.table import StoredPiece
from engine.free_memory import lack_of_memory
from engine.numerals import grouped
from engine.progress import Progress, silent
from engine.shown import ShownInALine

DIGITS = 16
"""Bits of a value that one pass finds, if random sampling did not help."""


@dataclasses.dataclass(frozen=True, repr=False)
class Inside(ShownInALine):
    """Result of one pass: the values inside a bracket, and how many lie below it and at its ends."""

    between: tuple[Floats, ...]
    below: int
    at_lower: int
    at_upper: int

    @property
    def count(self) -> int:
        """The number of values strictly inside."""
        return sum(part.size for part in self.between)


@dataclasses.dataclass(frozen=True, repr=False)
class Narrowed(ShownInALine):
    """The `rank`-th value among those whose keys begin with the bits of `low`."""

    rank: int
    low: int

    def within(self, counts: Ints, shift: int) -> Narrowed:
        """Return the part of that range that holds the value; `counts` are those of all parts."""
        ends = np.cumsum(counts)
        index = int(np.searchsorted(ends, self.rank))
        return Narrowed(self.rank - (int(ends[index - 1]) if index else 0), self.low + (index << shift))


def reached(ends: list[tuple[float, int]], count: int) -> float:
    """Return the end below which at least `count` records lie for certain."""
    sums = np.cumsum([records for _, records in ends])
    index = int(np.searchsorted(sums, count))
    return ends[min(index, len(ends) - 1)][0]


def some(count: int, seed: int, index: int, values: Floats) -> Floats:
    """Return `count` random values, or all if there are no more."""
    own = np.random.Generator(np.random.PCG64([seed, index]))
    return values if values.size <= count else values[own.integers(0, values.size, count)]


def check_and_examine(
    domain: Interval,
    lower: float,
    upper: float,
    piece: StoredPiece,
    source: str,
    name: str,
    values: Floats,
) -> tuple[Floats, tuple[int, ...]]:
    """Check a piece by the file's statistics, then `examine` it; also count values outside the domain."""
    check_statistics(values, piece, source, name)
    result, counts = examine(lower, upper, values)
    return result, (*counts, domain.outside(values))


def examine(lower: float, upper: float, values: Floats) -> tuple[Floats, tuple[int, int, int]]:
    """Return the values strictly inside, and how many are below, at the lower and at the upper end."""
    above, under = values > lower, values < upper
    below = int(np.count_nonzero(values < lower)) if lower > -np.inf else 0
    at_lower = values.size - int(np.count_nonzero(above)) - below
    at_upper = int(np.count_nonzero(values == upper)) if upper > lower and upper < np.inf else 0
    return values[above & under], (below, at_lower, at_upper)


def assemble(result: Inside, lower: float, upper: float) -> RankRun:
    between = np.concatenate([*result.between, np.empty(0)])
    between.sort()
    return RankRun(result.below + 1, between, lower, result.at_lower, upper, result.at_upper)


def count_by_key(lows: list[int], shift: int, values: Floats) -> Ints:
    """Count, for each key prefix, the values with that prefix by the next bits of their keys."""
    keys, whole = _keys(values), shift + DIGITS
    result = np.empty((len(lows), 1 << DIGITS), np.int64)
    for row, low in enumerate(lows):
        inside = keys if whole == 64 else keys[keys >> np.uint64(whole) == np.uint64(low >> whole)]
        digits = (inside >> np.uint64(shift)) & np.uint64((1 << DIGITS) - 1)
        result[row] = np.bincount(digits.astype(np.int64), minlength=1 << DIGITS)
    return result


def _keys(values: Floats) -> NDArray[np.uint64]:
    """Return integers in the order of the values; both zeros have the same key."""
    bits = (values + 0.0).view(np.int64)
    flipped = np.where(bits < 0, ~bits, bits | np.int64(-(1 << 63)))
    return flipped.view(np.uint64)


def number_of(key: int) -> float:
    """Return the value of a key."""
    bits = key & ((1 << 63) - 1) if key >> 63 else ~key & ((1 << 64) - 1)
    result = float(np.array([bits], np.uint64).view(np.float64)[0])
    return result if not np.isnan(result) else float(np.copysign(np.inf, result))


Counts = Ints
Duplicates = tuple[Floats, Counts]
"""Distinct values, sorted, and the number of times that each occurs."""


def count_duplicates(lower: float, upper: float, values: Floats) -> tuple[Floats, Counts, int]:
    """Return the distinct values in a closed range, their counts, and how many values lie below."""
    result, counts = np.unique(values[(values >= lower) & (values <= upper)], return_counts=True)
    return result, counts.astype(np.int64), int(np.count_nonzero(values < lower))


def merge_duplicates(
    parts: Iterable[tuple[Floats, Counts, int]], most: int, ask: Callable[[int], None]
) -> tuple[Duplicates, int]:
    """Merge the results of `count_duplicates` on parts of a column.

    Above `most` distinct values, call `ask` with their number; it raises an error if memory is short.
    """
    whole: Duplicates = np.empty(0), np.empty(0, np.int64)
    waiting: list[Duplicates] = []
    below = held = 0
    for values, counts, under in parts:
        waiting.append((values, counts))
        below, held = below + under, held + values.size
        if held > most:
            whole, waiting, held = _together([whole, *waiting]), [], 0
            if whole[0].size > most:
                ask(whole[0].size)
    return _together([whole, *waiting]), below


def between_ranks(
    result: Duplicates, below: int, first: int, last: int, n: int, domain: Interval
) -> Duplicates:
    """Return the clamped values at the ranks from `first` to `last`, with their counts.

    `result` covers all of these ranks that are in the data, and `below` values lie below it.  Ranks below 1
    hold L, ranks above n hold U.
    """
    values, counts = result
    ends = below + np.cumsum(counts)
    inside = np.minimum(ends, min(last, n)) - np.maximum(ends - counts, max(first, 1) - 1)
    kept = inside > 0
    bounds = np.array([domain.lower]), np.array([domain.upper])
    before, after = max(0, min(last, 0) - first + 1), max(0, last - max(first, n + 1) + 1)
    parts = [
        (bounds[0][:before], np.full(min(before, 1), before)),
        (domain.clamp(values[kept]), inside[kept]),
        (bounds[1][:after], np.full(min(after, 1), after)),
    ]
    return _together(parts)


def _together(parts: list[Duplicates]) -> Duplicates:
    values = np.concatenate([part for part, _ in parts])
    counts = np.concatenate([part for _, part in parts])
    order = np.argsort(values, kind="stable")
    values, counts = values[order], counts[order]
    starts = np.flatnonzero(np.concatenate([[True], values[1:] != values[:-1]])[: values.size])
    return values[starts], np.add.reduceat(counts, starts) if starts.size else counts


FoundT = TypeVar("FoundT")

MAX_SAMPLE = 1 << 20
"""Maximal size of the random sample that brackets a run of ranks."""

PIECES_PER_SAMPLED = 50
"""One in this many pieces is sampled, but at least `MIN_SAMPLED` of them."""

MIN_SAMPLED = 4
MAX_HELD = 1 << 23
"""Values in memory at once without a check for free memory."""

SPARE = 1.25
"""Values between certain bounds, as a multiple of those needed, that spare a random sample."""

WORKING_SIZE = 4
"""Memory for values and the work on them, as a multiple of their size."""


class StoredSample(RankedRecords):
    """The values of a column that stays in its source (`stored_column`), clamped to a public interval.

    Parameters
    ----------
    column : StoredColumn
    domain : Interval or pair of numbers
        Public bounds.
    missing : {"refuse", "drop"}
        Refuse records without a value, or drop them.
    progress : Progress
        Receives every pass over the file.

    Raises
    ------
    DataError
        If there is no value, or a missing one is refused.  The first pass finds a value that is not finite.

    See Also
    --------
    stored_column, Sample

    Notes
    -----
    A random sample of a few pieces brackets the ranks.  One parallel pass counts the values below the bracket
    and collects those inside, as in `engine.data.order_statistics`.  The first pass also checks that all
    values are finite; later ones only count the pieces that lie outside by the file's statistics.

    If records are sorted or grouped, the sample misleads, and the counts show it.  Then four passes find the
    values at both ends for certain, 16 bits each, before the values between are collected.

    Above 2^23 ranks, equal values are only counted (`ties`), and the number of distinct ones is limited by
    memory.
    """

    def __init__(
        self, column: StoredColumn, domain: BoundsLike, missing: str = "refuse", progress: Progress = silent
    ) -> None:
        self._domain = domain = as_interval(domain)
        self._progress = progress
        self._checked = False
        self._outside = 0
        counted = column if column.is_counted else self._with_statistics(column)
        self._column = counted.with_nan_missing(progress) if missing == "drop" else counted
        self.release_problem = column.table.release_problem
        self.dropped = self._column.missing
        if self.dropped and missing == "refuse":
            raise DataError(
                "the value is missing in some records; fill it in, or choose to drop missing values, NaN "
                "among them",
                confidential=f"in {grouped(self.dropped)} of {grouped(column.records)}",
                source=column.source,
                column=column.name,
            )
        self._n = column.records - self.dropped
        if not self._n:
            raise DataError("there are no values; at least one is needed", source=column.source)

    def _with_statistics(self, column: StoredColumn) -> StoredColumn:
        """Return the column with statistics of all pieces, by one pass."""
        result = column_stats(column.table, [column.name], progress=self._progress)[column.name]
        if result is not None:
            return result
        list(column.over(range(len(column.pieces)), np.size, self._progress, f"reading {column.source}"))
        raise AssertionError("reading should have raised the error of the cell that is not a number")

    @property
    def n(self) -> int:
        """The number of records (public)."""
        return self._n

    @property
    def most_ranks(self) -> int:
        """The largest number of ranks for one call (public), which is the number of values in memory."""
        return MAX_HELD

    @property
    def outside(self) -> int:
        """The number of records that clamping moves (private)."""
        self.check()
        return self._outside

    def check(self) -> None:
        """Read all values once, if not done before; `DataError` if one is not finite."""
        if not self._checked:
            self._pass(np.inf, np.inf)

    def only(self, positions: Ints) -> Sample:
        """Return the sample of the records at `positions` (from 0), in memory."""
        wanted = np.asarray(positions, dtype=np.int64)
        order = np.argsort(wanted, kind="stable")
        ends = np.cumsum([piece.present for piece in self._column.pieces])
        cuts = np.searchsorted(wanted[order], np.concatenate([[0], ends]))
        works = {
            index: partial(np.take, indices=wanted[order[cuts[index] : cuts[index + 1]]] - start)
            for index, start in enumerate([0, *ends[:-1].tolist()])
            if cuts[index] < cuts[index + 1]
        }
        result = np.empty(wanted.size)
        parts = self._column.over_each(works, self._progress, self._message)
        result[order] = np.concatenate([*parts, np.empty(0)])
        return Sample(result, self._domain, self.release_problem)

    @property
    def values(self) -> NoReturn:
        """Raise `DataError`: memory does not hold all values."""
        raise self._refusal("this needs all values in memory, and they stay in their file")

    @property
    def far_ends(self) -> tuple[str, ...]:
        """The names of far samples; no path leads to them from here."""
        return FAR_ENDS

    def far_end(self, name: str) -> NoReturn:
        """Raise `DataError`: the path would replace records."""
        self.replaced(0, 0.0)

    def replaced(self, record: int, value: float) -> NoReturn:
        """Raise `DataError`: records that stay in their file cannot change."""
        raise self._refusal("this replaces records, and those that stay in their file cannot change")

    def _refusal(self, message: str) -> DataError:
        return DataError(f"{message}; use a part of the records", source=self._column.source)

    def found_in_parts(self, examine: Callable[[Floats], FoundT]) -> Iterator[FoundT]:
        pieces = range(len(self._column.pieces))
        clamped = partial(_clamped, self._domain, examine)
        return self._column.over(pieces, clamped, self._progress, f"adding {self._column.source}")

    def _run(self, first: int, last: int) -> RankRun:
        most = max(MAX_HELD, last - first + 1)
        if most > MAX_HELD:
            self._refuse_more(most)
        lower, upper = self._bracket(first, last)
        result = self._pass(lower, upper, 2 * most)
        run = assemble(result, lower, upper)
        if run.covers(first, last) and result.count <= 2 * most:
            return run
        low, high = max(first, 1), min(last, self.n)
        lower, upper = self._values_at(low, high)
        return assemble(self._pass(lower, upper, 2 * most), lower, upper)

    def _refuse_more(self, count: int) -> None:
        """Raise `DataError` if there is no memory for that many values."""
        lack = lack_of_memory(WORKING_SIZE * 8.0 * count)
        if lack:
            raise DataError(
                "it needs more values at once than fit into memory; choose a larger epsilon, smooth or "
                "global noise, or a part of the records",
                confidential=f"{grouped(count)} values; {lack}",
                source=self._column.source,
            )

    def ties(self, first: int, last: int) -> Duplicates:
        """Return the distinct values at the ranks `first` to `last`, sorted, and their counts."""
        if last - first < MAX_HELD:
            return super().ties(first, last)
        self.check()
        lower, upper = self._values_at(max(first, 1), min(last, self.n))
        under, places = self._within(lower, upper)
        parts = self._column.over(
            places, partial(count_duplicates, lower, upper), self._progress, self._message
        )
        result, below = merge_duplicates(parts, 2 * MAX_HELD, self._refuse_more)
        return between_ranks(result, under + below, first, last, self.n, self._domain)

    def _within(self, lower: float, upper: float) -> tuple[int, Sequence[int]]:
        """Return the number of values that lie below for certain, and the pieces that may hold others."""
        pieces = self._column.pieces
        under = sum(piece.present for piece in pieces if piece.upper < lower)
        near = (piece.upper >= lower and piece.lower <= upper and piece.records for piece in pieces)
        return under, [index for index, is_near in enumerate(near) if is_near]

    @property
    def _message(self) -> str:
        return f"reading {self._column.source}"

    def _bracket(self, first: int, last: int) -> tuple[float, float]:
        """Return bounds that very likely enclose the values at the ranks; infinite at the ends."""
        lower, upper = self._read_bracket(first, last)
        pieces = self._column.pieces
        near = [index for index, piece in enumerate(pieces) if piece.upper >= lower and piece.lower <= upper]
        size = sum(pieces[index].present for index in near)
        if size <= max(MAX_HELD, SPARE * (last - first + 1)):
            return lower, upper  # as in a sorted column, where a random sample would mislead
        rng = np.random.Generator(np.random.PCG64(self.n))
        count = min(len(near), max(MIN_SAMPLED, len(near) // PIECES_PER_SAMPLED))
        places = np.sort(rng.choice(near, count, replace=False)).tolist()
        each = max(1, MAX_SAMPLE // count)
        draws = {index: partial(some, each, self.n, index) for index in places}
        sample = np.sort(np.concatenate(list(self._column.over_each(draws, silent, ""))))
        pivots = sample.size
        under = sum(piece.present for piece in pieces if piece.upper < lower)
        slack = 3.0 * np.sqrt(pivots) + 1  # 6 standard deviations of a sample quantile
        low = int(np.floor((first - under) / size * pivots - slack))
        high = int(np.ceil((last - under) / size * pivots + slack))
        return (
            max(lower, float(sample[low])) if 0 <= low < pivots else lower,
            min(upper, float(sample[high])) if 0 <= high < pivots else upper,
        )

    def _read_bracket(self, first: int, last: int) -> tuple[float, float]:
        """Return bounds that enclose the values for certain, by the file's statistics of pieces."""
        by_upper = sorted((piece.upper, piece.present) for piece in self._column.pieces)
        by_lower = sorted((-piece.lower, piece.present) for piece in self._column.pieces)
        return -reached(by_lower, self.n - first + 1), reached(by_upper, last)

    def _pass(self, lower: float, upper: float, most: int = 0) -> Inside:
        """Count by one pass, and collect up to `most` values; the first pass also checks all values."""
        checked = self._checked
        under, places = self._within(lower, upper) if checked else (0, range(len(self._column.pieces)))
        looks: dict[int, Callable[[Floats], tuple[Floats, tuple[int, ...]]]] = {
            index: partial(examine, lower, upper) if checked else self._first_look(lower, upper, index)
            for index in places
        }
        below, at_lower, at_upper = under, 0, 0
        between: list[Floats] = []
        held = outside = 0
        for part, counts in self._column.over_each(looks, self._progress, self._message):
            outside += sum(counts[3:])
            below, at_lower, at_upper = below + counts[0], at_lower + counts[1], at_upper + counts[2]
            held += part.size
            if held <= most:
                between.append(part)
        if not checked:
            self._checked, self._outside = True, outside
        if held > most:  # the caller narrows the range
            between = [np.empty(most + 1)]
        return Inside(tuple(between), below, at_lower, at_upper)

    def _first_look(
        self, lower: float, upper: float, index: int
    ) -> Callable[[Floats], tuple[Floats, tuple[int, ...]]]:
        column = self._column
        return partial(
            check_and_examine, self._domain, lower, upper, column.pieces[index], column.source, column.name
        )

    def _values_at(self, *ranks: int) -> list[float]:
        """Return the values at ranks for certain; each pass adds 16 bits."""
        result = [Narrowed(rank, 0) for rank in ranks]
        every = range(len(self._column.pieces))
        for shift in range(64 - DIGITS, -1, -DIGITS):
            examine = partial(count_by_key, [each.low for each in result], shift)
            counts = np.zeros((len(result), 1 << DIGITS), np.int64)
            for part in self._column.over(every, examine, self._progress, self._message):
                counts += part
            result = [each.within(part, shift) for each, part in zip(result, counts, strict=True)]
        return [number_of(each.low) for each in result]


def _clamped(domain: Interval, examine: Callable[[Floats], FoundT], values: Floats) -> FoundT:
    return examine(domain.clamp(values))
