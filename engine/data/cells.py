"""What a single cell may hold: which types are numbers, what is missing, what to quote."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engine.data.arrays import scalar, text_array
from engine.errors import DataError

MISSING_WORDS = ("", "NA", "N/A", "n/a", "#N/A", "NULL", "null", "<NA>")
"""The cells of a text file that count as missing.  "nan" is not among them: NaN is an error."""

LONGEST_QUOTE = 30


def kind(arrow_type: Any) -> str:
    """Name an Arrow type in plain words: "number", "boolean", "date" or "text"."""
    from pyarrow import types

    if types.is_integer(arrow_type) or types.is_floating(arrow_type) or types.is_decimal(arrow_type):
        return "number"
    if types.is_boolean(arrow_type):
        return "boolean"
    if types.is_temporal(arrow_type):
        return "date"
    return "text"


def is_string(arrow_type: Any) -> bool:
    """Say whether cells of this type are text that could spell a number."""
    from pyarrow import types

    return bool(types.is_string(arrow_type) or types.is_large_string(arrow_type))


def is_binary(arrow_type: Any) -> bool:
    """Say whether cells of this type are bytes without a meaning as text."""
    from pyarrow import types

    return bool(types.is_binary(arrow_type) or types.is_large_binary(arrow_type))


def quoted(text: object) -> str:
    """Quote the content of a cell on one line, shortened."""
    label = str(text)
    return repr(label if len(label) <= LONGEST_QUOTE else label[: LONGEST_QUOTE - 1] + "…")


def spelled_numbers(column: Any) -> Any:
    """Return the text cells ready to be parsed: trimmed, missing where they say so."""
    import pyarrow.compute as pc

    trimmed = pc.utf8_trim_whitespace(column)
    missing = pc.is_in(trimmed, value_set=text_array(MISSING_WORDS, column.type))
    return pc.if_else(missing, scalar(None, column.type), trimmed)


def parsed(cells: Any) -> Any | None:
    """Return the cells as float64, or None if one of them does not spell a number."""
    import pyarrow as pa

    try:
        return cells.cast(pa.float64())
    except pa.ArrowInvalid:
        return None


def first_not_number(column: Any) -> int | None:
    """Return the index of the first text cell that does not spell a number.

    Bisection over slices, so that finding it costs no loop over the cells.
    """
    cells = spelled_numbers(column)
    if parsed(cells) is not None:
        return None
    start, stop = 0, len(cells)
    while stop - start > 1:
        middle = (start + stop) // 2
        if parsed(cells.slice(start, middle - start)) is None:
            stop = middle
        else:
            start = middle
    return start


def texts(values: Any) -> Any:
    """Return labels as text: without blanks around it, a whole number without a decimal point."""
    import pyarrow as pa
    import pyarrow.compute as pc
    from pyarrow import types

    try:
        result = values.cast(pa.large_string())
    except pa.ArrowException as error:
        raise ValueError(" ".join(str(error).split())) from None
    if types.is_floating(values.type):
        result = pc.replace_substring_regex(result, "^-0$", "0")
    if types.is_decimal(values.type):
        result = without_zeros(result)
    return pc.utf8_trim_whitespace(result)


def without_zeros(labels: Any) -> Any:
    """Write texts that spell numbers as numbers are written: 007 as 7, 1.50 as 1.5."""
    import pyarrow as pa
    import pyarrow.compute as pc

    # as text, since whole numbers may have more digits than a double
    whole = pc.replace_substring_regex(labels, r"^(-?)0+([0-9]+)(\.0*)?$", r"\1\2")
    whole = pc.replace_substring_regex(whole, r"^(-?[0-9]+)\.0*$", r"\1")
    spelled = pc.match_substring_regex(whole, r"^-?[0-9]*\.[0-9]+$|^-?[0-9]*\.?[0-9]+[eE][-+]?[0-9]+$")
    numbers = pc.if_else(spelled, whole, scalar(None, whole.type)).cast(pa.float64())
    return pc.if_else(spelled, numbers.cast(whole.type), whole)


def plain_numbers(labels: Sequence[str]) -> list[str]:
    """Return labels with those that spell numbers as `without_zeros` writes them."""
    import pyarrow as pa

    plain: list[str] = without_zeros(text_array(labels, pa.large_string())).to_pylist()
    return plain


NOT_UTF_8 = "it is not UTF-8 text; save the file as UTF-8, or state its encoding (such as latin-1)"
"""How to mend bytes that do not belong in a text."""


def named_byte(wrong: bytes) -> str:
    """Return the first of some bytes as one reads it (private)."""
    return f"the byte 0x{wrong[0]:02x}"


def refuse_bytes(column: Any, name: str, source: str, first_row: int) -> None:
    """Raise `DataError` at the first cell of a column of bytes that is not UTF-8 text."""
    for index, cell in enumerate(column.to_pylist()):
        try:
            (cell or b"").decode()
        except UnicodeDecodeError as error:
            raise DataError(
                NOT_UTF_8,
                confidential=named_byte(error.object[error.start : error.end]),
                source=source,
                row=first_row + index,
                column=name,
            ) from None


def as_text(column: Any) -> list[str]:
    """Return what one reads in a column; "" where a value is missing."""
    import pyarrow as pa

    try:
        texts = column.cast(pa.string()).to_pylist()
    except pa.ArrowException:  # lists, objects and bytes have no text of their own
        texts = [None if value is None else str(value) for value in column.to_pylist()]
    return ["" if text is None else text for text in texts]
