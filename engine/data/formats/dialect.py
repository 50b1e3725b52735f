"""Detect the dialect of delimited text: delimiter, header row, decimal sign."""

from __future__ import annotations

import contextlib
import csv
import dataclasses
import io
import itertools
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from engine.data import cells
from engine.data.arrays import text_array
from engine.data.cells import decimal_sign, doubtful_points, groups_of, is_spelled_number, pattern
from engine.data.formats.layout import Layout
from engine.data.missing_values import NONE_STATED, MissingValues
from engine.data.names import is_number, name_columns, notes_on_names, tidy_name
from engine.data.reading_options import ReadingOptions
from engine.data.sketch import FALSE, TRUE
from engine.errors import DataError, NamesInDoubt

DELIMITERS = {",": "comma", "\t": "tab", ";": "semicolon", "|": "bar"}
"""Delimiters to detect, and their names."""

RECORDS = 1000
"""Number of records to inspect."""

TITLES = 20
"""The header must be within this many rows."""

TRUNCATED = 250_000
"""Characters from which on the beginning may end within a record."""

MIN_SHARE = 0.9
"""Share of records that must have the same width, or be numbers in a column, for detection."""

# the csv module takes a cell beyond its limit (131,072 by default) for an unclosed one; without a limit, the
# rest of a large file would be held in memory
csv.field_size_limit(1 << 24)


@dataclasses.dataclass(frozen=True)
class Dialect:
    """The dialect of a delimited text file.

    `titles` rows precede the header, or the first record if no rows are `named`.  `header` has a cell for
    each column; "" for a column without a name.  `decimal` is "" if the beginning of the file is ambiguous.
    In `doubtful` columns, points or commas could be decimal or separate thousands.
    """

    delimiter: str
    quote: str
    header: tuple[str, ...]
    titles: int
    named: int  # number of rows that hold the names
    header_only: bool
    decimal: str = ""
    doubtful: tuple[str, ...] = ()
    missing: MissingValues = NONE_STATED
    empty_end: int = 0  # number of last columns without a name and, at the beginning, without values
    shortened: bool = False  # whether records have more cells than the header
    certain: bool = False  # whether the header cannot be a record
    other_row: int = 0  # a row, from 1, that could be the header below titles; 0 without one
    layout: Layout | None = None  # of lines without delimiters
    problem: str = ""  # why no release may be made: one record may have decided about the dialect
    unclosed: int = 0  # the row of a quoted cell that is not closed; 0 without one
    narrow: int = 0  # number of cells of the header if all records have more; 0 otherwise

    @property
    def skipped(self) -> int:
        """Number of rows above the first record."""
        return self.titles + self.named

    @property
    def names(self) -> list[str]:
        """The distinct names of all columns."""
        return name_columns(self.header) if self.named else numbered(len(self.header))

    @property
    def notes(self) -> tuple[str, ...]:
        """Notes about names that the header does not hold."""
        end = len(self.header) - self.empty_end
        names = notes_on_names(self.header[:end], self.names[:end]) if self.named else ()
        left = ("the last column has neither a name nor values and is left out",) if self.empty_end else ()
        return (*names, *left)


def dialect_and_sample(
    head: str, options: ReadingOptions | None = None
) -> tuple[Dialect, list[tuple[str, ...]]]:
    """Return the dialect of a file, from its beginning, and the first cells of each column (private).

    The delimiter splits the header into several cells, and most records into as many.  If none does, blanks
    or fixed widths may; else the file has a single column.  Rows above the header with at most one filled
    cell are titles.
    """
    stated = options or ReadingOptions()
    if len(head) >= TRUNCATED:  # the last record may be cut
        head = head[: head.rfind("\n") + 1] or head
    layout = Layout.stated(stated.delimiter, head, stated.quote or _quote(head, " "))
    if layout is not None:
        laid_out = _laid_out(head, layout, stated)
        return _with_decimal_sign(laid_out.dialect, laid_out.columns, stated), laid_out.columns
    delimiters = (stated.delimiter,) if stated.delimiter else tuple(DELIMITERS)
    candidates = [_cut(head, delimiter, stated) for delimiter in delimiters]
    if stated.decimal == "," and any(one.share >= MIN_SHARE for one in candidates[1:]):
        candidates = candidates[1:]  # the commas are decimal signs
    best = max(candidates, key=lambda candidate: candidate.quality)
    if not stated.delimiter:
        best = _in_doubt(best, candidates, head, stated)
        best = _without_delimiter(head, best, stated) or _almost_without_delimiter(head, best, stated) or best
    return _with_decimal_sign(best.dialect, best.columns, stated), best.columns


