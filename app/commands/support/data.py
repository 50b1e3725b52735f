"""DATA on the command line: a file or a bundled example, its columns, its public bounds."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Protocol

from app.commands.support.file_options import (
    add_file_option,
    add_reading_options,
    file_table,
    refuse_reading_options,
)
from app.commands.support.options import UsageError, count_or_file, labels, number, numbers
from app.model.additions import added_options
from app.model.kinds.options import DataOption
from app.model.kinds.registry import KINDS
from engine.errors import SensiscopeError, UnknownName
from engine.progress import Progress

if TYPE_CHECKING:
    from engine.data import Example, Table

READERS: Mapping[str, Callable[[str], Any]] = {"text": str, "numbers": numbers, "labels": labels}
"""How the values of options are read, by their kind."""


class DataReader(Protocol):
    """What data are read for: a query, or a mechanism of its own."""

    @property
    def name(self) -> str:
        """Name in the catalog."""

    @property
    def reads(self) -> str:
        """Which of `KINDS` it reads."""


def add_data_options(parser: argparse.ArgumentParser, *, required: bool = True) -> None:
    """Add the options of DATA."""
    group = parser.add_argument_group("data")
    where = group.add_mutually_exclusive_group(required=required)
    add_file_option(where)
    where.add_argument("--example", metavar="NAME", help="a bundled example (see sensiscope catalog)")
    group.add_argument(
        "--missing",
        choices=("refuse", "fill", "drop"),
        default="refuse",
        help="a record without a value: refuse the data, fill it with --fill, so that n is the number of "
        "rows, or drop it, where the number of all others is public (default refuse)",
    )
    group.add_argument(
        "--fill",
        type=labels,
        metavar="VALUES",
        help="public values for --missing fill, one for each column, separated by commas (default: the "
        "middle of the bounds)",
    )
    for extra in added_options():
        extra.configure(group)
    add_reading_options(parser)
    groups = {"data": group}
    for option in _all_options().values():
        if option.group not in groups:
            groups[option.group] = parser.add_argument_group(option.group)
        _add(groups[option.group], option)


def _add(group: Any, option: DataOption) -> None:
    facts: dict[str, Any] = {"help": option.help}
    if option.choices:
        facts["choices"] = option.choices
    else:
        facts["metavar"] = option.metavar
        facts["type"] = count_or_file(option.most) if option.most else READERS[option.kind]
    if option.repeated:
        facts["action"] = "append"
    group.add_argument(f"--{option.name}", **facts)


def add_resolution_option(parser: argparse.ArgumentParser) -> None:
    """Add the public step to which released values are rounded."""
    parser.add_argument(
        "--resolution", type=number, metavar="STEP", help="public step to which the released value is rounded"
    )


def readers() -> Mapping[str, type[Any]]:
    """Return every query and every mechanism of its own, by name."""
    from engine.catalog import questions

    return questions()


def all_data_options() -> tuple[str, ...]:
    """Return the options of all kinds of data."""
    return tuple(_all_options())


def _all_options() -> dict[str, DataOption]:
    return {option.name: option for kind in KINDS.values() for option in kind.options}


def _own(reads: str) -> set[str]:
    return {option.name for option in KINDS[reads].options}


def check_options(options: argparse.Namespace, reader: DataReader) -> tuple[str, ...]:
    """Refuse options of data that `reader` does not read; return what is to be said of harmless ones."""
    kind, notes = KINDS[reader.reads], []
    for name in all_data_options():
        if getattr(options, name) is None or name in _own(reader.reads):
            continue
        if name in kind.unused:
            notes.append(f"--{name} is not used: {reader.name} reads {kind.words}")
            continue
        owners = ", ".join(owner for owner, cls in readers().items() if name in _own(cls.reads))
        raise UsageError(f"--{name}: {reader.name} reads {kind.words}; this option belongs to {owners}")
    return tuple(notes)


def card_of(options: argparse.Namespace, reader: DataReader) -> Example | None:
    """Return the card of the example that is named, None for a file.

    Raises
    ------
    SensiscopeError
        If there is no such example, or it is not of a kind that `reader` reads.
    """
    from engine.data import EXAMPLES

    if options.example is None:
        return None
    if options.example not in EXAMPLES:
        raise UnknownName("example", options.example, EXAMPLES)
    card, kind = EXAMPLES[options.example], KINDS[reader.reads]
    if not kind.fits(card):
        made_for = next(own for own in KINDS.values() if own.examples[0] == card.kind)
        offer = f"try {', '.join(kind.fitting())}" if kind.fitting() else "no example does; name --data"
        raise SensiscopeError(
            f"--example: {card.name} {made_for.holds}, and {reader.name} reads {kind.words}; {offer}"
        )
    refuse_reading_options(options)
    return card


def columns_of(options: argparse.Namespace, reader: DataReader) -> list[str] | None:
    """Return the only columns to read: those that are named, None for all.

    Text is read whole: a mistake anywhere in it is told.
    """
    from engine.data.reading import is_columnar

    named: list[str] | None = options.column if "column" in _own(reader.reads) else None
    return named if named and options.data is not None and is_columnar(options.data) else None


def table_of(
    options: argparse.Namespace, card: Example | None, progress: Progress, columns: list[str] | None = None
) -> Table:
    """Read the example of the card, or of the file all columns, or those that are wanted."""
    from engine.data import load_example

    return file_table(options, progress, columns) if card is None else load_example(card.name)
