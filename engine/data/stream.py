"""A text file as a stream of UTF-8 bytes that reports how far it has been read."""

from __future__ import annotations

import codecs
import io
from pathlib import Path
from typing import BinaryIO, cast

from engine.errors import DataError, ParameterError
from engine.progress import Progress

BYTE_ORDER_MARKS = {
    codecs.BOM_UTF8: "utf-8",
    codecs.BOM_UTF16_LE: "utf-16-le",
    codecs.BOM_UTF16_BE: "utf-16-be",
}


def recognise_encoding(head: bytes, stated: str | None) -> tuple[str, int]:
    """Return the encoding and the length of the byte order mark.

    Without a mark and without a stated encoding it is UTF-8; nothing is guessed.

    Raises
    ------
    ParameterError
        If Python knows no encoding of the stated name.
    """
    mark, marked = next(
        ((mark, encoding) for mark, encoding in BYTE_ORDER_MARKS.items() if head.startswith(mark)),
        (b"", "utf-8"),
    )
    if stated is None:
        return marked, len(mark)
    try:
        "".encode(stated)
        encoding = codecs.lookup(stated).name
    except LookupError:
        raise ParameterError("encoding", f"'{stated}' is unknown; try utf-8, utf-16 or latin-1") from None
    if encoding == "utf-16":
        encoding = marked if marked.startswith("utf-16") else "utf-16-le"
    encoding = encoding.removesuffix("-sig")
    return encoding, len(mark) if encoding == marked else 0


class TextStream(io.RawIOBase):
    """What the parsers read from.

    Parameters
    ----------
    path : Path
        The file.
    encoding : str
        Its encoding; anything but UTF-8 is translated on the way.
    mark : int
        Length of its byte order mark, which is skipped.
    progress : Progress
        Called before every block, *from whichever thread the parser reads in*; what it
        raises (`Cancelled`) ends the parsing.
    quote : bytes, optional
        The character to count in `quotes`.
    trim : bool, default False
        Leave out the line breaks at the end of the file.
    check : bool, default False
        Make sure that UTF-8 is UTF-8: `read` raises `UnicodeDecodeError` where it is not.
    """

    def __init__(
        self,
        path: Path,
        encoding: str,
        mark: int,
        progress: Progress,
        *,
        quote: bytes = b'"',
        trim: bool = False,
        check: bool = False,
    ) -> None:
        super().__init__()
        self.quotes = 0
        self._name = path.name
        self._quote = quote
        self._progress = progress
        self._encoding = encoding
        self._decoder = (
            None if encoding == "utf-8" and not check else codecs.getincrementaldecoder(encoding)()
        )
        self._file = path.open("rb")
        self._end = self._last_line_end(encoding) if trim else path.stat().st_size
        self._file.seek(mark)

    def _last_line_end(self, encoding: str) -> int:
        """Return where the file ends once the line breaks at its end are left out."""
        breaks = ("\r".encode(encoding), "\n".encode(encoding))
        width = len(breaks[0])
        end = self._file.seek(0, io.SEEK_END)
        while end >= width:
            self._file.seek(end - width)
            if self._file.read(width) not in breaks:
                break
            end -= width
        return end

    def read(self, size: int = -1) -> bytes:
        """Return up to `size` bytes of UTF-8; none at the end."""
        position = self._file.tell()
        self._progress(min(1.0, position / max(1, self._end)), f"reading {self._name}")
        left = self._end - position
        if self._decoder is None:
            block = self._file.read(left if size < 0 else min(size, left))
        else:
            block = self._translated(left if size < 0 else min(max(1, size // 4), left))
        self.quotes += block.count(self._quote)
        return block

    def _translated(self, size: int) -> bytes:
        """Read `size` bytes, no more than four times as long in UTF-8."""
        assert self._decoder is not None
        block = ""
        try:
            while not block:
                raw = self._file.read(size)
                block = self._decoder.decode(raw, final=not raw)
                if not raw:
                    break
        except UnicodeDecodeError:
            if self._encoding == "utf-8":
                raise
            raise DataError(
                f"near byte {self._file.tell():,} it is not {self._encoding} text; "
                "get it again in case it is cut, or state its encoding",
                source=self._name,
            ) from None
        return block.encode()

    def as_text(self) -> io.TextIOWrapper:
        """Return the same as text with its line breaks as they are, for the slow look at a fault.

        Bytes that are not UTF-8 become surrogates.
        """
        return io.TextIOWrapper(cast(BinaryIO, self), "utf-8", errors="surrogateescape", newline="")

    def readable(self) -> bool:
        """Say that this stream can be read."""
        return True

    def close(self) -> None:
        """Close the file."""
        self._file.close()
        super().close()
