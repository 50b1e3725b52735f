"""Find data that resemble those of another account, by stored sketches."""

from __future__ import annotations

import dataclasses
import hashlib
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from engine.array_types import Ints

if TYPE_CHECKING:
    from engine.data.sketch import TableSketch, Words
    from engine.ledger.composition import Composition

MIN_SHARED_ROWS = 0.25
"""Smallest share of common rows for a question to the user."""

MIN_SHARED_CELLS = 0.3
"""Smallest share of common cells of two columns; larger, since all pairs of columns are compared."""

BY_CHANCE = 0.2
"""Upper bound for the share of common distinct rows of independent samples: see `KeptSketch.resembles`."""

SKETCH_VERSION = 1
"""Version of the format of stored sketches; other versions are ignored."""

HASH_DIGITS = 16
"""Hexadecimal digits of the keyed hash of a column."""


@dataclasses.dataclass(frozen=True)
class SimilarData:
    name: str  # of the account
    title: str
    share: float  # estimated share of common rows among the distinct rows of either
    columns: int  # number of common columns with many values, whole or in part
    spent: Composition


@dataclasses.dataclass(frozen=True)
class KeptBins:
    """A short sketch of the rows of a table, or of the cells of a column."""

    # for each bin whether it has a row, and one bit of a keyed hash of the row and its count (b-bit minwise
    # hashing: Li and König, WWW 2010)
    present: int
    bits: int
    repeated: int  # number of bins whose row is repeated

    @classmethod
    def of(cls, minima: Words, repeats: Ints, bit: Callable[[bytes], int]) -> Self:
        """Return the sketch of one row of each bin, with a bit of a keyed hash."""
        present = bits = 0
        for index in np.flatnonzero(repeats).tolist():
            present |= 1 << index
            bits |= (bit(f"{index} {minima[index]} {repeats[index]}".encode()) & 1) << index
        return cls(present, bits, int((repeats > 1).sum()))

    @classmethod
    def read(cls, content: Mapping[str, Any]) -> Self:
        return cls(int(content["present"], 16), int(content["bits"], 16), content["repeated"])

    @property
    def content(self) -> dict[str, Any]:
        return {"present": f"{self.present:x}", "bits": f"{self.bits:x}", "repeated": self.repeated}

    def shared(self, other: KeptBins) -> float:
        """Return the share of common rows.

        Considers the bins with a row of either table.  Agreeing bits minus differing ones estimate the number
        of common rows, since other rows agree with probability 1/2.  This is an unbiased estimate of the
        Jaccard similarity of the sets of distinct rows with their counts.
        """
        both, either = self.present & other.present, self.present | other.present
        disagree = (both & (self.bits ^ other.bits)).bit_count()
        return (both.bit_count() - 2 * disagree) / max(either.bit_count(), 1)

    def resembles(self, other: KeptBins, least: float) -> bool:
        """Tell whether the share is at least `least`, and more than chance.

        Unrelated data without repeated rows have nothing in common.  The estimate is then above 1/4 with
        probability below 1e-8, at most that of 320 heads in 512 tosses.  With 64 pairs of columns, each above
        0.3, it remains below.

        Data with repeated rows, such as a few whole numbers, share rows even in independent samples.  Let r
        be the share of repeated rows of the larger sample.  Rows with equal counts in both are at most a
        share of min(r, 0.21), for Poisson numbers with any means.  Twice that is added.
        """
        repeated = max(each.repeated / max(each.present.bit_count(), 1) for each in (self, other))
        return self.shared(other) >= least + 2 * min(repeated, BY_CHANCE)


@dataclasses.dataclass(frozen=True)
class KeptSketch:
    """The part of a `TableSketch` that a ledger stores; it cannot be checked without the ledger's key."""

    rows: KeptBins
    columns: frozenset[str]  # keyed hashes of columns with many values
    # of columns with numbers that other data do not share by chance; absent in older ledgers
    cells: tuple[KeptBins, ...] = ()

    @classmethod
    def of(cls, sketch: TableSketch, keyed: Callable[[str, bytes], str]) -> Self:
        """Return the part of a sketch to store, hashed by `Ledger.keyed`."""
        rows = KeptBins.of(sketch.minima, sketch.repeats, lambda row: int(keyed("row", row)[0], 16))
        columns = (keyed("column", str(column).encode())[:HASH_DIGITS] for column in sketch.columns)
        key = bytes.fromhex(keyed("cells", b""))[:32]  # one for all: there are thousands of cells

        def bit(cell: bytes) -> int:
            return hashlib.blake2b(cell, key=key, digest_size=1).digest()[0]

        return cls(rows, frozenset(columns), tuple(KeptBins.of(*cells, bit) for cells in sketch.cells))

    @classmethod
    def read(cls, content: Mapping[str, Any] | None) -> tuple[Self, ...]:
        """Read a stored sketch from JSON; empty if there is none, or in another format."""
        if content is None or content["form"] != SKETCH_VERSION:
            return ()
        cells = tuple(map(KeptBins.read, content.get("cells", ())))
        return (cls(KeptBins.read(content), frozenset(content["columns"]), cells),)

    @property
    def content(self) -> dict[str, Any]:
        cells = {"cells": [each.content for each in self.cells]} if self.cells else {}
        return {"form": SKETCH_VERSION, **self.rows.content, "columns": sorted(self.columns), **cells}

    def shared(self, other: KeptSketch) -> tuple[float, int]:
        """Return the share of common rows, and the number of common columns, whole or in part."""
        parts = sum(any(one.resembles(each, MIN_SHARED_CELLS) for each in other.cells) for one in self.cells)
        return self.rows.shared(other.rows), max(len(self.columns & other.columns), parts)

    def resembles(self, other: KeptSketch) -> bool:
        """Tell whether these exceed chance: a quarter of the rows, or a column, or 0.3 of one."""
        return self.shared(other)[1] > 0 or self.rows.resembles(other.rows, MIN_SHARED_ROWS)
