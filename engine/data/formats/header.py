"""Whether the row above the records holds the names of the columns, or is a record itself."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Sequence
from typing import Any

from engine.data import cells
from engine.data.canonical import FALSE, TRUE
from engine.data.names import is_number
from engine.data.spelling import groups_of, is_spelled_number, pattern
from engine.errors import NamesInDoubt

MONTHS = "jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec"

DATE = (
    r"^\s*(?:[0-9]{1,4}[-./][0-9]{1,2}[-./][0-9]{1,4}(?:[T ].*)?|[0-9]{1,2}:[0-9]{2}(?::[0-9]{2}.*)?"
    rf"|(?i:(?:[0-9]{{1,4}}[-./ ]*)?(?:{MONTHS})[a-z]*[-./, ]*[0-9].*))\s*$"
)
"""Days, moments and times of a day, as they are usually written."""


@dataclasses.dataclass(frozen=True)
class NamesRow:
    """The row that is taken for the names of the columns unless it looks like the rows below it.

    Parameters
    ----------
    cells : sequence of str
    source : str
        The file.
    row : int
        As spreadsheets number it.
    """

    cells: Sequence[str]
    source: str
    row: int

    def check_texts(self, columns: Sequence[Sequence[str]]) -> None:
        """Raise `NamesInDoubt` if a cell looks like one of the texts below it, or all are numbers."""
        self._check(
            [_resembles_texts(cell, below) for cell, below in zip(self._trimmed, columns, strict=False)]
        )

    def check_columns(self, columns: Sequence[Any]) -> None:
        """Raise `NamesInDoubt` if a cell looks like one of the Arrow column below it."""
        self._check([_resembles(cell, below) for cell, below in zip(self._trimmed, columns, strict=True)])

    @property
    def _trimmed(self) -> list[str]:
        return [cell.strip() for cell in self.cells]

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
    texts = [text.strip() for text in below]
    if cell in texts:
        return True
    number = _is_number(cell) or cell in cells.MISSING_WORDS
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
    if kind != "text":
        return _is_number(cell) or (_is_date(cell) if kind == "date" else cell in TRUE + FALSE)
    if not cells.is_string(below.type):
        return False
    if pc.any(pc.equal(pc.utf8_trim_whitespace(below), cell)).as_py():
        return True
    patterns = [pattern(sign, groups_of(sign, "")) for sign in ".,"] if _is_number(cell) else []
    patterns += [DATE] if _is_date(cell) else []
    # a pattern of numbers fits a currency without digits, too
    digits = pc.match_substring_regex(below, "[0-9]") if patterns else None
    trimmed = pc.utf8_trim_whitespace(below) if patterns else None
    return any(
        pc.any(pc.and_(digits, pc.match_substring_regex(trimmed, wanted))).as_py() for wanted in patterns
    )


def _is_number(text: str) -> bool:
    return is_spelled_number(text) or is_number(text)


def _is_date(text: str) -> bool:
    return re.match(DATE, text) is not None
