"""Read numbers that a user typed; refuse a text that can mean two numbers."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from types import MappingProxyType

from app.model.wording.numbers import THIN, current, format_exact, listed, short


class NumberError(ValueError):
    """A typed text is no number, or can mean two; the message says what to write."""


def parse_number(text: str) -> float:
    """Return the number that a user typed.

    Blanks, apostrophes and underscores separate thousands; 1e-6 and 10^-6 are the same. The number format
    decides about "1,234" and "1.234" if it has that separator. Any other text counts if it can mean only
    one number: "1.234,5" is 1234.5 in each format.

    `NumberError` if the text is no finite number, or can mean two.
    """
    readings = _readings(text)
    own = readings.get(current().point)
    values = sorted({*readings.values()})
    if len(values) == 2 and own is not None and _has_own_separator(text):
        values = [own]
    if len(values) == 1 and own is None and _MISPLACED.fullmatch(text.strip()) and _has_own_separator(text):
        values.append(float(text.replace(",", "").replace("−", "-")))
    if len(values) == 2:
        one, other = map(format_exact, values)
        raise NumberError(f"'{text}' can mean {one} or {other}; write one of these")
    if not values:
        raise NumberError(f"'{text}' is not a number; write it like {current().example}, or 1e-6")
    if not math.isfinite(values[0]):
        raise NumberError(f"'{text}' is too large")
    return values[0]


def parse_number_list(text: str) -> tuple[float, ...]:
    """Return the numbers of a typed list: between semicolons, or between commas.

    `NumberError` if a part is no number, or if the commas can belong to a number as well: "1,5".
    """
    text = text.strip()
    if not text:
        return ()
    parts = text.split(";") if ";" in text else _COMMA_AND_BLANK.split(text)
    if len(parts) == 1 and "," in text and current().point != ",":
        parts = text.split(",")
        if _readings(text) or _MISPLACED.fullmatch(text):
            raise NumberError(f"'{text}' can be one number or a list; write ; between numbers")
    return tuple(parse_number(part.strip()) for part in parts)


def format_number_list(values: tuple[float, ...]) -> str:
    """Write numbers so that `parse_number_list` reads them, without thousands separators."""
    return listed(short(value, 12) for value in values)


def read_typed(text: str, holds: str) -> str:
    """Return a typed text with numbers as the program stores it: points in decimals, commas between numbers.

    `holds` is that of a `Parameter`. `NumberError` if a number can mean two, or a list can be one number.
    """
    if holds == "numbers" and not _WORD.match(text):
        return ", ".join(map(_plain, parse_number_list(text)))
    if holds == "points" and not _WORD.match(text):
        points = [part.strip() for part in text.split(";") if part.strip()]
        return "; ".join(",".join(map(_plain, _coordinates(point))) for point in points)
    if holds == "conditions":
        parts = _IN_CONDITION.split(text)
        following = [*parts[1:], ""]
        return "".join(
            _plain_part(part) if _STARTS_NUMBER.match(part) and after != ":" else part
            for part, after in zip(parts, following, strict=True)
        )
    return text


def show_typed(text: str, holds: str) -> str:
    """Write a stored text so that `read_typed` reads it, in the chosen number format."""
    point = current().point
    if point == "." or not holds or _WORD.match(text):
        return text
    if holds == "numbers":
        return "; ".join(part.strip() for part in text.split(",")).replace(".", point)
    if holds == "points":
        points = [part.split(",") for part in text.split(";")]
        return "; ".join(" : ".join(one.strip() for one in point) for point in points).replace(".", point)
    return _DECIMALS.sub(point, text)


def _coordinates(text: str) -> tuple[float, ...]:
    """Return the coordinates of one point: between colons, or between commas."""
    if ":" in text:
        return tuple(parse_number(part) for part in text.split(":"))
    if "," not in text:
        return (parse_number(text),)
    own = _readings(text).get(current().point)
    if own is None and current().point != ",":
        return tuple(parse_number(part) for part in text.split(","))
    parts = _COMMA_AND_BLANK.split(text)
    if len(parts) == 1:
        raise NumberError(f"'{text}' can be one number or a point; write : between coordinates")
    return tuple(map(parse_number, parts))


def _plain(value: float) -> str:
    return format(value, ".15g")


def _plain_part(text: str) -> str:
    """Return a part of a condition with its number as the program stores it; blanks around it stay."""
    number = text.strip()
    return text.replace(number, _plain(parse_number(number)))


def _readings(text: str) -> Mapping[str, float]:
    """Return the number that a text means with each decimal sign that fits it."""
    plain = text.strip().translate(_SIGNS)
    match = _NUMBER.fullmatch(_AROUND_SIGNS.sub(r"\1", plain))
    if match is None:
        return {}
    result = {}
    for point, reading in _MANTISSAS.items():
        digits = reading.fullmatch(match["mantissa"] or match["factor"] or "1")
        if digits is not None and (digits["whole"] or digits["fraction"]):
            whole = re.sub(r"\D", "", digits["whole"])
            exponent = match["exponent"] or match["power"] or "0"
            result[point] = float(f"{match['sign']}{whole}.{digits['fraction'] or ''}e{exponent}")
    return result


def _has_own_separator(text: str) -> bool:
    """Tell whether all points and commas of a text are signs of the number format."""
    return {*text} & {".", ","} <= {current().point, current().group}


_SIGNS = str.maketrans({"−": "-", "⋅": "*", "×": "*", THIN: None})
"""The program's own thousands separator says nothing: it stays when a user deletes a digit beside it."""

_BLANKS = " \u00a0\u2009"
_AROUND_SIGNS = re.compile(r"\s*([-+*^eE])\s*")
_NUMBER = re.compile(
    r"(?P<sign>[-+]?)(?:(?P<mantissa>[^-+*^eE]+)(?:[eE](?P<exponent>[-+]?\d+))?"
    r"|(?:(?P<factor>[^-+*^eE]+)\*)?10\^(?P<power>[-+]?\d+))"
)
_MANTISSAS = MappingProxyType(
    {
        point: re.compile(
            rf"(?P<whole>[1-9]\d{{0,2}}(?P<group>[{other}{_BLANKS}'’_])\d{{3}}(?:(?P=group)\d{{3}})*|\d*)"
            rf"(?:[{point}](?P<fraction>\d*))?"
        )
        for point, other in ((".", ","), (",", "."))
    }
)

_MISPLACED = re.compile(r"[-+−]?[1-9]\d*,\d+")
"""A comma that may separate thousands and lost or got a digit beside it: 600,00 after 600,000."""

_COMMA_AND_BLANK = re.compile(r",\s+")

_WORD = re.compile(r"\s*([^\W\d_]|@)")
_IN_CONDITION = re.compile(r"(;|:|\.\.|>=|<=|!=|[<>=≥≤≠]|\s(?:and|or)\s)", re.IGNORECASE)
_STARTS_NUMBER = re.compile(r"\s*[-+−]?[.,]?\d")
_DECIMALS = re.compile(r"(?<=\d)\.(?=\d)")
