"""Command-line options for each kind of data, and checks of their values."""

from __future__ import annotations

import argparse
import dataclasses
import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from app.model.wording.console import counted
from engine.domain import Box, Interval
from engine.errors import ParameterError, SensiscopeError

if TYPE_CHECKING:
    from engine.data import Example

NEVER = "known without looking at the data; it is never taken from them"
EDGES = "graphs: columns of edges, vertices"
PARTS = "parts: conditions, groups"
MAX_VERTICES = 10_000_000


class OptionError(SensiscopeError):
    """A missing option, or one that conflicts with others; `name` has no hyphens in front."""

    def __init__(self, name: str, problem: str) -> None:
        super().__init__(f"--{name}: {problem}")


@dataclasses.dataclass(frozen=True)
class DataOption:
    """An option for the location of data in a file, or for public facts about them."""

    name: str  # as in ``--name``, without the hyphens
    help: str
    metavar: str = "NAME"  # placeholder for its value in the help
    # "text"; "numbers" or "labels" between commas; "count or file": a whole number, or else a file
    kind: str = "text"
    repeated: bool = False  # whether it may be repeated
    choices: tuple[str, ...] = ()  # possible texts; empty for any
    most: int = 0  # the largest count
    group: str = "data"  # heading of its group in the help


def _bound(name: str) -> DataOption:
    text = f"public {name} bound for all columns, or each: 0,10"
    return DataOption(name, text, name[0].upper(), "numbers")


def _of_edges(name: str, what: str) -> DataOption:
    return DataOption(name, f"column of {what} (default {name})", group=EDGES)


COLUMN = DataOption(
    "column",
    "column to use; repeat it for points (one for each coordinate) and for categories",
    repeated=True,
)
LOWER, UPPER = _bound("lower"), _bound("upper")
SOURCE = _of_edges("source", "one vertex of each edge")
TARGET = _of_edges("target", "the other vertex")
WEIGHT = _of_edges("weight", "the weight, from 0 to --upper")
DUPLICATES = DataOption(
    "duplicates",
    "rows that join the same two vertices, in either direction: refuse the data, or merge them into one edge "
    "with the lightest weight or the sum (default refuse)",
    choices=("refuse", "lightest", "sum"),
    group=EDGES,
)
LOOPS = DataOption(
    "loops",
    "rows that join a vertex to itself: refuse the data, or drop these rows (default refuse)",
    choices=("refuse", "drop"),
    group=EDGES,
)
VERTICES = DataOption(
    "vertices",
    "public number of vertices, or a public list: a file with one name in each line, a graph file, or a "
    "column of a table (FILE:COLUMN); required for releases where edges are confidential",
    "N|FILE",
    "count or file",
    most=MAX_VERTICES,
    group=EDGES,
)
CATEGORIES = DataOption(
    "categories",
    "public list of categories, separated by commas; repeat it for each --column or --by, in the same order",
    "LABELS",
    "labels",
    repeated=True,
)
UNSEEN = DataOption(
    "unseen",
    "values outside --categories: count them as 'other', a category of every column (default), or refuse the "
    "data; with --by, drop leaves out their rows",
    choices=("refuse", "other", "drop"),
)
WHERE = DataOption(
    "where",
    'condition on rows, such as "age >= 30"; may be repeated, and all must hold',
    "CONDITION",
    repeated=True,
    group=PARTS,
)
BY = DataOption(
    "by",
    "column of groups, listed in --categories: an answer for each, all for one epsilon; may be repeated",
    "COLUMN",
    repeated=True,
    group=PARTS,
)
MEMBERSHIP = DataOption(
    "membership",
    "whether the group of each record is confidential or public (default confidential)",
    choices=("confidential", "public"),
    group=PARTS,
)
BUNDLED = tuple(option for option in tuple(globals().values()) if isinstance(option, DataOption))
"""The options of all bundled kinds, in the order of the help: known without importing the kinds."""


def bounds_of(options: argparse.Namespace, known: Mapping[str, float]) -> Interval:
    """Return the public bounds: given ones, else those in `known`."""
    values = {}
    for name in ("lower", "upper"):
        given = getattr(options, name)
        if given is None and name not in known:
            raise _needed(name)
        if given is not None and len(given) != 1:
            raise OptionError(name, f"{len(given)} bounds for 1 column; write thousands without commas")
        values[name] = known[name] if given is None else given[0]
    return Interval(**values, resolution=getattr(options, "resolution", None))


def check_pairs(options: argparse.Namespace) -> int:
    """Return the number of pairs of bounds given for columns that were not named."""
    counts = {name: len(getattr(options, name) or ()) for name in ("lower", "upper")}
    for name, count in counts.items():
        if not count:
            raise _needed(name, " for each column, separated by commas")
    if counts["lower"] != counts["upper"]:
        raise OptionError(
            "upper",
            f"{counted(counts['upper'], 'bound')}, and --lower has {counts['lower']}; "
            "give one pair for each column, separated by commas",
        )
    return counts["lower"]


def box_of(options: argparse.Namespace, columns: Sequence[str], known: Sequence[Mapping[str, float]]) -> Box:
    """Return the public bounds of several columns: given ones, else those in `known`.

    A single bound applies to all columns.
    """
    sides: dict[str, list[float]] = {}
    for name in ("lower", "upper"):
        given = getattr(options, name)
        if given is None:
            missing = next((at for at, facts in zip(columns, known, strict=True) if name not in facts), None)
            if missing is not None:
                raise _needed(name, f" for column '{missing}', one for each column")
            given = [facts[name] for facts in known]
        elif len(given) == 1:
            given = list(given) * len(columns)
        elif len(given) != len(columns):
            raise OptionError(
                name,
                f"{counted(len(given), 'bound')} for {counted(len(columns), 'column')} "
                f"({', '.join(columns)}); give one for all, or one for each, separated by commas",
            )
        sides[name] = list(given)
    return Box(tuple(map(_side, columns, sides["lower"], sides["upper"])))


def _side(column: str, lower: float, upper: float) -> Interval:
    try:
        return Interval(lower, upper)
    except ParameterError as error:
        raise ParameterError(error.field, f"column '{column}': {error.problem}") from None


def _needed(name: str, what: str = "") -> OptionError:
    return OptionError(name, f"a public {name} bound is needed{what}, {NEVER}")


def known_bounds(card: Example | None, column: str | None) -> dict[str, float]:
    """Return the bounds on an example's card for a column; without a name, for its first column."""
    columns = card.columns if card is not None else ()
    match = next((known for known in columns if column in (None, known.name)), None)
    return {} if match is None else {"lower": float(match.lower), "upper": float(match.upper)}


def values_in(texts: Sequence[str], count: int) -> list[float]:
    """Read the new value of a record: so many numbers."""
    try:
        values = [float(word) for word in texts]
    except ValueError:
        values = [math.nan]
    text = ":".join(texts)
    if not all(map(math.isfinite, values)):
        raise OptionError("neighbour", f"'{text}' is no value of a record; it must be numbers")
    if len(values) != count:
        raise OptionError(
            "neighbour",
            f"'{text}' is no value of a record; it has {counted(count, 'number')}, with colons between them",
        )
    return values


def offered(names: Sequence[str], most: int = 10) -> str:
    """Return the names of columns to suggest, cut to one line."""
    return ", ".join(names[:most]) + (", …" if len(names) > most else "")
