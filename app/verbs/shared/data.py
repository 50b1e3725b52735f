"""DATA on the command line: a file or a bundled example, its column, its public bounds."""

from __future__ import annotations

import argparse
import dataclasses
from typing import TYPE_CHECKING

from app.verbs.shared.options import UsageError, number, numbers
from engine.domain import Interval
from engine.errors import DataError, UnknownName
from engine.progress import Progress, part

if TYPE_CHECKING:
    from engine.data import Example, ExampleColumn, Table
    from engine.data.order_statistics import Sample

SHOWN = 10
"""Names of columns that one line offers."""


@dataclasses.dataclass(frozen=True)
class Located:
    """A table, the column that is meant, and its public bounds.

    Attributes
    ----------
    table : Table
    column : str
    domain : Interval
    example : str or None
        The name of the bundled example that it is.
    """

    table: Table
    column: str
    domain: Interval
    example: str | None


@dataclasses.dataclass(frozen=True)
class Loaded:
    """One numeric column within its public bounds.

    Attributes
    ----------
    sample : Sample
        The data, clamped to the bounds.
    source, column, unit : str
        Where they come from.
    dropped : int
        Records without a value that were left out because the user said so (private).
    """

    sample: Sample
    source: str
    column: str
    unit: str
    dropped: int


def add_data_options(parser: argparse.ArgumentParser, *, required: bool = True) -> None:
    """Add the options of DATA."""
    group = parser.add_argument_group("data")
    where = group.add_mutually_exclusive_group(required=required)
    where.add_argument("--data", metavar="FILE", help="CSV, TSV, Parquet, Feather or JSON lines")
    where.add_argument("--example", metavar="NAME", help="a bundled example (see sensiscope catalog)")
    group.add_argument(
        "--column", metavar="NAME", action="append", help="the column to use, a number in every row"
    )
    group.add_argument(
        "--encoding", metavar="NAME", help="of a text file, e.g. latin-1 (default UTF-8, or as its mark says)"
    )
    for name in ("lower", "upper"):
        group.add_argument(
            f"--{name}",
            metavar=name[0].upper(),
            type=numbers,
            help=f"public {name} bound, known without looking at the data (an example has its card's)",
        )
    group.add_argument(
        "--missing",
        choices=("refuse", "drop"),
        default="refuse",
        help="a record without a value: refuse the data, or drop and count it (default refuse)",
    )


def add_resolution_option(parser: argparse.ArgumentParser) -> None:
    """Add the public step to which released values are rounded."""
    parser.add_argument(
        "--resolution", type=number, metavar="STEP", help="public step to which the released value is rounded"
    )


def locate(options: argparse.Namespace, program: str, progress: Progress) -> Located:
    """Read the table, and find column and bounds.

    Raises
    ------
    SensiscopeError
        For a mistake in the options, before any file is opened; then `DataError`
        for one in the file.
    """
    from engine.data import load_example, read_table

    if len(options.column or []) > 1:
        raise UsageError(
            f"--column: a query here takes one column; {len(options.column)} were given", program
        )
    named = options.column[0] if options.column else None
    card = _card(options.example) if options.example is not None else None
    domain = _domain(options, card, named, program)
    if card is not None:
        if options.encoding is not None:
            raise UsageError("--encoding: an example needs none; it belongs to --data", program)
        return Located(load_example(card.name), named or card.column, domain, card.name)
    table = read_table(options.data, progress=progress, encoding=options.encoding)
    return Located(table, named or _only_column(table), domain, None)


def load(options: argparse.Namespace, program: str, progress: Progress) -> Loaded:
    """Read the column that the options name; raise what `locate` raises."""
    from engine.data.order_statistics import Sample

    found = locate(options, program, part(progress, 0.0, 0.8))
    numbers = found.table.numbers(found.column, missing=options.missing)
    unit = next((known.unit for known in found.table.columns if known.name == found.column), "")
    return Loaded(
        Sample(numbers.values, found.domain), found.table.source, found.column, unit, numbers.dropped
    )


def _card(name: str) -> Example:
    from engine.data import EXAMPLES

    if name not in EXAMPLES:
        raise UnknownName("example", name, EXAMPLES)
    return EXAMPLES[name]


def _domain(options: argparse.Namespace, card: Example | None, column: str | None, program: str) -> Interval:
    bounds = {"lower": options.lower, "upper": options.upper}
    known = _card_column(card, column)
    for name, given in bounds.items():
        if given is None and known is None:
            raise UsageError(
                f"--{name}: a public {name} bound is needed, known without looking at the data; "
                "it is never taken from them",
                program,
            )
        if given is not None and len(given) != 1:
            raise UsageError(
                f"--{name}: {len(given)} bounds for 1 column; write thousands without commas", program
            )
    lower, upper = (
        float(given[0]) if given is not None else float(getattr(known, name))
        for name, given in bounds.items()
    )
    return Interval(lower, upper, getattr(options, "resolution", None))


def _card_column(card: Example | None, name: str | None) -> ExampleColumn | None:
    """Return what the card says about the column, its first one without a name."""
    columns = card.columns if card is not None else ()
    return next((column for column in columns if name in (None, column.name)), None)


def _only_column(table: Table) -> str:
    """Return the column that can only be meant, or ask which one is."""
    candidates = [column for column in table.columns if column.type == "number"]
    if len(table.columns) == 1 or len(candidates) == 1:
        return (candidates or table.columns)[0].name
    names = [column.name for column in candidates or table.columns]
    offered = ", ".join(names[:SHOWN]) + (", …" if len(names) > SHOWN else "")
    problem = "no column of numbers alone" if not candidates else "several columns of numbers"
    raise DataError(f"{problem}; choose one with --column: {offered}", source=table.source)