def _with_decimal_sign(dialect: Dialect, columns: Sequence[Sequence[str]], stated: ReadingOptions) -> Dialect:
    """Return the dialect with the decimal sign, and with the columns that are in doubt about it."""
    names = dialect.names
    pairs = zip(names, columns, strict=False)
    texts = [stated.missing.cleared(name, column) for name, column in pairs]
    detected, ambiguous = decimal_sign(texts, dialect.delimiter, stated.thousands)
    decimal = stated.decimal or detected
    if stated.decimal or stated.thousands:
        ambiguous = []
    elif (dialect.delimiter, decimal) == (";", "."):  # with decimal commas, semicolons are usual delimiters
        ambiguous += doubtful_points(texts)
    in_doubt = tuple(names[column] for column in sorted(set(ambiguous)))
    return dataclasses.replace(dialect, decimal=decimal, doubtful=in_doubt)


class Candidate(NamedTuple):
    """The quality of a fit, the dialect, and the first cells of each column."""

    quality: tuple[float, bool, bool, float]
    dialect: Dialect
    columns: list[tuple[str, ...]]
    records: int = 0
    misfits: int = 0  # records with more or fewer cells than the header
    usual: tuple[int, int] = (0, 0)  # the usual number of cells, and how many records have another one

    @property
    def share(self) -> float:
        """Share of records that line up, if there are several columns."""
        return self.quality[0]


DETECTED_DELIMITER = (
    "more than one delimiter fits nearly as well, so one record may decide how all others are read: state "
    "the delimiter when you open the file, or with --delimiter"
)

DETECTED_QUOTE = (
    "single quotes were detected around cells, so one record may decide how all others are read; state the "
    "quote when you open the file, or with --quote"
)

DETECTED_ROW_NAMES = (
    "the records have one cell more than the header, so one record may decide that the first cell is the "
    "name of the row: state the delimiter when you open the file, or with --delimiter"
)


PAIR = 2
"""Texts such as "Doe, Jane" have one delimiter, and so have numbers with a decimal comma."""


def _in_doubt(
    best: Candidate, candidates: Sequence[Candidate], head: str, stated: ReadingOptions
) -> Candidate:
    """Return the best delimiter with the doubts that one record could decide."""
    dialect = best.dialect
    others = [one for one in candidates if one is not best and len(one.dialect.header) > 1]
    if best.share and any(one.share > best.share - 2.5 / max(best.records, 1) for one in others):
        dialect = dataclasses.replace(dialect, problem=dialect.problem or DETECTED_DELIMITER)
    if len(dialect.header) == 1:
        for one in candidates:
            width, unusual = one.usual
            if width > len(one.dialect.header) and width > PAIR and unusual <= min(1, one.records - 2):
                return one  # refused: its records do not line up with the header
        unclosed = next((one.dialect.unclosed for one in candidates if one.dialect.unclosed), 0)
        narrow = int(dialect.named > 0 and _are_rows_of_numbers(head))
        dialect = dataclasses.replace(dialect, unclosed=unclosed, narrow=narrow)
    has_titles = dialect.titles and any(map(str.strip, head.splitlines()[: dialect.titles]))
    if has_titles and dialect.named and stated.names_rows is None:
        lines = [line.strip() for line in head.splitlines()[dialect.skipped : RECORDS] if line.strip()]
        is_column = sum(map(is_spelled_number, lines)) >= MIN_SHARE * len(lines) - 1
        has_row_names = (
            len(dialect.header) == PAIR
            and _unquoted_lines("\n".join(lines), dialect.delimiter, dialect.quote) <= 1
        )
        blanks = _laid_out(head, Layout(dialect.quote), stated)
        fit_as_well = not blanks.dialect.titles and blanks.share > 0 and blanks.misfits <= 1
        fit_as_well |= any(one.share >= MIN_SHARE - 2.5 / max(one.records, 1) for one in others)
        if is_column or has_row_names or fit_as_well:
            dialect = dataclasses.replace(dialect, other_row=dialect.titles + 1, certain=False)
    return best._replace(dialect=dialect)


