"""ARFF, the format of Weka: attributes with types in a header, and records below @data."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from engine.data import cells
from engine.data.arrays import text_array, try_cast
from engine.data.formats.file_format import DataFile
from engine.data.names import check_known, check_names, tidy_name
from engine.data.reading_options import FoundReading
from engine.data.table import Table
from engine.extras.formats.declarations import ARFF
from engine.free_memory import lack_of_memory
from engine.progress import Progress

QUOTED = r"""'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*\""""
"""Text between quotes; a backslash precedes inner quotes."""

_CELL = re.compile(rf"\s*({QUOTED}|[^,'\"]*?)\s*(,|$)")
_ATTRIBUTE = re.compile(rf"@attribute\s+({QUOTED}|[^\s{{]+)\s*(\{{.*\}}|\S+)", re.IGNORECASE)

NUMERIC = ("numeric", "real", "integer")
TEXT = ("string", "date")

MISSING = "?"

SIZE = 20
"""Memory of the cells, as a multiple of the file's size."""

LINES = 10_000
"""Records between two progress reports."""


def read_arff(file: DataFile, columns: Sequence[str] | None, progress: Progress) -> Table:
    """Read an ARFF file; the header decides the types.

    Numeric, real and integer attributes are numbers, all others text.  The first record is row 1.
    """
    import pyarrow as pa

    lack = lack_of_memory(SIZE * file.path.stat().st_size)
    if lack:
        raise file.error(f"{lack}; save it as CSV or Parquet instead")
    try:
        text = b"".join(file.text.blocks(progress)).decode()
    except UnicodeDecodeError:
        raise file.error(cells.NOT_UTF_8) from None
    lines = (line for each in text.split("\n") if (line := each.strip()) and line[0] != "%")
    names, types = _header(lines, file)
    check_names(names, file.name)
    check_known(columns or [], names, file.name)
    wanted = [(name, names.index(name)) for name in columns or names]
    records: list[list[str | None]] = []
    for row, line in enumerate(lines, start=1):
        record = _cells(line)
        if len(record) != len(names) or line[0] == "{":
            raise _wrong_record(line, len(names), file, row)
        records.append([record[index] for _, index in wanted])
        if row % LINES == 0:
            progress(0.9, f"reading {file.name}")
    data = {
        name: _column([record[position] for record in records], types[index], name, file)
        for position, (name, index) in enumerate(wanted)
    }
    return Table(
        file.name,
        pa.table(data),
        format=f"ARFF, {file.text.encoding.upper()}",
        reading=FoundReading(ARFF.name, {"encoding": file.text.encoding}),
    )


def _header(lines: Iterator[str], file: DataFile) -> tuple[list[str], list[str]]:
    """Return the names and types of all attributes; leave the records in `lines`."""
    names: list[str] = []
    types: list[str] = []
    for line in lines:
        word = line.split(maxsplit=1)[0].lower()
        if word == "@data":
            return names, types
        match = _ATTRIBUTE.match(line)
        if word == "@attribute" and match is None:
            raise file.error("an @attribute has no name or no type; write both")
        if match is not None:
            names.append(tidy_name(_plain(match[1])))
            types.append("nominal" if match[2][0] == "{" else match[2].lower())
            if types[-1] not in (*NUMERIC, *TEXT, "nominal"):
                raise file.error(f"its type {match[2]} is not read; save the table as CSV", column=names[-1])
    raise file.error("the line @data is missing; the file is truncated: get the whole file again")


def _cells(line: str) -> list[str | None]:
    """Return the cells of a record, None for missing ones; an empty list if a quote is not closed."""
    if "'" not in line and '"' not in line:
        plain = [cell.strip() for cell in line.split("," if "," in line else "\t")]
        return [None if cell == MISSING else cell for cell in plain]
    result: list[str | None] = []
    position = 0
    while True:
        match = _CELL.match(line, position)
        if match is None:
            return []
        result.append(None if match[1] == MISSING else _plain(match[1]))
        if not match[2]:
            return result
        position = match.end()


def _plain(text: str) -> str:
    """Return a text without quotes and backslashes."""
    if len(text) > 1 and text[0] == text[-1] and text[0] in "'\"":
        return re.sub(r"\\(.)", r"\1", text[1:-1])
    return text


def _wrong_record(line: str, width: int, file: DataFile, row: int) -> Exception:
    if line.startswith("{"):
        return file.error("its records are sparse; save it with dense records, or as CSV", row=row)
    return file.error(
        f"its cells do not match the {width} attributes; write one cell for each, and close all quotes",
        row=row,
        confidential=cells.quote(line),
    )


def _column(values: Sequence[str | None], type_name: str, name: str, file: DataFile) -> Any:
    import pyarrow as pa

    stated = file.options.missing.of(name)
    values = values if stated is None else stated.without(values)
    texts = pa.array(values, pa.string())
    if type_name not in NUMERIC:
        return texts
    numbers = try_cast(texts, pa.float64())
    if numbers is not None:
        return numbers
    wrong = next(
        row
        for row, value in enumerate(values)
        if value is not None and try_cast(text_array([value]), pa.float64()) is None
    )
    raise file.error(
        "it is not a number, as the header declares; correct it, or declare the attribute as string",
        confidential=cells.quote(values[wrong]),
        row=wrong + 1,
        column=name,
    )
