"""Workers stand aside while the window draws.

Both want the interpreter, which serves one thread at a time: a redraw that takes 30 ms
alone takes two to three times as long beside a busy worker, and users feel only one of
the two.  A worker looks up whenever it reports progress.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, TypeVar

PATIENCE = 0.1
"""Seconds that a worker waits at most: a drawing that never ends must not stop everything."""

P = ParamSpec("P")
ResultT = TypeVar("ResultT")

_idle = threading.Event()
_idle.set()


def undisturbed(draw: Callable[P, ResultT]) -> Callable[P, ResultT]:
    """Decorate what the window's thread shall do while workers wait."""

    @wraps(draw)
    def drawing(*arguments: P.args, **options: P.kwargs) -> ResultT:
        outermost = _idle.is_set()
        _idle.clear()
        try:
            return draw(*arguments, **options)
        finally:
            if outermost:
                _idle.set()

    return drawing


def stand_aside() -> None:
    """Wait, in a worker, until the window has drawn."""
    _idle.wait(PATIENCE)
