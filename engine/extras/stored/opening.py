"""What stays where it is, opened: files of a format that allows it, and tables of a Dask cluster."""

from __future__ import annotations

import os
from typing import Any

from engine.data.formats.file_format import FileFormat
from engine.data.formats.registry import FORMATS
from engine.data.reading import is_columnar, opened_file
from engine.data.reading_options import DETECTED, ReadingOptions
from engine.errors import DataError
from engine.extras.stored import table
from engine.extras.stored.column import StoredColumn
from engine.extras.stored.dask_frame import DaskTable, is_dask
from engine.extras.stored.table import StoredTable
from engine.progress import Progress, silent

LEAST = 2
"""Bytes of a record in a text, at least: smaller files are not looked at."""


def stored_format(path: str | os.PathLike[str], options: ReadingOptions = DETECTED) -> FileFormat | None:
    """Return the format of a file of which columns can stay there; None of any other."""
    file, found = opened_file(path, options)
    able = found is not None and found.stored is not None and found.may_stay(file)
    return found if able and not options.types else None


def stored_table(
    path: Any, progress: Progress = silent, *, connect: bool | str = False, **options: str
) -> StoredTable:
    """Return the table of a file, or of a Dask dataframe, without reading it.

    Parameters
    ----------
    path : path-like or dask.dataframe.DataFrame
    progress : Progress
        Hears of looking where the records of a text begin.
    connect : bool, default False
        Whether an address in the file may be followed, as for `read_table`.
    **options : str
        What is not to be detected, as for `read_table`: `table`, `sql`, `delimiter` …

    Returns
    -------
    StoredTable
        For `StoredPoints`; of a single column see `stored_column`.

    Raises
    ------
    DataError
        If the file is damaged, or has to be read as a whole.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = pathlib.Path(folder, "places.csv")
    ...     _ = file.write_text("x,y" + chr(10) + "0.25,0.75" + chr(10))
    ...     table = stored_table(file)
    ...     table.n, table.schema.names
    (1, ['x', 'y'])
    """
    if is_dask(path):
        return DaskTable("dataframe", path)
    file, found = opened_file(path, ReadingOptions.of(options, connect=connect))
    if found is None or found.stored is None or not found.may_stay(file):
        able = ", ".join(one.title for one in FORMATS.values() if one.stored)
        raise DataError(
            f"it is read as a whole; what can stay in its file is {able}: write it as Parquet",
            source=file.name,
        )
    found.refuse_other_options(file)
    opened = found.stored(file, progress)
    if not opened.n:
        raise DataError("there are no records; at least one is needed", source=file.name)
    return opened


def stored_column(
    path: Any, name: str, progress: Progress = silent, *, connect: bool | str = False, **options: str
) -> StoredColumn:
    """Return a column of a file, or of a Dask dataframe, without reading it.

    Parameters
    ----------
    path : path-like or dask.dataframe.DataFrame
        Parquet, Feather, delimited text, or a database (DuckDB, SQLite, PostgreSQL).
    name : str
        Of the column.
    progress : Progress
        Hears of looking where the records of a text begin.
    connect : bool, default False
        Whether an address in the file may be followed, as for `read_table`.
    **options : str
        What is not to be detected, as for `read_table`: `table`, `sql`, `delimiter` …

    Returns
    -------
    StoredColumn

    Raises
    ------
    DataError
        If the file is damaged or has to be read as a whole, there is no such column, or it holds no numbers.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> from engine import Interval, Median, StoredSample
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = pathlib.Path(folder, "people.csv")
    ...     with file.open("w") as lines:
    ...         print("pay", *range(1, 1000), sep=chr(10), file=lines)
    ...     data = StoredSample(stored_column(file, "pay"), Interval(0, 2000))
    ...     Median().value(data)
    500.0
    """
    return StoredColumn.of(stored_table(path, progress, connect=connect, **options), name)


def large_table(
    path: str | os.PathLike[str],
    options: ReadingOptions = DETECTED,
    progress: Progress = silent,
    numbers: int | None = None,
) -> StoredTable | None:
    """Return the table of a file that is so large that it is not read into memory; None of any other.

    Files that keep their columns apart stay where they are from half as many numbers on: of `numbers`
    columns that are wanted, or of all.  Whether others do must not depend on what is asked of them, since
    the ledger knows them by it.
    """
    found = stored_format(path, options)
    plain = found is not None and (found.is_text or found.is_plain)
    if found is None or (plain and os.stat(path).st_size < LEAST * table.LARGE):
        return None
    stored = stored_table(path, progress, connect=options.connect, **options.stated)
    wanted = len(stored.schema) if numbers is None else numbers
    many = is_columnar(path) and 2 * wanted * stored.n > table.LARGE
    return stored if many or stored.n > table.LARGE else None