def _laid_out(head: str, layout: Layout, stated: ReadingOptions) -> Candidate:
    """Return the fit of a layout."""
    rows = RECORDS + (stated.names_rows.stop if stated.names_rows else 0)
    lines = itertools.islice(io.StringIO(head, newline=""), rows)
    beginning = "".join(lines).encode(errors="surrogateescape")
    text = layout.rewrite(beginning).decode(errors="surrogateescape")
    options = dataclasses.replace(stated, delimiter="", quote=layout.quote)
    result = _cut(text, "\t", options, is_stated=bool(stated.delimiter))
    dialect = dataclasses.replace(result.dialect, layout=layout)
    if dialect.titles and dialect.named and stated.names_rows is None and not stated.delimiter:
        dialect = dataclasses.replace(dialect, other_row=dialect.titles + 1, certain=False)
    return result._replace(dialect=dialect)


def _are_rows_of_numbers(head: str) -> bool:
    """Tell whether the same number of numbers stands in each line below the first one, or in all but one."""
    lines = [line for line in head.splitlines()[1:RECORDS] if line.strip()]
    several = [line for line in lines if len(line.split()) > 1 and not is_spelled_number(line.strip())]
    widths = Counter(len(line.split()) for line in several if all(map(is_spelled_number, line.split())))
    count = max(widths.values(), default=0)
    return count > 1 and count >= len(lines) - 1


def _without_delimiter(
    head: str, best: Candidate, stated: ReadingOptions, slack: int = 0
) -> Candidate | None:
    """Return the fit of blanks, or of fixed widths, if it is better than the best delimiter.

    Each record must have as many cells, and one column must hold numbers: sentences have blanks, too.  With
    a `slack`, so many records are exempt from each condition.
    """
    width = len(best.dialect.header) if best.share else 1
    if " " not in head and "\t" not in head:
        return None
    is_padded = width > 1 and any(_mostly(PADDED, column, slack) for column in best.columns)
    if width > 1 and not is_padded and not any(_mostly(RUN, column, slack) for column in best.columns):
        return None
    blanks = _laid_out(head, Layout(stated.quote or _quote(head, " ")), stated)
    if _is_table(blanks, slack) and len(blanks.dialect.header) >= width + (not is_padded):
        lines = [line for line in head.splitlines()[:RECORDS] if line.strip()]
        numbers = sum(map(is_spelled_number, map(str.strip, lines[blanks.dialect.skipped :])))
        if 2 * numbers > len(lines) - (0 if slack else 2):  # blanks between thousands
            return None
        return (
            _fixed(head, stated, len(blanks.dialect.header) - 1) if blanks.dialect.problem else None
        ) or blanks
    return None if width > 1 or "\t" in head else _fixed(head, stated)


def _almost_without_delimiter(head: str, best: Candidate, stated: ReadingOptions) -> Candidate | None:
    """Return the fit of blanks if one record decides against it; that record or all releases are refused."""
    almost = _without_delimiter(head, best, stated, slack=1)
    if almost is None:
        return None
    dialect = dataclasses.replace(almost.dialect, problem=almost.dialect.problem or DETECTED_DELIMITER)
    return almost._replace(dialect=dialect)


def _fixed(head: str, stated: ReadingOptions, width: int = 0) -> Candidate | None:
    """Return the fit of fixed widths, with `width` columns if it is not 0; None if there is none."""
    try:
        fixed = _laid_out(head, Layout.detected(head), stated)
    except DataError:
        return None
    named = not fixed.dialect.named or all(fixed.dialect.header[1:])
    of_width = width in (0, len(fixed.dialect.header))
    return fixed if of_width and _is_table(fixed) and named and _are_filled(fixed.columns) else None


