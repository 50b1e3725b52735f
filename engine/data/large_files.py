"""Read large files in place, piece by piece; formats register for it."""

from __future__ import annotations

import os

from engine.data.formats.file_format import DataFile, FileFormat, StaysInFile
from engine.data.formats.registry import FORMATS
from engine.data.reading import is_columnar, open_file
from engine.data.reading_options import DETECTED, ReadingOptions
from engine.progress import Progress, silent

LARGE = 1 << 25
"""Largest number of records of a column to read into memory: 0.3 GB, and as much again to work with."""

MIN_RECORD_BYTES = 2
"""Fewest bytes per text record; smaller files are not checked."""


def stored_format(path: str | os.PathLike[str], options: ReadingOptions = DETECTED) -> FileFormat | None:
    """Return the format of a file that can be read in place; None for other files."""
    file, file_format = open_file(path, options)
    return file_format if _may_stay(file, file_format) else None


def _may_stay(file: DataFile, file_format: FileFormat | None) -> bool:
    """Tell whether a file can be read in place."""
    if file_format is None or file_format.stored is None or file.options.types:
        return False
    return file_format.may_stay(file)


def open_in_file(
    file: DataFile, file_format: FileFormat | None, *, progress: Progress = silent
) -> StaysInFile:
    """Open a file in place; `DataError` if it must be read as a whole."""
    if file_format is None or file_format.stored is None or not file_format.may_stay(file):
        able = ", ".join(one.title for one in FORMATS.values() if one.stored)
        raise file.error(
            f"it can only be read as a whole, and files read in place are {able}: write it as Parquet"
        )
    file_format.refuse_other_options(file)
    table = file_format.stored(file, progress)
    if file.options.missing:
        table = table.with_missing(file.options.missing)
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
    """Open a large file in place; return None for smaller files, or if its format does not allow it.

    A columnar file counts as large from half as many cells on, counting the `numbers` wanted columns or all
    columns.  For other formats the result must not depend on the columns: it decides which identity the
    ledger uses.
    """
    file, file_format = open_file(path, options)
    plain = file_format is not None and (file_format.is_text or file_format.is_plain)
    if plain and os.stat(path).st_size < MIN_RECORD_BYTES * LARGE:
        return None  # before the reader of large files is imported
    if not _may_stay(file, file_format):
        return None
    stated = ReadingOptions.of(options.stated, connect=options.connect)
    table = open_in_file(*open_file(path, stated), progress=progress)
    wanted = len(table.schema) if numbers is None else numbers
    many = is_columnar(path) and 2 * wanted * table.n > LARGE
    return table if many or table.n > LARGE else None
