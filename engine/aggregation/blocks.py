"""Assign records to blocks without looking at the data.

s is the largest number of blocks with one person, and so of outputs that one record changes.
"""

from __future__ import annotations

import abc
import dataclasses
import math
from functools import cached_property
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from engine.array_types import Ints
from engine.components import Component
from engine.data.points import Order
from engine.errors import ParameterError
from engine.numerals import grouped
from engine.parameters import parameter
from engine.privacy import Privacy
from engine.randomness import is_release
from engine.sampling.exactness import PUBLIC
from engine.sampling.shuffle import Shuffled, random_subset

_Hashes = NDArray[np.uint64]

ROUNDS = 8
"""Rounds of the Feistel network; four with random functions give a pseudorandom permutation."""

AT_ONCE = 1 << 15
"""Numbers per batch, so that they fit into the processor's cache."""


class Listed:
    """Records listed in the order of their blocks."""

    def __init__(self, records: Ints) -> None:
        self._records = records

    def records(self, start: int, stop: int) -> Ints:
        """Return the records at positions `start` to `stop` - 1."""
        return self._records[start:stop]

    @cached_property
    def _sorted(self) -> tuple[Ints, Ints]:
        """All positions sorted by their records, and these records."""
        places = np.argsort(self._records, kind="stable")
        return places, self._records[places]

    def places(self, first: int, stop: int) -> tuple[Ints, Ints]:
        """Return the records from `first` to `stop` - 1 with their positions; records may repeat."""
        places, records = self._sorted
        begin, end = np.searchsorted(records, (first, stop))
        return records[begin:end], places[begin:end]


