"""Run and its progress, below the form of a release."""

from __future__ import annotations

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QLabel, QProgressBar, QPushButton, QWidget

from app.jobs.tasks import JobProgress
from app.widgets.card import caption
from app.widgets.layouts import line_up, stack


class RunFooter(QWidget):
    """Stands below the form, wherever that is scrolled to.

    Attributes
    ----------
    run, cancel : QPushButton
    problem : QLabel
        Why Run is disabled, where no field says it.
    """

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.problem = caption(name="problem")
        self.run = QPushButton()
        self.run.setObjectName("run")
        self.run.setIconSize(QSize(16, 16))
        self.progress = QProgressBar()
        self.progress.setTextVisible(False)
        self.progress.setAccessibleName("Progress of the run")
        self.left = QLabel()
        self.left.setObjectName("caption")
        self.cancel = QPushButton("Cancel   Esc")
        self._running = QWidget()
        line_up(self._running, (self.progress, 1), self.left, self.cancel)
        self._running.hide()
        stack(self, self.problem, self.run, self._running, spacing=6)

    def show_running(self, running: bool) -> None:
        """Show or hide the progress of a run."""
        self._running.setVisible(running)
        if running:
            self.progress.setRange(0, 0)
            self.left.setText("")

    def show_progress(self, report: JobProgress) -> None:
        """Show how far the run is."""
        if report.fraction > 0:
            self.progress.setRange(0, 1000)
            self.progress.setValue(round(1000 * report.fraction))
        left = report.seconds_left
        self.left.setText("" if left is None else f"{max(1, round(left))} s left")