def _are_filled(columns: Sequence[Sequence[str]]) -> bool:
    """Tell whether each column has values, and most records have several."""
    several = sum(_filled(record) > 1 for record in zip(*columns, strict=True))
    return all(map(any, columns)) and several > 1 and several >= MIN_SHARE * len(columns[0])


def _is_table(candidate: Candidate, slack: int = 0) -> bool:
    """Tell whether all records but `slack` line up, and one column holds numbers."""
    lines_up = candidate.misfits <= min(slack, candidate.records - 1)
    is_wide = candidate.share > 0 and len(candidate.dialect.header) > 1
    return is_wide and lines_up and any(_is_numeric(column, slack) for column in candidate.columns)


RUN = re.compile(r"\S\s{2,}\S")
"""A run of blanks inside a cell, which then is several cells."""

PADDED = re.compile(r"""^\s+["']|["']\s+$""")
"""Blanks around a quoted cell, whose quotes then mean nothing."""


def _mostly(wanted: re.Pattern[str], column: Sequence[str], slack: int = 0) -> bool:
    """Tell whether a pattern occurs in most cells of a column."""
    count = sum(wanted.search(cell) is not None for cell in column)
    return len(column) > 0 and count > 0 and count + slack >= MIN_SHARE * len(column)


def _cut(head: str, delimiter: str, stated: ReadingOptions, *, is_stated: bool = False) -> Candidate:
    """Split the records by one delimiter, which the user may have stated."""
    quote = stated.quote or _quote(head, delimiter)
    problem = (
        DETECTED_QUOTE
        if quote == "'" and not stated.quote and not _names_quote(head, delimiter, stated)
        else ""
    )
    reader = csv.reader(io.StringIO(head, newline=""), delimiter=delimiter, quotechar=quote)
    rows = stated.names_rows
    is_stated_row = rows is not None
    is_stated = is_stated or bool(stated.delimiter)
    records = []
    with contextlib.suppress(csv.Error):  # an unclosed quote; the parser will report it
        for record in itertools.islice(reader, RECORDS + (rows.stop if rows else 0)):
            records.append(record)  # noqa: PERF402 - what came before an error counts
    is_unclosed = len(head) < TRUNCATED and _is_unclosed(records, head, delimiter, quote)
    unclosed = len(records) if is_unclosed else 0
    records = records or [[head[:RECORDS]]]
    others = 0
    if rows is None:
        index = names_row(records)
        others = _rows_of_orange(records, delimiter) if index == 0 else 0
        rows = range(index, index + 1 + others)
    index, named = min(rows.start, len(records) - 1), len(rows)
    below = records[rows.stop :] if named else records
    width = _usual_width(below)
    other_row = 0 if is_stated_row or others else other_names_row(records, index)
    header: tuple[str, ...] = ("",) * (width or len(records[index]))
    if named:
        header = tuple(records[index]) if others else joined_names(records[rows.start : rows.stop])
    fitted, are_sure = _fitted(header, below, width, lambda: _unquoted_lines(head, delimiter, quote))
    if other_row and len(fitted) > len(header):
        fitted = header
    shortened, header = len(fitted) > len(header), fitted
    if shortened and not are_sure and not is_stated:
        problem = problem or DETECTED_ROW_NAMES
    narrow = 0 if are_sure is not None else len(header) - 1
    header = tuple(map(tidy_name, header))
    width = len(header)
    columns = _columns(below, width)
    empty_end = 0
    while width > empty_end + 1 and not header[-1 - empty_end] and columns:
        # a single value is judged when all records are read
        if sum(bool(cell.strip()) for cell in columns[-1 - empty_end]) > min(1, len(columns[0]) - 1):
            break
        empty_end += 1
    fits = sum(len(record) == width for record in below)
    blank = sum(not record for record in below)
    share = 1.0 if fits + blank == len(below) else (fits + bool(named)) / (len(below) + bool(named))
    certain = shortened or others > 0
    if named and width > 1 and not certain and not is_stated_row:
        certain = counts_rows(header, columns) or _all_quoted(head, delimiter, quote, index, width)
    dialect = Dialect(
        delimiter,
        quote,
        header,
        index,
        named,
        named > 0 and not any(map(any, below)),
        missing=stated.missing,
        empty_end=empty_end,
        shortened=shortened,
        certain=certain,
        other_row=0 if certain else other_row,
        problem=problem,
        unclosed=unclosed,
        narrow=narrow,
    )
    if dialect.other_row:  # the header is asked for; the cells decide about the delimiter
        width = _usual_width(records[dialect.other_row :])
        share = sum(len(record) == width for record in records) / len(records)
    fit = (share, index == 0, not shortened, width) if width > 1 else (0.0, True, True, share)
    usual = _usual_width(below)
    unusual = sum(len(record) not in (0, usual) for record in below)
    return Candidate(fit, dialect, columns, len(below), len(below) - fits - blank, (usual, unusual))


