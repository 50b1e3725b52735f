"""Public lists of categories: as they are typed, written and checked."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Sequence

from app.model.wording.numbers import format_count
from engine.data.categories import CategoryDomain
from engine.errors import ParameterError

MAX_NAMES = 12
"""Categories that are written out."""


def names_words(names: Sequence[str]) -> str:
    """Write a list of names, at most so many of them."""
    more = len(names) - MAX_NAMES
    shown = ", ".join(names[:MAX_NAMES])
    return f"{shown}, and {format_count(more)} more" if more > 0 else shown or "not declared"


def list_of(name: str, labels: tuple[str, ...]) -> tuple[str, ...]:
    """Return the list of a column; the error names the column, beside whose list it belongs."""
    field = f"categories of {name}"
    if not labels:
        raise ParameterError(field, f"list all categories of {name}, from what is known without the data")
    try:
        return CategoryDomain((name,), (labels,)).labels[0]
    except ParameterError as error:
        raise ParameterError(field, error.problem) from None


def parse_list(text: str) -> tuple[str, ...]:
    """Read what the user typed: labels between commas, in quotes where a comma is part of one.

    >>> parse_list('male, female'), parse_list('"Washington, D.C.", Ohio')
    (('male', 'female'), ('Washington, D.C.', 'Ohio'))
    """
    labels = (label.strip() for row in csv.reader([text], skipinitialspace=True) for label in row)
    return tuple(label for label in labels if label)


def format_list(labels: Iterable[str]) -> str:
    """Write a list as `parse_list` reads it.

    >>> format_list(["Washington, D.C.", "Ohio"])
    '"Washington, D.C.", Ohio'
    """
    return ", ".join(map(_quoted, labels))


def _quoted(label: str) -> str:
    doubled = label.replace('"', '""')
    return f'"{doubled}"' if "," in label or '"' in label else label
