"""Numbers in fields and sentences: what was typed is shown with every digit, grouped."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

from app.model.wording.number_format import current, grouped, written

JOINER = "\N{WORD JOINER}"


def format_exact(value: float | None) -> str:
    """Write `value` with all the digits it was given, thousands grouped (empty for None)."""
    if value is None:
        return ""
    if value != 0 and math.isfinite(value) and not 1e-4 <= abs(value) < 1e12:
        mantissa, _, exponent = f"{value:.12e}".partition("e")
        return written(f"{mantissa.rstrip('0').rstrip('.')}e{int(exponent)}")
    return written(f"{value:,.12g}")


def escape(text: str) -> str:
    """Return a tip that is shown as it stands: names of files and columns are no markup.

    Qt takes a tip for HTML where a tag or an entity begins in it, and then fetches whatever images are
    named there; an invisible letter keeps it from that.
    """
    return text.replace("<", f"<{JOINER}").replace("&", f"&{JOINER}")


def within(label: str) -> str:
    """Write a label within a sentence: with a small letter first, unless it is a name such as CoinPress."""
    return label if label[1:] != label[1:].lower() else f"{label[:1].lower()}{label[1:]}"


def first_names(names: Sequence[str], most: int = 3) -> str:
    """Return the first of some names, and whether there are more."""
    return ", ".join(names[:most]) + (" …" if len(names) > most else "")


def format_like(value: float, width: float, unit: str = "") -> str:
    """Write a value of the data with the digits that matter on a domain of that width."""
    places = min(12, max(0, 4 - math.floor(math.log10(width)))) if width > 0 else 3
    text = f"{value:,.{places}f}"
    return f"{written(text.rstrip('0').rstrip('.') if '.' in text else text)} {unit}".rstrip()


def format_count(number: int) -> str:
    """Write a count with grouped digits."""
    return grouped(number)


def format_approx(number: int) -> str:
    """Write a number of which only the first two digits matter."""
    return written(f"{float(f'{number:.2g}'):,.0f}")


def parse_number(text: str) -> float:
    """Read what the user typed: spaces and thin spaces group, 1e-6 and 10^-6 are the same.

    A point before the fraction is always understood. In the format with a comma there, "1.234" is refused,
    since it may mean a thousand more.

    Raises
    ------
    ValueError
        If it is no finite number.
    """
    value = _read_number(text)
    if not math.isfinite(value):
        raise ValueError(f"{text} is not finite")
    return value


def _read_number(text: str) -> float:
    plain = "".join(text.split()).replace("−", "-").replace("_", "").replace("⋅", "*").replace("×", "*")
    if "10^" in plain:
        factor, _, exponent = plain.partition("10^")
        power: float = 10.0 ** float(exponent)
        return float(_with_point(factor.rstrip("*")) or 1) * power
    return float(_with_point(plain))


def _with_point(text: str) -> str:
    """Return a number as Python reads it."""
    if current().point == ",":
        if "," in text or text.count(".") > 1:
            return text.replace(".", "").replace(",", ".")
        if _EITHER.fullmatch(text):
            raise ValueError(f"{text} may be a fraction, or a thousand times that")
        return text
    if text.count(",") == 1 and "." not in text:
        whole, _, fraction = text.partition(",")
        # "1,5" is one and a half, "40,000" is forty thousand
        return whole + ("" if len(fraction) == 3 and whole not in ("", "0", "-0") else ".") + fraction
    return text.replace(",", "")


_EITHER = re.compile(r"[+-]?[1-9]\d{0,2}\.\d{3}")