def _is_unclosed(records: Sequence[Sequence[str]], head: str, delimiter: str, quote: str) -> bool:
    """Tell whether the last record takes the rest of the text for a quoted cell."""
    if not records or not any("\n" in cell for cell in records[-1]):
        return False
    reader = csv.reader(io.StringIO(head, newline=""), delimiter=delimiter, quotechar=quote, strict=True)
    try:
        return sum(1 for _ in reader) == 0
    except csv.Error:
        return True


def _unquoted_lines(text: str, delimiter: str, quote: str) -> int:
    """Return the number of lines that do not begin with a quoted cell."""
    mark, edge = re.escape(quote), re.escape(delimiter)
    begin = re.compile(f"{mark}(?:[^{mark}]|{mark}{mark})*{mark}(?:{edge}|$)")
    lines = itertools.islice(io.StringIO(text), RECORDS)
    return sum(not begin.match(line.rstrip("\r\n")) for line in lines if line.strip())


def numbered(width: int) -> list[str]:
    """Return the names of columns without a header."""
    return [f"column {number}" for number in range(1, width + 1)]


def _usual_width(records: Sequence[Sequence[str]]) -> int:
    widths = Counter(len(record) for record in records if record)
    return widths.most_common(1)[0][0] if widths else 0


def joined_names(rows: Sequence[Sequence[str]]) -> tuple[str, ...]:
    """Return the names in one or several rows; in the upper ones, a name applies to the blank cells after it.

    The cells of a column are joined: "2020" above "men" is "2020 men".
    """
    if len(rows) < 2:
        return tuple(rows[0]) if rows and rows[0] else ("",)
    width = max(map(len, rows))
    filled = []
    for row in rows[:-1]:
        cells_of_row = [cell.strip() for cell in row] + [""] * (width - len(row))
        for index in range(1, width):
            cells_of_row[index] = cells_of_row[index] or cells_of_row[index - 1]
        filled.append(cells_of_row)
    filled.append([cell.strip() for cell in rows[-1]] + [""] * (width - len(rows[-1])))
    return tuple(" ".join(dict.fromkeys(filter(None, parts))) for parts in zip(*filled, strict=True))


def _fitted(
    header: tuple[str, ...], below: Sequence[Sequence[str]], width: int, count_unquoted: Callable[[], int]
) -> tuple[tuple[str, ...], bool | None]:
    """Return the header with a cell for each cell of the records, or unchanged if they do not line up.

    A delimiter at the end of rows adds an empty cell.  If each record has one cell more than the header, its
    first one is the name of the row, as R writes tables.  One record may differ, since it must not decide
    about the others.  Also return whether no single record decides; None if one first cell is no name.
    """
    if len(header) > width > 0:
        return (header if any(cell.strip() for cell in header[width:]) else header[:width]), True
    records = [record for record in below if len(record) == width]
    others = sum(bool(record) for record in below) - len(records)
    if len(header) >= width or others > min(1, len(records) - 1):
        return header, True
    if not any(cell.strip() for record in records for cell in record[len(header) :]):
        return header + ("",) * (width - len(header)), True
    first = Counter(record[0].strip() for record in records)
    count = len(records)
    faults = max(first[""], count - len(first))
    last = sum(bool(record[-1].strip()) for record in records)
    if width - len(header) > 1 or faults > 1 or last < MIN_SHARE * count - 1:
        return header, True
    unquoted = count_unquoted()
    # numbers with decimal commas below a single name are no two cells
    if len(header) == 1 and unquoted > min(1, count - 1):
        return header, True
    return ("", *header), None if faults else unquoted == 0 and last >= MIN_SHARE * count


