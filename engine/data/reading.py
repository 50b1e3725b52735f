"""Files become tables here: the format is recognised by content, faults are named."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Sequence
from pathlib import Path

from engine.data.columnar import read_feather, read_parquet
from engine.data.delimited import read_delimited
from engine.data.graphml import looks_like_xml, read_graphml
from engine.data.json_lines import read_json_lines
from engine.data.table import Table
from engine.data.text import TextFile, recognise_encoding
from engine.errors import DataError
from engine.free_memory import lack_of_memory
from engine.progress import Progress, silent

HEAD = 1 << 20
"""Bytes that are looked at to recognise format, encoding and dialect."""

TIMES = 2
"""The columns of a text and their numbers take so many times the size of the file."""

JSON_SUFFIXES = (".json", ".jsonl", ".ndjson")

STRANGERS = {
    b"PK\x03\x04": "a spreadsheet workbook or another zip archive; save the sheet as CSV",
    b"\xd0\xcf\x11\xe0": "an old spreadsheet workbook; save the sheet as CSV",
    b"\x1f\x8b": "compressed (gzip); unpack it first",
    b"BZh": "compressed (bzip2); unpack it first",
    b"\xfd7zXZ": "compressed (xz); unpack it first",
    b"\x28\xb5\x2f\xfd": "compressed (zstd); unpack it first",
    b"%PDF": "a PDF document; save the table as CSV",
    b"FEA1": "Feather of version 1; write it again as version 2",
}
"""What is opened by mistake, by its first bytes, and what would be right."""


PARQUET, FEATHER = b"PAR1", b"ARROW1"
"""How files begin that keep their columns apart."""


def read_table(
    path: str | os.PathLike[str],
    progress: Progress = silent,
    *,
    columns: Sequence[str] | None = None,
    encoding: str | None = None,
) -> Table:
    """Read a file: delimited text, Parquet, Feather (version 2), JSON lines or GraphML.

    The content decides on the format; the suffix is asked only where the content could
    be two things.  In delimited text the delimiter (comma, semicolon, tab, bar) and the
    quote (double or single) are detected; row 1 holds the names.  Numbers are written
    with a decimal point.  The cells in `engine.data.cells.MISSING_WORDS` (empty, NA,
    N/A, n/a, #N/A, NULL, null, <NA>) are missing; in the other formats null is.
    "nan" and "inf" are read as such, and `Table.numbers` names them as errors.

    The columns are held in memory in Arrow's typed form, roughly as large as the file;
    `columns` keeps the rest out.  Beside them reading holds a few megabytes (and the
    translation of a text that is not UTF-8).  Parsing leaves the interpreter free for
    other threads.

    Parameters
    ----------
    path : path-like
    progress : Progress
        Called about once per megabyte or 65,536 records, in the calling thread; whatever
        it raises ends the reading.  It starts anew where a column of text turns out to
        need a wider type than its first megabyte showed.
    columns : sequence of str, optional
        The only columns to keep; all of them by default.
    encoding : str, optional
        Of a text file.  By default UTF-8, or UTF-16 where a byte order mark says so;
        others, such as latin-1, are never guessed.

    Returns
    -------
    Table

    Raises
    ------
    DataError
        If it cannot be opened, is no such file, or a row or cell is wrong; see `Table`
        for how rows are numbered.
    ParameterError
        If `encoding` is unknown.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = pathlib.Path(folder, "people.csv")
    ...     with file.open("w") as lines:
    ...         print("name,age", "Ada,36", "Alan,41", sep=chr(10), file=lines)
    ...     table = read_table(file)
    >>> table.n, table.numbers("age").values.tolist()
    (2, [36.0, 41.0])
    """
    file = Path(path)
    head = _open(file)
    try:
        if head.startswith(PARQUET):
            return read_parquet(file, columns, progress)
        if head.startswith(FEATHER):
            return read_feather(file, columns, progress)
        return _read_text(file, head, columns, encoding, progress)
    except MemoryError:
        raise DataError(
            "it does not fit into the memory of this machine; read fewer columns of it", source=file.name
        ) from None
    except OSError as error:
        raise DataError(f"reading stopped: {error.strerror or error}; try again", source=file.name) from None


def is_columnar(path: str | os.PathLike[str]) -> bool:
    """Tell whether a file keeps its columns apart, so that those that are left out cost nothing.

    What is wrong with a file is for `read_table` to say.
    """
    file = Path(path)
    try:
        if not file.is_file():
            return False
        with file.open("rb") as stream:
            return stream.read(len(FEATHER)).startswith((PARQUET, FEATHER))
    except (OSError, ValueError):
        return False


def _open(path: Path) -> bytes:
    """Return the first bytes of a file, or say why there are none."""
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


def _read_text(
    path: Path, head: bytes, columns: Sequence[str] | None, stated: str | None, progress: Progress
) -> Table:
    for magic, what in STRANGERS.items():
        if head.startswith(magic):
            raise DataError(f"it is {what}", source=path.name)
    encoding, mark = recognise_encoding(head, stated)
    text = head[mark:].decode(encoding, errors="replace")
    lack = "" if columns else lack_of_memory(TIMES * path.stat().st_size)
    if lack:
        raise DataError(f"{lack}; read fewer columns of it, or a part of the records", source=path.name)
    if re.search(r"[\x00-\x08\x0e-\x1f]", text):
        raise DataError(
            "it is binary but neither Parquet nor Feather; "
            "choose delimited text, Parquet, Feather, JSON lines or GraphML",
            source=path.name,
        )
    if not text.strip():
        raise DataError("the file is blank; a header and at least one record are needed", source=path.name)
    if looks_like_xml(text):
        return read_graphml(TextFile(path, encoding, mark), columns, progress)
    looks = text.lstrip()[:1]
    if looks == "[" and path.suffix.lower() in JSON_SUFFIXES:
        raise DataError("it is one JSON array; write one object per line instead", source=path.name)
    if looks == "{" or path.suffix.lower() in JSON_SUFFIXES:
        return read_json_lines(TextFile(path, encoding, mark), columns, progress)
    return read_delimited(TextFile(path, encoding, mark), text, columns, progress)
