"""Files so large that they are not read into memory: who can read them piece by piece registers for that."""

from __future__ import annotations

import os

from engine.data.formats.file_format import DataFile, FileFormat, StaysInFile
from engine.data.formats.registry import FORMATS
from engine.data.reading import is_columnar, open_file
from engine.data.reading_options import DETECTED, ReadingOptions
from engine.progress import Progress, silent

LARGE = 1 << 25
"""Records of a column that are read into memory, at most: 0.3 GB of them, and as much to work with."""

MIN_RECORD_BYTES = 2
"""Bytes of a record in a text, at least: smaller files are not looked at."""


def stored_format(path: str | os.PathLike[str], options: ReadingOptions = DETECTED) -> FileFormat | None:
    """Return the format of a file of which columns can stay there; None of any other."""
    file, file_format = open_file(path, options)
    able = file_format is not None and file_format.stored is not None and file_format.may_stay(file)
    return file_format if able and not options.types else None


def open_in_file(
    file: DataFile, file_format: FileFormat | None, *, progress: Progress = silent
) -> StaysInFile:
    """Return the table of a file without reading it; `DataError` if it has to be read as a whole."""
    if file_format is None or file_format.stored is None or not file_format.may_stay(file):
        able = ", ".join(one.title for one in FORMATS.values() if one.stored)
        raise file.error(f"it is read as a whole; what can stay in its file is {able}: write it as Parquet")
    file_format.refuse_other_options(file)
    table = file_format.stored(file, progress)
    if not table.n:
        raise file.error("there are no records; at least one is needed")
    return table


def large_table(
    path: str | os.PathLike[str],
    options: ReadingOptions = DETECTED,
    *,
    progress: Progress = silent,
    numbers: int | None = None,
) -> StaysInFile | None:
    """Return the table of a file that is so large that it is not read into memory; None of any other.

    Files that keep their columns apart stay where they are from half as many numbers on: of `numbers`
    columns that are wanted, or of all.  Whether others do must not depend on what is asked of them, since
    the ledger knows them by it.
    """
    file_format = stored_format(path, options)
    plain = file_format is not None and (file_format.is_text or file_format.is_plain)
    if file_format is None or (plain and os.stat(path).st_size < MIN_RECORD_BYTES * LARGE):
        return None
    stated = ReadingOptions.of(options.stated, connect=options.connect)
    table = open_in_file(*open_file(path, stated), progress=progress)
    wanted = len(table.schema) if numbers is None else numbers
    many = is_columnar(path) and 2 * wanted * table.n > LARGE
    return table if many or table.n > LARGE else None
