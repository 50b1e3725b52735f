"""What one pass over a stored column counts and collects, piece by piece."""

from __future__ import annotations

import dataclasses

import numpy as np
from numpy.typing import NDArray

from engine.array_types import Floats, Ints
from engine.data.order_statistics import RankRun
from engine.domain import Interval
from engine.extras.stored.column import check_told
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
        place = int(np.searchsorted(ends, self.rank))
        return Narrowed(self.rank - (int(ends[place - 1]) if place else 0), self.low + (place << shift))


def reached(ends: list[tuple[float, int]], count: int) -> float:
    """Return the end at which so many records are sure to lie below."""
    sums = np.cumsum([records for _, records in ends])
    place = int(np.searchsorted(sums, count))
    return ends[min(place, len(ends) - 1)][0]


def some(count: int, seed: int, place: int, values: Floats) -> Floats:
    """Return so many of the values, drawn at random, or all if there are no more."""
    own = np.random.Generator(np.random.PCG64([seed, place]))
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
    check_told(values, piece, source, name)
    found, counts = examined(lower, upper, values)
    return found, (*counts, domain.outside(values))


def examined(lower: float, upper: float, values: Floats) -> tuple[Floats, tuple[int, int, int]]:
    """Return the values strictly inside, and how many are below, and at the lower and the upper end."""
    above, under = values > lower, values < upper
    below = int(np.count_nonzero(values < lower)) if lower > -np.inf else 0
    at_lower = values.size - int(np.count_nonzero(above)) - below
    at_upper = int(np.count_nonzero(values == upper)) if upper > lower and upper < np.inf else 0
    return values[above & under], (below, at_lower, at_upper)


def assembled(found: Inside, lower: float, upper: float) -> RankRun:
    between = np.concatenate([*found.between, np.empty(0)])
    between.sort()
    return RankRun(found.below + 1, between, lower, found.at_lower, upper, found.at_upper)


def binned(lows: list[int], shift: int, values: Floats) -> Ints:
    """Count, for each beginning of a key, the values that have it by the next digits of their keys."""
    keys, whole = _keys(values), shift + DIGITS
    found = np.empty((len(lows), 1 << DIGITS), np.int64)
    for row, low in enumerate(lows):
        inside = keys if whole == 64 else keys[keys >> np.uint64(whole) == np.uint64(low >> whole)]
        digits = (inside >> np.uint64(shift)) & np.uint64((1 << DIGITS) - 1)
        found[row] = np.bincount(digits.astype(np.int64), minlength=1 << DIGITS)
    return found


def _keys(values: Floats) -> NDArray[np.uint64]:
    """Return whole numbers in the order of the values; both zeros have one."""
    bits = (values + 0.0).view(np.int64)
    flipped = np.where(bits < 0, ~bits, bits | np.int64(-(1 << 63)))
    return flipped.view(np.uint64)


def number_of(key: int) -> float:
    """Return the value that has a key."""
    bits = key & ((1 << 63) - 1) if key >> 63 else ~key & ((1 << 64) - 1)
    found = float(np.array([bits], np.uint64).view(np.float64)[0])
    return found if not np.isnan(found) else float(np.copysign(np.inf, found))
