"""Numbers as users read and type them: signs, digits, groups, units and ratios."""

from __future__ import annotations

import dataclasses
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType

from engine.numerals import use_signs

THIN = "\N{NARROW NO-BREAK SPACE}"
SYSTEM = "system"


@dataclasses.dataclass(frozen=True)
class NumberFormat:
    """A format of numbers."""

    label: str  # example for the settings
    # point, group: decimal separator, and separator of thousands
    point: str
    group: str
    between: str = ", "  # separator of numbers in a list

    @property
    def example(self) -> str:
        """An example for typed numbers."""
        return f"0{self.point}5 or 40{self.group.replace(THIN, ' ')}000"

    def written(self, text: str) -> str:
        """Return a number in Python's format, such as 1,234.5, in this format."""
        return text.translate({ord("."): self.point, ord(","): self.group})


FORMATS: Mapping[str, NumberFormat] = MappingProxyType(
    {
        "english": NumberFormat("1,234.5", ".", ","),
        "si": NumberFormat(f"1{THIN}234.5", ".", THIN),
        "comma": NumberFormat(f"1{THIN}234,5", ",", THIN, "; "),
    }
)
"""The formats by name. With a decimal comma, spaces separate thousands: 1.234 would be ambiguous."""

_in_use = [FORMATS["si"]]


def is_number(value: object) -> bool:
    """Return whether a value is a number, and neither true nor false."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def current() -> NumberFormat:
    return _in_use[0]


def use(name: str, group: str | None = None) -> None:
    """Write all numbers for users in this format from now on; `group` replaces its separator."""
    chosen = FORMATS[name]
    _in_use[0] = chosen if group is None else dataclasses.replace(chosen, group=group)
    use_signs(current().point, current().group)


def name_for(point: str, group: str) -> str:
    """Return the format most similar to that of a system.

    >>> name_for(",", "."), name_for(".", ","), name_for(".", "’")
    ('comma', 'english', 'si')
    """
    if point == ",":
        return "comma"
    return "english" if group in (",", "") else "si"


def written(text: str) -> str:
    """Return a number in Python's format, such as 1,234.5, in the current format."""
    return _in_use[0].written(text)


def grouped(value: float) -> str:
    """Write a number in full, thousands grouped."""
    return written(f"{value:,}")


def short(value: float, digits: int = 6) -> str:
    """Write a number with at most `digits` significant digits, without thousands separators."""
    return written(f"{value:.{digits}g}")


def listed(texts: Iterable[str]) -> str:
    """Join numbers that are already text."""
    return _in_use[0].between.join(texts)


def in_prose(text: str) -> str:
    """Return English prose with its numbers in the format in use; names of sections and versions stay.

    No line ends between a number and its percent sign.

    >>> in_prose("Claim 3.2: 10,001 salaries, ε = 0.5 (see 1,2)"), in_prose("Among 10,001")
    ('Claim 3.2: 10\\u202f001 salaries, ε = 0.5 (see 1,2)', 'Among 10\\u202f001')
    >>> in_prose("from 50 % to 99.9 %")
    'from 50\\u202f% to 99.9\\u202f%'
    """
    text = _PERCENT.sub(f"{THIN}%", text)
    if _in_use[0] is FORMATS["english"]:
        return text
    return _NUMBER.sub(_in_format, text)


def _in_format(match: re.Match[str]) -> str:
    """Write a number, except the number of a claim or a version; these have no thousands."""
    return match[0] if match["name"] and "," not in match[0] else written(match[0])


_PERCENT = re.compile(r"(?<=\d) %")
_NUMBER = re.compile(
    r"(?P<name>(?:\b(?:[A-Z][a-z]+|version|section|pages?)|§|v)\s?)?"
    r"(?<![\w.,/-])(?:\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+\.\d+)(?![\w/]|[.,]\d)"
)


_SUPERSCRIPT = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
_HUGE, _TINY = 1e7, 1e-4


