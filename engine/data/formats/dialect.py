"""Detect the dialect of delimited text: delimiter, header row, decimal sign."""

from __future__ import annotations

import contextlib
import csv
import dataclasses
import io
import itertools
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from engine.data import cells
from engine.data.arrays import text_array
from engine.data.cells import decimal_sign, doubtful_points, groups_of, is_spelled_number, pattern
from engine.data.missing_values import NONE_STATED, MissingValues
from engine.data.names import is_number, tidy_name
from engine.data.reading_options import ReadingOptions
from engine.data.sketch import FALSE, TRUE
from engine.errors import NamesInDoubt

DELIMITERS = {",": "comma", "\t": "tab", ";": "semicolon", "|": "bar"}
"""Delimiters to detect, and their names."""

RECORDS = 1000
"""Number of records to inspect."""

TITLES = 20
"""The header must be within this many rows."""

MIN_SHARE = 0.9
"""Share of records that must have the same width, or be numbers in a column, for detection."""

# the csv module takes a cell beyond its limit (131,072 by default) for an unclosed one; without a limit, the
# rest of a large file would be held in memory
csv.field_size_limit(1 << 24)


@dataclasses.dataclass(frozen=True)
class Dialect:
    """The dialect of a delimited text file.

    `titles` rows precede the header, or the first record if columns are not `named`.  `decimal` is "" if the
    beginning of the file is ambiguous.  In `doubtful` columns, points or commas could be decimal or separate
    thousands.
    """

    delimiter: str
    quote: str
    header: tuple[str, ...]
    titles: int
    named: bool
    header_only: bool
    decimal: str
    doubtful: tuple[str, ...] = ()
    missing: MissingValues = NONE_STATED

    @property
    def skipped(self) -> int:
        """Number of rows above the first record."""
        return self.titles + self.named


def dialect_and_sample(
    head: str, options: ReadingOptions | None = None
) -> tuple[Dialect, list[tuple[str, ...]]]:
    """Return the dialect of a file, from its beginning, and the first cells of each column (private).

    The delimiter splits the header into several cells, and most records into as many.  If none does, the file
    has a single column.  Rows above the header with at most one filled cell are titles.
    """
    stated = options or ReadingOptions()
    delimiters = (stated.delimiter,) if stated.delimiter else tuple(DELIMITERS)
    candidates = [_cut(head, delimiter, stated) for delimiter in delimiters]
    return max(candidates, key=lambda candidate: candidate[0])[1:]


def _cut(
    head: str, delimiter: str, stated: ReadingOptions
) -> tuple[tuple[float, bool, float], Dialect, list[tuple[str, ...]]]:
    """Split the records by one delimiter; return the quality of the fit, the dialect, and the columns."""
    quote = stated.quote or _quote(head, delimiter)
    reader = csv.reader(io.StringIO(head, newline=""), delimiter=delimiter, quotechar=quote)
    records = []
    with contextlib.suppress(csv.Error):  # an unclosed quote; the parser will report it
        for record in itertools.islice(reader, RECORDS):
            records.append(record)  # noqa: PERF402 - what came before an error counts
    records = records or [[head[:RECORDS]]]
    index = int(stated.header) - 1 if stated.header else names_row(records)
    named = index >= 0
    index = min(max(index, 0), len(records) - 1)
    width = len(records[index])
    header = records[index] if named else [f"column {number}" for number in range(1, width + 1)]
    below = records[index + named :]
    share = sum(len(record) == width for record in records[index:]) / len(records[index:])
    columns = _columns(below, width)
    missing = stated.missing
    texts = columns
    if missing:
        texts = [missing.cleared(tidy_name(name), own) for name, own in zip(header, columns, strict=False)]
    detected, ambiguous = decimal_sign(texts, delimiter, stated.thousands)
    decimal = stated.decimal or detected
    doubtful: tuple[str, ...] = ()
    if not (stated.decimal or stated.thousands):
        if (delimiter, decimal) == (";", "."):  # files with decimal commas use semicolons as delimiters
            ambiguous += doubtful_points(texts)
        doubtful = tuple(header[column] for column in sorted(set(ambiguous)))
    dialect = Dialect(
        delimiter,
        quote,
        tuple(header),
        index,
        named,
        named and not any(map(any, below)),
        decimal,
        doubtful,
        missing,
    )
    return (share, index == 0, float(width)) if width > 1 else (0.0, True, share), dialect, columns


def names_row(records: Sequence[Sequence[str]]) -> int:
    """Return the index of the header: 0, unless titles precede a table with numbers."""
    if _filled(records[0]) > 1:
        return 0
    width, count = Counter(map(len, records[1:])).most_common(1)[0] if len(records) > 1 else (1, 0)
    if width < 2 or count < MIN_SHARE * len(records[1:]) - TITLES:
        return 0
    for index, record in enumerate(records[:TITLES]):
        if _filled(record) <= 1:
            continue
        columns = _columns(records[index + 1 :], width)
        whole = len(record) == width == _filled(record) == len(set(record))
        if whole and not any(map(is_spelled_number, record)) and any(map(_is_numeric, columns)):
            return index
        break
    return 0


def _filled(record: Sequence[str]) -> int:
    return sum(bool(cell.strip()) for cell in record)


def _is_numeric(column: Sequence[str]) -> bool:
    there = [text for cell in column if (text := cell.strip()) not in cells.MISSING_WORDS]
    return bool(there) and sum(map(is_spelled_number, there)) >= MIN_SHARE * len(there)


