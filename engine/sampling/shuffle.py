"""Secret random orders of records, from the entropy of the operating system."""

from __future__ import annotations

import os
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from engine.array_types import Ints
from engine.free_memory import MemoryNeeded
from engine.numerals import grouped

BITS = 32
"""Random bits per number; numbers with equal bits get as many again."""

TAKEN = 24.0
"""Bytes per number during the shuffle."""


def random_order(n: int) -> Ints:
    """Return the numbers below n in a random order; all n! orders are equally probable.

    The numbers are sorted by random bits.  Numbers with equal bits get more bits until all differ, as if
    each had infinitely many from the beginning.
    """
    MemoryNeeded(TAKEN * n).ask(f"a secret order of {grouped(n)} records")
    digits = np.uint64(max(BITS, (n - 1).bit_length()))
    keys = _bits(n) << digits
    keys |= np.arange(n, dtype=np.uint64)
    keys.sort()
    tied = np.flatnonzero(keys[1:] ^ keys[:-1] < np.uint64(1) << digits)
    keys &= (np.uint64(1) << digits) - np.uint64(1)
    order = keys.view(np.int64)
    while tied.size:  # positions p and p + 1 have the same bits
        places = np.union1d(tied, tied + 1)
        groups = np.cumsum(~np.isin(places - 1, tied)).astype(np.uint64)
        bits = groups << np.uint64(BITS) | _bits(places.size)
        by_bits = np.argsort(bits)
        order[places] = order[places[by_bits]]
        tied = places[np.flatnonzero(bits[by_bits[1:]] == bits[by_bits[:-1]])]
    return order


def _bits(count: int) -> NDArray[np.uint64]:
    return np.frombuffer(os.urandom(count * BITS // 8), dtype=np.uint32).astype(np.uint64)


class Shuffled:
    """A secret random order of all records; all n! orders are equally probable.

    The order does not depend on the file: replacing one record changes the record at one position only.
    The order is held in memory; for points in a file, `engine.extras.stored.points` holds none.
    """

    def __init__(self, n: int) -> None:
        self._n = n

    @cached_property
    def _order(self) -> Ints:
        return random_order(self._n)

    def records(self, start: int, stop: int) -> Ints:
        """Return the records at the positions from `start` to `stop` - 1."""
        return self._order[start:stop]

    @cached_property
    def _places(self) -> Ints:
        places = np.empty_like(self._order)
        places[self._order] = np.arange(self._n)
        return places

    def places(self, first: int, stop: int) -> tuple[Ints, Ints]:
        """Return the records from `first` to `stop` - 1, and the position of each."""
        return np.arange(first, stop), self._places[first:stop]


def random_subset(n: int, size: int) -> Ints:
    """Return `size` of the numbers below n; all sets of that size are equally probable.

    The numbers are drawn with replacement; the first `size` distinct ones are returned.
    """
    if 2 * size > n or n > 1 << BITS:
        return random_order(n)[:size]
    digits = max(1, (n - 1).bit_length())
    share = n / 2.0**digits
    wanted = int((size + size * size / n + 64) / share * 1.02)  # hardly ever too few
    while True:
        numbers = _bits(wanted) >> np.uint64(BITS - digits)
        numbers = numbers[numbers < n]
        # keys order equal numbers by the time of their draw, so all but the first are repetitions
        keys = numbers << np.uint64(BITS) | np.arange(numbers.size, dtype=np.uint64)
        keys.sort()
        numbers_sorted = keys >> np.uint64(BITS)
        again = np.flatnonzero(numbers_sorted[1:] == numbers_sorted[:-1]) + 1
        differ = np.ones(numbers.size, dtype=bool)
        differ[(keys[again] & np.uint64((1 << BITS) - 1)).view(np.int64)] = False
        drawn = numbers[differ][:size]
        if drawn.size == size:
            return drawn.view(np.int64)
