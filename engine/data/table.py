"""A table as it was read: immutable, its columns named and typed, its gaps counted."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, NoReturn, Protocol

import numpy as np
from numpy.typing import NDArray

from engine.array_types import Bools, Floats, Ints
from engine.data import cells
from engine.data.arrays import array_of, fill_null
from engine.data.categories import check_choice, numbers_to_fill
from engine.data.look_only import REFUSE, look_only
from engine.data.names import check_known, check_names
from engine.data.reading_options import FoundReading
from engine.errors import DataError, ParameterError
from engine.shown import ShownInALine

if TYPE_CHECKING:
    import pyarrow as pa

    from engine.data.order_statistics import OrderStatistics
    from engine.data.points import Points
    from engine.domain import Box, Interval


@dataclasses.dataclass(frozen=True)
class Column:
    """What is known about one column; `Table` lists them."""

    name: str
    type: str
    missing: int  # Number of records without a value here.  Private, like the records.
    unit: str = ""  # "" where none is declared


class ValuesInFile(Protocol):
    """The values of a column that stays in its file, where an array is asked for."""

    def __len__(self) -> int:
        """Return how many records there are."""

    def sample(self, domain: Interval) -> OrderStatistics:
        """Return them between public bounds."""

    def some(self, count: int) -> tuple[Ints, Floats]:
        """Return a few records by number, from 0, and their values: always the same ones."""


class PointsInFile(Protocol):
    """The coordinates of points that stay in their file, where an array is asked for."""

    def __len__(self) -> int:
        """Return how many records there are."""

    def points(self, domain: Box, units: Sequence[str] = ()) -> Points:
        """Return them between public bounds."""


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class Numbers(ShownInALine):
    """The numbers of one or several columns; what a `Table` gives."""

    # shape (n,); All finite; read-only; in the order of the records.  Of columns that stay in their file,
    # `ValuesInFile` or `PointsInFile`.
    values: Any
    dropped: int = 0  # How many records were left out because a value is missing (private)
    filled: int = 0  # How many records have a public value in the place of one that is missing (private)


@dataclasses.dataclass(frozen=True, eq=False)
class Table:
    """Records with named, typed columns; at least one of each.

    Rows are numbered as a spreadsheet does: in a delimited text file the header is
    row 1 and the first record row 2; in Parquet, Feather and JSON lines, which have
    no header row, the first record is row 1.

    Parameters
    ----------
    source : str
        The name of the file.
    data : pyarrow.Table
        The cells.
    first_row : int, default 1
        The row of the first record.
    format : str, optional
        What was recognised, in words.
    units : mapping of str to str, optional
        Units by column name.
    vertices : sequence of str, optional
        The vertices that a file of a graph declares, whether or not a record names them.
    reading : FoundReading, optional
        How the file was read.
    release_problem : str, optional
        Why no release may be made of these records, though they may be looked at, and what to do instead:
        one public line.  What is read of the table says so, too.
    treated : {"refuse", "fill", "drop"}
        What was done with missing values before they came into this table.

    Raises
    ------
    DataError
        If there is no column or no record, or a name is empty or stands twice.

    Examples
    --------
    >>> from engine import load_example
    >>> table = load_example("salaries")
    >>> table.n, [column.name for column in table.columns]
    (10001, ['salary'])
    """

    source: str
    data: pa.Table
    first_row: int = 1
    format: str = ""
    units: Mapping[str, str] = dataclasses.field(default_factory=dict)
    vertices: Sequence[str] = ()
    reading: FoundReading = dataclasses.field(default_factory=FoundReading)
    release_problem: str = ""
    treated: str = REFUSE

    def __repr__(self) -> str:
        names = ", ".join(self.data.column_names)
        size = "" if self.release_problem else f", n={self.data.num_rows}"
        return f"Table({self.source!r}{size}; columns {names}; records are confidential)"

    def __post_init__(self) -> None:
        check_names(self.data.column_names, self.source)
        if self.n == 0:
            raise DataError(
                "there are column names but no records; at least one is needed", source=self.source
            )

    @property
    def n(self) -> int:
        """Number of records, those with missing values included."""
        return int(self.data.num_rows)

    @cached_property
    def columns(self) -> tuple[Column, ...]:
        """The columns, in the order of the file."""
        return tuple(
            Column(name, cells.kind(column.type), column.null_count, self.units.get(name, ""))
            for name, column in zip(self.data.column_names, self.data.columns, strict=True)
        )

    def column(self, name: str) -> Column:
        """Return the column of that name; `DataError` offers the nearest names."""
        names = self.data.column_names
        check_known([name], names, self.source)
        return self.columns[int(names.index(name))]

    def row(self, index: int) -> int:
        """Return the row, as a spreadsheet numbers it, of the record at `index` (from 0)."""
        return self.first_row + index

    def error(self, problem: str, column: str, index: int | None = None, confidential: str = "") -> DataError:
        """Return what is wrong with a column, or with its cell in the record at `index` (from 0)."""
        row = None if index is None else self.row(index)
        return DataError(problem, confidential=confidential, source=self.source, row=row, column=column)

    def preview(self, rows: int = 20, columns: int | None = None) -> list[tuple[str, ...]]:
        """Return the first records (of so many columns) as one reads them; "" where a value is missing."""
        texts = (cells.as_text(column.slice(0, rows)) for column in self.data.columns[:columns])
        return list(zip(*texts, strict=True))

    def numbers(self, column: str, missing: str = "refuse", fill: float | None = None) -> Numbers:
        """Return one column as numbers.

        Missing values are refused (`DataError`), filled by a number that is chosen without looking at the
        data, or dropped with their records and counted: n then depends on who has a value, and is public only
        if it was known before.  Integers and decimals beyond 2^53 are rounded to the nearest float64.
        """
        points = self.points([column], missing, None if fill is None else [fill])
        return Numbers(points.values[:, 0], points.dropped, points.filled)

    def points(
        self, columns: Sequence[str], missing: str = "refuse", fill: Sequence[float] | None = None
    ) -> Numbers:
        """Return several columns as points; as `numbers`, with values of shape (n, d).

        A record that lacks any of the columns is dropped (or refused) whole; `fill` has a number for
        each column.
        """
        check_choice(missing)
        if not columns:
            raise ParameterError("column", "no column is named; name at least one column of numbers")
        instead = numbers_to_fill(fill, columns) if missing == "fill" else [0.0] * len(columns)
        values = np.empty((self.n, len(columns)))
        for index, name in enumerate(columns):
            if missing == "fill" and self.column(name).missing == self.n:
                values[:, index] = instead[index]  # of no type; one more empty cell must not be refused
            else:
                self._fill(values[:, index], name, instead[index])
        present = self.complete(columns, missing)
        lacking = self.n - int(np.count_nonzero(present))
        if lacking and missing == "drop":
            values = values[present]
        values.flags.writeable = False
        numbers = self.marked(values, missing)
        return Numbers(numbers, *((lacking, 0) if missing == "drop" else (0, lacking)))

    def marked(self, values: NDArray[Any], missing: str) -> Any:
        """Return what was read of the table, with all that must be known of it before a release."""
        return look_only(values, self.release_problem, self.treated if missing == REFUSE else missing)

    def complete(self, columns: Sequence[str], missing: str = "refuse") -> Bools:
        """Return which records have a value in each of the columns, shape (n,).

        `DataError` for a missing value that is refused, or if every record lacks one.
        """
        check_choice(missing)
        present = np.ones(self.n, dtype=bool)
        for name in columns:
            if self.column(name).missing:
                present &= array_of(self.data.column(name).is_valid())
        dropped = self.n - int(np.count_nonzero(present))
        if dropped and missing == "refuse":
            index = int(np.argmin(present))
            lacking = next(name for name in columns if not self.data.column(name)[index].is_valid)
            problem = "the value is missing; fill it in, or choose to fill or drop missing values"
            raise self.error(problem, lacking, index)
        if dropped == self.n and missing != "fill":
            raise self.error("every record lacks a value; at least one is needed", ", ".join(columns))
        return present

    def _fill(self, values: Floats, name: str, instead: float) -> None:
        """Fill in a column as float64, with a number `instead` of a missing value."""
        import pyarrow as pa

        if self.column(name).type != "number":
            self._reject(name)
        start = 0
        for chunk in self.data.column(name).chunks:  # one copy, and none beside it
            floats = chunk.cast(pa.float64(), safe=False)
            some = values[start : start + len(chunk)]
            some[:] = array_of(fill_null(floats, instead) if floats.null_count else floats)
            finite = np.isfinite(some)
            if not finite.all():
                problem = (
                    "the value is not a finite number; write one, or leave the cell empty to count it as "
                )
                wrong = int(np.argmin(finite))
                raise self.error(problem + "missing", name, start + wrong, str(float(some[wrong])))
            start += len(chunk)

    def _reject(self, name: str) -> NoReturn:
        """Say why a column is not one of numbers, by its first offending cell if there is one."""
        column = self.data.column(name)
        right, offered = "choose a column of numbers", self._number_columns()
        if column.null_count == self.n:
            raise self.error(f"every value is missing; {right}", name, confidential=offered)
        if not cells.is_string(column.type):
            kinds = {"boolean": "true or false", "date": "dates or times"}
            what = kinds.get(self.column(name).type, "no single numbers")
            raise self.error(f"it holds {what}; {right}", name, confidential=offered)
        index = cells.first_not_number(column)
        if index is None:
            problem = f"its numbers are stored as text; store them as numbers, or {right}"
            raise self.error(problem, name, confidential=offered)
        problem = f"the value is not a number; write it as digits with a decimal point (1234.5), or {right}"
        raise self.error(problem, name, index, f"{cells.quote(column[index])}; {offered}")

    def _number_columns(self) -> str:
        names = [column.name for column in self.columns if column.type == "number"]
        if not names:
            return "no column holds numbers alone"
        return "numbers alone are in " + ", ".join(names[:4]) + (", …" if len(names) > 4 else "")
