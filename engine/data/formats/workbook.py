"""Workbooks of spreadsheets: .xlsx, .xls and .ods, read by python-calamine."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from engine.data.formats.apart import DAMAGED_FILE, read_apart
from engine.data.formats.apart_readers import PASSWORD
from engine.data.formats.file_format import DataFile, FileFormat
from engine.data.formats.grid import table_of_grid
from engine.data.reading_options import RANGE, FoundReading
from engine.data.table import Table
from engine.errors import DataError
from engine.free_memory import lack_of_memory
from engine.progress import Progress, forwards

OLD = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
"""How .xls begins, and a workbook with a password."""

PER_BYTE = 40
"""A compressed cell takes so much more memory as an object."""

REMEDY = "get the whole file again, or save the sheet as CSV or Parquet"


def read_workbook(file: DataFile, columns: Sequence[str] | None, progress: Progress) -> Table:
    """Read a sheet of a workbook: the one that is stated, or the first that holds anything.

    The names stand in the first row, or below titles as in delimited text; rows are numbered as the
    sheet does.  Of formulas the stored values are read.
    """
    lack = lack_of_memory(PER_BYTE * file.path.stat().st_size)
    if lack:
        raise DataError(f"{lack}; {REMEDY}", source=file.name)
    progress = forwards(progress)
    pieces = read_apart(
        file,
        "sheet",
        "python_calamine",
        (file.options.sheet,),
        REMEDY,
        progress,
        explain=lambda text: PASSWORD if _is_encrypted(file) else f"{DAMAGED_FILE}; {REMEDY}",
    )
    name, names, before, height = next(pieces)
    rows: list[list[Any]] = []
    for piece in pieces:
        rows += piece
        progress(min(1.0, len(rows) / max(height, 1)), f"reading {file.name}")
    # rows are given from the first of the sheet on, cells from the first column that is not empty
    above, wanted_rows = _cut_out(rows, before, file)
    reading = FoundReading(FORMAT.name, {"sheet": name, "range": file.options.range}, {"sheet": tuple(names)})
    return table_of_grid(file, wanted_rows, above, columns, f"workbook, sheet {name}", reading)


def _cut_out(rows: list[list[Any]], before: int, file: DataFile) -> tuple[int, Sequence[Sequence[Any]]]:
    """Return how many rows stand above the wanted cells, and these."""
    match = RANGE.fullmatch(file.options.range)
    if match is None:
        return 0, rows
    left, top, right, bottom = match.groups()
    first, last = sorted((_number(left), _number(right)))
    low, high = sorted((int(top), int(bottom)))
    cut = [
        [
            row[index - before] if before <= index < before + len(row) else None
            for index in range(first, last + 1)
        ]
        for row in rows[low - 1 : high]
    ]
    return low - 1, cut


def _number(letters: str) -> int:
    """Return the place of a column by its letters, from 0."""
    index = 0
    for letter in letters.upper():
        index = 26 * index + ord(letter) - ord("A") + 1
    return index - 1


def _is_encrypted(file: DataFile) -> bool:
    """Tell whether a file is an encrypted package, as Excel writes workbooks with a password."""
    with file.path.open("rb") as stream:
        return re.search("EncryptedPackage".encode("utf-16-le"), stream.read(1 << 20)) is not None


def _recognised(file: DataFile) -> bool:
    if file.head.startswith(OLD):
        return True
    if not file.head.startswith(b"PK\x03\x04"):
        return False
    import zipfile

    try:
        with zipfile.ZipFile(file.path) as archive:
            names = set(archive.namelist())
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError):
        names = set()
    if not names:  # cut in the middle: its name has to tell
        return file.suffix in FORMAT.suffixes
    return "[Content_Types].xml" in names or {"mimetype", "content.xml"} <= names


FORMAT = FileFormat(
    "workbook",
    "Excel or OpenDocument workbook",
    (".xlsx", ".xls", ".ods", ".xlsm", ".xlsb"),
    recognised=_recognised,
    reader=read_workbook,
    options=("sheet", "range", "header", "decimal", "thousands"),
)
