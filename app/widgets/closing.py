"""What is opened from a widget goes with it."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QWidget


class ClosesWith(QObject):
    """Closes a menu or a dialog once what it was opened from is out of sight: nobody sees what it is about.

    `opened`: the menu or the dialog, which owns this. `source`: what it is opened from.
    """

    def __init__(self, opened: QWidget, source: QWidget) -> None:
        super().__init__(opened)
        self._opened, self._source = opened, source
        opened.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self._opened:
            if event.type() == QEvent.Type.Show:
                self._source.installEventFilter(self)
            elif event.type() == QEvent.Type.Hide:
                self._source.removeEventFilter(self)
        elif event.type() == QEvent.Type.Hide and not event.spontaneous():
            self._opened.close()
        return False
