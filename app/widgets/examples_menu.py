"""A menu of bundled examples."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QPushButton, QWidget

from app.widgets.combo_box import ClosesWith
from engine.data import EXAMPLES
from engine.data.examples import Example


def is_table(example: Example) -> bool:
    return example.kind != "graph"


class ExamplesMenu(QMenu):
    """Lists examples, each with its description."""

    chosen = Signal(str)  # name of an example

    def __init__(self, parent: QWidget, is_offered: Callable[[Example], bool] = is_table) -> None:
        super().__init__(parent)
        ClosesWith(self, parent)
        for name, example in EXAMPLES.items():
            if is_offered(example):
                action = self.addAction(example.title)
                action.setData(name)
                action.setToolTip(example.description)
        self.setToolTipsVisible(True)
        self.triggered.connect(self._on_triggered)

    def button(self) -> QPushButton:
        """Return a new button that opens this menu."""
        button = QPushButton("Open an &example")
        button.setAccessibleName("Open an example")
        button.setMenu(self)
        return button

    def _on_triggered(self, action: QAction) -> None:
        self.chosen.emit(action.data())
