"""The progress of an audit, and the button that stops it."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QLabel, QProgressBar, QPushButton, QWidget

from app.jobs.tasks import JobProgress
from app.pages.audit.lines import fill_line


class AuditProgress(QWidget):
    """How far an audit is, while it runs."""

    cancelled = Signal()  # it is to be stopped

    def __init__(self) -> None:
        super().__init__()
        self.bar = QProgressBar()
        self.bar.setTextVisible(False)
        self.bar.setAccessibleName("Progress of the audit")
        self.left = QLabel()
        self.left.setObjectName("caption")
        self.cancel_button = QPushButton("Cancel   Esc")
        self.cancel_button.clicked.connect(self.cancelled)
        fill_line(self, (self.bar, 1), self.left, self.cancel_button)
        self.hide()

    def show_running(self, running: bool) -> None:
        """Show or hide the progress of an audit."""
        if running:
            self.bar.setRange(0, 0)
            self.left.setText("")
        self.setVisible(running)

    def show_progress(self, report: JobProgress) -> None:
        """Show how far the audit is."""
        if report.fraction > 0:
            self.bar.setRange(0, 1000)
            self.bar.setValue(round(1000 * report.fraction))
        left = report.seconds_left
        text = report.message
        self.left.setText(text if left is None else f"{text} · {max(1, round(left))} s left")
