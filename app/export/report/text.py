"""Words of strangers: names of files, columns and categories may hold anything."""

from __future__ import annotations

import unicodedata
from html import escape

_HIDDEN = {"Cc", "Cf", "Cs", "Co", "Cn"}
"""Kinds of characters that have no shape: controls, marks that turn the line around, halves of pairs."""

_KEPT = "\n\N{ZERO WIDTH JOINER}\N{ZERO WIDTH NON-JOINER}"


def clean(text: str) -> str:
    """Return `text` with a blank for every character that nobody can see."""
    return "".join(one if one in _KEPT or unicodedata.category(one) not in _HIDDEN else " " for one in text)


def markup(text: str) -> str:
    """Return `text` as it stands in a page of HTML, in an attribute too."""
    return escape(clean(text), quote=True)
