"""Public lists of categories on the command line: from the options, or from the card of an example."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from app.commands.support.options import UsageError
from app.model.wording.console import counted

if TYPE_CHECKING:
    from engine.data import CategoryDomain, Example

NEVER = "known without looking at the data; it is never taken from them"


def categories_of(options: argparse.Namespace, card: Example | None, program: str) -> CategoryDomain:
    """Return the columns and their lists: those given, else those of the card.

    Raises
    ------
    UsageError
        If a column or a list is missing, or there are not as many of both.
    """
    from engine.data import CategoryDomain

    known = {own.name: own.labels for own in card.categories} if card is not None else {}
    columns = options.column or list(known)
    if not columns:
        raise UsageError("--column: name the columns of categories, once for each", program)
    given = options.categories
    if given is None:
        unknown = next((name for name in columns if name not in known), None)
        if unknown is not None:
            raise UsageError(
                f"--categories: a public list of what column '{unknown}' may hold is needed, separated by "
                f"commas, once for each column, {NEVER}",
                program,
            )
        given = [known[name] for name in columns]
    if len(given) != len(columns):
        raise UsageError(
            f"--categories: {counted(len(given), 'list')} for {counted(len(columns), 'column')} "
            f"({', '.join(columns)}); give one for each, in the same order",
            program,
        )
    return CategoryDomain(columns, given)