def counts_rows(header: Sequence[str], columns: Sequence[Sequence[str]]) -> bool:
    """Tell whether the first column has no name and numbers the rows; then the header is no record.

    A header of numbers alone could still be a record that lacks its number.
    """
    if header[0].strip() or not columns or len(columns[0]) < 2 or all(map(_is_number, header[1:])):
        return False
    numbers = [cell.strip() for cell in columns[0]]
    return any(numbers == [str(start + index) for index in range(len(numbers))] for start in (0, 1))


def _all_quoted(head: str, delimiter: str, quote: str, index: int, width: int) -> bool:
    """Tell whether all names are quoted, and the cells of a column below are numbers without quotes.

    Programs quote the cells of a column alike, so that such a header is no record.
    """
    if quote not in head:
        return False
    edge, mark = re.escape(delimiter), re.escape(quote)
    token = re.compile(rf"({mark}(?:[^{mark}]|{mark}{mark})*{mark}|[^{edge}{mark}]*)(?:{edge}|$)")
    rows = []
    for line in itertools.islice(io.StringIO(head), RECORDS + index):
        text = line.rstrip("\r\n")
        tokens = token.findall(text)
        tokens = tokens[:-1] if tokens and not text.endswith(delimiter) else tokens
        rows.append([cell.strip() for cell in tokens] if len(tokens) == width else [])
    names = rows[index] if index < len(rows) else []
    below = [row for row in rows[index + 1 :] if row]
    if not names or not below or not all(cell[:1] == cell[-1:] == quote for cell in names):
        return False
    return any(_is_numeric(column) for column in zip(*below, strict=True))


TYPES_OF_ORANGE = {"continuous", "discrete", "string"}
ROLES_OF_ORANGE = {"class", "meta", "ignore", "weight"}


def _rows_of_orange(records: Sequence[Sequence[str]], delimiter: str) -> int:
    """Return how many rows below the names are part of the header that the program Orange writes: 2 or 0."""
    if delimiter != "\t" or len(records) < 3:
        return 0
    types, roles = ({cell.strip() for cell in record} for record in records[1:3])
    alike = len(records[0]) == len(records[1]) == len(records[2])
    of_orange = types & TYPES_OF_ORANGE and roles & ROLES_OF_ORANGE and roles <= {"", *ROLES_OF_ORANGE}
    return 2 if alike and of_orange else 0


def names_row(records: Sequence[Sequence[str]]) -> int:
    """Return the index of the header: the first row, unless titles precede a table with numbers."""
    start = next((index for index, record in enumerate(records[:TITLES]) if _filled(record)), 0)
    if _filled(records[start]) > 1:
        return start
    index = row_below_titles(records, start) - 1
    return index if index > 0 and all(_filled(record) <= 1 for record in records[:index]) else start


def other_names_row(records: Sequence[Sequence[str]], index: int) -> int:
    """Return the row, from 1, that could be the header instead of the one at `index`; 0 without one.

    Below a single filled cell, one record that is no number must not decide.
    """
    return row_below_titles(records, index, slack=int(_filled(records[index]) <= 1))


