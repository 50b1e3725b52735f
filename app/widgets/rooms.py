"""Widgets of which one is seen, and which ask for the room of that one alone."""

from __future__ import annotations

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QStackedWidget


class Rooms(QStackedWidget):
    """A stack whose hidden widgets do not keep the window wide."""

    def __init__(self) -> None:
        super().__init__()
        self.currentChanged.connect(lambda _: self.updateGeometry())

    def minimumSizeHint(self) -> QSize:
        """Ask for what the widget in sight needs."""
        shown = self.currentWidget()
        return super().minimumSizeHint() if shown is None else shown.minimumSizeHint()

    def sizeHint(self) -> QSize:
        """Ask for what the widget in sight would like."""
        shown = self.currentWidget()
        return super().sizeHint() if shown is None else shown.sizeHint()
