"""Data that resemble others which have an account: what is kept of them, and what it tells."""

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
"""So much of the rows of two tables must be in both, that they are asked about."""

MIN_SHARED_CELLS = 0.3
"""So much of the cells of two columns; more than of rows, since each column meets each of the other table."""

BY_CHANCE = 0.2
"""Independent samples share hardly more of their distinct rows by chance: see `KeptSketch.resembles`."""

FORM = 1
"""The version of the format of kept sketches; others are not read."""

DIGITS = 16
"""Of the keyed hash of a column."""


@dataclasses.dataclass(frozen=True)
class SimilarData:
    name: str  # of the account
    title: str
    share: float  # an estimate of the share of distinct rows of either that are in both
    columns: int  # how many columns of many values are in both, whole or in part
    spent: Composition


@dataclasses.dataclass(frozen=True)
class KeptBins:
    """A short record of the rows of a table, or of the cells of a column."""

    # for each bin whether it has a row, and one bit of a keyed hash of the row and of how often the table has
    # it (b-bit minwise hashing: Li and König, WWW 2010)
    present: int
    bits: int
    repeated: int  # in how many bins the table has the row more than once

    @classmethod
    def of(cls, minima: Words, repeats: Ints, bit: Callable[[bytes], int]) -> Self:
        """Return what is kept of one row of each bin, with a bit of a keyed hash."""
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
        """Return the share of rows in both.

        Of the bins with a row of either table, those with the same row are counted as the bits that agree
        less those that do not, since other rows do so with probability 1/2: an unbiased estimate of the
        Jaccard similarity of the sets of distinct rows that come with how often they are there.
        """
        both, either = self.present & other.present, self.present | other.present
        disagree = (both & (self.bits ^ other.bits)).bit_count()
        return (both.bit_count() - 2 * disagree) / max(either.bit_count(), 1)

    def resembles(self, other: KeptBins, least: float) -> bool:
        """Tell whether that is at least some share, and more than chance.

        Of unrelated data without repeated rows nothing is in both, and the estimate is above 1/4 with
        probability below 1e-8: at most that of 320 heads in 512 tosses; with the 64 pairs of columns of
        which cells are kept, each above 0.3, it remains below.  Where rows are repeated, as of a few whole
        numbers, independent samples have rows in common.  Those that both have equally often are at most
        a share of min(r, 0.21), where r is the share of the rows of the larger sample that are repeated
        in it (for numbers with Poisson's distribution, whatever their means); twice that is added.
        """
        repeated = max(each.repeated / max(each.present.bit_count(), 1) for each in (self, other))
        return self.shared(other) >= least + 2 * min(repeated, BY_CHANCE)


@dataclasses.dataclass(frozen=True)
class KeptSketch:
    """The part of a `TableSketch` that a ledger keeps; nothing of it can be checked without its key."""

    rows: KeptBins
    columns: frozenset[str]  # keyed hashes of columns with many values
    # of columns with numbers that other data do not have by chance; older ledgers have none
    cells: tuple[KeptBins, ...] = ()

    @classmethod
    def of(cls, sketch: TableSketch, keyed: Callable[[str, bytes], str]) -> Self:
        """Return what is kept of a sketch by a ledger, whose `Ledger.keyed` this is."""
        rows = KeptBins.of(sketch.minima, sketch.repeats, lambda row: int(keyed("row", row)[0], 16))
        columns = (keyed("column", str(column).encode())[:DIGITS] for column in sketch.columns)
        key = bytes.fromhex(keyed("cells", b""))[:32]  # one for all: there are thousands of cells

        def bit(cell: bytes) -> int:
            return hashlib.blake2b(cell, key=key, digest_size=1).digest()[0]

        return cls(rows, frozenset(columns), tuple(KeptBins.of(*cells, bit) for cells in sketch.cells))

    @classmethod
    def read(cls, content: Mapping[str, Any] | None) -> tuple[Self, ...]:
        """Return what was kept, from JSON; nothing where that is nothing, or in another form."""
        if content is None or content["form"] != FORM:
            return ()
        cells = tuple(map(KeptBins.read, content.get("cells", ())))
        return (cls(KeptBins.read(content), frozenset(content["columns"]), cells),)

    @property
    def content(self) -> dict[str, Any]:
        cells = {"cells": [each.content for each in self.cells]} if self.cells else {}
        return {"form": FORM, **self.rows.content, "columns": sorted(self.columns), **cells}

    def shared(self, other: KeptSketch) -> tuple[float, int]:
        """Return the share of rows in both, and the number of columns, whole or in part."""
        parts = sum(any(one.resembles(each, MIN_SHARED_CELLS) for each in other.cells) for one in self.cells)
        return self.rows.shared(other.rows), max(len(self.columns & other.columns), parts)

    def resembles(self, other: KeptSketch) -> bool:
        """Tell whether that is more than chance: a quarter of the rows, or a column, or 0.3 of one."""
        return self.shared(other)[1] > 0 or self.rows.resembles(other.rows, MIN_SHARED_ROWS)
