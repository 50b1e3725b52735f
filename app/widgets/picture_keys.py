"""What keys do in a picture: move what is chosen, look more closely or less."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent

ZOOM_KEYS = {Qt.Key.Key_Plus: -1.0, Qt.Key.Key_Equal: -1.0, Qt.Key.Key_Minus: 1.0}
"""Keys that look more closely, or less, by so many notches."""

_ARROWS = {
    Qt.Key.Key_Left: (-1, 0),
    Qt.Key.Key_Right: (1, 0),
    Qt.Key.Key_Up: (0, 1),
    Qt.Key.Key_Down: (0, -1),
}


def nudge_of(event: QKeyEvent) -> tuple[int, int] | None:
    """Return the steps of an arrow key to the right and up, ten with Shift; None for another key."""
    step = _ARROWS.get(Qt.Key(event.key()))
    if step is None:
        return None
    factor = 10 if event.modifiers() & Qt.KeyboardModifier.ShiftModifier else 1
    return factor * step[0], factor * step[1]
