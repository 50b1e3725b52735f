"""Whether the row above the records holds the names of the columns, or is a record itself."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Sequence
from typing import Any

from engine.data import cells
from engine.data.arrays import text_array
from engine.data.canonical import FALSE, TRUE
from engine.data.names import is_number
from engine.data.spelling import groups_of, is_spelled_number, pattern
from engine.errors import NamesInDoubt

WEEKDAYS = "mon|tue|wed|thu|fri|sat|sun"
MONTHS = "jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec"

DATE = (
    rf"^\s*(?i:(?:{WEEKDAYS})[a-z]*[., ]+)?(?:"
    r"[0-9]{1,4}[-./][0-9]{1,2}[-./][0-9]{1,4}(?:[T ].*)?|[0-9]{1,2}:[0-9]{2}(?::[0-9]{2}.*)?"
    r"|[0-9]{1,2}[. ]+[^ 0-9]+ [0-9]{4}"
    rf"|(?i:(?:[0-9]{{1,4}}[-./ ]*)?(?:{MONTHS})[a-z]*[-./, ]*[0-9].*))\s*$"
)
"""Days, moments and times of a day, as they are usually written."""

NOTHING = (*cells.MISSING_WORDS, "?", "-", "--", ".", "..", "None")
"""What stands where a number is missing, and is hardly the name of a column of numbers."""

OF_EDGES = 3
"""So many columns may hold edges, with a weight: a vertex of the first stands in either column below."""

ANSWERS = (("true", "false"), ("yes", "no"), ("y", "n"), ("t", "f"))
"""In small letters: the one looks like the other."""


@dataclasses.dataclass(frozen=True)
class NamesRow:
    """The row that is taken for the names of the columns unless it looks like the rows below it."""

    cells: Sequence[str]
    source: str
    row: int

    def check_texts(self, columns: Sequence[Sequence[str]]) -> None:
        """Raise `NamesInDoubt` if a cell looks like one of the texts below it, or all are numbers."""
        alike = [_resembles_texts(cell, below) for cell, below in zip(self._trimmed, columns, strict=False)]
        if len(columns) <= OF_EDGES and not any(alike):
            occurring = {text.strip() for below in columns for text in below}
            alike = [bool(cell) and cell in occurring for cell in self._trimmed]
        self._check(alike)

    def check_columns(self, columns: Sequence[Any]) -> None:
        """Raise `NamesInDoubt` if a cell looks like one of the Arrow column below it."""
        import pyarrow.compute as pc

        alike = [_resembles(cell, below) for cell, below in zip(self._trimmed, columns, strict=True)]
        if len(columns) <= OF_EDGES and not any(alike):
            texts = [pc.utf8_trim_whitespace(below) for below in columns if cells.is_string(below.type)]
            alike = [
                bool(cell) and any(pc.any(pc.equal(below, cell)).as_py() for below in texts)
                for cell in self._trimmed
            ]
        self._check(alike)

    @property
    def _trimmed(self) -> list[str]:
        # bytes that are no letters all look alike, and are refused later
        return ["" if "\ufffd" in cell else cell.strip() for cell in self.cells]

    def _check(self, alike: Sequence[bool]) -> None:
        if any(alike) or (any(self._trimmed) and all(map(is_number, self._trimmed))):
            plain = [
                not (cell in cells.MISSING_WORDS or _is_number(cell) or _is_date(cell))
                for cell in self._trimmed
            ]
            again = any(map(bool.__and__, plain, alike))
            raise NamesInDoubt(self.source, self.row, any(plain) and not again)


def _resembles_texts(cell: str, below: Sequence[str]) -> bool:
    """Tell whether a cell looks like one of some that are not parsed yet."""
    if not cell:
        return False
    shapes = {_shape(text.strip()) for text in below}
    if not shapes.isdisjoint({_shape(cell), *_answers(cell)}):
        return True
    texts = [text.strip() for text in below]
    number = _is_number(cell) or cell in NOTHING
    return (number and any(map(_is_number, texts))) or (_is_date(cell) and any(map(_is_date, texts)))


def _resembles(cell: str, below: Any) -> bool:
    """Tell whether a cell looks like one of an Arrow column: by its type, or among all its texts."""
    import pyarrow.compute as pc

    nothing = below.null_count == len(below)
    if not cell or (nothing and cell not in cells.MISSING_WORDS):
        return False
    kind = "binary" if cells.is_binary(below.type) else cells.kind(below.type)
    if cell in cells.MISSING_WORDS:
        return kind != "text" or below.null_count > 0
    if cell in NOTHING and kind != "text":
        return True
    if kind != "text":
        like = _is_date(cell) if kind == "date" else cell in TRUE + FALSE
        # bytes that are no text are refused later, and every text would do for them
        return like or _is_number(cell) or (kind != "binary" and _can_be_of(cell, below.type))
    if not cells.is_string(below.type):
        return False
    trimmed = pc.utf8_trim_whitespace(below)
    alike = "|".join([_pattern_of_shape(cell), *_answers(cell)])
    if pc.any(pc.match_substring_regex(trimmed, f"(?i)^(?:{alike})$")).as_py():
        return True
    patterns = [pattern(sign, groups_of(sign, "")) for sign in ".,"] if _is_number(cell) else []
    patterns += [DATE] if _is_date(cell) else []
    # a pattern of numbers fits a currency without digits, too
    digits = pc.match_substring_regex(below, "[0-9]") if patterns else None
    return any(
        pc.any(pc.and_(digits, pc.match_substring_regex(trimmed, wanted))).as_py() for wanted in patterns
    )


def _shape(text: str) -> str:
    """Return a text with a 0 for each run of digits, such as that of "2020Q1", "10.0.0.1" or "5 kg"."""
    return re.sub("[0-9]+", "0", text.lower())


def _pattern_of_shape(cell: str) -> str:
    """Return the regular expression of the texts of the same shape."""
    return "[0-9]+".join(map(re.escape, re.split("[0-9]+", cell)))


def _answers(cell: str) -> tuple[str, ...]:
    return next((answers for answers in ANSWERS if cell.lower() in answers), ())


def _can_be_of(cell: str, type_below: Any) -> bool:
    """Tell whether Arrow, which chose the type of a column, would take a cell for one of it."""
    import pyarrow as pa

    try:
        text_array([cell], type_below)
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError):
        return False
    return True


def _is_number(text: str) -> bool:
    return is_spelled_number(text) or is_number(text)


def _is_date(text: str) -> bool:
    return re.match(DATE, text) is not None
