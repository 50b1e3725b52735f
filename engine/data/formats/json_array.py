"""One JSON array of objects: each becomes a record."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from engine.data import cells
from engine.data.formats.file_format import DataFile, FileFormat
from engine.data.formats.json_lines import DEPTH
from engine.data.formats.values import column_of
from engine.data.names import check_known
from engine.data.reading_options import FoundReading
from engine.data.table import Table
from engine.errors import DataError
from engine.free_memory import lack_of_memory
from engine.progress import Progress

TIMES = 12
"""A text takes so many times its size as Python objects."""


def read_json_array(file: DataFile, columns: Sequence[str] | None, progress: Progress) -> Table:
    """Read an array of objects; a name that an object lacks, or null, is missing.

    Record 1 is the first object of the array.
    """
    import pyarrow as pa

    lack = lack_of_memory(TIMES * file.path.stat().st_size)
    if lack:
        raise DataError(f"{lack}; write one object per line instead", source=file.name)
    text = b"".join(file.text.blocks(progress))
    try:
        records = json.loads(text)
    except RecursionError:
        raise DataError(f"lists or objects are nested more than {DEPTH} deep", source=file.name) from None
    except ValueError as error:
        where = f"line {error.lineno}: " if isinstance(error, json.JSONDecodeError) else ""
        raise DataError(
            f"{where}it is not well-formed JSON; write it again (or it is cut in the middle: get it again)",
            confidential=str(getattr(error, "msg", error)),
            source=file.name,
        ) from None
    names = _names(records, file.name)
    if records and not names:
        raise DataError("its objects are empty; at least one name is needed", source=file.name)
    check_known(columns or [], names, file.name)
    data = {name: column_of([record.get(name) for record in records]) for name in columns or names}
    return Table(
        file.name,
        pa.table(data),
        format=f"JSON array, {file.text.encoding.upper()}",
        reading=FoundReading(FORMAT.name, {"encoding": file.text.encoding}),
    )


def _names(records: Any, source: str) -> list[str]:
    """Return all names in the order in which they first occur; refuse what is no plain record."""
    names: dict[str, None] = {}
    for row, record in enumerate(records, start=1):
        if not isinstance(record, dict):
            raise DataError(
                "it is no object; write every record as one, with names",
                confidential=cells.quoted(record),
                source=source,
                row=row,
            )
        for name, value in record.items():
            if isinstance(value, list | dict):
                raise DataError(
                    "it holds a list or an object; write numbers and words beside their names",
                    source=source,
                    row=row,
                    column=name,
                )
            names[name] = None
    return list(names)


FORMAT = FileFormat(
    "json-array",
    "JSON array",
    (".json",),
    recognised=lambda file: file.beginning.lstrip()[:1] == "[",
    reader=read_json_array,
    options=("encoding",),
    is_text=True,
)