def _columns(records: Sequence[Sequence[str]], width: int) -> list[tuple[str, ...]]:
    """Return the cells of the records of the right width by column."""
    return list(zip(*(record for record in records if len(record) == width), strict=True))


def _quote(head: str, delimiter: str) -> str:
    """Return the single quote if only it, not the double quote, surrounds cells."""
    edge = re.escape(delimiter)
    if (
        "'" in head
        and '"' not in head
        and re.search(rf"(?:^|{edge})'[^'\n]*'(?:{edge}|$)", head, re.MULTILINE)
    ):
        return "'"
    return '"'


def arrow_options(dialect: Dialect, columns: Sequence[str], types: Mapping[str, Any]) -> dict[str, Any]:
    """Return pyarrow's arguments for splitting rows and parsing cells; no columns mean all."""
    from pyarrow import csv as arrow_csv

    return {
        "parse_options": arrow_csv.ParseOptions(
            delimiter=dialect.delimiter,
            quote_char=dialect.quote,
            newlines_in_values=True,
            ignore_empty_lines=False,
        ),
        "convert_options": arrow_csv.ConvertOptions(
            null_values=list(dialect.missing.shared),
            decimal_point=dialect.decimal or ".",
            strings_can_be_null=True,
            include_columns=list(columns) or None,
            column_types=types,
        ),
    }


WEEKDAYS = "mon|tue|wed|thu|fri|sat|sun"
MONTHS = "jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec"

DATE = (
    rf"^\s*(?i:(?:{WEEKDAYS})[a-z]*[., ]+)?(?:"
    r"[0-9]{1,4}[-./][0-9]{1,2}[-./][0-9]{1,4}(?:[T ].*)?|[0-9]{1,2}:[0-9]{2}(?::[0-9]{2}.*)?"
    r"|[0-9]{1,2}[. ]+[^ 0-9]+ [0-9]{4}"
    rf"|(?i:(?:[0-9]{{1,4}}[-./ ]*)?(?:{MONTHS})[a-z]*[-./, ]*[0-9].*))\s*$"
)
"""Common notations of dates, timestamps and times of day."""

NOTHING = (*cells.MISSING_WORDS, "?", "-", "--", ".", "..", "None")
"""Texts for a missing number; unlikely names of numeric columns."""

OF_EDGES = 3
"""Lists of edges with weights have at most this many columns; a vertex may occur in either of two."""

ANSWERS = (("true", "false"), ("yes", "no"), ("y", "n"), ("t", "f"))
"""Lower-case pairs of answers that resemble each other."""


@dataclasses.dataclass(frozen=True)
class NamesRow:
    """The row taken for the header, unless it resembles the rows below it."""

    cells: Sequence[str]
    source: str
    row: int

    def check_texts(self, columns: Sequence[Sequence[str]]) -> None:
        """Raise `NamesInDoubt` if a cell resembles the texts below it, or all cells are numbers."""
        alike = [_resembles_texts(cell, below) for cell, below in zip(self._trimmed, columns, strict=False)]
        if len(columns) <= OF_EDGES and not any(alike):
            occurring = {text.strip() for below in columns for text in below}
            alike = [bool(cell) and cell in occurring for cell in self._trimmed]
        self._check(alike)

    def check_columns(self, columns: Sequence[Any]) -> None:
        """Raise `NamesInDoubt` if a cell resembles the Arrow column below it."""
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
        # bytes that are not valid text resemble each other, and are refused later
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
    """Tell whether a cell resembles unparsed texts."""
    if not cell:
        return False
    shapes = {_shape(text.strip()) for text in below}
    if not shapes.isdisjoint({_shape(cell), *_answers(cell)}):
        return True
    texts = [text.strip() for text in below]
    number = _is_number(cell) or cell in NOTHING
    return (number and any(map(_is_number, texts))) or (_is_date(cell) and any(map(_is_date, texts)))


def _resembles(cell: str, below: Any) -> bool:
    """Tell whether a cell resembles an Arrow column: by its type, or by its texts."""
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
        # bytes that are not text are refused later, and match any text
        return like or _is_number(cell) or (kind != "binary" and _can_be_of(cell, below.type))
    if not cells.is_string(below.type):
        return False
    trimmed = pc.utf8_trim_whitespace(below)
    alike = "|".join([_pattern_of_shape(cell), *_answers(cell)])
    if pc.any(pc.match_substring_regex(trimmed, f"(?i)^(?:{alike})$")).as_py():
        return True
    patterns = [pattern(sign, groups_of(sign, "")) for sign in ".,"] if _is_number(cell) else []
    patterns += [DATE] if _is_date(cell) else []
    # the pattern of numbers matches a currency without digits, too
    digits = pc.match_substring_regex(below, "[0-9]") if patterns else None
    return any(
        pc.any(pc.and_(digits, pc.match_substring_regex(trimmed, wanted))).as_py() for wanted in patterns
    )


def _shape(text: str) -> str:
    """Return a text with a 0 for each run of digits, as in "2020Q1", "10.0.0.1" or "5 kg"."""
    return re.sub("[0-9]+", "0", text.lower())


def _pattern_of_shape(cell: str) -> str:
    """Return the regular expression of the texts of the same shape."""
    return "[0-9]+".join(map(re.escape, re.split("[0-9]+", cell)))


def _answers(cell: str) -> tuple[str, ...]:
    return next((answers for answers in ANSWERS if cell.lower() in answers), ())


def _can_be_of(cell: str, type_below: Any) -> bool:
    """Tell whether Arrow would parse a cell as the type that it chose for the column."""
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
