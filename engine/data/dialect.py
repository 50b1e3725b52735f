"""How the cells of a delimited text file are kept apart."""

from __future__ import annotations

import contextlib
import csv
import dataclasses
import io
import itertools
import re

DELIMITERS = {",": "comma", "\t": "tab", ";": "semicolon", "|": "bar"}

RECORDS = 1000
"""How many records are looked at."""

# the standard library takes a longer cell for one that is not closed, from 131,072 on;
# there must be a limit, or the rest of a large file would be held in memory
csv.field_size_limit(1 << 24)


@dataclasses.dataclass(frozen=True)
class Dialect:
    """Delimiter, quote, the first record (the names), and whether it stands alone."""

    delimiter: str
    quote: str
    header: tuple[str, ...]
    header_only: bool


def detect_dialect(head: str) -> Dialect:
    """Find delimiter and quote from the beginning of a file.

    The delimiter is the one that cuts the first record into several cells and most
    of the others into as many; where none does, the file has a single column.
    """
    candidates = [_cut(head, delimiter) for delimiter in DELIMITERS]
    return max(candidates, key=lambda candidate: candidate[0])[1]


def _cut(head: str, delimiter: str) -> tuple[tuple[float, int], Dialect]:
    """Cut the records by one delimiter; return how well that fits, and the dialect."""
    quote = _quote(head, delimiter)
    reader = csv.reader(io.StringIO(head, newline=""), delimiter=delimiter, quotechar=quote)
    records = []
    with contextlib.suppress(csv.Error):  # a quote that is never closed; the parser will name it
        for record in itertools.islice(reader, RECORDS):
            records.append(record)  # noqa: PERF402 - what came before an error counts
    records = records or [[head[:RECORDS]]]
    width = len(records[0])
    share = sum(len(record) == width for record in records) / len(records)
    return (share, width) if width > 1 else (0.0, 1), Dialect(
        delimiter, quote, tuple(records[0]), sum(map(bool, records)) == 1
    )


def _quote(head: str, delimiter: str) -> str:
    """Return the single quote if it, and no double quote, surrounds cells."""
    edge = re.escape(delimiter)
    if (
        "'" in head
        and '"' not in head
        and re.search(rf"(?:^|{edge})'[^'\n]*'(?:{edge}|$)", head, re.MULTILINE)
    ):
        return "'"
    return '"'
