"""Widgets that ask for no more room than is needed for what is seen."""

from __future__ import annotations

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QStackedWidget, QWidget


class Modest(QWidget):
    """Takes what the others leave, and asks only for the width that it needs."""

    def sizeHint(self) -> QSize:
        """Ask for the least width."""
        return QSize(self.minimumSizeHint().width(), super().sizeHint().height())


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
