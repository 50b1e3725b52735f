"""CSVY: delimited text below a header in YAML that declares the names and types of the columns."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Sequence

from engine.data.casting import cast_columns
from engine.data.formats import delimited
from engine.data.formats.file_format import DataFile
from engine.data.table import Table
from engine.extras.formats.declarations import CSVY
from engine.progress import Progress

HEADER = re.compile(r"(#?)---[ \t]*\r?\n((?:.*\n)*?)\1---[ \t]*\r?\n")
"""The header: between two lines of hyphens, all of its lines with or without #."""

TYPES = {"number": "number", "numeric": "number", "integer": "number", "string": "category"}
"""Types of Table Schema that decide how a column is read."""


def _header(text: str) -> str | None:
    """Return the header of a file without hyphens and #; None if it declares no fields."""
    match = HEADER.match(text)
    if match is None:
        return None
    lines = match[2].splitlines()
    plain = [line.removeprefix("#") for line in lines] if match[1] else lines
    return "\n".join(plain) if any(re.match(r"\s*(?:fields|name)\s*:", line) for line in plain) else None


def declared_types(header: str) -> dict[str, str]:
    """Return the types of columns that a header declares, as `engine.data.reading_options.TYPES`.

    Only lists of fields are understood, each with its name and type; everything else is skipped.
    """
    types: dict[str, str] = {}
    name = ""
    for key, value in re.findall(r"^[ \t]*(?:- *)?(\w+)[ \t]*:[ \t]*(.*?)[ \t\r]*$", header, re.MULTILINE):
        text = value[1:-1] if len(value) > 1 and value[0] == value[-1] and value[0] in "'\"" else value
        if key == "name":
            name = text
        elif key == "type" and name and text in TYPES:
            types[name] = TYPES[text]
    return types


def is_csvy(file: DataFile) -> bool:
    """Tell whether a file begins with a header that declares fields."""
    return _header(file.beginning) is not None


def read_csvy(file: DataFile, columns: Sequence[str] | None, progress: Progress) -> Table:
    """Read the delimited text; the names of the columns are in the line below the header."""
    match = HEADER.match(file.beginning)
    assert match is not None  # recognised
    row = match[0].count("\n") + 1
    options = file.options
    if not options.header:
        options = dataclasses.replace(options, header=str(row))
    declared = declared_types(_header(file.beginning) or "")
    own = tuple((name, kind) for name, kind in declared.items() if name not in dict(options.types))
    table = delimited.read_delimited(
        dataclasses.replace(file, options=dataclasses.replace(options, types=(*options.types, *own))),
        columns,
        progress,
    )
    there = tuple((name, kind) for name, kind in own if name in table.data.column_names)
    table = cast_columns(table, dataclasses.replace(options, types=there))
    reading = dataclasses.replace(table.reading, format=CSVY.name)
    return dataclasses.replace(table, format=table.format.replace("text", "CSVY", 1), reading=reading)
