"""Recording the answers to questions of lessons: off whenever the program starts, until it is asked for."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QObject, QSignalBlocker
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QWidget

from app.lessons.answer_log import AnswerLog
from app.lessons.lesson import Lesson
from app.lessons.player import Player
from app.lessons.reading import own_folder
from app.panels.answer_log_dialog import AnswerLogDialog
from app.widgets.messages import MessageArea

NAME = "answers.csv"
RECORDING = "Answers to questions of lessons are now recorded in {path}. Help › Record answers ends it."
ENDED = "Answers are not recorded any more. What was recorded is in {path}."
FAILED = "The answer was not recorded ({problem}); recording has ended"


class AnswerLogController(QObject):
    """Keeps a log of answers while the user wants one.

    Parameters
    ----------
    action : QAction
        Is checked while answers are recorded.

    Attributes
    ----------
    log : AnswerLog or None
    dialog : AnswerLogDialog or None
        The question that is open.
    """

    def __init__(self, window: QWidget, player: Player, action: QAction, messages: MessageArea) -> None:
        super().__init__(window)
        self._window = window
        self._action = action
        self._messages = messages
        self.log: AnswerLog | None = None
        self.dialog: AnswerLogDialog | None = None
        player.answered.connect(self._record)

    def choose(self, on: bool) -> None:
        """Ask where to record, or end recording."""
        if on:
            self.dialog = AnswerLogDialog(own_folder().parent / NAME, self._window)
            self.dialog.chosen.connect(self._begin)
            self.dialog.finished.connect(self._on_closed)
            self.dialog.open()
        elif self.log is not None:
            self._messages.show_message(ENDED.format(path=self.log.path), kind="info")
            self.log = None

    def _begin(self, path: Path, name: str) -> None:
        self.log = AnswerLog(path, name)
        self._messages.show_message(RECORDING.format(path=path), kind="info")

    def _on_closed(self, _: int) -> None:
        self.dialog = None
        self._show()

    def _record(self, lesson: Lesson, index: int, answer: int) -> None:
        if self.log is None:
            return
        try:
            self.log.record(lesson, index, answer)
        except OSError as error:
            self.log = None
            self._messages.show_message(FAILED.format(problem=error.strerror or error))
            self._show()

    def _show(self) -> None:
        """Let the menu say whether answers are recorded."""
        with QSignalBlocker(self._action):
            self._action.setChecked(self.log is not None)
