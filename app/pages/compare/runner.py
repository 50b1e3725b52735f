"""What is under way in the workspace "Compare": comparison, search for epsilon, their processes."""

from __future__ import annotations

import dataclasses
from functools import partial
from typing import Any

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtWidgets import QWidget

from app.jobs.channels import Channel, Jobs
from app.model.kinds.databases import DatabaseCache
from app.pages.compare.analysis import ComparisonAnalysis, ComparisonResult
from app.pages.compare.long_run_dialog import LongRunDialog, expected_seconds
from app.pages.compare.request import ComparisonRequest
from engine.comparison.sweeps import MAX_TRIALS, size

MAX_RUNS = 2_000_000
"""Simulated releases that are begun without asking."""

SOON = 400
"""Values of a sweep that are found while the user waits; more of them in a worker."""

AWAY_MS = 120_000
"""How long worker processes wait for a user who has left the page."""


@dataclasses.dataclass(frozen=True, eq=False)
class _Counted:
    """What is to be compared, the last comparison, and how many values the sweep really has."""

    request: ComparisonRequest
    last: ComparisonResult | None
    values: int
    trials: int


def _counted(request: ComparisonRequest, last: ComparisonResult | None, _: Any = None) -> _Counted:
    sweep = request.sweep()
    return _Counted(request, last, len(sweep.values), size(request.contenders, sweep))


class ComparisonRunner(QObject):
    """Begins comparisons and searches, and ends them; lets the processes rest when the user is away.

    Signals
    -------
    failed(Failure)
        A job ended with an error.
    refused(str)
        What the user asked for cannot be done; the words say why.
    begun()
        A comparison begins.
    """

    failed = Signal(object)
    refused = Signal(str)
    begun = Signal()

    def __init__(self, jobs: Jobs, databases: DatabaseCache, parent: QWidget) -> None:
        super().__init__(parent)
        self._window = parent.window
        self.dialog: LongRunDialog | None = None
        self.comparer = ComparisonAnalysis(databases)
        self.work = self._channel(jobs, "comparison")
        self.searching = self._channel(jobs, "needed epsilon")
        self._counting = self._channel(jobs, "values of compare")
        self._counting.result.connect(self._on_counted)
        self._ended = False
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
        return self.work.busy or self.searching.busy or self._counting.busy

    def compare(self, request: ComparisonRequest, last: ComparisonResult | None) -> None:
        """Compare; ask first if that is a lot."""
        self.close_dialog()
        if request.wrong:
            self.refused.emit(request.wrong)
        elif request.choice.steps > SOON:
            self._counting.request(partial(_counted, request, last))
        else:
            self._on_counted(_counted(request, last))

    def _on_counted(self, counted: _Counted) -> None:
        """Begin, or ask first if that is a lot."""
        request, last = counted.request, counted.last
        if counted.trials > MAX_TRIALS or counted.trials * request.runs > MAX_RUNS:
            match = None if last is None else last.comparison
            seconds = expected_seconds(request, match, counted.values)
            self.dialog = LongRunDialog(request, counted.values, seconds, self._window())
            self.dialog.accepted.connect(lambda: self.begin(request))
            self.dialog.finished.connect(self._on_answered)
            self.dialog.open()
        else:
            self.begin(request)

    def begin(self, request: ComparisonRequest) -> None:
        """Compare, however much that is."""
        self.begun.emit()
        self.work.request(self.comparer.comparison(request))

    def search(self, request: ComparisonRequest) -> None:
        """Search the epsilon that each contender needs."""
        self.searching.request(self.comparer.search(request))

    def stop(self) -> None:
        """Stop; what was compared by then stays."""
        self.comparer.stop()
        self._counting.cancel()
        self.searching.cancel()

    def close_dialog(self) -> None:
        """Ask no more."""
        if self.dialog is not None:
            self.dialog.close()

    def leave(self) -> None:
        """Stop, and end the processes unless the user comes back soon."""
        self.stop()
        self.close_dialog()
        if self.comparer.warm and not self._ended:
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
        self._ended = True
        self.away.stop()
        self.comparer.end()

    def _on_answered(self, _: int) -> None:
        self.dialog = None

    def _close_processes(self, _: Any) -> None:
        self.comparer.close()
