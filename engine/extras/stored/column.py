"""A column of numbers that stays in its source and is read piece by piece."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, TypeVar

import numpy as np

from engine.array_types import Floats
from engine.data import cells
from engine.data.arrays import array_of, nan_as_null
from engine.data.formats.damage import refusing_damage
from engine.data.names import check_known, check_names
from engine.data.table import NOT_FINITE
from engine.errors import DataError
from engine.extras.stored.table import StoredPiece, StoredTable
from engine.progress import Progress
from engine.runners import in_order, runner
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
        All records, in order.
    nan_is_missing : bool
        Whether NaN counts as missing, also in `pieces`; otherwise reading it raises `DataError`.

    See Also
    --------
    stored_column, StoredSample
    """

    table: StoredTable
    name: str
    pieces: tuple[StoredPiece, ...]
    nan_is_missing: bool = False

    @classmethod
    def of(cls, table: StoredTable, name: str) -> StoredColumn:
        """Return a column by its name; `DataError` if there is none, or it does not hold numbers."""
        schema = table.schema
        check_names(schema.names, table.source)
        check_known([name], schema.names, table.source)
        if cells.kind(schema.field(name).type) != "number":
            raise DataError(
                "it does not hold numbers; choose a column of numbers", source=table.source, column=name
            )
        stated = table.missing.of(name) is not None
        known = (None if stated else table.piece_statistics(name)) or [(None, -np.inf, np.inf)] * len(
            table.sizes
        )
        pieces = (
            StoredPiece(first, records, *facts)
            for first, records, facts in zip(table.firsts, table.sizes, known, strict=True)
        )
        return cls(table, name, tuple(pieces))

    @property
    def source(self) -> str:
        """The name of the table in messages."""
        return self.table.source

    @property
    def records(self) -> int:
        """The number of records, with those without a value."""
        return sum(piece.records for piece in self.pieces)

    @property
    def is_counted(self) -> bool:
        """Whether the number of missing values of each piece is known."""
        return all(piece.missing is not None for piece in self.pieces)

    @property
    def missing(self) -> int:
        """The known number of records without a value (private); complete if `is_counted`."""
        return sum(piece.missing or 0 for piece in self.pieces)

    def with_nan_missing(self, progress: Progress) -> StoredColumn:
        """Return the column in which NaN is missing; one pass counts it unless it is counted already."""
        floats = cells.is_floating(self.table.schema.field(self.name).type)
        if self.nan_is_missing or not floats:
            return self
        return column_stats(self.table, [self.name], progress=progress, anew=True)[self.name] or self

    def over(
        self,
        places: Sequence[int],
        examine: Callable[[Floats], FoundT],
        progress: Progress,
        message: str,
    ) -> Iterator[FoundT]:
        """Yield the result of `examine` on the values of each piece, in order."""
        return self.over_each(dict.fromkeys(places, examine), progress, message)

    def over_each(
        self, examine: Mapping[int, Callable[[Floats], FoundT]], progress: Progress, message: str
    ) -> Iterator[FoundT]:
        """Yield the result of each function on the values of its piece; keys are indices of pieces."""
        above = self.table.first_row - 1
        works = {
            number: partial(
                _examined,
                self.source,
                self.name,
                above + self.pieces[number].first,
                self.nan_is_missing,
                work,
            )
            for number, work in examine.items()
        }
        return self.table.over([self.name], works, progress, message)


def _examined(
    source: str,
    name: str,
    first: int,
    nan_is_missing: bool,
    examine: Callable[[Floats], FoundT],
    table: Any,
) -> FoundT:
    return examine(numbers(table, name, source, first, nan_is_missing))


def numbers(table: Any, name: str, source: str, first: int, nan_is_missing: bool) -> Floats:
    """Return the values of a column, without missing ones; `DataError` if one is not finite."""
    import pyarrow as pa

    with refusing_damage(source):
        converted = table.column(name).cast(pa.float64(), safe=False)
    return refuse_infinite(nan_as_null(converted) if nan_is_missing else converted, source, name, first)


