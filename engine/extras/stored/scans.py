"""What one pass over a stored column counts and collects, piece by piece."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable

import numpy as np
from numpy.typing import NDArray

from engine.array_types import Floats, Ints
from engine.data.order_statistics import RankRun
from engine.domain import Interval
from engine.extras.stored.column import check_statistics
from engine.extras.stored.table import StoredPiece
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


def checked_and_examined(
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
    result, counts = examined(lower, upper, values)
    return result, (*counts, domain.outside(values))


def examined(lower: float, upper: float, values: Floats) -> tuple[Floats, tuple[int, int, int]]:
    """Return the values strictly inside, and how many are below, and at the lower and the upper end."""
    above, under = values > lower, values < upper
    below = int(np.count_nonzero(values < lower)) if lower > -np.inf else 0
    at_lower = values.size - int(np.count_nonzero(above)) - below
    at_upper = int(np.count_nonzero(values == upper)) if upper > lower and upper < np.inf else 0
    return values[above & under], (below, at_lower, at_upper)


def assembled(result: Inside, lower: float, upper: float) -> RankRun:
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
