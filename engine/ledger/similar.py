"""Data that resemble others which have an account: what is kept of them, and what it tells."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Self

import numpy as np

if TYPE_CHECKING:
    from engine.data.sketch import TableSketch
    from engine.ledger.composition import Composition

LEAST_SHARE = 0.25
"""So much of the rows of two tables must be in both, that they are asked about."""

BY_CHANCE = 0.2
"""Independent samples share hardly more of their distinct rows by chance: see `KeptSketch.resembles`."""

FORM = 1
"""What the parts of a kept sketch mean; others are not read."""

DIGITS = 16
"""Of the keyed hash of a column."""


@dataclasses.dataclass(frozen=True)
class SimilarData:
    """Data with an account that others resemble.

    Attributes
    ----------
    name, title : str
        Of the account.
    share : float
        An estimate of the share of distinct rows of either that are in both.
    columns : int
        How many columns of many values are the same in both.
    spent : mapping of Composition
        What was spent on them, by the neighbouring relation.
    """

    name: str
    title: str
    share: float
    columns: int
    spent: Mapping[str, Composition]


@dataclasses.dataclass(frozen=True)
class KeptSketch:
    """What a ledger keeps of a `TableSketch`: little, and nothing that could be checked without its key.

    Attributes
    ----------
    present, bits : int
        Whether each bin has a row, and one bit of a keyed hash of the row (b-bit minwise hashing: Li and
        König, WWW 2010) and of how often the table has it.
    repeated : int
        In how many bins the table has the row more than once.
    columns : frozenset of str
        Keyed hashes of columns with many values.
    """

    present: int
    bits: int
    repeated: int
    columns: frozenset[str]

    @classmethod
    def of(cls, sketch: TableSketch, keyed: Callable[[str, bytes], str]) -> Self:
        """Return what is kept of a sketch by a ledger, whose `Ledger.keyed` this is."""
        present = bits = 0
        for place in np.flatnonzero(sketch.repeats).tolist():
            row = f"{place} {sketch.minima[place]} {sketch.repeats[place]}"
            present |= 1 << place
            bits |= (int(keyed("row", row.encode())[0], 16) & 1) << place
        columns = (keyed("column", str(column).encode())[:DIGITS] for column in sketch.columns)
        return cls(present, bits, int((sketch.repeats > 1).sum()), frozenset(columns))

    @classmethod
    def read(cls, content: Mapping[str, Any] | None) -> tuple[Self, ...]:
        """Return what was kept, from JSON; nothing where that is nothing, or in another form."""
        if content is None or content["form"] != FORM:
            return ()
        present, bits = (int(content[name], 16) for name in ("present", "bits"))
        return (cls(present, bits, content["repeated"], frozenset(content["columns"])),)

    @property
    def content(self) -> dict[str, Any]:
        """What is kept, as JSON holds it."""
        return {
            "form": FORM,
            "present": f"{self.present:x}",
            "bits": f"{self.bits:x}",
            "repeated": self.repeated,
            "columns": sorted(self.columns),
        }

    def shared(self, other: KeptSketch) -> tuple[float, int]:
        """Return the share of rows in both, and the number of columns.

        Of the bins with a row of either table, those with the same row are counted as the bits that agree
        less those that do not, since other rows do so with probability 1/2: an unbiased estimate of the
        Jaccard similarity of the sets of distinct rows that come with how often they are there.
        """
        both, either = self.present & other.present, self.present | other.present
        disagree = (both & (self.bits ^ other.bits)).bit_count()
        share = (both.bit_count() - 2 * disagree) / max(either.bit_count(), 1)
        return share, len(self.columns & other.columns)

    def resembles(self, other: KeptSketch) -> bool:
        """Tell whether that is more than chance: a quarter of the rows, or a column.

        Of unrelated data without repeated rows nothing is in both, and the estimate is above 1/4 with
        probability below 1e-8: at most that of 320 heads in 512 tosses.  Where rows are repeated, as of a
        few whole numbers, independent samples have rows in common.  Those that both have equally often
        are at most a share of min(r, 0.21), where r is the share of the rows of the larger sample that are
        repeated in it (for numbers with Poisson's distribution, whatever their means); twice that is added.
        """
        share, columns = self.shared(other)
        repeated = max(each.repeated / max(each.present.bit_count(), 1) for each in (self, other))
        return columns > 0 or share >= LEAST_SHARE + 2 * min(repeated, BY_CHANCE)
