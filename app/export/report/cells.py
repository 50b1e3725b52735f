"""Cells of tables as people read them."""

from __future__ import annotations

from typing import Any

from app.model.wording.numbers import number


def is_number(value: Any) -> bool:
    """Tell whether a cell is aligned like a number."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def cell_words(value: Any, digits: int) -> str:
    """Write a cell."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return number(value, digits) if is_number(value) else str(value) or "–"