@dataclasses.dataclass(frozen=True, eq=False)
class KeyedOrder:
    """A pseudorandom permutation of the numbers below n.

    A Feistel network permutes all numbers with as many binary digits as n - 1.  Each step changes one half of
    the digits by a hash of the other half, so that it can be inverted.  Results of n or more are permuted
    again.  So one pass over the records, in any order, assigns them to blocks, and no permutation is stored.

    Source: Luby, Rackoff 1988 (four rounds); Black, Rogaway 2002, for numbers below n.  The hash, splitmix64,
    is no cipher: the order must be a good shuffle, not a secret.
    """

    n: int
    rng: dataclasses.InitVar[np.random.Generator]
    keys: tuple[np.uint64, ...] = dataclasses.field(init=False)

    def __post_init__(self, rng: np.random.Generator) -> None:
        drawn = rng.integers(0, 1 << 63, ROUNDS).astype(np.uint64)
        object.__setattr__(self, "keys", tuple(drawn))

    def records(self, start: int, stop: int) -> Ints:
        """Return the records at positions `start` to `stop` - 1."""
        return self._map(start, stop, range(ROUNDS))

    def places(self, first: int, stop: int) -> tuple[Ints, Ints]:
        """Return the records from `first` to `stop` - 1, and the position of each."""
        return np.arange(first, stop), self._map(first, stop, range(ROUNDS)[::-1])

    def _map(self, start: int, stop: int, rounds: range) -> Ints:
        result = np.empty(stop - start, np.int64)
        for first in range(start, stop, AT_ONCE):
            last = min(first + AT_ONCE, stop)
            numbers = self._permute(np.arange(first, last, dtype=np.uint64), rounds)
            outside = np.flatnonzero(numbers >= self.n)
            while outside.size:
                numbers[outside] = self._permute(numbers[outside], rounds)
                outside = outside[numbers[outside] >= self.n]
            result[first - start : last - start] = numbers
        return result

    def _permute(self, numbers: _Hashes, rounds: range) -> _Hashes:
        digits = (self.n - 1).bit_length()
        low = np.uint64(digits // 2)
        below, above = (np.uint64((1 << size) - 1) for size in (digits // 2, digits - digits // 2))
        halves = [numbers & below, numbers >> low]
        for number in rounds:
            changed = number % 2
            halves[changed] ^= _hash(halves[1 - changed] ^ self.keys[number]) & (below, above)[changed]
        return halves[1] << low | halves[0]


def _hash(numbers: _Hashes) -> _Hashes:
    """Return the upper halves of the splitmix64 hashes of words."""
    numbers = (numbers ^ numbers >> np.uint64(30)) * np.uint64(0xBF58476D1CE4E5B9)
    numbers = (numbers ^ numbers >> np.uint64(27)) * np.uint64(0x94D049BB133111EB)
    return numbers >> np.uint64(32)


MAX_LISTED_RECORDS = 1 << 20
"""Largest number of records whose order is drawn and stored."""

MAX_TRIES = 1000
"""Rejected patterns after which the condition is considered impossible."""


@dataclasses.dataclass(frozen=True, eq=False)
class Blocks:
    """The records of m blocks."""

    shapes: tuple[tuple[int, int], ...]  # number of blocks of each size, and the size
    order: Order  # the records, one block after the other
    s: int  # no record is in more than s blocks
    delta: float = 0.0  # probability that one record is, for unchecked patterns; otherwise 0

    @classmethod
    def of(cls, members: Ints, s: int, delta: float = 0.0) -> Blocks:
        """Return blocks of one size, from the indices of their records, shape (blocks, size)."""
        return cls((members.shape,), Listed(members.ravel()), s, delta)

    @property
    def m(self) -> int:
        """Number of blocks."""
        return sum(count for count, _ in self.shapes)

    @property
    def members(self) -> tuple[Ints, ...]:
        """Indices of the records: one array per block size, shape (blocks of that size, size)."""
        ends = np.cumsum([count * size for count, size in self.shapes]).tolist()
        starts = [0, *ends]
        return tuple(
            self.order.records(start, stop).reshape(shape)
            for start, stop, shape in zip(starts, ends, self.shapes, strict=False)
        )


@dataclasses.dataclass(frozen=True)
class Sampling(Component, abc.ABC, family="sampling"):
    """A way to draw blocks from public facts alone, such as `Partition`."""

    # Whether its guarantee depends on secret blocks, drawn again with each draw of the noise, also in
    # simulations.  With all others, the blocks of each release are secret and new.
    redrawn: ClassVar[bool] = False

    blocks: int = parameter(
        default=100, lower=3, label="Blocks m", help="More blocks: less noise, but each sees fewer records."
    )

    @property
    def records_per_draw(self) -> int:
        """Number of records per draw."""
        return 1

    @abc.abstractmethod
    def block_size(self, n: int) -> int:
        """Return the size of the smallest block."""

    @abc.abstractmethod
    def draw(self, n: int, rng: np.random.Generator) -> Blocks:
        """Draw the blocks of n records; the distribution is invariant under exchanges of records.

        In a release the blocks are secret, so that the order of the records does not matter.
        """

    @property
    def certain(self) -> bool:
        """Whether no record can be in more than s blocks; the aggregate then accounts for the whole cost."""
        return False

    @abc.abstractmethod
    def overlap(self, n: int) -> tuple[int, float]:
        """Return (s, delta): no record is in more than s blocks, except with probability delta."""

    def most_blocks(self, n: int, smallest: int) -> int:
        """Return the largest number of blocks with at least `smallest` records."""
        return n // (self.records_per_draw * smallest)

    def left(self, n: int, privacy: Privacy) -> Privacy:
        """Return the aggregator's budget such that a release costs `privacy`."""
        _, delta = self.overlap(n)
        if delta == 0:
            return privacy
        return Privacy(privacy.epsilon, max(0.0, math.nextafter(privacy.delta - delta, 0)))

    def problem(self, n: int, smallest: int) -> tuple[str, str] | None:
        """Return (field, message) unless n records make blocks of at least `smallest`."""
        if self.blocks > n:
            return (
                "blocks",
                f"{grouped(self.blocks)} blocks of {grouped(n)} records are not possible; use at "
                f"most {grouped(n)}",
            )
        if self.block_size(n) < smallest:
            return (
                "blocks",
                (
                    f"{grouped(self.blocks)} blocks of {grouped(n)} records hold {self.block_size(n)} "
                    f"each, and the function needs {smallest}; use at most "
                    f"{grouped(self.most_blocks(n, smallest))} blocks"
                ),
            )
        return None


class Partition(Sampling):
    """Every record in one block: a random order, split into m parts of nearly equal size.

    One person changes one block: s = 1, without delta.  In a release the order is secret, and all orders are
    equally likely (`engine.sampling.shuffle`).  A public pattern of more than 2^20 records uses keyed hashes
    of their indices (`KeyedOrder`), which need no memory.

    Examples
    --------
    1,003 records in 100 blocks: each block holds 10 or 11, and each record is in one block.

    >>> sampling = Partition(blocks=100)
    >>> sampling.block_size(1003), sampling.overlap(1003)
    (10, (1, 0.0))
    """

    name: ClassVar[str] = "partition"
    label: ClassVar[str] = "Disjoint blocks"
    summary: ClassVar[str] = "every record in exactly one block"
    exact_because: ClassVar[str] = PUBLIC

    @property
    def certain(self) -> bool:
        return True

    def block_size(self, n: int) -> int:
        return n // self.blocks

    def overlap(self, n: int) -> tuple[int, float]:
        return 1, 0.0

    def draw(self, n: int, rng: np.random.Generator) -> Blocks:
        size, larger = divmod(n, self.blocks)
        shapes = (larger, size + 1), (self.blocks - larger, size)
        return Blocks(tuple(shape for shape in shapes if shape[0]), order_of(n, rng), s=1)


def order_of(n: int, rng: np.random.Generator) -> Order:
    """Return a random order of n records; secret in a release."""
    if is_release(rng):
        return Shuffled(n)
    return KeyedOrder(n, rng) if n > MAX_LISTED_RECORDS else Listed(rng.permutation(n))


@dataclasses.dataclass(frozen=True)
class IndependentSubsets(Sampling):
    """m blocks of n/m records, each drawn independently without replacement.

    A record is in Bin(m, 1/m) of them.  With "reject", patterns are drawn until no record is in more than s
    blocks; this depends on no data and so costs no delta.  With "delta", the probability that a given record
    is in more blocks counts as delta.  This requires a secret pattern: in a known one, the records in too
    many blocks have no privacy.

    Source: Nissim, Raskhodnikova, Smith 2007, Section 4, with s = sqrt(m) and the probability for all records
    together; for one record s = 9 gives 1e-6 for any m.

    Examples
    --------
    100 blocks of 10 among 1,000 records, each record in at most 9:

    >>> sampling = IndependentSubsets(blocks=100, most=9)
    >>> sampling.block_size(1000), sampling.overlap(1000)
    (10, (9, 0.0))
    """

    name: ClassVar[str] = "subsets"
    label: ClassVar[str] = "Independent subsets"
    summary: ClassVar[str] = "every block drawn independently; one record may be in several"
    source: ClassVar[str] = "Nissim, Raskhodnikova, Smith 2007, Section 4"
    exact_because: ClassVar[str] = PUBLIC

    most: int = parameter(
        default=9,
        lower=1,
        label="Blocks per record s",
        help="No record is in more blocks than this; the noise covers s changed outputs.",
        advanced=True,
    )
    check: str = parameter(
        default="reject",
        choices=("reject", "delta"),
        label="More than s",
        help="reject: draw until no record is in more than s blocks. delta: add its probability "
        "to delta, with secret blocks drawn anew for each release.",
        advanced=True,
    )

    def block_size(self, n: int) -> int:
        """Return floor(n/m), at least 1."""
        return max(1, n // self.blocks)

    @property
    def certain(self) -> bool:
        return self.check == "reject"

    def overlap(self, n: int) -> tuple[int, float]:
        """Return (s, 0) for checked patterns, otherwise (s, Pr[Bin(m, b/n) > s])."""
        if self.check == "reject":
            return self.most, 0.0
        return self.most, exceeding(self.blocks, self.block_size(n) / n, self.most)

    def problem(self, n: int, smallest: int) -> tuple[str, str] | None:
        results = super().problem(n, smallest)
        if results is None and self.most >= self.blocks:
            results = "most", f"{self.most} is not below the {self.blocks} blocks; use a smaller s"
        if results is None and self.check == "reject":
            chance = exceeding(self.blocks, self.block_size(n) / n, self.most)
            if n * chance > 1:
                results = (
                    "most",
                    (
                        f"hardly any pattern of {grouped(self.blocks)} subsets has every record in at "
                        f"most {self.most}; use s of at least {self._enough(n)}, or disjoint blocks"
                    ),
                )
        return results

    def draw(self, n: int, rng: np.random.Generator) -> Blocks:
        """Draw patterns until one is valid.

        Raises
        ------
        ParameterError
            If a thousand patterns are invalid.
        """
        size, secret = self.block_size(n), is_release(rng)
        s, delta = self.overlap(n)
        for _ in range(MAX_TRIES):
            members = np.array(
                [
                    random_subset(n, size) if secret else rng.choice(n, size, replace=False, shuffle=False)
                    for _ in range(self.blocks)
                ]
            )
            if self.check == "delta" or np.bincount(members.ravel(), minlength=n).max() <= s:
                return Blocks.of(members.astype(np.int64), s, delta)
        raise ParameterError("most", f"no pattern has every record in at most {s} blocks; use a larger s")

    def _enough(self, n: int) -> int:
        share = self.block_size(n) / n
        return next(s for s in range(1, self.blocks + 1) if n * exceeding(self.blocks, share, s) <= 1)


def exceeding(m: int, share: float, s: int) -> float:
    """Return Pr[Bin(m, share) > s], increased by a factor of 1 + 2^-30 for rounding errors."""
    from scipy.special import bdtrc

    return 0.0 if s >= m else min(1.0, float(bdtrc(s, m, share)) * (1 + 2.0**-30))
