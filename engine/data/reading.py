"""Read files as tables: recognise the format by content, and report errors."""

from __future__ import annotations

import contextlib
import dataclasses
import os
import re
import stat
from collections.abc import Mapping, Sequence
from pathlib import Path

from engine.data.casting import cast_columns
from engine.data.formats import delimited
from engine.data.formats.columnar import keeps_columns_apart
from engine.data.formats.file_format import DataFile, FileFormat
from engine.data.formats.registry import binary_formats, find_format, text_formats
from engine.data.formats.strangers import refuse_strange_bytes, refuse_strange_text, strange_by_suffix
from engine.data.names import check_known
from engine.data.reading_options import DETECTED, FoundReading, ReadingOptions
from engine.data.table import Table
from engine.data.unpacking import packing_of, unpack
from engine.errors import DataError, UnconfirmedAddress
from engine.free_memory import MODEST, lack_of_memory
from engine.progress import Progress, part, silent

HEAD = 1 << 20
"""Bytes inspected to recognise format, encoding and dialect."""

TIMES = 2
"""Memory of a text's columns and their numbers, as a multiple of the file size."""

CSV_OR_PARQUET = "save the table as CSV or Parquet"

OTHER_GRAPHS = {
    rb"\s*((//|#)[^\n]*\n\s*|/\*.*?\*/\s*)*(strict\s+)?(di)?graph\b[^\[\n,;\t|]*\{": "Graphviz DOT",
    rb"nodedef\s*>": "GDF",
    rb"(?i)dl\s+n\s*=": "UCINET DL",
    rb">>(graph6|sparse6|digraph6)<<": "graph6 or sparse6",
    rb"LEDA\.GRAPH": "LEDA",
    rb"\(tlp\s": "Tulip TLP",
}
"""Formats of graphs that cannot be read, by a pattern of their first bytes."""


def read_table(
    path: str | os.PathLike[str],
    *,
    progress: Progress = silent,
    columns: Sequence[str] | None = None,
    types: Mapping[str, str] | None = None,
    connect: bool | str = False,
    **options: str,
) -> Table:
    """Read a file of any of the formats in `engine.data.formats.registry.FORMATS`.

    The content decides the format; the suffix matters only if the content is ambiguous.  A file packed by
    gzip, zstd, bzip2 or xz, or alone in a zip archive, is unpacked into a temporary file while it is read.

    In delimited text the delimiter (comma, semicolon, tab, bar, runs of blanks, fixed width), the quote
    (double or single), the header and the decimal sign are detected.  See `engine.data.formats.dialect` and
    `engine.data.cells`.  A column without a name is called by its number ("column 2"), and a name that occurs
    again gets a number ("b 2").  `Table.reading` shows the detected options; all can be stated.

    In text the cells in `engine.data.cells.MISSING_WORDS` (empty, NA, N/A, n/a, #N/A, NULL, null, <NA>) are
    missing.  In other formats null is missing, and so are the values that the code book of SPSS, Stata or SAS
    declares missing.  The option `missing_values` replaces these values: "-999,.,?" for all columns,
    "income=-999;age=99" for single columns, "" for the empty cell alone.  "nan" and "inf" are read as
    numbers; see `Table.numbers`.

    Columns are held in memory in Arrow's typed form, roughly as large as the file; `columns` reads only some.
    Reading text, Parquet and Arrow's other formats takes a few more megabytes (and the converted text if it
    is not UTF-8).  Parsing releases the interpreter lock.

    Parameters
    ----------
    path : path-like
    progress : Progress
        Called about once per megabyte or 65,536 records, in the calling thread; its exceptions stop the
        reading.  It restarts if a text column needs a wider type than its first megabyte showed.
    columns : sequence of str, optional
        The only columns to keep; all of them by default.
    types : mapping of str to {"number", "category", "days", "hours"}, optional
        The types of columns, by their names.  Days count from 1970-01-01 UTC, hours are times of day or
        durations.  In a column of codes with labels, "number" gives the codes and "category" the labels.
    connect : bool, default False
        Whether to follow an address in the file: this runs a driver that connects to a database.  (Or
        `ReadingOptions.connect` of the one confirmed address.)
    **options : str
        Options that are stated instead of detected, by the names of `engine.data.reading_options.OPTIONS`:
        `encoding`, `delimiter`, `decimal`, `header`, `sheet`, `table`, `sql` …

    Returns
    -------
    Table

    Raises
    ------
    NamesInDoubt
        If the names of the columns could be a record: a cell of the header resembles those below it (a
        number, a date, or a text that recurs), and `header` is not stated.
    DataError
        If the file cannot be opened, has no known format, or holds an address that may not be followed.  Also
        if a row or cell is wrong; see `Table` for the numbers of rows.
    ParameterError
        If an option or its value is unknown.

    See Also
    --------
    as_table, stored_table, Table

    Examples
    --------
    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = pathlib.Path(folder, "people.csv")
    ...     with file.open("w") as lines:
    ...         print("name;pay", "Ada;36,5", "Alan;1.041", sep=chr(10), file=lines)
    ...     table = read_table(file)
    >>> table.n, table.numbers("pay").values.tolist()
    (2, [36.5, 1041.0])
    """
    return read_file(
        path, ReadingOptions.of(options, types or {}, connect), progress=progress, columns=columns
    )


