"""Workers stand aside while the window draws.

Both want the interpreter, which serves one thread at a time: a redraw that takes 30 ms
alone takes two to three times as long beside a busy worker, and users feel only one of
the two.  A worker looks up whenever it reports progress.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator

PATIENCE = 0.1
"""Seconds that a worker waits at most: a drawing that never ends must not stop everything."""

_idle = threading.Event()
_idle.set()


@contextlib.contextmanager
def undisturbed() -> Iterator[None]:
    """Let workers wait while the window's thread does something."""
    outermost = _idle.is_set()
    _idle.clear()
    try:
        yield
    finally:
        if outermost:
            _idle.set()


def stand_aside() -> None:
    """Wait, in a worker, until the window has drawn."""
    _idle.wait(PATIENCE)
