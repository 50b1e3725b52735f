"""The line above the picture of an audit: its verdict."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.model.wording.guarantees import AuditVerdict
from app.widgets.buttons import push_button
from app.widgets.card import caption, plain, set_text
from app.widgets.layouts import Bend, line_up

LETTERS = 22
"""The least characters of a line of numbers."""
EXPLAINS = "Explain the audit, its neighbors and its verdict"
OF_BEFORE = "before"
"""The state of an outdated verdict, which has no colour."""


class VerdictBar(QWidget):
    """Shows the verdict of an audit."""

    unfolded = Signal(bool)  # whether to show the explanation

    def __init__(self) -> None:
        super().__init__()
        self.chip = plain(name="verdict")
        self.chip.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.numbers = caption(name="advice")
        self.numbers.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.explain = push_button("Explain", EXPLAINS, checkable=True)
        self.explain.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.explain.toggled.connect(self.unfolded)
        shown = QWidget()
        policy = shown.sizePolicy()
        policy.setHeightForWidth(True)  # its numbers wrap
        shown.setSizePolicy(policy)
        self._line = line_up(shown, (self.numbers, 1), self.explain, spacing=8)
        line = Bend(self)  # beside a large chip, the numbers would wrap after each word
        line.addWidget(self.chip, 0, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        line.addWidget(shown, 1)
        self.hide()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep the lines of numbers long enough to read."""
        super().resizeEvent(event)
        self.numbers.setMinimumWidth(LETTERS * self.numbers.fontMetrics().averageCharWidth())

    def hold(self, part: QWidget) -> None:
        """Show a part behind the numbers."""
        self._line.insertWidget(1, part)

    def show_verdict(self, verdict: AuditVerdict | None, fresh: bool = True) -> None:
        """Show a verdict, without colour if it is outdated; None hides everything."""
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