def number(value: float, digits: int = 3, *, strip: bool = True) -> str:
    """Write `value` with about `digits` significant digits, whole numbers in full.

    `strip`: without zeros at the end.

    >>> number(200000), number(0.012345), number(-1.5e12), number(float("inf")), number(2, strip=False)
    ('200\u202f000', '0.0123', '−1.5×10¹²', '∞', '2.00')
    """
    if math.isnan(value):
        return "–"
    if math.isinf(value):
        return "∞" if value > 0 else "−∞"
    if value == 0:
        return "0"
    exponent = int(f"{value:.{digits - 1}e}".partition("e")[2])
    if abs(value) >= _HUGE or abs(value) < _TINY:
        return _power(value, exponent, digits - 1)
    return _fixed(value, max(0, digits - 1 - exponent), strip=strip)


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
    """Escape dollar signs, which matplotlib would read as a formula."""
    return text.replace("$", r"\$")


def tick_texts(values: Sequence[float], unit: str = "") -> list[str]:
    """Write the ticks of one axis alike, with as many decimals as the finest needs.

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
    """Return ``value / 10**exponent``, in two steps, since that power can overflow."""
    half = exponent // 2
    return float(value / 10.0**half / 10.0 ** (exponent - half))


def _decimals(values: Sequence[float]) -> int:
    """Return the number of decimals that keep all rounded values distinct."""
    span = max(values) - min(values) or max(abs(value) for value in values)
    for decimals in range(13):
        if all(abs(round(value, decimals) - value) < 1e-6 * span for value in values):
            return decimals
    return 13


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
    """Return a tooltip that Qt shows as plain text, such as a name of a file or column.

    Qt reads a tooltip with tags or entities as HTML and may fetch images; an invisible character prevents
    that.
    """
    return text.replace("<", f"<{JOINER}").replace("&", f"&{JOINER}")


def within(label: str) -> str:
    """Write a label inside a sentence: with a small first letter, unless it is a name such as CoinPress."""
    return label if label[1:] != label[1:].lower() else f"{label[:1].lower()}{label[1:]}"


TWO_READINGS = {
    "": "now it is text, because 1,234 may be just above 1 or above a thousand",
    ".": "now 1.234 is just above 1, and 1,234 above a thousand",
    ",": "now 1,234 is just above 1, and 1.234 above a thousand",
}
"""How the program reads an ambiguous column of a file, by the file's decimal sign."""


def first_names(names: Sequence[str], most: int = 3) -> str:
    """Return the first of some names, and "…" if there are more."""
    return ", ".join(names[:most]) + (" …" if len(names) > most else "")


def format_like(value: float, width: float, unit: str = "") -> str:
    """Write a value with the digits that matter on a domain of this width."""
    places = min(12, max(0, 4 - math.floor(math.log10(width)))) if width > 0 else 3
    text = f"{value:,.{places}f}"
    return f"{written(text.rstrip('0').rstrip('.') if '.' in text else text)} {unit}".rstrip()


def format_count(number: int) -> str:
    """Write a count with grouped digits."""
    return grouped(number)


def format_approx(number: int) -> str:
    """Write a number with two significant digits."""
    return written(f"{float(f'{number:.2g}'):,.0f}")


_MANY_TIMES = 1e3  # from here on more digits say nothing


def times(ratio: float, of: str, alike: str = "", digits: int = 3) -> str:
    """Say that something is `ratio` times `of` something; where that is once, that it is `alike`, else `of`.

    >>> times(2.5, "the baseline"), times(1.0001, "the baseline"), times(1, "the baseline")
    ('2.5 times the baseline', 'about the baseline', 'the baseline')
    >>> times(1, "below global", "as large as global"), times(56411.2, "below global")
    ('as large as global', 'about 56\u202f000 times below global')
    """
    if _MANY_TIMES <= ratio < _HUGE:
        return f"about {format_approx(round(ratio))} times {of}"
    factor = number(ratio, digits)
    if factor != number(1):
        return f"{factor} times {of}"
    about = "" if math.isclose(ratio, 1) else "about "
    return f"{about}{alike or of}"
