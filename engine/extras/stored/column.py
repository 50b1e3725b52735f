"""A column of numbers that stays where it is, in pieces that can be read one at a time."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, TypeVar

import numpy as np

from engine.array_types import Floats
from engine.data import cells
from engine.data.arrays import array_of
from engine.data.formats.damage import refusing_damage
from engine.data.names import check_known, check_names
from engine.errors import DataError
from engine.extras.stored.table import StoredPiece, StoredTable
from engine.progress import Progress
from engine.shown import ShownInALine

FoundT = TypeVar("FoundT")


@dataclasses.dataclass(frozen=True, repr=False)
class StoredColumn(ShownInALine):
    """A column of numbers of a stored table: see `stored_column`.

    Attributes
    ----------
    table : StoredTable
    name : str
    pieces : tuple of StoredPiece
        All records, in their order.
    """

    table: StoredTable
    name: str
    pieces: tuple[StoredPiece, ...]

    @classmethod
    def of(cls, table: StoredTable, name: str) -> StoredColumn:
        """Return a column by its name; `DataError` if there is none, or it holds no numbers."""
        schema = table.schema
        check_names(schema.names, table.source)
        check_known([name], schema.names, table.source)
        if cells.kind(schema.field(name).type) != "number":
            raise DataError(
                "it does not hold numbers; choose a column of numbers", source=table.source, column=name
            )
        told = table.told(name) or [(None, -np.inf, np.inf)] * len(table.sizes)
        pieces = (
            StoredPiece(first, records, *facts)
            for first, records, facts in zip(table.firsts, table.sizes, told, strict=True)
        )
        return cls(table, name, tuple(pieces))

    @property
    def source(self) -> str:
        """What messages call the table."""
        return self.table.source

    @property
    def records(self) -> int:
        """How many records there are, those without a value included."""
        return sum(piece.records for piece in self.pieces)

    @property
    def told(self) -> bool:
        """Whether it is known of all pieces how many values are missing."""
        return all(piece.missing is not None for piece in self.pieces)

    @property
    def missing(self) -> int:
        """How many records have no value, as far as it is `told` (private)."""
        return sum(piece.missing or 0 for piece in self.pieces)

    def over(
        self,
        places: Sequence[int],
        examine: Callable[[Floats], FoundT],
        progress: Progress,
        message: str,
    ) -> Iterator[FoundT]:
        """Yield what `examine` finds in the values of pieces, in their order."""
        return self.over_each(dict.fromkeys(places, examine), progress, message)

    def over_each(
        self, examine: Mapping[int, Callable[[Floats], FoundT]], progress: Progress, message: str
    ) -> Iterator[FoundT]:
        """Yield what functions find in the values of pieces: each in the one at its place."""
        above = self.table.first_row - 1
        works = {
            place: partial(_examined, self.source, self.name, above + self.pieces[place].first, work)
            for place, work in examine.items()
        }
        return self.table.over([self.name], works, progress, message)


def _examined(source: str, name: str, first: int, examine: Callable[[Floats], FoundT], table: Any) -> FoundT:
    return examine(numbers(table, name, source, first))


def numbers(table: Any, name: str, source: str, first: int) -> Floats:
    """Return the values of a column, without missing ones; `DataError` for one that is not finite."""
    import pyarrow as pa

    with refusing_damage(source):
        found = table.column(name).cast(pa.float64(), safe=False)
    return refuse_infinite(found, source, name, first)


def refuse_infinite(column: Any, source: str, name: str, first: int) -> Floats:
    """Raise `DataError` for a value that is not finite, counted after `first` rows; return the values."""
    found = array_of(column.drop_null())
    with np.errstate(over="ignore", invalid="ignore"):
        finite = bool(np.isfinite(found.sum())) or bool(np.isfinite(found).all())
    if finite:
        return found
    whole = array_of(column)
    index = int(np.argmax(~np.isfinite(whole) & array_of(column.is_valid())))
    value = float(whole[index])
    raise DataError(
        "the value is not a finite number; write one, or leave the cell empty to count it as missing",
        confidential=str(value),
        source=source,
        row=first + index + 1,
        column=name,
    )


def check_told(values: Floats, piece: StoredPiece, source: str, name: str) -> None:
    """Raise `DataError` if a file says other things of a piece than there are in it."""
    told = piece.missing is None or values.size == piece.present
    if not told or (values.size and not (piece.lower <= values.min() and values.max() <= piece.upper)):
        raise DataError(
            f"what it says of its records from {piece.first + 1:,} on is not true; write the file again",
            source=source,
            column=name,
        )
