"""Words of strangers: names of files, columns and categories may hold anything."""

from __future__ import annotations

import unicodedata
from html import escape
from typing import Any

from app.model.wording.numbers import number

_HIDDEN = {"Cc", "Cf", "Cs", "Co", "Cn"}
"""Kinds of characters that have no shape: controls, marks that turn the line around, halves of pairs."""

_KEPT = "\n\N{ZERO WIDTH JOINER}\N{ZERO WIDTH NON-JOINER}"


def clean(text: str) -> str:
    """Return `text` with a blank for every character that cannot be seen."""
    return "".join(one if one in _KEPT or unicodedata.category(one) not in _HIDDEN else " " for one in text)


def markup(text: str) -> str:
    """Return `text` as it stands in a page of HTML, in an attribute too."""
    return escape(clean(text), quote=True)


def is_number(value: Any) -> bool:
    """Tell whether a cell is aligned like a number."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def cell_words(value: Any, digits: int) -> str:
    """Write a cell."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return number(value, digits) if is_number(value) else str(value) or "–"