def refuse_infinite(column: Any, source: str, name: str, first: int) -> Floats:
    """Return the values; `DataError` if one is not finite (its row is counted after `first` rows)."""
    converted = array_of(column.drop_null())
    with np.errstate(over="ignore", invalid="ignore"):
        finite = bool(np.isfinite(converted.sum())) or bool(np.isfinite(converted).all())
    if finite:
        return converted
    whole = array_of(column)
    index = int(np.argmax(~np.isfinite(whole) & array_of(column.is_valid())))
    value = float(whole[index])
    raise DataError(
        NOT_FINITE,
        confidential=str(value),
        source=source,
        row=first + index + 1,
        column=name,
    )


def check_statistics(values: Floats, piece: StoredPiece, source: str, name: str) -> None:
    """Raise `DataError` if the values of a piece contradict the statistics in the file."""
    known = piece.missing is None or values.size == piece.present
    if not known or (values.size and not (piece.lower <= values.min() and values.max() <= piece.upper)):
        raise DataError(
            f"its statistics of the records from {piece.first + 1:,} on are wrong; write the file again",
            source=source,
            column=name,
        )


_Facts = tuple[int, float, float] | None
"""(number of values, minimum, maximum); None if the column does not hold numbers."""


def column_stats(
    table: StoredTable, names: Sequence[str], *, progress: Progress, anew: bool = False
) -> dict[str, StoredColumn | None]:
    """Return columns with known statistics of all pieces; None for a column that also holds text.

    If `anew`, the source's own statistics do not count.  A column with an infinite value is returned, too;
    reading its values raises the error.
    """
    columns: dict[str, StoredColumn | None] = {name: StoredColumn.of(table, name) for name in names}
    asked = [
        name for name, column in columns.items() if column is not None and (anew or not column.is_counted)
    ]
    if not asked:
        return columns
    facts_of: dict[str, list[_Facts]] = {name: [] for name in asked}
    now = runner()
    with now.opened() as pool:
        tasks = (
            pool.submit(_stats_of_piece, table, index, tuple(asked)) for index in range(len(table.sizes))
        )
        for facts in in_order(tasks, now.width, len(table.sizes), progress, f"reading {table.source}"):
            for name, one in facts.items():
                facts_of[name].append(one)
    for name, parts in facts_of.items():
        column = columns[name]
        assert column is not None
        columns[name] = _with(column, parts)
    return columns


def _with(column: StoredColumn, parts: Sequence[_Facts]) -> StoredColumn | None:
    pieces = []
    for piece, facts in zip(column.pieces, parts, strict=True):
        if facts is None:
            return None
        present, lower, upper = facts
        pieces.append(StoredPiece(piece.first, piece.records, piece.records - present, lower, upper))
    return dataclasses.replace(column, pieces=tuple(pieces), nan_is_missing=True)


def _stats_of_piece(table: StoredTable, index: int, names: tuple[str, ...]) -> Mapping[str, _Facts]:
    try:
        loaded: Mapping[str, Any] = _columns(table, index, names)
    except DataError:  # find the columns that raised it
        loaded = {}
        for name in names:
            try:
                loaded |= _columns(table, index, (name,))
            except DataError:
                loaded[name] = None
    return {name: None if column is None else _facts(column) for name, column in loaded.items()}


def _columns(table: StoredTable, index: int, names: tuple[str, ...]) -> dict[str, Any]:
    import pyarrow as pa

    facts_of = table.piece(index, names)
    return {name: facts_of.column(name).cast(pa.float64(), safe=False) for name in names}


def _facts(column: Any) -> tuple[int, float, float]:
    values = array_of(column.drop_null())
    if values.size and np.isnan(values.min()):
        values = values[~np.isnan(values)]
    if not values.size:
        return 0, np.inf, -np.inf
    lower, upper = float(values.min()), float(values.max())
    # infinity raises an error later, when values are read
    return values.size, *((lower, upper) if np.isfinite(lower + upper) else (-np.inf, np.inf))
