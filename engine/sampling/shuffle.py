"""Orders of records that nobody knows: for a release, from the entropy of the operating system."""

from __future__ import annotations

import os
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from engine.array_types import Ints
from engine.free_memory import MemoryNeeded
from engine.numerals import grouped

BITS = 32
"""Random bits of each number, until some have the same."""

TAKEN = 24.0
"""Bytes for each number while they are shuffled."""


def random_order(n: int) -> Ints:
    """Return the numbers below n in a random order; all n! orders are equally probable.

    Each number gets random bits, by which they are sorted.  Numbers with the same bits get more of them,
    until no two have the same: as if each had infinitely many from the beginning.
    """
    MemoryNeeded(TAKEN * n).ask(f"a secret order of {grouped(n)} records")
    digits = np.uint64(max(BITS, (n - 1).bit_length()))
    keys = _bits(n) << digits
    keys |= np.arange(n, dtype=np.uint64)
    keys.sort()
    tied = np.flatnonzero(keys[1:] ^ keys[:-1] < np.uint64(1) << digits)
    keys &= (np.uint64(1) << digits) - np.uint64(1)
    order = keys.view(np.int64)
    while tied.size:  # place p has the same bits as p + 1
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
    """A secret order of all records, each of the n! with the same probability.

    It does not depend on how the records stand in their file: two files with the same records give the same
    law of what stands where, and one record that is another one is another one at one place.  Points in
    memory are listed in it; of points in a file nothing is held for each (`engine.extras.stored.points`).
    """

    def __init__(self, n: int) -> None:
        self._n = n

    @cached_property
    def _order(self) -> Ints:
        return random_order(self._n)

    def records(self, start: int, stop: int) -> Ints:
        """Return which records stand at the places from `start` to `stop` - 1."""
        return self._order[start:stop]

    @cached_property
    def _places(self) -> Ints:
        places = np.empty_like(self._order)
        places[self._order] = np.arange(self._n)
        return places

    def places(self, first: int, stop: int) -> tuple[Ints, Ints]:
        """Return the records from `first` to `stop` - 1, and the place of each."""
        return np.arange(first, stop), self._places[first:stop]


def random_subset(n: int, size: int) -> Ints:
    """Return `size` of the numbers below n; all sets of that size are equally probable.

    Of numbers drawn with replacement, these are the first that differ.
    """
    if 2 * size > n or n > 1 << BITS:
        return random_order(n)[:size]
    digits = max(1, (n - 1).bit_length())
    share = n / 2.0**digits
    wanted = int((size + size * size / n + 64) / share * 1.02)  # hardly ever too few
    while True:
        numbers = _bits(wanted) >> np.uint64(BITS - digits)
        numbers = numbers[numbers < n]
        # sorted with their places, each comes after those that are equal and were drawn before
        keys = numbers << np.uint64(BITS) | np.arange(numbers.size, dtype=np.uint64)
        keys.sort()
        numbers_sorted = keys >> np.uint64(BITS)
        again = np.flatnonzero(numbers_sorted[1:] == numbers_sorted[:-1]) + 1
        differ = np.ones(numbers.size, dtype=bool)
        differ[(keys[again] & np.uint64((1 << BITS) - 1)).view(np.int64)] = False
        drawn = numbers[differ][:size]
        if drawn.size == size:
            return drawn.view(np.int64)
