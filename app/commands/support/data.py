"""DATA on the command line: a file or a bundled example, its columns, its public bounds."""

from __future__ import annotations

import argparse
import dataclasses
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Protocol

from app.commands.support.options import UsageError, labels, number, numbers, up_to
from app.model.kinds.facts import KINDS
from engine.errors import SensiscopeError, UnknownName
from engine.progress import Progress

if TYPE_CHECKING:
    from engine.data import Example, Table

MOST_VERTICES = 10_000_000


class DataReader(Protocol):
    """What data are read for: a query, or a mechanism of its own."""

    @property
    def name(self) -> str:
        """Name in the catalog."""

    @property
    def reads(self) -> str:
        """Which of `KINDS` it reads."""


@dataclasses.dataclass(frozen=True)
class DataOptions:
    """The options that belong to one kind of data.

    Attributes
    ----------
    own : tuple of str
        Those that say where in the file it is, and what is public about it.
    unused : tuple of str
        Options of other kinds that do no harm here.
    """

    own: tuple[str, ...]
    unused: tuple[str, ...] = ()


OPTIONS = {
    "column": DataOptions(("column", "lower", "upper")),
    "points": DataOptions(("column", "lower", "upper")),
    "weighted-graph": DataOptions(("source", "target", "weight", "lower", "upper")),
    "simple-graph": DataOptions(("source", "target", "vertices"), ("weight", "lower", "upper")),
    "categories": DataOptions(("column", "categories", "unseen")),
}
"""The options of each of `KINDS`."""


HOLDS = {"table": "columns of numbers", "points": "points", "categories": "categories"}
"""What examples hold, by their kind."""


def add_data_options(parser: argparse.ArgumentParser, *, required: bool = True) -> None:
    """Add the options of DATA."""
    group = parser.add_argument_group("data")
    where = group.add_mutually_exclusive_group(required=required)
    where.add_argument("--data", metavar="FILE", help="CSV, TSV, Parquet, Feather, JSON lines or GraphML")
    where.add_argument("--example", metavar="NAME", help="a bundled example (see sensiscope catalog)")
    group.add_argument(
        "--column",
        metavar="NAME",
        action="append",
        help="the column to use, a number in every row; of points, once for each coordinate; of categories, "
        "text, true or false, dates or whole numbers, once for each column",
    )
    group.add_argument(
        "--encoding", metavar="NAME", help="of a text file, e.g. latin-1 (default UTF-8, or as its mark says)"
    )
    for name in ("lower", "upper"):
        group.add_argument(
            f"--{name}",
            metavar=name[0].upper(),
            type=numbers,
            help=f"public {name} bound, known without looking at the data (an example has its card's); "
            "of points, one for each column, separated by commas",
        )
    group.add_argument(
        "--missing",
        choices=("refuse", "drop"),
        default="refuse",
        help="a record without a value: refuse the data, or drop and count it (default refuse)",
    )
    group.add_argument(
        "--categories",
        metavar="LABELS",
        type=labels,
        action="append",
        help="public list of what a column of categories may hold, separated by commas, known without "
        "looking at the data; once for each --column, in the same order (an example has its card's)",
    )
    group.add_argument(
        "--unseen",
        choices=("refuse", "other"),
        help="a value that --categories does not list: refuse the data, or count it as the category 'other', "
        "which every column then has (default refuse)",
    )
    group = parser.add_argument_group("graphs: one row of the file for each edge")
    for name, what in (
        ("source", "one vertex of each edge"),
        ("target", "the other vertex"),
        ("weight", "the weight, from 0 to --upper"),
    ):
        group.add_argument(f"--{name}", metavar="NAME", help=f"the column of {what} (default {name})")
    group.add_argument(
        "--vertices",
        metavar="N",
        type=up_to(MOST_VERTICES),
        help="public number of vertices, where edges are private (an example has its card's)",
    )


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
    return tuple(dict.fromkeys(name for options in OPTIONS.values() for name in options.own))


def check_options(options: argparse.Namespace, reader: DataReader, program: str) -> tuple[str, ...]:
    """Refuse options of data that `reader` does not read; return what is to be said of harmless ones."""
    known, words, notes = OPTIONS[reader.reads], KINDS[reader.reads].words, []
    for name in all_data_options():
        if getattr(options, name) is None or name in known.own:
            continue
        if name in known.unused:
            notes.append(f"--{name} is not used: {reader.name} reads {words}")
            continue
        owners = ", ".join(owner for owner, cls in readers().items() if name in OPTIONS[cls.reads].own)
        raise UsageError(f"--{name}: {reader.name} reads {words}; this option belongs to {owners}", program)
    return tuple(notes)


def card_of(options: argparse.Namespace, reader: DataReader, program: str) -> Example | None:
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
        what = "is a graph" if card.kind == "graph" else f"holds {HOLDS[card.kind]}"
        raise SensiscopeError(
            f"--example: {card.name} {what}, and {reader.name} reads {kind.words}; "
            f"try {', '.join(kind.fitting())}"
        )
    if options.encoding is not None:
        raise UsageError("--encoding: an example needs none; it belongs to --data", program)
    return card


def table_of(options: argparse.Namespace, card: Example | None, progress: Progress) -> Table:
    """Read the example of the card, or the file."""
    from engine.data import load_example, read_table

    if card is not None:
        return load_example(card.name)
    return read_table(options.data, progress=progress, encoding=options.encoding)