def read_file(
    path: str | os.PathLike[str],
    stated: ReadingOptions,
    *,
    progress: Progress = silent,
    columns: Sequence[str] | None = None,
    asks: bool = True,
    edges: bool = False,
) -> Table:
    """Read a file like `read_table`.

    With `asks` false, accept column names that could be a record.  With `edges`, numbers without a header are
    a list of edges.
    """
    file = Path(path)
    data_file = DataFile(file, file.name, _beginning(file), stated, asks, edges=edges)
    packing = None if find_format(data_file, binary_formats()) else packing_of(data_file.head)
    try:
        if packing is None:
            return _stated(_read(data_file, columns, progress), stated)
        with unpack(data_file, packing, HEAD, progress=part(progress, 0.0, 0.3)) as inner:
            try:
                table = _read(inner, columns, part(progress, 0.3, 1.0))
            except UnconfirmedAddress as error:
                error.path = file
                raise
        table = dataclasses.replace(table, source=file.name, format=f"{table.format} ({packing.title})")
        return _stated(table, stated)
    except MemoryError:
        raise DataError(
            "it does not fit into the memory of this machine; read fewer columns of it", source=file.name
        ) from None
    except OSError as error:
        raise DataError(f"reading stopped: {error.strerror or error}; try again", source=file.name) from None


def _stated(table: Table, options: ReadingOptions) -> Table:
    """Return a table with the stated missing values and types of columns."""
    missing = options.missing
    if missing:
        check_known(list(missing.columns), table.data.column_names, table.source)
        table = dataclasses.replace(table, data=missing.replaced(table.data))
    return cast_columns(table, options)


def begin_reading(path: str | os.PathLike[str]) -> FoundReading:
    """Return facts about a file that could not be read: its format, and the tables to choose from."""
    file = Path(path)
    data_file = DataFile(file, file.name, _beginning(file), DETECTED)
    match = find_format(data_file, binary_formats())
    packing = None if match else packing_of(data_file.head)
    if packing is not None:
        members = packing.members(file)
        return FoundReading(delimited.FORMAT.name, {}, {"table": members} if len(members) > 1 else {})
    return FoundReading((match or find_format(data_file, text_formats()) or delimited.FORMAT).name)


def open_file(
    path: str | os.PathLike[str], options: ReadingOptions = DETECTED
) -> tuple[DataFile, FileFormat | None]:
    """Return a file and its format; None for a packed file."""
    file = Path(path)
    data_file = DataFile(file, file.name, _beginning(file), options)
    match = find_format(data_file, binary_formats())
    if match is None and packing_of(data_file.head) is None:
        _check_text(data_file, whole=False)
        match = _text_format(data_file)
    return data_file, match


