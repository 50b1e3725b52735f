"""The signs that numbers are written with: one choice for window, pictures, lessons, help, console."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterable, Mapping
from types import MappingProxyType

from engine.numerals import use_signs

THIN = "\N{NARROW NO-BREAK SPACE}"
SYSTEM = "system"


@dataclasses.dataclass(frozen=True)
class NumberFormat:
    """How numbers are written.

    Attributes
    ----------
    label : str
        What it looks like.
    point, group : str
        Before the fraction, and between thousands.
    between : str
        What keeps the numbers of a list apart.
    """

    label: str
    point: str
    group: str
    between: str = ", "

    @property
    def example(self) -> str:
        """Numbers that can be typed, in words."""
        return f"0{self.point}5 or 40{self.group.replace(THIN, ' ')}000"

    def written(self, text: str) -> str:
        """Return a number as Python writes it, like 1,234.5, with these signs."""
        return text.translate({ord("."): self.point, ord(","): self.group})


FORMATS: Mapping[str, NumberFormat] = MappingProxyType(
    {
        "english": NumberFormat("1,234.5", ".", ","),
        "si": NumberFormat(f"1{THIN}234.5", ".", THIN),
        "comma": NumberFormat(f"1{THIN}234,5", ",", THIN, "; "),
    }
)
"""The formats by name.  A comma before the fraction goes with spaces: 1.234 would be read in two ways."""

_in_use = [FORMATS["si"]]


def current() -> NumberFormat:
    """Return the format in use."""
    return _in_use[0]


def use(name: str, group: str | None = None) -> None:
    """Write all numbers that users read in this format, from now on; perhaps with another `group`."""
    chosen = FORMATS[name]
    _in_use[0] = chosen if group is None else dataclasses.replace(chosen, group=group)
    use_signs(current().point, current().group)


def name_for(point: str, group: str) -> str:
    """Return the format that is most like what a system writes.

    >>> name_for(",", "."), name_for(".", ","), name_for(".", "’")
    ('comma', 'english', 'si')
    """
    if point == ",":
        return "comma"
    return "english" if group in (",", "") else "si"


def written(text: str) -> str:
    """Return a number as Python writes it, like 1,234.5, in the format in use."""
    return _in_use[0].written(text)


def grouped(value: float) -> str:
    """Write a number in full, thousands grouped."""
    return written(f"{value:,}")


def short(value: float, digits: int = 6) -> str:
    """Write a number with so many significant digits, and no groups."""
    return written(f"{value:.{digits}g}")


def listed(texts: Iterable[str]) -> str:
    """Join numbers that are text already."""
    return _in_use[0].between.join(texts)


def separated(text: str) -> list[str]:
    """Return the numbers in a list that was typed: between commas where these are in no number."""
    parts = text.split(";") if current().point == "," else text.replace(";", ",").split(",")
    return parts if text else []


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
    """Write a number, unless it is that of a claim or a version; these have no thousands."""
    return match[0] if match["name"] and "," not in match[0] else written(match[0])


_PERCENT = re.compile(r"(?<=\d) %")
_NUMBER = re.compile(
    r"(?P<name>(?:\b(?:[A-Z][a-z]+|version|section|pages?)|§|v)\s?)?"
    r"(?<![\w.,/-])(?:\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+\.\d+)(?![\w/]|[.,]\d)"
)
