"""Format numbers in messages with the user's decimal and thousands separators.

Computed, stored and exported numbers always have a decimal point and no separators.
"""

from __future__ import annotations

_SIGNS: dict[int, str] = {}


def use_signs(point: str = ".", group: str = ",") -> None:
    """Set the decimal sign and thousands separator for messages."""
    _SIGNS.clear()
    if (point, group) != (".", ","):
        _SIGNS.update({ord("."): point, ord(","): group})


def in_words(text: str) -> str:
    """Convert a number formatted by Python, like 1,234.5, to the chosen signs."""
    return text.translate(_SIGNS) if _SIGNS else text


def grouped(value: float) -> str:
    """Format a number in full, with thousands separators."""
    return in_words(f"{value:,}")


def short(value: float, digits: int = 6) -> str:
    """Format a number with this many significant digits, without thousands separators."""
    return in_words(f"{value:.{digits}g}")
