"""Read small text files of the program's own formats, within limits: anyone may have written them."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from engine.errors import DataError

LARGEST = 1 << 18
"""Largest size in bytes; the longest bundled file has 23,000."""

LONGEST_LINE = 5000
"""Largest number of characters in a line."""

MAX_DEPTH = 16
"""Largest nesting of tables and lists, and number of parts of a key."""

INTEGER_LIMIT = 1 << 63
"""TOML integers are smaller."""

_PART = r"(?:[\w-]+|\"[^\"\n]*\"|'[^'\n]*')"
_LONG_KEY = re.compile(rf"(?<![\w-]){_PART}(?:[ \t]*\.[ \t]*{_PART}){{{MAX_DEPTH}}}")


def small_text(path: Path, *, source: str = "", most: int = LARGEST) -> str:
    """Return the text of a small file without a byte order mark; messages call it `source`.

    Raises `DataError` if it is missing, not a regular file, larger than `most` bytes, or not UTF-8.
    """
    source = source or path.name
    try:
        # opening a pipe would wait for a writer
        handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
        with open(handle, "rb") as file:
            if not stat.S_ISREG(os.fstat(handle).st_mode):
                raise DataError("is no ordinary file", source=source)
            content = file.read(most + 1)
    except (OSError, ValueError) as error:
        raise DataError(
            f"cannot be read: {getattr(error, 'strerror', None) or error}", source=source
        ) from None
    if len(content) > most:
        raise DataError(f"is larger than {most >> 10:,} kB, the limit for such a file", source=source)
    try:
        return content.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise DataError("is not UTF-8; save it as UTF-8", source=f"{source}, line {line}") from None


def parse_toml(text: str, source: str) -> dict[str, Any]:
    """Parse TOML; messages call the file `source`.

    Raises `DataError`, with the line, for invalid TOML, and for too long lines, keys or numbers or too deep
    nesting.
    """
    import tomllib

    for number, line in enumerate(text.split("\n"), 1):
        problem = ""
        if len(line) > LONGEST_LINE:
            problem = f"the line has more than {LONGEST_LINE:,} characters"
        elif _LONG_KEY.search(line):
            problem = f"a key has more than {MAX_DEPTH} parts"
        if problem:
            raise DataError(f"{problem}; shorten it", source=f"{source}, line {number}")
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise _no_toml(source, text, str(error)) from None
    except RecursionError:
        raise DataError(f"lists are nested more than {MAX_DEPTH} deep", source=source) from None
    except ValueError as error:  # an integer with thousands of digits, or an invalid date
        raise DataError(f"is not valid TOML: {error}", source=source) from None
    for value, depth in _values(table):
        if depth > MAX_DEPTH:
            raise DataError(f"tables or lists are nested more than {MAX_DEPTH} deep", source=source)
        if isinstance(value, int) and not -INTEGER_LIMIT <= value < INTEGER_LIMIT:
            raise DataError("a whole number has more than 18 digits", source=source)
    return table


def _values(table: Any) -> Iterator[tuple[Any, int]]:
    """Yield all values with their nesting depths."""
    waiting = [(table, 0)]
    while waiting:
        value, depth = waiting.pop()
        yield value, depth
        if isinstance(value, dict | list):
            inner = value.values() if isinstance(value, dict) else value
            waiting += [(each, depth + 1) for each in inner]


def _no_toml(source: str, text: str, message: str) -> DataError:
    """Return the error for invalid TOML; the parser's message ends with the position."""
    position = re.search(r" \(at (?:line (\d+), column (\d+)|end of document)\)$", message)
    line = position[1] if position and position[1] else len(text.splitlines()) or 1
    reason = message[: position.start()] if position else message
    return DataError(f"is not valid TOML: {reason[:1].lower()}{reason[1:]}", source=f"{source}, line {line}")
