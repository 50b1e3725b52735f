"""Public bounds on the command line: from the options, or from the card of an example."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from app.commands.support.options import UsageError
from app.model.wording.console import counted
from engine.domain import Box, Interval
from engine.errors import ParameterError

if TYPE_CHECKING:
    from engine.data import Example


def bounds_of(options: argparse.Namespace, known: Mapping[str, float], program: str) -> Interval:
    """Return the public bounds: those given, else those that are `known` without them."""
    values = {}
    for name in ("lower", "upper"):
        given = getattr(options, name)
        if given is None and name not in known:
            raise UsageError(_needed(name), program)
        if given is not None and len(given) != 1:
            raise UsageError(
                f"--{name}: {len(given)} bounds for 1 column; write thousands without commas", program
            )
        values[name] = known[name] if given is None else given[0]
    return Interval(**values, resolution=getattr(options, "resolution", None))


def check_pairs(options: argparse.Namespace, program: str) -> int:
    """Return how many pairs of bounds are given for columns that nobody has named."""
    counts = {name: len(getattr(options, name) or ()) for name in ("lower", "upper")}
    for name, count in counts.items():
        if not count:
            raise UsageError(_needed(name, "for each column, separated by commas"), program)
    if counts["lower"] != counts["upper"]:
        raise UsageError(
            f"--upper: {counted(counts['upper'], 'bound')}, and --lower has {counts['lower']}; "
            "give one pair for each column, separated by commas",
            program,
        )
    return counts["lower"]


def box_of(
    options: argparse.Namespace, columns: Sequence[str], known: Sequence[Mapping[str, float]], program: str
) -> Box:
    """Return the public bounds of several columns: those given, else those `known` without them."""
    sides: dict[str, list[float]] = {}
    for name in ("lower", "upper"):
        given = getattr(options, name)
        if given is None:
            missing = next((at for at, facts in zip(columns, known, strict=True) if name not in facts), None)
            if missing is not None:
                raise UsageError(_needed(name, f"for column '{missing}', one for each column"), program)
            given = [facts[name] for facts in known]
        elif len(given) != len(columns):
            raise UsageError(
                f"--{name}: {counted(len(given), 'bound')} for {counted(len(columns), 'column')} "
                f"({', '.join(columns)}); give one for each, separated by commas",
                program,
            )
        sides[name] = list(given)
    return Box(tuple(map(_side, columns, sides["lower"], sides["upper"])))


def _side(column: str, lower: float, upper: float) -> Interval:
    try:
        return Interval(lower, upper)
    except ParameterError as error:
        raise ParameterError(error.field, f"column '{column}': {error.problem}") from None


def _needed(name: str, what: str = "") -> str:
    where = f" {what}" if what else ""
    return (
        f"--{name}: a public {name} bound is needed{where}, known without looking at the data; "
        "it is never taken from them"
    )


def known_bounds(card: Example | None, column: str | None) -> dict[str, float]:
    """Return the bounds on an example's card of a column, of its first one without a name."""
    columns = card.columns if card is not None else ()
    found = next((known for known in columns if column in (None, known.name)), None)
    return {} if found is None else {"lower": float(found.lower), "upper": float(found.upper)}
