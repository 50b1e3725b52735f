"""Readers that are kept open: one for each thread, that of the file which it read last."""

from __future__ import annotations

import atexit
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

_OPEN = threading.local()
atexit.register(_OPEN.__dict__.clear)  # that of the main thread; others end with their threads


def reader_of(path: Path, opened: Callable[[Path], Any]) -> Any:
    """Return what a function opens of a file as it is now."""
    found = path.stat()
    stamp = (path, found.st_ino, found.st_size, found.st_mtime_ns, opened)
    if getattr(_OPEN, "stamp", None) != stamp:
        _OPEN.reader, _OPEN.stamp = opened(path), stamp
    return _OPEN.reader
