"""The progress of a job in a line, with the time left and a button that cancels it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QProgressBar, QWidget

from app.widgets.buttons import push_button
from app.widgets.card import plain
from app.widgets.layouts import line_up

if TYPE_CHECKING:
    from app.jobs.tasks import JobProgress


class ProgressRow(QWidget):
    """Shows the progress of a job while it runs; `name` is for screen readers."""

    cancelled = Signal()  # stop it

    def __init__(self, name: str) -> None:
        super().__init__()
        self.bar = QProgressBar(textVisible=False)
        self.bar.setAccessibleName(name)
        self.left = plain(name="caption")
        self.cancel = push_button("Cancel   Esc", clicked=self.cancelled)
        line_up(self, (self.bar, 1), self.left, self.cancel, spacing=6)
        self.hide()

    def show_running(self, running: bool) -> None:
        if running:
            self.bar.setRange(0, 0)
            self.left.setText("")
        self.setVisible(running)

    def show_progress(self, report: JobProgress) -> None:
        if report.fraction > 0:
            self.bar.setRange(0, 1000)
            self.bar.setValue(round(1000 * report.fraction))
        left = report.seconds_left
        self.left.setText("" if left is None else f"{max(1, round(left))} s left")
