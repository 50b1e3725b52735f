"""Spreadsheet workbooks (.xlsx, .xls and .ods), read by python-calamine, and tables in grids of cells."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from engine.data import cells
from engine.data.cells import decimal_sign, parse_numbers
from engine.data.formats.apart import DAMAGED_FILE, read_apart
from engine.data.formats.apart_process import PASSWORD
from engine.data.formats.delimited import DETECTED_COMMA
from engine.data.formats.dialect import RECORDS, NamesRow, names_row
from engine.data.formats.file_format import DataFile, FileFormat
from engine.data.formats.values import column_of
from engine.data.missing_values import MissingList
from engine.data.names import check_known, check_names, tidy_name
from engine.data.reading_options import RANGE, FoundReading
from engine.data.table import Table
from engine.free_memory import lack_of_memory
from engine.progress import Progress, forwards


def table_of_grid(
    file: DataFile,
    rows: Sequence[Sequence[Any]],
    above: int,
    columns: Sequence[str] | None,
    format: str,
    reading: FoundReading,
) -> Table:
    """Return the table in a grid of cells; None and "" are missing values."""
    rows = _without_empty_end(rows)
    if not rows:
        raise file.error("it has no cells with values; choose another sheet or range")
    beginning = [[_text(cell) for cell in row] for row in rows[:RECORDS]]
    stated = int(file.options.header) - above if file.options.header not in ("", "0") else None
    position = -1 if file.options.header == "0" else names_row(beginning) if stated is None else stated - 1
    if not (0 if stated is not None else -1) <= position < len(rows):
        raise file.error(f"row {file.options.header} is not in the range; choose another row of names")
    used = [
        index for index in range(len(rows[0])) if any(_text(row[index]) for row in rows[max(position, 0) :])
    ]
    below = rows[position + 1 :]
    header = [_text(rows[position][index]) for index in used] if position >= 0 else []
    names = list(map(tidy_name, header)) or [f"column {number}" for number in range(1, len(used) + 1)]
    casts, missing = dict(file.options.types), file.options.missing
    texts = [
        missing.cleared(name, [text for row in beginning[position + 1 :] if (text := row[index])])
        for name, index in zip(names, used, strict=True)
    ]
    detected, ambiguous = decimal_sign(texts, "", file.options.thousands)
    decimal = file.options.decimal or detected
    doubtful = file.asks and stated is None and position >= 0
    results = {
        index: _column(
            [row[index] for row in below], decimal, file.options.thousands, name in casts, missing.of(name)
        )
        for name, index in zip(names, used, strict=True)
        if doubtful or not columns or name in columns
    }
    if doubtful:
        NamesRow(header, file.name, above + position + 1).check_columns([results[index] for index in used])
    check_names(names, file.name, row=above + position + 1 if position >= 0 else None, shown=not doubtful)
    check_known(columns or [], names, file.name)
    import pyarrow as pa

    cut = {name: results[i] for name, i in zip(names, used, strict=True) if not columns or name in columns}
    stands = {"header": str(max(above + position + 1, 0)), "decimal": decimal}
    values = {**reading.values, **stands, "thousands": file.options.thousands}
    is_stated = file.options.decimal or file.options.thousands
    in_doubt = () if is_stated else tuple(names[index] for index in ambiguous)
    whole_reading = FoundReading(reading.format, values, reading.offered, in_doubt)
    return Table(
        file.name,
        pa.table(cut),
        above + position + 2,
        format,
        reading=whole_reading,
        release_problem=DETECTED_COMMA if decimal == "," and not is_stated else "",
    )


def _column(
    values: Sequence[Any], decimal: str, thousands: str, cast: bool, stated: MissingList | None
) -> Any:
    import pyarrow as pa

    missing = MissingList(cells.MISSING_WORDS) if stated is None else stated
    column = column_of(missing.without(values))
    if cells.is_string(column.type) and not cast:
        numbers = parse_numbers(pa.chunked_array([column]), decimal, thousands, ("", *missing.texts))
        return column if numbers is None else numbers
    return column


def _text(cell: Any) -> str:
    return "" if cell is None else str(cell).strip()


def _without_empty_end(rows: Sequence[Sequence[Any]]) -> Sequence[Sequence[Any]]:
    last = next((index for index in range(len(rows), 0, -1) if any(map(_text, rows[index - 1]))), 0)
    return rows[:last]


OLE_SIGNATURE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
"""The first bytes of an .xls file, and of a workbook with a password."""

PER_BYTE = 40
"""Size of a cell in memory, as a multiple of its compressed size."""

REMEDY = "get the whole file again, or save the sheet as CSV or Parquet"


def read_workbook(file: DataFile, columns: Sequence[str] | None, progress: Progress) -> Table:
    """Read a sheet of a workbook: the stated one, or the first that is not empty.

    Names are in the first row, or below titles as in delimited text.  Row numbers are those of the sheet.
    Formulas count as their stored values.
    """
    lack = lack_of_memory(PER_BYTE * file.path.stat().st_size)
    if lack:
        raise file.error(f"{lack}; {REMEDY}")
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
    # rows start at the first row of the sheet, cells at the first column that is not empty
    above, wanted_rows = _cut_out(rows, before, file)
    reading = FoundReading(FORMAT.name, {"sheet": name, "range": file.options.range}, {"sheet": tuple(names)})
    return table_of_grid(file, wanted_rows, above, columns, f"workbook, sheet {name}", reading)


def _cut_out(rows: list[list[Any]], before: int, file: DataFile) -> tuple[int, Sequence[Sequence[Any]]]:
    """Return the number of rows above the wanted cells, and the cells."""
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
    """Return the index of a column from its letters, from 0."""
    index = 0
    for letter in letters.upper():
        index = 26 * index + ord(letter) - ord("A") + 1
    return index - 1


def _is_encrypted(file: DataFile) -> bool:
    """Return whether a file is an encrypted package, Excel's format for workbooks with a password."""
    with file.path.open("rb") as stream:
        return re.search("EncryptedPackage".encode("utf-16-le"), stream.read(1 << 20)) is not None


def _recognised(file: DataFile) -> bool:
    if file.head.startswith(OLE_SIGNATURE):
        return True
    if not file.head.startswith(b"PK\x03\x04"):
        return False
    import zipfile

    try:
        with zipfile.ZipFile(file.path) as archive:
            names = set(archive.namelist())
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError):
        names = set()
    if not names:  # truncated: only its name can tell
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
