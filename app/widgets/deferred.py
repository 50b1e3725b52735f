"""Work that is long for the window's thread: one piece of it in each turn of the event loop."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer

_taken = False


def deferred_call(parent: QObject, slot: Callable[[], None], milliseconds: int = 0) -> QTimer:
    """Return a timer that calls `slot` once after it was started, by default as soon as Qt is at leisure."""
    timer = QTimer(parent, singleShot=True, interval=milliseconds)
    timer.timeout.connect(slot)
    return timer


def take_frame_slot() -> bool:
    """Take this turn of the event loop; False if something else has it, and one has to try again later."""
    global _taken
    if _taken:
        return False
    _taken = True
    QTimer.singleShot(0, _end)
    return True


def _end() -> None:
    global _taken
    _taken = False
