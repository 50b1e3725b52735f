"""JSON as text, read strictly: bounded, without names that stand twice, and with finite numbers only."""

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
"""Size of a file that is read at most."""

MAX_PARTS = 1 << 20
"""Lists and objects in a file at most: many more would keep the window waiting while they are made."""

MAX_DIGITS = 25
"""Digits of a whole number at most."""

CHUNK = 1 << 20


def read_text(path: Path, progress: Progress = silent) -> str:
    """Return the text of an ordinary file; `DocumentError` if it is something else, too large, or no text."""
    try:
        # opening a pipe would wait until something writes to it
        handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
        with open(handle, "rb") as file:
            facts = os.fstat(handle)
            if not stat.S_ISREG(facts.st_mode):
                raise DocumentError("", "is no ordinary file; choose a session file")
            if facts.st_size > MAX_BYTES:
                raise DocumentError("", f"is larger than {MAX_BYTES >> 20} MB; no session file is")
            parts = []
            for done in range(0, MAX_BYTES + 1, CHUNK):
                progress(min(done / max(facts.st_size, 1), 1.0), "reading the session")
                parts.append(file.read(CHUNK) or b"")  # what has nothing to say at the moment ends here
                if not parts[-1]:
                    break
    except IsADirectoryError:
        raise DocumentError("", "is a folder; choose a session file") from None
    except OSError as error:
        raise DocumentError("", f"cannot be read: {error.strerror or error}") from None
    try:
        return b"".join(parts).decode("utf-8")
    except UnicodeDecodeError:
        raise DocumentError("", "is no session file: it is not text") from None


def parse_json(text: str) -> Any:
    """Return what JSON says; `DocumentError` if it is none, or holds what no session file does."""
    if text.count("[") + text.count("{") > MAX_PARTS:
        raise DocumentError("", f"holds more than {MAX_PARTS:,} lists and objects; no session file does")
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
            "is no session file, or was cut: JSON is expected there",
        ) from None
    except RecursionError:
        raise DocumentError("", "is nested too deeply; no session file is") from None


def format_json(plain: Any) -> str:
    """Return JSON that users can look at.

    `DocumentError` if a number is not finite, or the file would be too large to be read again.
    """
    try:
        text = json.dumps(plain, ensure_ascii=False, allow_nan=False, indent=1)
    except ValueError:
        raise DocumentError("", "a number is not finite, which no session file can hold") from None
    if len(text.encode()) > MAX_BYTES:
        raise DocumentError(
            "",
            f"would be larger than {MAX_BYTES >> 20} MB; its releases are too large to be kept in a session",
        )
    return text


def canonical_json(plain: Any) -> bytes:
    """Return the one text that stands for a value, whatever order its names have."""
    return json.dumps(plain, ensure_ascii=True, sort_keys=True, separators=(",", ":")).encode()


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    results: dict[str, Any] = {}
    for name, value in pairs:
        if name in results:
            raise DocumentError("", f"the name {quote(name)} stands twice in one place")
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
    raise DocumentError("", f"{text} is no number that a session file may hold")
