"""A small button that opens the help on what is chosen beside it."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, QSize, Qt
from PySide6.QtGui import QWhatsThisClickedEvent
from PySide6.QtWidgets import QComboBox, QToolButton


class HelpButton(QToolButton):
    """Asks the window for a page, as a link in "What is this?" does.

    `box`: its data are the names of pages. `kind`: the kind of these pages.
    """

    def __init__(self, box: QComboBox, kind: str) -> None:
        super().__init__()
        self._box = box
        self._kind = kind
        self.setText("?")
        self.setObjectName("help")
        self.setAccessibleName(f"Help on: {box.accessibleName()}")
        self.setToolTip("Help on what is chosen here: formula, guarantee, source")
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.clicked.connect(self._ask)

    def sizeHint(self) -> QSize:
        return super().sizeHint().boundedTo(self.maximumSize())

    def _ask(self) -> None:
        link = f"help:{self._kind}/{self._box.currentData()}"
        QCoreApplication.sendEvent(self, QWhatsThisClickedEvent(link))
