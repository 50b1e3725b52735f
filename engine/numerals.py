"""How numbers are written in sentences: messages are read by people, who may be used to other signs.

It changes words alone; what is computed, stored or exported always has a decimal point and no groups.
"""

from __future__ import annotations

_SIGNS: dict[int, str] = {}


def use_signs(point: str = ".", group: str = ",") -> None:
    """Write numbers in sentences with another decimal point, and something else between thousands."""
    _SIGNS.clear()
    if (point, group) != (".", ","):
        _SIGNS.update({ord("."): point, ord(","): group})


def in_words(text: str) -> str:
    """Return a number as Python writes it, like 1,234.5, with the signs in use."""
    return text.translate(_SIGNS) if _SIGNS else text


def grouped(value: float) -> str:
    """Write a number in full, with something between thousands."""
    return in_words(f"{value:,}")


def short(value: float, digits: int = 6) -> str:
    """Write a number with so many significant digits, and no groups."""
    return in_words(f"{value:.{digits}g}")
