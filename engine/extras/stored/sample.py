"""A sample whose values stay in a file: the same ranks and sums as in memory, by passing over it."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import NoReturn, TypeVar

import numpy as np
from numpy.typing import NDArray

from engine.array_types import Floats, Ints
from engine.data.order_statistics import FAR_ENDS, RankedRecords, RankRun, Sample
from engine.domain import Interval
from engine.errors import DataError
from engine.extras.stored.column import StoredColumn, check_statistics, column_stats
from engine.extras.stored.table import StoredPiece
from engine.free_memory import lack_of_memory
from engine.numerals import grouped
from engine.progress import Progress, silent
from engine.shown import ShownInALine

DIGITS = 16
"""Binary digits of values that are found by one pass where the sample was of no help."""


@dataclasses.dataclass(frozen=True, repr=False)
class Inside(ShownInALine):
    """What one pass finds about a bracket: values at most its lower end, at its ends, below and above it."""

    between: tuple[Floats, ...]
    below: int
    at_lower: int
    at_upper: int

    @property
    def count(self) -> int:
        """How many values lie strictly inside."""
        return sum(part.size for part in self.between)


@dataclasses.dataclass(frozen=True, repr=False)
class Narrowed(ShownInALine):
    """The `rank`-th value, counted among those whose keys begin like `low`."""

    rank: int
    low: int

    def within(self, counts: Ints, shift: int) -> Narrowed:
        """Return where it lies among the parts into which that range was cut."""
        ends = np.cumsum(counts)
        index = int(np.searchsorted(ends, self.rank))
        return Narrowed(self.rank - (int(ends[index - 1]) if index else 0), self.low + (index << shift))


def reached(ends: list[tuple[float, int]], count: int) -> float:
    """Return the end at which so many records are sure to lie below."""
    sums = np.cumsum([records for _, records in ends])
    index = int(np.searchsorted(sums, count))
    return ends[min(index, len(ends) - 1)][0]


def some(count: int, seed: int, index: int, values: Floats) -> Floats:
    """Return so many of the values, drawn at random, or all if there are no more."""
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
    """Return what `examined` does, and how many lie outside; `DataError` for what is not as told."""
    check_statistics(values, piece, source, name)
    result, counts = examine(lower, upper, values)
    return result, (*counts, domain.outside(values))


def examine(lower: float, upper: float, values: Floats) -> tuple[Floats, tuple[int, int, int]]:
    """Return the values strictly inside, and how many are below, and at the lower and the upper end."""
    above, under = values > lower, values < upper
    below = int(np.count_nonzero(values < lower)) if lower > -np.inf else 0
    at_lower = values.size - int(np.count_nonzero(above)) - below
    at_upper = int(np.count_nonzero(values == upper)) if upper > lower and upper < np.inf else 0
    return values[above & under], (below, at_lower, at_upper)


def assemble(result: Inside, lower: float, upper: float) -> RankRun:
    between = np.concatenate([*result.between, np.empty(0)])
    between.sort()
    return RankRun(result.below + 1, between, lower, result.at_lower, upper, result.at_upper)


def binned(lows: list[int], shift: int, values: Floats) -> Ints:
    """Count, for each beginning of a key, the values that have it by the next digits of their keys."""
    keys, whole = _keys(values), shift + DIGITS
    result = np.empty((len(lows), 1 << DIGITS), np.int64)
    for row, low in enumerate(lows):
        inside = keys if whole == 64 else keys[keys >> np.uint64(whole) == np.uint64(low >> whole)]
        digits = (inside >> np.uint64(shift)) & np.uint64((1 << DIGITS) - 1)
        result[row] = np.bincount(digits.astype(np.int64), minlength=1 << DIGITS)
    return result


def _keys(values: Floats) -> NDArray[np.uint64]:
    """Return whole numbers in the order of the values; both zeros have one."""
    bits = (values + 0.0).view(np.int64)
    flipped = np.where(bits < 0, ~bits, bits | np.int64(-(1 << 63)))
    return flipped.view(np.uint64)


def number_of(key: int) -> float:
    """Return the value that has a key."""
    bits = key & ((1 << 63) - 1) if key >> 63 else ~key & ((1 << 64) - 1)
    result = float(np.array([bits], np.uint64).view(np.float64)[0])
    return result if not np.isnan(result) else float(np.copysign(np.inf, result))


Counts = Ints
Duplicates = tuple[Floats, Counts]
"""Different values, sorted, and how often each is there."""


def count_duplicates(lower: float, upper: float, values: Floats) -> tuple[Floats, Counts, int]:
    """Return the different values from one number to another, their counts, and how many lie below."""
    result, counts = np.unique(values[(values >= lower) & (values <= upper)], return_counts=True)
    return result, counts.astype(np.int64), int(np.count_nonzero(values < lower))


def merge_duplicates(
    parts: Iterable[tuple[Floats, Counts, int]], most: int, ask: Callable[[int], None]
) -> tuple[Duplicates, int]:
    """Put together what `count_duplicates` has found in parts of a column.

    `most` different values are held without asking; `ask` raises an error where there is no room for more.
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
    """Return what stands at ranks, clamped, of values that cover those of them that are in the data.

    `below` values lie below all of these.  Ranks below 1 hold L, those above n hold U.
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

PIVOTS = 1 << 20
"""Size of the random sample that brackets a run of ranks, at most."""

SHARE = 50
"""One of so many pieces is sampled, but at least `LEAST` of them."""

MIN_SAMPLED = 4
MAX_HELD = 1 << 23
"""Values that are held in memory at once without asking for room."""

TIMES = 4
"""Values that are held, and what is worked out of them, take so many times their size."""


class StoredSample(RankedRecords):
    """The values of a column that stays where it is (`stored_column`), clamped to a public interval.

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
    the bracket and collects what lies inside, as in `engine.data.order_statistics`.  Pieces of which the file
    says that they lie outside are only counted, once all values were seen to be finite.  Where the
    records are sorted or come in groups the sample misleads; the counts show it, and the values at both
    ends are then found for certain, 16 binary digits by each of four passes, before they are collected.

    Where more than 2^23 ranks are asked for, equal values are only counted (`ties`), and different ones are
    held as far as there is memory.
    """

    def __init__(
        self, column: StoredColumn, domain: Interval, missing: str = "refuse", progress: Progress = silent
    ) -> None:
        self._domain = domain
        self._progress = progress
        self._checked = False
        self._outside = 0
        self._column = column if column.is_counted else self._survey(column)
        self.release_problem = column.table.release_problem
        self.dropped = self._column.missing
        if self.dropped and missing == "refuse":
            raise DataError(
                "the value is missing in some records; fill it in, or choose to drop such records",
                confidential=f"in {grouped(self.dropped)} of {grouped(column.records)}",
                source=column.source,
                column=column.name,
            )
        self._n = column.records - self.dropped
        if not self._n:
            raise DataError("there are no values; at least one is needed", source=column.source)

    def _survey(self, column: StoredColumn) -> StoredColumn:
        """Return a column of which it is known what its pieces hold, by one pass."""
        result = column_stats(column.table, [column.name], progress=self._progress)[column.name]
        if result is not None:
            return result
        list(column.over(range(len(column.pieces)), np.size, self._progress, f"reading {column.source}"))
        raise AssertionError("a cell that is no number was named")

    @property
    def n(self) -> int:
        """Number of records (public)."""
        return self._n

    @property
    def most_ranks(self) -> int:
        """How many ranks are best asked for at once, at most (public): as many values as are held."""
        return MAX_HELD

    @property
    def outside(self) -> int:
        """Number of records that clamping moves (private)."""
        self.check()
        return self._outside

    def check(self) -> None:
        """Read all values once, unless that was done; `DataError` for one that is not finite."""
        if not self._checked:
            self._pass(np.inf, np.inf)

    def only(self, positions: Ints) -> Sample:
        """Return the sample of the records at `positions` (from 0) alone, in memory."""
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
        """Refuse: they are too many to be held."""
        raise self._refusal("all of its values are needed at once, and they stay in their file")

    @property
    def far_ends(self) -> tuple[str, ...]:
        """The names of samples far away, to which no path leads from here."""
        return FAR_ENDS

    def far_end(self, name: str) -> NoReturn:
        """Refuse: on the way there records are replaced."""
        self.replaced(0, 0.0)

    def replaced(self, record: int, value: float) -> NoReturn:
        """Refuse: what stays in its file is not changed."""
        raise self._refusal("records of a file that is not held in memory cannot be replaced")

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
        """Raise `DataError` where there is no room for so many values."""
        lack = lack_of_memory(TIMES * 8.0 * count)
        if lack:
            raise DataError(
                "more values are wanted at once than fit into memory; choose a larger epsilon, smooth or "
                "global noise, or use a part of the records",
                confidential=f"{grouped(count)} values; {lack}",
                source=self._column.source,
            )

    def ties(self, first: int, last: int) -> Duplicates:
        """Return the different values at the ranks `first` to `last`, sorted, and how often each is there."""
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
        """Return how many values are known to lie below, and the pieces in which others may be."""
        pieces = self._column.pieces
        under = sum(piece.present for piece in pieces if piece.upper < lower)
        near = (piece.upper >= lower and piece.lower <= upper and piece.records for piece in pieces)
        return under, [index for index, is_near in enumerate(near) if is_near]

    @property
    def _message(self) -> str:
        return f"reading {self._column.source}"

    def _bracket(self, first: int, last: int) -> tuple[float, float]:
        """Return two numbers between which the values at the ranks lie very likely; infinite at the ends."""
        lower, upper = self._read_bracket(first, last)
        pieces = self._column.pieces
        near = [index for index, piece in enumerate(pieces) if piece.upper >= lower and piece.lower <= upper]
        size = sum(pieces[index].present for index in near)
        if size <= MAX_HELD:
            return lower, upper
        rng = np.random.Generator(np.random.PCG64(self.n))
        count = min(len(near), max(MIN_SAMPLED, len(near) // SHARE))
        places = np.sort(rng.choice(near, count, replace=False)).tolist()
        each = max(1, PIVOTS // count)
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
        """Return two numbers between which the values lie for certain, by what the file says of pieces."""
        by_upper = sorted((piece.upper, piece.present) for piece in self._column.pieces)
        by_lower = sorted((-piece.lower, piece.present) for piece in self._column.pieces)
        return -reached(by_lower, self.n - first + 1), reached(by_upper, last)

    def _pass(self, lower: float, upper: float, most: int = 0) -> Inside:
        """Count by one pass, and collect unless there are more; the first one also checks all values."""
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
        if held > most:  # too many to be held: the caller narrows the range
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
        """Return the values at ranks for certain, 16 binary digits more of each by every pass."""
        result = [Narrowed(rank, 0) for rank in ranks]
        every = range(len(self._column.pieces))
        for shift in range(64 - DIGITS, -1, -DIGITS):
            examine = partial(binned, [each.low for each in result], shift)
            counts = np.zeros((len(result), 1 << DIGITS), np.int64)
            for part in self._column.over(every, examine, self._progress, self._message):
                counts += part
            result = [each.within(part, shift) for each, part in zip(result, counts, strict=True)]
        return [number_of(each.low) for each in result]


def _clamped(domain: Interval, examine: Callable[[Floats], FoundT], values: Floats) -> FoundT:
    return examine(domain.clamp(values))
