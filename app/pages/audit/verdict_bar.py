"""The verdict of an audit: a coloured chip, one line of numbers, and a button for the explanation."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QSizePolicy, QWidget

from app.model.wording.audit_verdicts import AuditVerdict
from app.widgets.card import caption, set_text

OF_BEFORE = "before"
"""The state of a verdict on what was chosen before: it has no colour."""


class VerdictBar(QWidget):
    """Shows what an audit proves.

    Signals
    -------
    unfolded(bool)
        The explanation is to be shown, or hidden.
    """

    unfolded = Signal(bool)

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
        line = QHBoxLayout(self)
        line.setContentsMargins(0, 0, 0, 0)
        line.setSpacing(8)
        line.addWidget(self.chip)
        line.addWidget(self.numbers, 1)
        line.addWidget(self.explain)
        self.hide()

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