def release_problem(path: str | os.PathLike[str], options: ReadingOptions = DETECTED) -> str:
    """Return why a file, read with these options, permits no release; its records are not read."""
    file = Path(path)
    data_file = DataFile(file, file.name, _beginning(file), options)
    packing = None if find_format(data_file, binary_formats()) else packing_of(data_file.head)
    if packing is None:
        return _problem_of(data_file)
    if not (options.sql or options.table):  # otherwise a large text would be unpacked twice
        return ""
    with unpack(data_file, packing, HEAD, progress=silent) as inner:
        return _problem_of(inner)


def _problem_of(file: DataFile) -> str:
    match = find_format(file, binary_formats()) or find_format(file, text_formats())
    return match.release_problem(file) if match is not None else ""


def is_columnar(path: str | os.PathLike[str]) -> bool:
    """Tell whether a file is columnar, so that columns can be skipped at no cost.

    Reports no errors; `read_table` does.
    """
    file = Path(path)
    with contextlib.suppress(OSError, ValueError):
        if file.is_file():
            with file.open("rb") as stream:
                return keeps_columns_apart(stream.read(8))
    return False


def _beginning(path: Path) -> bytes:
    """Return the first bytes of a file, or raise `DataError` with the reason."""
    try:
        mode = path.stat().st_mode
        if stat.S_ISDIR(mode):
            raise DataError("it is a directory; choose a file in it", source=str(path))
        if not stat.S_ISREG(mode):
            raise DataError("it is not a regular file; save the data to a file first", source=str(path))
        with path.open("rb") as file:
            head = file.read(HEAD)
    except FileNotFoundError:
        raise DataError("there is no such file; check the name and the folder", source=str(path)) from None
    except PermissionError:
        raise DataError(
            "you may not read it; ask its owner for permission to read", source=str(path)
        ) from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise DataError(f"it cannot be opened: {reason}; choose another file", source=str(path)) from None
    if not head:
        raise DataError("the file is empty; a header and at least one record are needed", source=path.name)
    return head


def _read(file: DataFile, columns: Sequence[str] | None, progress: Progress) -> Table:
    match = find_format(file, binary_formats())
    if match is None:
        _check_text(file, whole=not columns)
        match = _text_format(file)
    return match.read(file, columns, progress)


def _text_format(file: DataFile) -> FileFormat:
    """Return the text format of a file; `DataError` for text that is no table."""
    match = find_format(file, text_formats())
    assert match is not None  # the last format, delimited text, accepts anything
    if match.name == delimited.FORMAT.name and not (file.options.delimiter or file.options.header):
        refuse_strange_text(file)
    return match


def _check_text(file: DataFile, *, whole: bool) -> None:
    """Raise `DataError` for files that are not text, or too large to be read as a whole."""
    refuse_strange_bytes(file)
    for pattern, what in OTHER_GRAPHS.items():
        if re.match(pattern, file.head[:10_000]):
            raise file.error(
                f"it is a graph in the format {what}, which is not read; save it as GraphML or GML"
            )
    packing = packing_of(file.head)
    if packing is not None:
        raise file.error(f"it is packed twice ({packing.title}); unpack it first")
    needed = TIMES * file.path.stat().st_size
    lack = lack_of_memory(needed) if whole and needed > MODEST else ""
    if lack:
        raise file.error(f"{lack}; read fewer columns of it, or a part of the records")
    if re.search(r"[\x00-\x08\x0e-\x1f]", file.beginning):
        what = strange_by_suffix(file) or "binary and has none of the supported formats; " + CSV_OR_PARQUET
        raise file.error(f"it is {what}")
    if not file.beginning.strip():
        raise file.error("the file is blank; a header and at least one record are needed")
