"""Read a text file as an Arrow file, as blocks of UTF-8, or as lines.

Arrow's reading threads get only Arrow's own files: one that runs Python code when the program ends would hang
it.
"""

from __future__ import annotations

import codecs
import io
import os
import re
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import Any

from engine.data.formats.layout import Layout
from engine.errors import DataError, ParameterError
from engine.numerals import grouped
from engine.progress import Progress, silent

BLOCK = 1 << 20
"""Bytes between two progress reports."""

LINES = 10_000
"""Lines between two progress reports."""

WESTERN = "cp1252"

NO_TEXT = ("idna", "punycode", "undefined", "unicode_escape", "raw_unicode_escape")
"""Python's encodings that are not encodings of files."""

BYTE_ORDER_MARKS = {
    codecs.BOM_UTF8: "utf-8",
    codecs.BOM_UTF16_LE: "utf-16-le",
    codecs.BOM_UTF16_BE: "utf-16-be",
}


MAX_LIST_BYTES = 1 << 20
"""Most bytes of a file with a list of public numbers or categories; a longer one is another file."""


def lines_of_list(path: Path, holds: str, most: int = MAX_LIST_BYTES) -> list[str]:
    """Return the lines of a file of at most `most` bytes that `holds`, for example, "numbers"."""
    try:
        if path.stat().st_size > most:
            raise DataError(f"is too long for a list of {holds}", source=path.name)
        return path.read_text("utf-8-sig").splitlines()
    except OSError as error:
        raise DataError(f"cannot be read: {error.strerror}", source=path.name) from None
    except UnicodeDecodeError:
        raise DataError("is not UTF-8; save it as UTF-8", source=path.name) from None


def recognise_encoding(head: bytes, stated: str | None) -> tuple[str, int]:
    """Return the encoding and the length of the byte order mark.

    Without a mark or a stated encoding it is UTF-8.  If the bytes are not valid UTF-8 but read as Western
    words, it is Windows-1252, the usual one of older programs.  Nothing else is guessed.  A file with lines
    that are UTF-8 beyond ASCII is UTF-8: one damaged line must not decide how all others are read.
    """
    mark, marked = next(
        ((mark, encoding) for mark, encoding in BYTE_ORDER_MARKS.items() if head.startswith(mark)),
        (b"", ""),
    )
    if stated is None:
        return marked or _encoding_without_mark(head), len(mark)
    try:
        "".encode(stated)
        if codecs.lookup(stated).name in NO_TEXT:
            raise LookupError(stated)
        encoding = codecs.lookup(stated).name
    except (LookupError, ValueError):
        raise ParameterError("encoding", f"'{stated}' is unknown; try utf-8, utf-16 or latin-1") from None
    if encoding == "utf-16":
        encoding = marked if marked.startswith("utf-16") else "utf-16-le"
    encoding = encoding.removesuffix("-sig")
    return encoding, len(mark) if encoding == marked else 0


def _encoding_without_mark(head: bytes) -> str:
    if _fits(head, "utf-8") or not _fits(head, WESTERN):
        return "utf-8"
    if any(not line.isascii() and _fits(line + b"\n", "utf-8") for line in head.split(b"\n")):
        return "utf-8"  # this text is refused later
    runs = re.findall(r"[^\W\d_]+", head.decode(WESTERN))
    foreign = [word for word in runs if not word.isascii()]
    letters = sum(map(len, foreign))
    strange = sum(not letter.isascii() for word in foreign for letter in word)
    return WESTERN if 2 * strange <= letters else "utf-8"  # this text is refused later


def _fits(head: bytes, encoding: str) -> bool:
    try:
        codecs.getincrementaldecoder(encoding)().decode(head)
    except UnicodeDecodeError:
        return False
    return True