def row_below_titles(records: Sequence[Sequence[str]], first: int, slack: int = 0) -> int:
    """Return the row, from 1, that could be the header below the titles that begin at `first`; 0 without one.

    It has a text in each column, and a column of numbers below, in which `slack` records may differ.
    """
    following = records[first + 1 :]
    width, count = Counter(map(len, following)).most_common(1)[0] if following else (1, 0)
    if width < 2 or count < MIN_SHARE * len(following) - TITLES:
        return 0
    for index, whole in enumerate(records[:TITLES]):
        record = whole[:width]
        if not len(record) == width == _filled(whole):  # a delimiter may end the names
            continue
        is_text = not any(is_spelled_number(cell) or cell.strip() in NOTHING for cell in record)
        if index == first or not is_text or len(set(record)) < width:
            break
        columns = _columns(records[index + 1 :], width)
        return index + 1 if any(_is_numeric(column, slack) for column in columns) else 0
    return 0


def _filled(record: Sequence[str]) -> int:
    return sum(bool(cell.strip()) for cell in record)


def _is_numeric(column: Sequence[str], slack: int = 0) -> bool:
    there = [text for cell in column if (text := cell.strip()) not in cells.MISSING_WORDS]
    numbers = sum(map(is_spelled_number, there))
    return len(there) + slack > 0 and numbers + slack >= MIN_SHARE * len(there)


def _columns(records: Sequence[Sequence[str]], width: int) -> list[tuple[str, ...]]:
    """Return the cells of the records of the right width by column."""
    return list(zip(*(record for record in records if len(record) == width), strict=True))


def _quote(head: str, delimiter: str) -> str:
    """Return the single quote if only it, not the double quote, surrounds cells."""
    if "'" not in head:
        return '"'
    first = head.lstrip().partition("\n")[0]
    if '"' in head and ('"' in first or not _is_quoted(first, delimiter)):
        return '"'
    return "'" if _is_quoted(head, delimiter) else '"'


def _names_quote(head: str, delimiter: str, stated: ReadingOptions) -> bool:
    """Tell whether the first line, which is no record, shows single quotes."""
    return stated.header != "0" and _is_quoted(head.lstrip().partition("\n")[0], delimiter)


def _is_quoted(text: str, delimiter: str) -> bool:
    """Tell whether single quotes surround a cell."""
    edge = re.escape(delimiter)
    return re.search(rf"(?:^|{edge})'[^'\n]*'(?:{edge}|\r?$)", text, re.MULTILINE) is not None


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
            true_values=list(TRUE),  # not 1 and 0: one "true" would turn numbers into true and false
            false_values=list(FALSE),
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
        alike = [_resembles(cell, below) for cell, below in zip(self._trimmed, columns, strict=False)]
        texts = [below for below in columns if cells.is_string(below.type)]
        if texts and len(columns) <= OF_EDGES and not any(alike):
            import pyarrow.compute as pc

            texts = [pc.utf8_trim_whitespace(below) for below in texts]
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
    shapes = {_shape(tidy_name(text)) for text in below}
    if not shapes.isdisjoint({_shape(cell), *_answers(cell)}):
        return True
    texts = [text.strip() for text in below]
    number = _is_number(cell) or cell in NOTHING
    return (number and any(map(_is_number, texts))) or (_is_date(cell) and any(map(_is_date, texts)))


def _resembles(cell: str, below: Any) -> bool:
    """Tell whether a cell resembles an Arrow column: by its type, or by its texts."""
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
    import pyarrow.compute as pc

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
    return "[0-9]+".join(re.escape(part).replace(r"\ ", r"\s+") for part in re.split("[0-9]+", cell))


def _answers(cell: str) -> tuple[str, ...]:
    return next((answers for answers in ANSWERS if cell.lower() in answers), ())


def _can_be_of(cell: str, type_below: Any) -> bool:
    """Tell whether Arrow would parse a cell as the type that it chose for the column."""
    import pyarrow as pa

    if not re.match("[-+.0-9]|inf|nan|true|false", cell, re.IGNORECASE):
        return False  # without importing pyarrow.compute, as a cast does
    try:
        text_array([cell], type_below)
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError):
        return False
    return True


def _is_number(text: str) -> bool:
    return is_number(text) or is_spelled_number(text)


def _is_date(text: str) -> bool:
    return not text.isalpha() and re.match(DATE, text) is not None
