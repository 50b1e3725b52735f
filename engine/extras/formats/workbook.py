"""Spreadsheet workbooks (.xlsx, .xls and .ods), read by python-calamine, and tables in grids of cells."""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from typing import Any

from engine.data import cells
from engine.data.cells import decimal_sign, parse_numbers
from engine.data.formats.apart import DAMAGED_FILE, read_apart
from engine.data.formats.apart_process import PASSWORD
from engine.data.formats.delimited import DETECTED_COMMA, UNDECIDED_SIGN
from engine.data.formats.dialect import (
    RECORDS,
    NamesRow,
    counts_rows,
    joined_names,
    names_row,
    numbered,
    other_names_row,
)
from engine.data.formats.file_format import DataFile
from engine.data.formats.values import column_of
from engine.data.missing_values import MissingList
from engine.data.names import check_known, name_columns, notes_on_names, tidy_name
from engine.data.reading_options import RANGE, FoundReading
from engine.data.table import Table
from engine.errors import NamesInDoubt
from engine.extras.formats.declarations import OLE_SIGNATURE, WORKBOOK
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
    stated = file.options.names_rows
    if stated is None:
        position = names_row(beginning)
        header_rows = range(position, position + 1)
    else:
        header_rows = range(stated.start - above, stated.stop - above) if stated else stated
    if header_rows and not (header_rows.start >= 0 and header_rows.stop <= len(rows)):
        raise file.error(f"row {file.options.header} is not in the range; choose another row of names")
    top = header_rows.start if header_rows else 0
    used = [index for index in range(len(rows[0])) if any(_text(row[index]) for row in rows[top:])]
    below = rows[header_rows.stop if header_rows else 0 :]
    first_row = above + len(rows) - len(below) + 1
    heads = [[_text(row[index]) for index in used] for row in rows[top : top + len(header_rows)]]
    header = tuple(map(tidy_name, joined_names(heads))) if header_rows else ()
    names = name_columns(header) if header_rows else numbered(len(used))
    casts, missing = dict(file.options.types), file.options.missing
    columns_of_texts = [[_text(row[index]) for row in below[:RECORDS]] for index in used]
    texts = [
        missing.cleared(name, list(filter(None, column)))
        for name, column in zip(names, columns_of_texts, strict=True)
    ]
    detected, ambiguous = decimal_sign(texts, "", file.options.thousands)
    decimal = file.options.decimal or detected
    doubtful = file.asks and stated is None and not counts_rows(header, columns_of_texts)
    if doubtful and (other := other_names_row(beginning, top)):
        raise NamesInDoubt(file.name, above + other, likely=True)
    results = {
        index: _column(
            [row[index] for row in below], decimal, file.options.thousands, name in casts, missing.of(name)
        )
        for name, index in zip(names, used, strict=True)
        if doubtful or not columns or name in columns
    }
    if doubtful:
        NamesRow(header, file.name, first_row - 1).check_columns([results[index] for index in used])
    check_known(columns or [], names, file.name)
    import pyarrow as pa

    cut = {name: results[i] for name, i in zip(names, used, strict=True) if not columns or name in columns}
    stands = {"header": _in_words(first_row - len(header_rows), len(header_rows)), "decimal": decimal}
    values = {**reading.values, **stands, "thousands": file.options.thousands}
    has_single_cell = len(below) > 1 and any(
        not name and sum(bool(_text(row[index])) for row in below) == 1
        for name, index in zip(header, used, strict=False)
    )
    notes = notes_on_names(header, names) if header_rows else ()
    is_stated = file.options.decimal or file.options.thousands
    in_doubt = () if is_stated else tuple(names[index] for index in ambiguous)
    whole_reading = FoundReading(reading.format, values, reading.offered, in_doubt, notes=notes)
    return Table(
        file.name,
        pa.table(cut),
        first_row,
        format,
        reading=whole_reading,
        release_problem=SINGLE_CELL if has_single_cell else _problem_of_sign(decimal, bool(is_stated)),
    )


def _problem_of_sign(decimal: str, is_stated: bool) -> str:
    if is_stated or decimal == ".":
        return ""
    return DETECTED_COMMA if decimal else UNDECIDED_SIGN


SINGLE_CELL = (
    "a column without a name has a single value; give the column a name, or state a range of cells without it"
)


def _in_words(first: int, count: int) -> str:
    """Return the rows of the names as a reading option."""
    return "0" if not count else str(first) if count == 1 else f"{first}-{first + count - 1}"


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
    """Return a cell as text: whole numbers without a decimal point, and days without a time."""
    if isinstance(cell, float) and cell.is_integer() and abs(cell) < MAX_WHOLE:
        return str(int(cell))
    if isinstance(cell, datetime.datetime) and cell.time() == datetime.time():
        return str(cell.date())
    return "" if cell is None else str(cell).strip()


def _without_empty_end(rows: Sequence[Sequence[Any]]) -> Sequence[Sequence[Any]]:
    last = next((index for index in range(len(rows), 0, -1) if any(map(_text, rows[index - 1]))), 0)
    return rows[:last]


MAX_WHOLE = 1e15
"""Whole numbers below have a text without an exponent."""

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
        explain=lambda text: _explanation(file),
    )
    name, names, before, height = next(pieces)
    rows: list[list[Any]] = []
    for piece in pieces:
        rows += piece
        progress(min(1.0, len(rows) / max(height, 1)), f"reading {file.name}")
    # rows start at the first row of the sheet, cells at the first column that is not empty
    above, wanted_rows = _cut_out(rows, before, file)
    reading = FoundReading(
        WORKBOOK.name, {"sheet": name, "range": file.options.range}, {"sheet": tuple(names)}
    )
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


STREAMS = {
    "EncryptedPackage": PASSWORD,
    "WordDocument": "it is a Word document; save the table as CSV",
    "PowerPoint Document": "it is a presentation; save the table as CSV",
}
"""Names of streams in a file like .xls that is no workbook, with what it is."""


def _explanation(file: DataFile) -> str:
    """Return why a file cannot be read as a workbook."""
    with file.path.open("rb") as stream:
        content = stream.read(1 << 20)
    if content.startswith(OLE_SIGNATURE):
        for name, what in STREAMS.items():
            if name.encode("utf-16-le") in content:
                return what
    if b"application/vnd.oasis.opendocument.text" in content[:200]:
        return "it is a text document; save the table as CSV"
    return f"{DAMAGED_FILE}; {REMEDY}"


def is_workbook(file: DataFile) -> bool:
    """Tell whether an archive, or a file in OLE format, is a workbook."""
    if file.head.startswith(OLE_SIGNATURE):
        return True
    import zipfile

    try:
        with zipfile.ZipFile(file.path) as archive:
            names = set(archive.namelist())
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError):
        names = set()
    if not names:  # truncated: only its name can tell
        return file.suffix in WORKBOOK.suffixes
    if "[Content_Types].xml" in names:
        return not any(name.startswith(("word/", "ppt/", "visio/")) for name in names)
    return {"mimetype", "content.xml"} <= names
