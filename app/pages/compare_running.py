"""What is under way in the room "Compare": the comparison, the search for epsilon, and their processes."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtWidgets import QWidget

from app.jobs import Channel, Jobs
from app.pages.compare_asking import AskDialog, expected_seconds
from app.pages.compare_question import CompareQuestion
from app.pages.compare_work import Comparer, Found
from app.sources import Databases
from engine.comparison.sweeps import MOST
from engine.errors import ParameterError

MOST_RUNS = 2_000_000
"""Simulated releases that are begun without asking."""

AWAY_MS = 120_000
"""How long worker processes wait for a person who has left the room."""


class Running(QObject):
    """Begins comparisons and searches, and ends them; lets the processes rest when nobody is there.

    Signals
    -------
    failed(Failure)
        A job ended with an error.
    refused(str)
        What a person asked for cannot be done; the words say why.
    begun()
        A comparison begins.
    """

    failed = Signal(object)
    refused = Signal(str)
    begun = Signal()

    def __init__(self, jobs: Jobs, databases: Databases, parent: QWidget) -> None:
        super().__init__(parent)
        self._window = parent.window
        self.dialog: AskDialog | None = None
        self.comparer = Comparer(databases)
        self.work = self._channel(jobs, "comparison")
        self.searching = self._channel(jobs, "needed epsilon")
        self._chores = jobs.channel("processes of compare")
        self.away = QTimer(self)
        self.away.setSingleShot(True)
        self.away.setInterval(AWAY_MS)
        self.away.timeout.connect(self.rest)

    def _channel(self, jobs: Jobs, purpose: str) -> Channel:
        channel = jobs.channel(purpose)
        channel.failed.connect(self.failed)
        return channel

    @property
    def busy(self) -> bool:
        """Whether a comparison or a search is under way."""
        return self.work.busy or self.searching.busy

    def compare(self, question: CompareQuestion, last: Found | None) -> None:
        """Compare; ask first if that is a lot."""
        try:
            if question.trials <= MOST:
                question.sweep()
        except ParameterError as error:
            self.refused.emit(error.problem)
            return
        if question.trials > MOST or question.releases > MOST_RUNS:
            self.close_dialog()
            seconds = expected_seconds(question, None if last is None else last.comparison)
            self.dialog = AskDialog(question, seconds, self._window())
            self.dialog.accepted.connect(lambda: self.begin(question))
            self.dialog.finished.connect(self._on_answered)
            self.dialog.open()
        else:
            self.begin(question)

    def begin(self, question: CompareQuestion) -> None:
        """Compare, however much that is."""
        self.begun.emit()
        self.work.request(self.comparer.comparison(question))

    def search(self, question: CompareQuestion) -> None:
        """Search the epsilon that each contender needs."""
        self.searching.request(self.comparer.search(question))

    def stop(self) -> None:
        """Stop; what was compared by then stays."""
        self.comparer.stop()
        self.searching.cancel()

    def close_dialog(self) -> None:
        """Ask no more."""
        if self.dialog is not None:
            self.dialog.close()

    def leave(self) -> None:
        """Stop, and end the processes unless somebody comes back soon."""
        self.stop()
        self.close_dialog()
        if self.comparer.warm:
            self.away.start()

    def drop(self) -> None:
        """Stop, and end the processes that have the data."""
        self.work.cancel()
        self.stop()
        self.close_dialog()
        self.rest()

    def rest(self) -> None:
        """End the processes, in a worker: they may need a moment."""
        if self.comparer.warm:
            self._chores.request(self._close_processes)

    def end(self) -> None:
        """Leave no process behind; the window closes."""
        self.away.stop()
        self.comparer.end()

    def _on_answered(self, _: int) -> None:
        self.dialog = None

    def _close_processes(self, _: Any) -> None:
        self.comparer.close()
