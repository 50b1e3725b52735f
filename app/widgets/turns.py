"""Work that is long for the window's thread: one piece of it in each turn of the event loop."""

from __future__ import annotations

from PySide6.QtCore import QTimer

_taken = False


def take_turn() -> bool:
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
