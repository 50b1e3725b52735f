"""Parse single cells: types, spellings of numbers, missing values, quoted messages."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from engine.data.arrays import array_of, scalar, text_array, try_cast
from engine.data.times import durations_as_text
from engine.errors import DataError

MISSING_WORDS = ("", "NA", "N/A", "n/a", "#N/A", "NULL", "null", "<NA>")
"""Cells of a text file that count as missing.  "nan" is not among them: NaN is an error."""

LONGEST_QUOTE = 30


def kind(arrow_type: Any) -> str:
    """Name an Arrow type: "number", "boolean", "date" or "text"."""
    from pyarrow import types

    if types.is_integer(arrow_type) or types.is_floating(arrow_type) or types.is_decimal(arrow_type):
        return "number"
    if types.is_boolean(arrow_type):
        return "boolean"
    if types.is_temporal(arrow_type):
        return "date"
    return "text"


HELD = {
    "date": "dates; read it as days",
    "time": "times of day or durations; read it as hours",
}
"""Words for the content of a column of dates or times, by `kind_of_time`."""


def kind_of_time(arrow_type: Any) -> str:
    """Name a type of dates or times: "date", or "time" for times of day and durations; "" for others."""
    from pyarrow import types

    if types.is_time(arrow_type) or types.is_duration(arrow_type) or types.is_interval(arrow_type):
        return "time"
    return "date" if types.is_temporal(arrow_type) else ""


def is_string(arrow_type: Any) -> bool:
    """Tell whether cells of this type are text that could spell a number."""
    from pyarrow import types

    return bool(types.is_string(arrow_type) or types.is_large_string(arrow_type))


def is_floating(arrow_type: Any) -> bool:
    """Tell whether cells of this type may be NaN."""
    from pyarrow import types

    return bool(types.is_floating(arrow_type))


def count_missing(column: Any) -> int:
    """Return the number of cells that are null or NaN."""
    if not is_floating(column.type):
        return int(column.null_count)
    return sum(int(np.count_nonzero(np.isnan(array_of(chunk)))) for chunk in column.chunks)


def is_binary(arrow_type: Any) -> bool:
    """Tell whether cells of this type are bytes instead of text."""
    from pyarrow import types

    return bool(types.is_binary(arrow_type) or types.is_large_binary(arrow_type))


def quote(text: object) -> str:
    """Quote the content of a cell on one line, shortened."""
    label = str(text)
    return repr(label if len(label) <= LONGEST_QUOTE else label[: LONGEST_QUOTE - 1] + "…")


def spelled_numbers(column: Any, missing: Sequence[str] = MISSING_WORDS) -> Any:
    """Return text cells ready for parsing: trimmed, with null for each of the `missing` texts."""
    import pyarrow.compute as pc

    trimmed = pc.utf8_trim_whitespace(column)
    is_missing = pc.is_in(trimmed, value_set=text_array(missing, column.type))
    return pc.if_else(is_missing, scalar(None, column.type), trimmed)


def first_not_number(column: Any) -> int | None:
    """Return the index of the first text cell that does not spell a number.

    Bisects over slices, which avoids a Python loop over the cells.
    """
    cells = spelled_numbers(column)
    if try_cast(cells, "double") is not None:
        return None
    start, stop = 0, len(cells)
    while stop - start > 1:
        middle = (start + stop) // 2
        if try_cast(cells.slice(start, middle - start), "double") is None:
            stop = middle
        else:
            start = middle
    return start


def texts(values: Any) -> Any:
    """Return labels as text: trimmed, whole numbers without a decimal point."""
    import pyarrow as pa
    import pyarrow.compute as pc
    from pyarrow import types

    try:
        result = without_units(values).cast(pa.large_string())
    except pa.ArrowException as error:
        raise ValueError(" ".join(str(error).split())) from None
    if types.is_floating(values.type):
        result = pc.replace_substring_regex(result, "^-0$", "0")
    if types.is_decimal(values.type):
        result = without_zeros(result)
    if types.is_timestamp(values.type):
        result = plain_times(result)
    return pc.utf8_trim_whitespace(result)


def plain_times(labels: Any) -> Any:
    """Normalize time stamps, whatever the others of the column: no zeros at the end, no time at midnight."""
    import pyarrow.compute as pc

    plain = pc.replace_substring_regex(labels, "^([0-9]{4}-[0-9]{2}-[0-9]{2})T", r"\1 ")
    plain = pc.replace_substring_regex(plain, r"(:[0-9]{2}\.[0-9]*?)0+(Z?)$", r"\1\2")
    plain = pc.replace_substring_regex(plain, r"\.(Z?)$", r"\1")
    return pc.replace_substring_regex(plain, "^([0-9-]{10}) 00:00:00$", r"\1")


def without_units(column: Any) -> Any:
    """Return times of day and durations as text, whatever their unit: 08:30:00, 27:15:00.5."""
    import pyarrow as pa
    import pyarrow.compute as pc
    from pyarrow import types

    if types.is_duration(column.type):
        return durations_as_text(column)
    if not types.is_time(column.type):
        return column
    text = pc.replace_substring_regex(column.cast(pa.string()), r"(\.[0-9]*?)0+$", r"\1")
    return pc.replace_substring_regex(text, r"\.$", "")


def without_zeros(labels: Any) -> Any:
    """Normalize texts that spell numbers: 007 to 7, 1.50 to 1.5."""
    import pyarrow as pa
    import pyarrow.compute as pc

    # as text, since whole numbers may have more digits than a double
    whole = pc.replace_substring_regex(labels, r"^(-?)0+([0-9]+)(\.0*)?$", r"\1\2")
    whole = pc.replace_substring_regex(whole, r"^(-?[0-9]+)\.0*$", r"\1")
    spelled = pc.match_substring_regex(whole, r"^-?[0-9]*\.[0-9]+$|^-?[0-9]*\.?[0-9]+[eE][-+]?[0-9]+$")
    numbers = pc.if_else(spelled, whole, scalar(None, whole.type)).cast(pa.float64())
    return pc.if_else(spelled, numbers.cast(whole.type), whole)


def plain_numbers(labels: Sequence[str]) -> list[str]:
    """Return labels; those that spell numbers are normalized by `without_zeros`."""
    import pyarrow as pa

    plain: list[str] = without_zeros(text_array(labels, pa.large_string())).to_pylist()
    return plain


NOT_UTF_8 = "it is not UTF-8 text; save the file as UTF-8, or state its encoding (such as latin-1)"
"""Advice for a column whose bytes are no UTF-8 text."""


def name_byte(wrong: bytes) -> str:
    """Return the first of these bytes in hexadecimal notation (private)."""
    return f"the byte 0x{wrong[0]:02x}"


def refuse_bytes(column: Any, name: str, source: str, first_row: int) -> None:
    """Raise `DataError` at the first cell of a column of bytes that is not UTF-8 text."""
    for index, cell in enumerate(column.to_pylist()):
        try:
            (cell or b"").decode()
        except UnicodeDecodeError as error:
            raise DataError(
                NOT_UTF_8,
                confidential=name_byte(error.object[error.start : error.end]),
                source=source,
                row=first_row + index,
                column=name,
            ) from None


def as_text(column: Any) -> list[str]:
    """Return a column as displayed texts; "" for missing values."""
    import pyarrow as pa

    column = without_units(column)
    try:
        texts = column.cast(pa.string()).to_pylist()
    except pa.ArrowException:  # Arrow casts no lists, objects or bytes to text
        texts = [None if value is None else str(value) for value in column.to_pylist()]
    return ["" if text is None else text for text in texts]


BLANKS = " \u00a0\u202f\u2009"
APOSTROPHES = "'\u2019"
MINUS = "\u2212\u2013-"

CURRENCIES = (
    *"$\u20ac\u00a3\u00a5\u20b9\u20bd\u20a9\u20ba\u20aa",
    *("US$", "R$", "USD", "EUR", "GBP", "CHF", "JPY", "CNY", "INR", "CAD", "AUD", "SEK", "NOK", "DKK"),
    *("PLN", "CZK", "HUF", "kr", "K\u010d", "z\u0142", "Fr."),
)
"""Currency signs that may precede or follow an amount."""

FIRST = 10
"""Cells of a column to check before its sample."""

SAMPLE = 1000
"""Cells of a column to check before all of them."""


def pattern(decimal: str, groups: str) -> str:
    """Return the regular expression of a number in common notation.

    Named groups: a minus or an opening parenthesis (`sign`, `brackets`), the digits before the decimal sign
    (`whole`) and after it (`fraction`), and an `exponent`.  Groups of three digits must be complete, and the
    first group has no leading zero: "030 123" is no number.
    """
    currency = "|".join(map(re.escape, CURRENCIES))
    minus, blank = f"[{MINUS}]", f"[{BLANKS}]?"
    grouped = f"[1-9][0-9]{{0,2}}(?:[{re.escape(groups)}][0-9]{{3}})+|" if groups else ""
    return (
        rf"^(?P<brackets>\(?)(?P<before>(?:{currency})?){blank}(?P<sign>{minus}?){blank}"
        rf"(?P<between>(?:{currency})?){blank}"
        rf"(?P<whole>{grouped}[0-9]*)(?:{re.escape(decimal)}(?P<fraction>[0-9]*))?"
        rf"(?P<exponent>(?:[eE][-+]?[0-9]+)?)"
        rf"{blank}(?P<behind>(?:{currency}|%)?)(?P<closed>\)?)$"
    )


def groups_of(decimal: str, thousands: str) -> str:
    """Return the allowed thousands separators: the stated one, or all common ones."""
    if thousands == " ":
        return BLANKS
    if thousands == "'":
        return APOSTROPHES
    return thousands or ("," if decimal == "." else ".") + BLANKS + APOSTROPHES


@functools.cache
def _compiled(decimal: str, groups: str) -> re.Pattern[str]:
    return re.compile(pattern(decimal, groups))


@functools.cache
def _readings(thousands: str) -> dict[str, re.Pattern[str]]:
    return {sign: _compiled(sign, groups_of(sign, thousands)) for sign in ".,"}


def is_spelled_number(text: str) -> bool:
    """Tell whether a text is a number with a decimal point or a decimal comma."""
    return any(letter.isdecimal() for letter in text) and any(
        reading.match(text) for reading in _readings("").values()
    )


def decimal_sign(
    columns: Sequence[Sequence[str]], delimiter: str, thousands: str = ""
) -> tuple[str, list[int]]:
    """Find the decimal sign of a file from some cells of each column; "" if it stays unclear.

    A column decides if only one sign fits all of its cells: "12,5" needs a decimal comma, "1,807.95" a
    decimal point, but "1,234" fits both.  If no column decides and some fit both, the field delimiter
    decides: a semicolon suggests decimal commas, a comma decimal points.  Also return these columns.
    """
    if thousands in (".", ","):
        return "," if thousands == "." else ".", []
    readings = _readings(thousands)
    shown, ambiguous = set(), []
    for index, column in enumerate(columns):
        texts = [text for cell in column if (text := cell.strip()) not in MISSING_WORDS]
        if not texts or not any(letter in text for text in texts for letter in ".,"):
            continue
        fitting = [sign for sign, reading in readings.items() if all(map(reading.match, texts))]
        if len(fitting) == 1 and any(fitting[0] in text for text in texts):
            shown.update(fitting)  # points between groups only, as in IP addresses, decide nothing
        elif len(fitting) == 2 and any("," in text for text in texts):
            ambiguous.append(index)
    if shown:
        return shown.pop() if len(shown) == 1 else "", []
    return {",": ".", ";": ","}.get(delimiter, "") if ambiguous else ".", ambiguous


def doubtful_points(columns: Iterable[Sequence[str]]) -> list[int]:
    """Return the columns whose points could separate thousands: "1.234" may mean 1234.

    Returns none if any column shows that points are decimal.
    """
    readings, doubtful = _readings(""), []
    for index, column in enumerate(columns):
        texts = [text for cell in column if (text := cell.strip()) not in MISSING_WORDS]
        if not all(readings[","].match(text) for text in texts if "." in text):
            if all(map(is_spelled_number, texts)):
                return []  # points are decimal here, so in the other columns as well
        elif any("." in text for text in texts) and all(map(is_spelled_number, texts)):
            doubtful.append(index)
    return doubtful


def parse_numbers(
    column: Any, decimal: str, thousands: str, missing: Sequence[str] = MISSING_WORDS
) -> Any | None:
    """Parse a column of texts as float64; None if a text is no number in this notation.

    Without a decimal sign, only plain digits with at most one point are accepted.
    """
    begins = column.slice(0, SAMPLE)
    if len(begins) < len(column) and _numbers(begins, decimal, thousands, missing) is None:
        return None
    return _numbers(column, decimal, thousands, missing)


def _alike(parts: Any, whole: Any) -> bool:
    """Tell whether all brackets are closed, and all cells share one unit and one thousands separator."""
    import pyarrow.compute as pc

    before, between, behind = (pc.struct_field(parts, name) for name in ("before", "between", "behind"))
    opened = pc.equal(pc.struct_field(parts, "brackets"), "(")
    if not pc.all(pc.equal(opened, pc.equal(pc.struct_field(parts, "closed"), ")"))).as_py():
        return False
    units = set(pc.unique(pc.binary_join_element_wise(before, between, behind, "")).to_pylist()) - {None}
    signs = set(pc.unique(pc.replace_substring_regex(whole, "[0-9]", "")).to_pylist()) - {None}
    shares = "%" in units and len(units) > 1  # 0.5 beside 50 %
    return len(units - {""}) <= 1 and not shares and len({*"".join(signs)}) <= 1


def _numbers(column: Any, decimal: str, thousands: str, missing: Sequence[str]) -> Any | None:
    import pyarrow.compute as pc

    result = spelled_numbers(column, missing)
    if decimal != ",":
        numbers = try_cast(result, "double")
        if numbers is not None or not decimal:
            return numbers
    spelling = _compiled(decimal, groups_of(decimal, thousands))
    # Arrow's compilation of the expression takes milliseconds, and there may be 100,000 columns
    if not all(spelling.match(text) for text in result.slice(0, FIRST).to_pylist() if text is not None):
        return None
    parts = pc.extract_regex(result, spelling.pattern)
    if parts.null_count > result.null_count:
        return None
    brackets, sign, whole, fraction, exponent = (
        pc.struct_field(parts, name) for name in ("brackets", "sign", "whole", "fraction", "exponent")
    )
    if not _alike(parts, whole):
        return None
    digits = pc.replace_substring_regex(whole, "[^0-9]", "")
    if pc.any(pc.equal(pc.add(pc.utf8_length(digits), pc.utf8_length(fraction)), 0)).as_py():
        return None  # a sign without digits
    negative = pc.or_(pc.match_substring_regex(sign, f"[{MINUS}]"), pc.equal(brackets, "("))
    signs = pc.if_else(negative, "-", "")
    return try_cast(pc.binary_join_element_wise(signs, digits, ".", fraction, exponent, ""), "double")
