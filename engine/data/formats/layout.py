"""Rewrite lines of cells between blanks, or of fixed widths, as cells between tabs."""

from __future__ import annotations

import dataclasses
import itertools
import re
from functools import cached_property

from engine.errors import DataError

BLANKS = "blanks"
"""Delimiter of cells between runs of blanks and tabs."""

FIXED = "fixed"
"""Delimiter of cells of fixed width; the widths may follow, as in "fixed 8,4,9"."""

LINES = 1000
"""Lines that decide where columns of fixed width begin and end."""


@dataclasses.dataclass(frozen=True)
class Layout:
    """The layout of lines without delimiters.

    Without `columns`, runs of blanks and tabs delimit the cells, and a quoted cell may contain blanks.
    Otherwise `columns` holds the first and last-plus-one position of the characters of each column.
    """

    quote: str = '"'
    columns: tuple[tuple[int, int | None], ...] = ()

    @classmethod
    def stated(cls, delimiter: str, head: str, quote: str) -> Layout | None:
        """Return the layout that a stated delimiter names; None for a character."""
        if delimiter == BLANKS:
            return cls(quote)
        if not delimiter.startswith(FIXED):
            return None
        ends = list(itertools.accumulate(map(int, re.findall("[0-9]+", delimiter))))
        return cls(columns=tuple(itertools.pairwise([0, *ends]))) if ends else cls.detected(head)

    @classmethod
    def detected(cls, head: str) -> Layout:
        """Return the columns of fixed width: between them, the beginning of the file has only blanks."""
        lines = [line for line in head.splitlines()[:LINES] if line.strip()]
        used = [False] * max(map(len, lines), default=0)
        for line in lines:
            for match in re.finditer(r"\S+", line):
                used[match.start() : match.end()] = [True] * (match.end() - match.start())
        text = "".join("x" if is_used else " " for is_used in used)
        columns: list[tuple[int, int | None]] = [match.span() for match in re.finditer("x+", text)]
        return cls(columns=(*columns[:-1], (columns[-1][0], None)) if columns else ((0, None),))

    def rewrite(self, text: bytes, source: str = "", first: int = 0) -> bytes:
        """Return UTF-8 lines with tabs between cells; `first` lines precede them.

        `DataError` for characters between the columns.
        """
        lines = text.splitlines(keepends=True)
        if self.columns:
            return b"".join(self._cut(line, source, row) for row, line in enumerate(lines, start=first + 1))
        quote = self.quote.encode()
        return b"".join(
            (self._with_quoted(line) if quote in line else b"\t".join(line.split())) + _break(line)
            for line in lines
        )

    def _with_quoted(self, line: bytes) -> bytes:
        return b"\t".join(self._tokens.findall(line))

    @cached_property
    def _tokens(self) -> re.Pattern[bytes]:
        quote = re.escape(self.quote.encode())
        return re.compile(rb"%b(?:[^%b]|%b%b)*%b(?=\s|$)|\S+" % ((quote,) * 5))

    def _cut(self, line: bytes, source: str, row: int) -> bytes:
        text = line.decode(errors="surrogateescape").rstrip("\r\n")
        end = 0
        cells = []
        for start, stop in self.columns:
            if text[end:start].strip():
                raise DataError(OUTSIDE, source=source, row=row)
            cells.append(text[start:stop].strip())
            end = len(text) if stop is None else stop
        if text[end:].strip():
            raise DataError(OUTSIDE, source=source, row=row)
        joined = "\t".join(map(_quoted, cells)) if any(cells) else ""
        return joined.encode(errors="surrogateescape") + _break(line)


OUTSIDE = (
    'it has characters between the columns of fixed width; state the widths, as in delimiter="fixed 8,4,9", '
    'or delimiter="blanks" if blanks delimit the cells'
)


def _quoted(cell: str) -> str:
    return '"' + cell.replace('"', '""') + '"' if '"' in cell or "\t" in cell else cell


def _break(line: bytes) -> bytes:
    return line[len(line.rstrip(b"\r\n")) :]
