"""Numbers as users read them: grouped by thousands, with a unit and no more digits than help.

Before a unit stands a narrow no-break space.

Nothing here needs matplotlib, so that panels and the command line can use it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from app.model.wording.number_format import THIN, written

_SUPERSCRIPT = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
_HUGE, _TINY = 1e7, 1e-4


def number(value: float, digits: int = 3) -> str:
    """Write `value` with about `digits` significant digits, whole numbers in full.

    >>> number(200000), number(0.012345), number(-1.5e12), number(float("inf"))
    ('200\u202f000', '0.0123', '−1.5×10¹²', '∞')
    """
    if math.isnan(value):
        return "–"
    if math.isinf(value):
        return "∞" if value > 0 else "−∞"
    if value == 0:
        return "0"
    exponent = math.floor(math.log10(abs(value)))
    if abs(value) >= _HUGE or abs(value) < _TINY:
        return _power(value, exponent, digits - 1)
    return _fixed(value, max(0, digits - 1 - exponent))


def quantity(value: float, unit: str = "", digits: int = 3) -> str:
    """Write `value` with its unit behind it."""
    return with_unit(number(value, digits), unit)


def with_unit(text: str, unit: str) -> str:
    """Put the unit behind a number that is already text."""
    return f"{text}{THIN}{unit}" if unit else text


def superscript(exponent: int) -> str:
    """Write an exponent.

    >>> superscript(-22)
    '⁻²²'
    """
    return str(exponent).translate(_SUPERSCRIPT)


def share(probability: float) -> str:
    """Write a probability as a percentage with two significant digits."""
    if 0 < probability < 1e-6:
        return f"{number(probability, 1)}"
    percent = 100 * probability
    if percent > 99:
        return with_unit(number(percent, 4), "%")
    return with_unit(number(percent, 2), "%")


def plain(text: str) -> str:
    """Keep matplotlib from reading two dollar signs as a formula."""
    return text.replace("$", r"\$")


def tick_texts(values: Sequence[float], unit: str = "") -> list[str]:
    """Write the ticks of one axis alike: with as many decimals as the finest needs.

    >>> tick_texts([0, 2.5, 5], "%")
    ['0\u202f%', '2.5\u202f%', '5.0\u202f%']
    """
    largest = max((abs(value) for value in values), default=0.0)
    if largest == 0:
        return [with_unit("0", unit) for _ in values]
    exponent = math.floor(math.log10(largest) + 1e-9)
    scientific = largest >= _HUGE or largest <= _TINY
    decimals = _decimals([_scaled(value, exponent) for value in values] if scientific else values)
    texts = []
    for value in values:
        if abs(value) < 1e-9 * largest:
            text = "0"
        elif scientific:
            text = _power(value, exponent, decimals, strip=False)
        else:
            text = _fixed(value, decimals, strip=False)
        texts.append(with_unit(text, unit))
    return texts


def _fixed(value: float, decimals: int, *, strip: bool = True) -> str:
    text = f"{value:,.{decimals}f}"
    if strip and "." in text:
        text = text.rstrip("0").rstrip(".")
    return written(text).replace("-", "−")


def _power(value: float, exponent: int, decimals: int, *, strip: bool = True) -> str:
    mantissa = _scaled(value, exponent)
    if round(abs(mantissa), decimals) >= 10 and strip:
        mantissa, exponent = mantissa / 10, exponent + 1
    power = f"10{superscript(exponent)}"
    text = _fixed(mantissa, decimals, strip=strip)
    if text in ("1", "−1"):
        return power if text == "1" else f"−{power}"
    return f"{text}×{power}"


def _scaled(value: float, exponent: int) -> float:
    """Return ``value / 10**exponent``, in two steps since such a power may be no float."""
    half = exponent // 2
    return float(value / 10.0**half / 10.0 ** (exponent - half))


def _decimals(values: Sequence[float]) -> int:
    """Return how many decimals tell all the values apart from their roundings."""
    span = max(values) - min(values) or max(abs(value) for value in values)
    for decimals in range(13):
        if all(abs(round(value, decimals) - value) < 1e-6 * span for value in values):
            return decimals
    return 13
