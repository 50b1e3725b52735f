"""The output of the command line: standard output, remarks on standard error, progress."""

from __future__ import annotations

import contextlib
import json
import math
import os
import sys
import time
from collections.abc import Mapping
from typing import Any, TextIO

from app.jobs.tasks import RemainingTime
from engine import __version__

PROGRAM = "sensiscope"
EXIT_STATUS = (
    "0 done, 1 an internal error, 2 a mistake in the command or its data, 3 a violated guarantee (audit "
    "--check), 130 Ctrl+C"
)
"""The exit statuses of all verbs."""

_quiet = False


def be_quiet(quiet: bool) -> None:
    """Write no notes and no progress; errors and warnings stay."""
    global _quiet
    _quiet = quiet


def say(text: str = "") -> None:
    """Write one line (or several) to standard output."""
    if sys.stdout is None:
        raise OSError("standard output is closed")
    sys.stdout.write(text + "\n")


def say_json(content: Mapping[str, Any]) -> None:
    """Write one JSON object with the version of the program; inf and NaN become null."""
    say(_lay_out({**content, "version": content.get("version", __version__)}))


_ON_ONE_LINE = json.JSONEncoder(allow_nan=False).encode


def _lay_out(content: Any, indent: str = "") -> str:
    """Return JSON with one line for each named part and for each row of a list of rows.

    Indenting would take four times as long, which counts for a million cells.
    """
    inner = indent + "  "
    if isinstance(content, Mapping) and content:
        parts = [f"{_ON_ONE_LINE(str(name))}: {_lay_out(part, inner)}" for name, part in content.items()]
        return "{\n" + ",\n".join(inner + part for part in parts) + f"\n{indent}}}"
    if isinstance(content, (list, tuple)) and any(isinstance(part, (list, dict)) for part in content):
        return "[\n" + ",\n".join(inner + _row(part) for part in content) + f"\n{indent}]"
    return _row(content)


def _row(content: Any) -> str:
    try:
        return _ON_ONE_LINE(content)
    except (TypeError, ValueError):  # JSON cannot hold it
        return _ON_ONE_LINE(finite(content))


def remark(kind: str, *texts: str) -> None:
    """Write each text on one line of standard error, ``sensiscope: <kind>: <text>``, unless it is closed."""
    hidden = sys.stderr is None or (_quiet and kind == "note")
    for text in () if hidden else texts:
        with contextlib.suppress(OSError):
            sys.stderr.write(f"{PROGRAM}: {kind}: {one_line(text)}\n")
        forget(sys.stderr)


def forget(stream: TextIO | None) -> None:
    """Flush a stream, or detach it if it is closed, so that the interpreter ends without a complaint."""
    if stream is None:
        return
    try:
        stream.flush()
        return
    except Exception:  # nobody reads it any more
        pass
    with contextlib.suppress(Exception):
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def one_line(text: str) -> str:
    """Return `text` on one line, with control characters escaped.

    Names of files and columns come from outside: they must neither break the line nor control the terminal.
    """
    return "".join(
        char if char.isprintable() else char.encode("unicode_escape", "surrogatepass").decode("ascii")
        for char in " ".join(text.split())
    )


def finite(content: Any) -> Any:
    """Return `content` as plain numbers, lists and dicts for JSON; None for inf and NaN."""
    if isinstance(content, Mapping):
        return {str(key): finite(value) for key, value in content.items()}
    if hasattr(content, "tolist"):  # a numpy array or scalar, without importing numpy
        content = content.tolist()
    if isinstance(content, (list, tuple)):
        return [finite(value) for value in content]
    if isinstance(content, float) and not math.isfinite(content):
        return None
    return content


class Bar:
    """A progress bar on standard error, for terminals and for work above half a second.

    It is a `engine.progress.Progress` without cancelling: Ctrl+C interrupts the work itself.
    """

    START_SECONDS, INTERVAL, WIDTH = 0.5, 0.1, 24

    def __init__(self) -> None:
        self._terminal = sys.stderr is not None and sys.stderr.isatty() and not _quiet
        self._next = time.monotonic() + self.START_SECONDS
        self._pace = RemainingTime()
        self._message = ""
        self._drawn = False

    def __enter__(self) -> Bar:
        return self

    def __exit__(self, *_: object) -> None:
        if self._drawn:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()

    def __call__(self, fraction: float, message: str = "") -> None:
        """Draw the bar, at most ten times a second; keep the last message."""
        self._message = message or self._message
        now = time.monotonic()
        if not self._terminal or now < self._next:
            return
        self._next, self._drawn = now + self.INTERVAL, True
        fraction = min(max(fraction, 0.0), 1.0)
        full = round(fraction * self.WIDTH)
        seconds = self._pace.left(fraction)
        parts = (one_line(self._message), "" if seconds is None else f"{seconds:.0f} s left")
        bar = "#" * full + "." * (self.WIDTH - full)
        sys.stderr.write(f"\r\x1b[K[{bar}] {fraction:4.0%} {', '.join(filter(None, parts))}")
        sys.stderr.flush()
