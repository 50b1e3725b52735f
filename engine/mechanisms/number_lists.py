"""Lists of public numbers, as users write them into a parameter."""

from __future__ import annotations

import functools
import math

from engine.errors import ParameterError


@functools.lru_cache(maxsize=64)
def positive_numbers(text: str, field: str) -> tuple[float, ...]:
    """Read numbers above 0, separated by commas; none of an empty text.

    Raises
    ------
    ParameterError
        For `field`, if a part is no such number.

    Examples
    --------
    >>> positive_numbers("1, 2.5", "prior")
    (1.0, 2.5)
    """
    parts = [part.strip() for part in text.split(",")] if text.strip() else []
    for part in parts:
        try:
            sensible = 0 < float(part) < math.inf
        except ValueError:
            sensible = False
        if not sensible:
            raise ParameterError(field, f"'{part}' is no number above 0; write such numbers as 1, 1, 2.5")
    return tuple(map(float, parts))
