"""Format numbers in messages with the user's decimal and thousands separators.

Computed, stored and exported numbers always have a decimal point and no separators.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Any

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


def exact_texts(values: Iterable[float]) -> tuple[str, ...]:
    """Write different numbers for stored texts: with 12 digits, or with 17 if 12 do not distinguish them."""
    numbers = tuple(values)
    texts = tuple(f"{value:.12g}" for value in numbers)
    return texts if len(set(texts)) == len(set(numbers)) else tuple(f"{value:.17g}" for value in numbers)


MAX_SHOWN = 60
"""Characters of a wrong argument that an error shows."""


def given(value: Any) -> str:
    """Describe a wrong argument in an error: a short text, a number or a few; of anything else its type.

    Lists, frames and arrays may hold records, which no message may show.
    """
    if isinstance(value, str):
        return repr(value if len(value) <= MAX_SHOWN else f"{value[:MAX_SHOWN]}…")
    few = value if isinstance(value, tuple | list) and len(value) <= 3 else (value,)
    if all(isinstance(one, str | int | float | Fraction) or one is None for one in few):
        text = repr(value)
        if len(text) <= MAX_SHOWN and not (isinstance(value, list) and len(value) != 2):
            return text
    name = value.__name__ if isinstance(value, type) else type(value).__name__
    return f"{'an' if name[:1].lower() in 'aeiou' else 'a'} {name}"
