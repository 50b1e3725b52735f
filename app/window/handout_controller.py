"""The handout of the lesson that is played: written by a process of its own, which plays it once more."""

from __future__ import annotations

import sys

from PySide6.QtCore import QObject, QProcess
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QWidget

from app.lessons.player import Player
from app.widgets.dialogs import SaveDialog
from app.widgets.messages import MessageArea
from app.window.status_reporter import StatusReporter

FORMATS = "Web page (*.html);;PDF document (*.pdf)"
WRITING = "Writing the handout: the lesson is played in the background"
CANCELLED = "Cancelled: no handout was written"
BUSY = "another handout is being written; it is not interrupted"


class HandoutController(QObject):
    """Saves a lesson for printing, with its pictures and questions.

    Parameters
    ----------
    action : QAction
        Can be used while a lesson is played.
    """

    def __init__(
        self,
        window: QWidget,
        player: Player,
        action: QAction,
        status: StatusReporter,
        messages: MessageArea,
    ) -> None:
        super().__init__(window)
        self._window = window
        self._player = player
        self._action = action
        self._status = status
        self._messages = messages
        self._path = ""
        self._cancelled = False
        self._process = QProcess(self)
        self._process.finished.connect(self._on_finished)
        player.moved.connect(self._on_moved)

    @property
    def busy(self) -> bool:
        """Whether a handout is being written."""
        return self._process.state() != QProcess.ProcessState.NotRunning

    def ask(self) -> None:
        """Ask where to save the handout of the lesson that is played."""
        lesson = self._player.lesson
        if lesson is None:
            return
        if self.busy:
            self._messages.show_message(BUSY, kind="warning")
            return
        dialog = SaveDialog(self._window, "Save the handout", f"{lesson.name}.html", FORMATS)
        dialog.fileSelected.connect(self.write)
        dialog.open()

    def write(self, path: str) -> None:
        """Have the handout of the lesson that is played written."""
        lesson = self._player.lesson
        if lesson is None or lesson.path is None or self.busy:
            return
        self._path = path
        command = ["-m", "app", "lessons", "--handout", str(lesson.path), "--out", path]
        self._cancelled = False
        self._process.start(sys.executable, command)
        self._status.show_working(WRITING)

    def cancel(self) -> None:
        """Stop what is being written: a file is made at the end, or not at all."""
        self._cancelled = True
        self._process.kill()

    def end(self) -> None:
        """Stop what is being written, as the window closes."""
        if self.busy:
            self._process.kill()
            self._process.waitForFinished()

    def _on_moved(self) -> None:
        self._action.setEnabled(self._player.lesson is not None)

    def _on_finished(self, code: int, exit_status: QProcess.ExitStatus) -> None:
        self._status.end_working()
        if self._cancelled:
            self._status.show_message(CANCELLED)
        elif exit_status == QProcess.ExitStatus.NormalExit and code == 0:
            self._status.show_message(f"Saved {self._path}")
        else:
            shown = bytes(self._process.readAllStandardError().data()).decode(errors="replace")
            self._messages.show_message(f"{self._path} was not saved", shown)
