"""Orders of records: listed, or worked out for any of them and never held."""

from __future__ import annotations

import dataclasses
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from engine.array_types import Ints

_Hashes = NDArray[np.uint64]

ROUNDS = 8
"""Four give a permutation that is not told from a random one, where their functions are random."""

AT_ONCE = 1 << 15
"""Numbers that are worked on together: as many as fit a cache."""


class Listed:
    """Records that are listed in the order in which blocks hold them."""

    def __init__(self, records: Ints) -> None:
        self._records = records

    def records(self, start: int, stop: int) -> Ints:
        """Return which records stand at the places from `start` to `stop` - 1."""
        return self._records[start:stop]

    @cached_property
    def _sorted(self) -> tuple[Ints, Ints]:
        """All places by their records, and these records."""
        places = np.argsort(self._records, kind="stable")
        return places, self._records[places]

    def places(self, first: int, stop: int) -> tuple[Ints, Ints]:
        """Return records from `first` to `stop` - 1, and where each stands: one may do so several times."""
        places, records = self._sorted
        begin, end = np.searchsorted(records, (first, stop))
        return records[begin:end], places[begin:end]


@dataclasses.dataclass(frozen=True, eq=False)
class KeyedOrder:
    """A permutation of the numbers below n, by keyed hashes of them.

    A Feistel network permutes all numbers of as many binary digits as n - 1 has: in turn, one half of
    the digits is changed by a hash of the other half, which the same step undoes.  What falls outside is
    permuted again until it does not.  So blocks are dealt by one pass over the records, in whatever order
    they come, and nothing is held for each of them.

    Source: Luby, Rackoff 1988 (four rounds); Black, Rogaway 2002, for numbers below n.  The hash, splitmix64,
    is no cipher: an order has to be a good shuffle, and need not be a secret.

    Parameters
    ----------
    n : int
        At least 2.
    rng : numpy.random.Generator
        Draws the keys.
    """

    n: int
    rng: dataclasses.InitVar[np.random.Generator]
    keys: tuple[np.uint64, ...] = dataclasses.field(init=False)

    def __post_init__(self, rng: np.random.Generator) -> None:
        drawn = rng.integers(0, 1 << 63, ROUNDS).astype(np.uint64)
        object.__setattr__(self, "keys", tuple(drawn))

    def records(self, start: int, stop: int) -> Ints:
        """Return which records stand at the places from `start` to `stop` - 1."""
        return self._mapped(start, stop, range(ROUNDS))

    def places(self, first: int, stop: int) -> tuple[Ints, Ints]:
        """Return the records from `first` to `stop` - 1, and the place of each."""
        return np.arange(first, stop), self._mapped(first, stop, range(ROUNDS)[::-1])

    def _mapped(self, start: int, stop: int, rounds: range) -> Ints:
        result = np.empty(stop - start, np.int64)
        for first in range(start, stop, AT_ONCE):
            last = min(first + AT_ONCE, stop)
            numbers = self._permuted(np.arange(first, last, dtype=np.uint64), rounds)
            outside = np.flatnonzero(numbers >= self.n)
            while outside.size:
                numbers[outside] = self._permuted(numbers[outside], rounds)
                outside = outside[numbers[outside] >= self.n]
            result[first - start : last - start] = numbers
        return result

    def _permuted(self, numbers: _Hashes, rounds: range) -> _Hashes:
        digits = (self.n - 1).bit_length()
        low = np.uint64(digits // 2)
        below, above = (np.uint64((1 << size) - 1) for size in (digits // 2, digits - digits // 2))
        halves = [numbers & below, numbers >> low]
        for number in rounds:
            changed = number % 2
            halves[changed] ^= _hashed(halves[1 - changed] ^ self.keys[number]) & (below, above)[changed]
        return halves[1] << low | halves[0]


def _hashed(numbers: _Hashes) -> _Hashes:
    """Return the upper halves of what splitmix64 makes of words."""
    numbers = (numbers ^ numbers >> np.uint64(30)) * np.uint64(0xBF58476D1CE4E5B9)
    numbers = (numbers ^ numbers >> np.uint64(27)) * np.uint64(0x94D049BB133111EB)
    return numbers >> np.uint64(32)
