"""The verdict of an audit: a coloured chip, one line of numbers, and a button for the explanation."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QLabel, QPushButton, QSizePolicy, QWidget

from app.model.wording.guarantees import AuditVerdict
from app.widgets.card import caption, set_text
from app.widgets.layouts import Bend, line_up

LETTERS = 22
"""That a line of the numbers has room for."""
OF_BEFORE = "before"
"""The state of a verdict on what was chosen before: it has no colour."""


class VerdictBar(QWidget):
    """Shows what an audit proves."""

    unfolded = Signal(bool)  # the explanation is to be shown, or hidden

    def __init__(self) -> None:
        super().__init__()
        self.chip = QLabel()
        self.chip.setObjectName("verdict")
        self.chip.setTextFormat(Qt.TextFormat.PlainText)
        self.chip.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.numbers = caption(name="advice")
        self.numbers.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.explain = QPushButton("Explain")
        self.explain.setCheckable(True)
        self.explain.setToolTip("What was audited, on which neighbours, and what the verdict means")
        self.explain.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.explain.toggled.connect(self.unfolded)
        shown = QWidget()
        line_up(shown, (self.numbers, 1), self.explain, spacing=8)
        line = Bend(self)  # beside a chip in large type, numbers would stand in a column of single words
        line.setSpacing(8)
        line.addWidget(self.chip, 0, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        line.addWidget(shown, 1)
        self.hide()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep the lines of the numbers from becoming too short to be read."""
        super().resizeEvent(event)
        self.numbers.setMinimumWidth(LETTERS * self.numbers.fontMetrics().averageCharWidth())

    def show_verdict(self, verdict: AuditVerdict | None, fresh: bool = True) -> None:
        """Show a verdict, without colour if it is not on what is chosen now; None hides everything."""
        self.setVisible(verdict is not None)
        if verdict is None:
            return
        state = verdict.state if fresh else OF_BEFORE
        self.chip.setText(verdict.chip)
        if self.chip.property("state") != state:
            self.chip.setProperty("state", state)
            self.chip.style().polish(self.chip)
        set_text(self.numbers, verdict.numbers)
        self.setAccessibleName(verdict.sentence)
