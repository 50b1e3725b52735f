"""An immutable table with named, typed columns and counts of missing values."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, NoReturn, Protocol

import numpy as np
from numpy.typing import NDArray

from engine.array_types import Bools, Floats, Ints
from engine.data import cells
from engine.data.arrays import array_of, doubles, nan_as_null
from engine.data.categories import check_choice, numbers_to_fill
from engine.data.look_only import REFUSE, look_only
from engine.data.names import check_known, check_names
from engine.data.reading_options import FoundReading
from engine.errors import DataError, ParameterError
from engine.shown import ShownInALine
from engine.signatures import Explained

if TYPE_CHECKING:
    import pyarrow as pa

    from engine.data.order_statistics import OrderStatistics
    from engine.data.points import Points
    from engine.domain import Box, Interval


NOT_FINITE = (
    "the value is not a finite number; write one, or choose to fill or drop missing values, NaN among them"
)


@dataclasses.dataclass(frozen=True)
class Column:
    """Facts about a column; `Table` lists them."""

    name: str
    type: str
    missing: int  # Number of records without a value in this column, or with NaN. Private, like the records.
    unit: str = ""  # "" if none is declared


class ValuesInFile(Protocol):
    """The values of a column that is read in place, used like an array."""

    def __len__(self) -> int:
        """Return the number of records."""

    def sample(self, domain: Interval) -> OrderStatistics:
        """Return the values with public bounds."""

    def some(self, count: int) -> tuple[Ints, Floats]:
        """Return the indices (from 0) and values of a few records, always the same ones."""


class PointsInFile(Protocol):
    """The coordinates of points that are read in place, used like an array."""

    def __len__(self) -> int:
        """Return the number of records."""

    def points(self, domain: Box, units: Sequence[str] = ()) -> Points:
        """Return the points with public bounds."""


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class Numbers(ShownInALine):
    """The numbers of one or several columns, as a `Table` returns them."""

    # shape (n,); all finite; read-only; in record order.  For columns read in place, `ValuesInFile` or
    # `PointsInFile`.
    values: Any
    dropped: int = 0  # number of records left out because a value is missing (private)
    filled: int = 0  # number of records whose missing value was replaced by a public one (private)


@dataclasses.dataclass(frozen=True, eq=False)
class Table(metaclass=Explained):
    """Records with named, typed columns; at least one of each.

    Rows are numbered as in a spreadsheet: in a delimited text file the header is row 1 and the first record
    row 2.  Parquet, Feather and JSON lines have no header; their first record is row 1.

    Parameters
    ----------
    source : str
        The name of the file.
    data : pyarrow.Table
        The cells.
    first_row : int, default 1
        The row of the first record.
    format : str, optional
        Description of the recognised format.
    units : mapping of str to str, optional
        Units by column name.
    vertices : sequence of str, optional
        All vertices that a graph file declares, also those without edges.
    reading : FoundReading, optional
        How the file was read.
    release_problem : str, optional
        Why no release may be made of these records, and how to change that: one public line.  Data read from
        the table carry it, too.
    treated : {"refuse", "fill", "drop"}
        Treatment of missing values before they came into this table.
    kept : ndarray of bool, shape (n,), optional
        Which rows count, if each person has at most so many (private): see `engine.data.rows.keep_rows`.
        Their number is confidential, so only questions about parts can read such a table.
    rows_of_person : int, default 0
        The most records of one person, if the rows are those of persons; see `engine.privacy.PERSON`.

    Raises
    ------
    DataError
        If there is no column or no record, or a name is empty or repeated.

    See Also
    --------
    as_table, read_table

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
    kept: Bools | None = None
    rows_of_person: int = 0

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
        """Number of records, including those with missing values."""
        return int(self.data.num_rows)

    @cached_property
    def columns(self) -> tuple[Column, ...]:
        """The columns, in the order of the file."""
        return tuple(
            Column(name, cells.kind(column.type), cells.count_missing(column), self.units.get(name, ""))
            for name, column in zip(self.data.column_names, self.data.columns, strict=True)
        )

    def __getitem__(self, name: str | Sequence[str]) -> Any:
        """Return the numbers of a column (private), like `numbers`; several names return rows."""
        if not isinstance(name, str):
            return self.points(list(name)).values
        return self.numbers(name).values

    def column(self, name: str) -> Column:
        """Return the column with this name; `DataError` suggests similar names."""
        names = self.data.column_names
        check_known([name], names, self.source)
        return self.columns[int(names.index(name))]

    def row(self, index: int) -> int:
        """Return the row number, as in a spreadsheet, of the record at `index` (from 0)."""
        return self.first_row + index

    def error(self, problem: str, column: str, index: int | None = None, confidential: str = "") -> DataError:
        """Return a `DataError` about a column, or its cell in the record at `index` (from 0)."""
        row = None if index is None else self.row(index)
        return DataError(problem, confidential=confidential, source=self.source, row=row, column=column)

    def preview(self, rows: int = 20, columns: int | None = None) -> list[tuple[str, ...]]:
        """Return the first records (and columns) as displayed texts; "" for missing values."""
        texts = (cells.as_text(column.slice(0, rows)) for column in self.data.columns[:columns])
        return list(zip(*texts, strict=True))

    def numbers(self, column: str, missing: str = "refuse", fill: float | None = None) -> Numbers:
        """Return one column as numbers.

        Missing values and NaN are refused (`DataError`), filled with a number chosen without looking at the
        data, or dropped with their records and counted.  Dropping makes n depend on who has a value: n is
        public only if it was known before.  Infinite values are always refused.  Integers and decimals beyond
        2^53 are rounded to the nearest float64.
        """
        points = self.points([column], missing, None if fill is None else [fill])
        return Numbers(points.values[:, 0], points.dropped, points.filled)

    def points(
        self, columns: Sequence[str], missing: str = "refuse", fill: Sequence[float] | None = None
    ) -> Numbers:
        """Return several columns as points; like `numbers`, with values of shape (n, d).

        A record that lacks any of the columns is dropped (or refused) as a whole; `fill` has a number for
        each column.
        """
        check_choice(missing)
        if not columns:
            raise ParameterError("column", "no column is named; name at least one column of numbers")
        instead = numbers_to_fill(fill, columns) if missing == "fill" else [0.0] * len(columns)
        values = np.empty((self.n, len(columns)))
        for index, name in enumerate(columns):
            if missing == "fill" and self.column(name).missing == self.n:
                values[:, index] = instead[
                    index
                ]  # an all-null column has no type; an extra empty cell must not be refused
            else:
                self._fill(values[:, index], name, instead[index], missing)
        present = self.complete(columns, missing)
        lacking = self.n - int(np.count_nonzero(present))
        if lacking and missing == "drop":
            values = values[present]
        values.flags.writeable = False
        numbers = self.marked(values, missing)
        return Numbers(numbers, *((lacking, 0) if missing == "drop" else (0, lacking)))

    def marked(self, values: NDArray[Any], missing: str) -> Any:
        """Return data read from the table, marked with its restrictions on releases."""
        treated = self.treated if missing == REFUSE else missing
        return look_only(values, self.release_problem, treated, self.rows_of_person)

    def complete(self, columns: Sequence[str], missing: str = "refuse") -> Bools:
        """Return which records have a value in each of the columns, shape (n,).

        `DataError` for a refused missing value, or if every record lacks one.
        """
        check_choice(missing)
        if self.kept is not None:
            raise DataError(
                "each person has at most so many rows, so the number of rows that count is confidential; "
                "ask a question about parts, which needs no number",
                source=self.source,
            )
        present = np.ones(self.n, dtype=bool)
        for name in columns:
            if self.column(name).missing:
                present &= array_of(nan_as_null(self.data.column(name)).is_valid())
        dropped = self.n - int(np.count_nonzero(present))
        if dropped and missing == "refuse":
            index = int(np.argmin(present))
            lacking = next(
                name
                for name in columns
                if not nan_as_null(self.data.column(name).slice(index, 1))[0].is_valid
            )
            if self.data.column(lacking)[index].is_valid:
                raise self.error(NOT_FINITE, lacking, index, "nan")
            problem = "the value is missing; fill it in, or choose to fill or drop missing values"
            raise self.error(problem, lacking, index)
        if dropped == self.n and missing != "fill":
            raise self.error("every record lacks a value; at least one is needed", ", ".join(columns))
        return present

    def _fill(self, values: Floats, name: str, instead: float, missing: str) -> None:
        """Fill an array with a column as float64, with `instead` for missing values.

        NaN is missing unless missing values are refused.
        """
        if self.column(name).type != "number":
            self._reject(name)
        start = 0
        for chunk in self.data.column(name).chunks:  # one copy, and no temporary one
            some = values[start : start + len(chunk)]
            some[:] = doubles(chunk, instead)
            finite = np.isfinite(some)
            if not finite.all() and missing != "refuse":
                some[np.isnan(some)] = instead
                finite = np.isfinite(some)
            if not finite.all():
                wrong = int(np.argmin(finite))
                raise self.error(NOT_FINITE, name, start + wrong, str(float(some[wrong])))
            start += len(chunk)

    def _reject(self, name: str) -> NoReturn:
        """Raise `DataError` for a column that is not numeric, at its first offending cell if there is one."""
        column = self.data.column(name)
        right, offered = "choose a column of numbers", self._number_columns()
        if column.null_count == self.n:
            raise self.error(f"every value is missing; {right}", name, confidential=offered)
        if not cells.is_string(column.type):
            held = {"boolean": "true or false", **cells.HELD}
            kind = cells.kind_of_time(column.type) or self.column(name).type
            what = held.get(kind, "lists, objects or bytes instead of single numbers")
            end = ", or " if kind in cells.HELD else "; "
            raise self.error(f"it holds {what}{end}{right}", name, confidential=offered)
        if name in self.reading.labelled:
            problem = f"it holds the labels of its codes; read it as numbers to use the codes, or {right}"
            raise self.error(problem, name, confidential=offered)
        index = cells.first_not_number(column)
        if index is None:
            problem = f"its numbers are stored as text; read it as numbers, or {right}"
            raise self.error(problem, name, confidential=offered)
        problem = (
            f"the value is not a number; {self._no_record(index)}write it as digits with a decimal point "
            f"(1234.5), state it as missing, state its type (days for dates, hours for times), or {right}"
        )
        raise self.error(problem, name, index, f"{cells.quote(column[index])}; {offered}")

    def _no_record(self, index: int) -> str:
        """Return advice for a row that may be no record: a second row of names, or a footnote."""
        values = self.reading.values
        if index == 0 and values.get("header", "0") != "0":
            first = values["header"].partition("-")[0]
            return f'state header="{first}-{self.row(index)}" if the row belongs to the names, '
        if "range" in values:
            return f"state a range of cells without row {self.row(index)} if it is no record, "
        if 0 < index == self.n - 1 and "delimiter" in values:
            return "delete the row if it is a footnote, "
        return ""

    def _number_columns(self) -> str:
        names = [column.name for column in self.columns if column.type == "number"]
        if not names:
            return "no column is numeric"
        return "numeric columns are " + ", ".join(names[:4]) + (", …" if len(names) > 4 else "")
