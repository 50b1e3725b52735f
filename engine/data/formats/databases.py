"""What databases of all kinds have in common: which table is read, and the table that their answer makes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from engine.data.formats.values import column_of, joined
from engine.data.names import check_known, check_names
from engine.data.reading_options import FoundReading
from engine.data.table import Table
from engine.errors import DataError

if TYPE_CHECKING:
    from engine.data.formats.file_format import DataFile


def statement(file: DataFile, names: Sequence[str]) -> tuple[str, str]:
    """Return the statement that reads what is wanted, and the name of the table, "" for a query."""
    if file.options.sql:
        return file.options.sql, ""
    table = wanted_table(file, names)
    return f"SELECT * FROM {quoted(table)}", table


def wanted_table(file: DataFile, names: Sequence[str]) -> str:
    """Return the table that is named, or the first one; `DataError` where it is not there."""
    if not names:
        raise DataError("there are no tables in it; at least one is needed", source=file.name)
    table = file.options.table or names[0]
    if table not in names:
        raise DataError(f"there is no table '{table}'; there are {', '.join(names)}", source=file.name)
    return table


OF_THE_TEXT = "42"
"""How the codes of the SQL standard begin for a text of a query that is wrong, whatever the records hold."""


def public_part(words: str, of_the_text: bool) -> str:
    """Return what a message may add of a database's own words: those about the text of a query, if any."""
    return f" ({words})" if of_the_text else ""


def refused(problem: str, words: str, source: str) -> DataError:
    """Return the error for such words of a database, which may repeat a cell where they are not public."""
    return DataError(problem, confidential="" if f"({words})" in problem else words, source=source)


def quoted(name: str, mark: str = '"') -> str:
    """Return a name between marks, so that it stands in a statement as it is."""
    return f"{mark}{name.replace(mark, 2 * mark) if mark else name}{mark}"


def fields_of(cursor: Any, file: DataFile) -> list[str]:
    """Return the names of the columns of an answer; `DataError` if there are none, or they are unusable."""
    if cursor.description is None:
        raise DataError("the query returns nothing; write a SELECT statement", source=file.name)
    fields = [description[0] for description in cursor.description]
    check_names(fields, file.name)
    return fields


def fetched(
    cursor: Any, columns: Sequence[str] | None, file: DataFile, batch: int, report: Callable[[], None]
) -> Any:
    """Fetch the rows of an answer, some at a time, as one Arrow table.

    Parameters
    ----------
    cursor : cursor of the DB-API
    columns : sequence of str or None
        None for all.
    file : DataFile
    batch : int
        Rows that are fetched at a time.
    report : callable
        Called for each of these batches.
    """
    import pyarrow as pa

    fields = fields_of(cursor, file)
    check_known(columns or [], fields, file.name)
    pieces: list[list[Any]] = [[] for _ in fields]
    while rows := cursor.fetchmany(batch):
        report()
        for piece, cells in zip(pieces, zip(*rows, strict=True), strict=True):
            piece.append(column_of(cells))
    found = zip(fields, pieces, strict=True)
    return pa.table({name: joined(piece) for name, piece in found if not columns or name in columns})


def answered(file: DataFile, kind: str, words: str, table: str, names: Sequence[str], data: Any) -> Table:
    """Return what a database has answered.

    Parameters
    ----------
    file : DataFile
    kind : str
        The name of the format.
    words : str
        What users read for it.
    table : str
        The one that was read; "" for a query.
    names : sequence of str
        Those of all tables.
    data : Arrow table
    """
    return Table(
        file.name,
        data,
        format=f"{words}, {'table ' + table if table else 'query'}",
        reading=FoundReading(kind, {"table": table, "sql": file.options.sql}, {"table": tuple(names)}),
    )
