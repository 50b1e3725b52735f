"""FILE on the command line: where it is, and how it is to be read where that is not left to be detected."""

from __future__ import annotations

import argparse
import atexit
import shutil
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from app.commands.support.options import UsageError
from app.model.wording.formatting import first_names
from engine.data.formats.registry import FORMATS
from engine.data.reading_options import OPTIONS, TYPES, ReadingOptions
from engine.errors import ParameterError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.data import Table
    from engine.progress import Progress

READING = (*OPTIONS, "type", "connect")
"""The names of all options about how a file is read."""

STDIN = "-"

USUAL = {"encoding": ("", "utf-8"), "decimal": ("", "."), "header": ("", "1")}
"""What needs no word where it is detected."""


def add_file_option(group: Any) -> None:
    """Add the option that names a file."""
    titles = ", ".join(one.title for one in FORMATS.values())
    group.add_argument(
        "--data",
        metavar="FILE",
        type=_place,
        help=f"{titles}, packed or not; - for the standard input",
    )


def add_reading_options(parser: argparse.ArgumentParser) -> None:
    """Add what can be stated about how a file is read."""
    group = parser.add_argument_group("file", "How FILE is read; what is not stated is detected.")
    for option in OPTIONS.values():
        facts: dict[str, Any] = {"help": option.help, "metavar": option.name.upper()}
        if not option.free:
            facts["help"] += f": {' '.join(value.replace(' ', 'a blank') for value in option.choices)}"
        group.add_argument(f"--{option.name}", **facts)
    group.add_argument(
        "--type",
        action="append",
        metavar="COLUMN=TYPE",
        help=f"what a column is read as: {', '.join(TYPES)} (since 1970-01-01); may be repeated",
    )
    add_connect_option(group)


def add_connect_option(group: Any) -> None:
    """Add the option by which an address in a file is followed."""
    group.add_argument(
        "--connect",
        action="store_true",
        default=None,
        help="follow the address in FILE (PostgreSQL, ODBC): run its driver, and connect to the database "
        "that it names",
    )


def reading_of(options: argparse.Namespace) -> ReadingOptions:
    """Return what is stated about how the file is read; `UsageError` for what is not possible."""
    stated = {name: value for name in OPTIONS if (value := getattr(options, name)) is not None}
    if "delimiter" in stated:
        stated["delimiter"] = {"tab": "\t", "\\t": "\t"}.get(stated["delimiter"], stated["delimiter"])
    types = {}
    for text in options.type or ():
        column, sign, name = text.rpartition("=")
        if not sign:
            raise UsageError(f"--type: {text!r} is no COLUMN=TYPE; write for instance born=days")
        types[column] = name
    try:
        return ReadingOptions.of(stated, types, bool(options.connect))
    except ParameterError as error:
        name = "type" if error.field == "types" else error.field
        raise UsageError(f"--{name}: {error.problem}") from None


def detected_notes(table: Table, options: argparse.Namespace) -> tuple[str, ...]:
    """Return what is to be said of a file in which something unusual was detected."""
    detected, doubts = table.reading.values, doubt_notes(table)
    unusual = [
        name
        for name, usual in USUAL.items()
        if detected.get(name, "") not in usual and getattr(options, name) is None
    ]
    if not unusual:
        return doubts
    stated = " or ".join(f"--{name}" for name in unusual)
    return (f"{table.source} is read as {table.format}; state {stated} if that is wrong", *doubts)


def doubt_notes(table: Table) -> tuple[str, ...]:
    """Return what is to be said of numbers that could be others."""
    doubtful = table.reading.doubtful
    if not doubtful:
        return ()
    return (
        f"{first_names(doubtful)} could be read in two ways; now 1.234 is 1 and a fraction: state "
        "--decimal , if points stand between thousands, --decimal . if they are decimal",
    )


def file_table(
    options: argparse.Namespace, progress: Progress, columns: Sequence[str] | None = None
) -> Table:
    """Read the file that is named."""
    from engine.data import read_table

    reading = reading_of(options)
    types, connect = dict(reading.types), reading.connect
    return read_table(
        options.data, progress=progress, columns=columns, types=types, connect=connect, **reading.stated
    )


def refuse_reading_options(options: argparse.Namespace) -> None:
    """Raise `UsageError` for what is stated of a file where there is none."""
    for name in READING:
        if getattr(options, name) is not None:
            raise UsageError(f"--{name}: an example needs none; it belongs to --data")


def _place(text: str) -> str:
    """Return the path of a file; the standard input is kept in a temporary one until the program ends."""
    if text != STDIN:
        return text
    folder = tempfile.mkdtemp(prefix="sensiscope-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    path = Path(folder, "standard-input")
    with path.open("wb") as file:
        shutil.copyfileobj(sys.stdin.buffer, file)
    return str(path)
