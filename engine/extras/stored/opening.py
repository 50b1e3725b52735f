"""What stays where it is, opened: files of a format that allows it, and tables of a Dask cluster."""

from __future__ import annotations

from typing import Any

from engine.data.large_files import open_in_file
from engine.data.reading import open_file
from engine.data.reading_options import ReadingOptions
from engine.extras.stored.column import StoredColumn
from engine.extras.stored.dask_frame import DaskTable, is_dask
from engine.extras.stored.table import StoredTable
from engine.progress import Progress, silent


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
    opened = open_in_file(*open_file(path, ReadingOptions.of(options, connect=connect)), progress)
    assert isinstance(opened, StoredTable)
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
