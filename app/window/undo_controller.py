"""Undo steps that need other data: read these again first, in the background."""

from __future__ import annotations

from functools import partial
from typing import Any

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from app.jobs.channels import Jobs
from app.jobs.tasks import JobTask
from app.panels.undo_dialog import UndoDialog
from app.session import PendingStep, Session
from app.window.status_reporter import StatusReporter


class UndoController(QObject):
    """Reads what the session asks for, and takes the step when it is there; else says why not."""

    def __init__(self, window: QWidget, session: Session, jobs: Jobs, status: StatusReporter) -> None:
        super().__init__(session)
        self._window = window
        self._session = session
        self.history: UndoDialog | None = None  # the list of all steps, while it is open
        self._step: PendingStep | None = None
        self.reading = jobs.channel("read again")
        self.reading.result.connect(self._on_read)
        self.reading.failed.connect(status.show_failure)
        status.follow(self.reading)
        session.stacks.data_needed.connect(self._read)
        # whatever else is done meanwhile comes first
        session.stacks.group.indexChanged.connect(self.reading.cancel)
        session.stacks.group.activeStackChanged.connect(self.reading.cancel)

    def show_history(self) -> None:
        """Show all steps, or bring them to the front."""
        if self.history is None:
            self.history = UndoDialog(self._session, self._window)
            self.history.finished.connect(self._on_closed)
        self.history.show()
        self.history.raise_()

    def _on_closed(self) -> None:
        self.history = None

    def _read(self, step: PendingStep) -> None:
        if self.reading.busy and step == self._step:
            return
        self._step = step
        self.reading.request(partial(_read, step))

    def _on_read(self, results: tuple[PendingStep, list[Any]]) -> None:
        self._session.stacks.take_step(*results)


def _read(step: PendingStep, task: JobTask) -> tuple[PendingStep, list[Any]]:
    """Read what a step needs (in a worker)."""
    return step, step.fields.read(task)