class TextFile:
    """A text file in a known encoding."""

    def __init__(
        self,
        path: Path,
        encoding: str,
        mark: int,
        name: str = "",
        comment: str = "",
        layout: Layout | None = None,
    ) -> None:
        self.path = path
        self.name = name or path.name
        self.encoding = encoding
        self.comment = comment
        self._mark = mark
        self._layout = layout

    def error(
        self, problem: str, *, confidential: str = "", row: int | None = None, column: str | None = None
    ) -> DataError:
        """Return a `DataError` about the file."""
        return DataError(problem, confidential=confidential, source=self.name, row=row, column=column)

    def laid_out(self, layout: Layout | None) -> TextFile:
        """Return the same file with the lines that a layout rewrites."""
        if layout is None:
            return self
        return TextFile(self.path, self.encoding, self._mark, self.name, self.comment, layout)

    def beginning(self, head: bytes) -> str:
        """Return the first bytes of the file as text; invalid bytes are replaced."""
        text = head[self._mark :].decode(self.encoding, errors="replace")
        if not self.comment:
            return text
        return "".join(line for line in text.splitlines(keepends=True) if not line.startswith(self.comment))

    def blocks(self, progress: Progress = silent) -> Iterator[bytes]:
        """Yield the text as blocks of UTF-8, with a progress report before each; the last block is empty.

        UTF-8 input passes unchecked; in other encodings, invalid bytes raise `DataError`.
        """
        if self.comment or self._layout:
            text = self._translation
            for start in range(0, len(text), BLOCK):
                progress(start / len(text), f"reading {self.name}")
                yield text[start : start + BLOCK]
            yield b""
            return
        yield from self._all_blocks(progress)

    def _all_blocks(self, progress: Progress = silent) -> Iterator[bytes]:
        size = max(1, self.path.stat().st_size)
        decoder = None if self.encoding == "utf-8" else codecs.getincrementaldecoder(self.encoding)()
        with self.path.open("rb") as file:
            file.seek(self._mark)
            while True:
                progress(min(1.0, file.tell() / size), f"reading {self.name}")
                block = file.read(BLOCK)
                if decoder is None:
                    yield block
                else:
                    yield self._decoded(decoder, block, file.tell()).encode()
                if not block:
                    return

    def _decoded(self, decoder: codecs.IncrementalDecoder, block: bytes, position: int) -> str:
        try:
            return decoder.decode(block, final=not block)
        except UnicodeDecodeError:
            raise DataError(
                f"it is not {self.encoding} text; get it again in case it is truncated, or state "
                "its encoding",
                confidential=f"near byte {grouped(position)}",
                source=self.name,
            ) from None

    def open_for_arrow(self) -> Any:
        """Return an Arrow file of UTF-8; other encodings, comments and layouts need a copy in memory."""
        import pyarrow as pa

        if self.encoding == "utf-8" and not self.comment and not self._layout:
            file = pa.OSFile(os.fsencode(self.path))  # a name need not be text
            file.seek(self._mark)
            return file
        return pa.BufferReader(self._translation)

    @cached_property
    def _translation(self) -> bytes:
        text = b"".join(self._all_blocks())
        if self.comment:
            begin = self.comment.encode()
            text = b"".join(line for line in text.splitlines(keepends=True) if not line.startswith(begin))
        return self._layout.rewrite(text, self.name) if self._layout else text

    def lines(self, progress: Progress) -> Iterator[str]:
        """Yield the lines with their line breaks, to locate an error; this is slow.

        Invalid bytes become surrogates.
        """
        size = max(1, self.path.stat().st_size)
        with self.path.open("rb") as file:
            file.seek(self._mark)
            text = io.TextIOWrapper(file, self.encoding, errors="surrogateescape", newline="")
            for number, line in enumerate(text):
                if number % LINES == 0:
                    progress(min(1.0, file.tell() / size), f"looking for the fault in {self.name}")
                if self.comment and line.startswith(self.comment):
                    continue
                if self._layout is None:
                    yield line
                else:
                    rewritten = self._layout.rewrite(line.encode(errors="surrogateescape"), self.name, number)
                    yield rewritten.decode(errors="surrogateescape")
