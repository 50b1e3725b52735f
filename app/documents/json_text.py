"""Read JSON strictly: limited in size, no repeated names, finite numbers only."""

from __future__ import annotations

import json
import math
import os
import stat
from pathlib import Path
from typing import Any

from app.documents.schema import DocumentError, quote
from engine.progress import Progress, silent

MAX_BYTES = 32 << 20
"""Largest file that is read."""

MAX_PARTS = 1 << 20
"""Most lists and objects in a file; many more would block the window while they are built."""

MAX_DIGITS = 25
"""Most digits of a whole number."""

CHUNK = 1 << 20


def read_text(path: Path, progress: Progress = silent) -> str:
    """Return the text of an ordinary file; `DocumentError` if it is another kind, too large, or not text."""
    try:
        # opening a pipe would wait until something writes to it
        handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
        with open(handle, "rb") as file:
            facts = os.fstat(handle)
            if not stat.S_ISREG(facts.st_mode):
                raise DocumentError("", "is not an ordinary file; choose a session file")
            if facts.st_size > MAX_BYTES:
                raise DocumentError("", f"is larger than {MAX_BYTES >> 20} MB, the limit for a session file")
            parts = []
            for done in range(0, MAX_BYTES + 1, CHUNK):
                progress(min(done / max(facts.st_size, 1), 1.0), "reading the session")
                parts.append(file.read(CHUNK) or b"")  # None: no data at the moment
                if not parts[-1]:
                    break
    except IsADirectoryError:
        raise DocumentError("", "is a folder; choose a session file") from None
    except OSError as error:
        raise DocumentError("", f"cannot be read: {error.strerror or error}") from None
    try:
        return b"".join(parts).decode("utf-8")
    except UnicodeDecodeError:
        raise DocumentError("", "is not a session file: it is not text") from None


def parse_json(text: str) -> Any:
    """Return the parsed JSON; `DocumentError` if it is invalid or breaks the limits of a session file."""
    if text.count("[") + text.count("{") > MAX_PARTS:
        raise DocumentError(
            "", (f"holds more than {MAX_PARTS:,} lists and objects, the limit for a session file")
        )
    try:
        return json.loads(
            text,
            object_pairs_hook=_object,
            parse_float=_float,
            parse_int=_int,
            parse_constant=_constant,
        )
    except json.JSONDecodeError as error:
        raise DocumentError(
            f"line {error.lineno}, column {error.colno}",
            "is not a session file, or is cut short: JSON is expected there",
        ) from None
    except RecursionError:
        raise DocumentError("", "is nested too deeply for a session file") from None


def format_json(plain: Any) -> str:
    """Return readable JSON.

    `DocumentError` if a number is not finite or the file would be too large to read again.
    """
    try:
        text = json.dumps(plain, ensure_ascii=False, allow_nan=False, indent=1)
    except ValueError:
        raise DocumentError("", "a number is not finite; a session file holds finite numbers only") from None
    if len(text.encode()) > MAX_BYTES:
        raise DocumentError(
            "",
            f"would be larger than {MAX_BYTES >> 20} MB; its releases are too large for a session",
        )
    return text


def canonical_json(plain: Any) -> bytes:
    """Return the canonical JSON of a value: the order of names makes no difference."""
    return json.dumps(plain, ensure_ascii=True, sort_keys=True, separators=(",", ":")).encode()


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    results: dict[str, Any] = {}
    for name, value in pairs:
        if name in results:
            raise DocumentError("", f"the name {quote(name)} appears twice in one object")
        results[name] = value
    return results


def _float(text: str) -> float:
    value = float(text)
    if not math.isfinite(value):
        raise DocumentError("", f"the number {quote(text)} is too large")
    return value


def _int(text: str) -> int:
    if len(text) > MAX_DIGITS:
        raise DocumentError("", f"the number {quote(text)} is too large")
    return int(text)


def _constant(text: str) -> Any:
    raise DocumentError("", f"{text} is not a finite number")
