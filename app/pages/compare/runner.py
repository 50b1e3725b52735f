"""Comparisons and searches for epsilon in a worker, and the processes that they keep for the same data."""

from __future__ import annotations

import dataclasses
import threading
from collections.abc import Callable
from functools import partial
from typing import Any

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtWidgets import QWidget

from app.jobs.channels import Channel, Jobs
from app.jobs.tasks import JobTask
from app.model.kept_data import DatabaseCache
from app.pages.compare.long_run_dialog import LongRunDialog, expected_seconds
from app.pages.compare.needed_epsilon import NeededResult
from app.pages.compare.request import ComparisonRequest, ComparisonResult
from engine.comparison import Comparison, NeededEpsilons, Outcome
from engine.comparison.sweeps import MAX_TRIALS, size
from engine.progress import Cancelled
from engine.runners import Runner, runner

MAX_RUNS = 2_000_000
"""Simulated releases that are begun without asking."""

SOON = 400
"""Values of a sweep that are found while the user waits; more of them in a worker."""

AWAY_MS = 120_000
"""How long worker processes wait for a user who has left the page."""


@dataclasses.dataclass(frozen=True, eq=False)
class PickedRun:
    """One run, as it would be released (private together with its error)."""

    comparison: ComparisonResult
    outcome: Outcome
    run: int
    value: Any  # what the run would have released


class ComparisonAnalysis:
    """Compares; keeps worker processes warm while the data stay the same."""

    def __init__(self, databases: DatabaseCache) -> None:
        self._databases = databases
        self._lock = threading.Lock()
        self._stop = threading.Event()  # ends the comparison that runs, which then tells what it has
        self._processes: Any = None
        self._data: Any = None
        self._runner: Runner | None = None
        self._ended = False

    @property
    def warm(self) -> bool:
        """Whether there are processes."""
        return self._processes is not None

    def stop(self) -> None:
        """Let the comparison that runs end with what it has."""
        self._stop.set()

    def comparison(self, request: ComparisonRequest) -> Callable[[JobTask], ComparisonResult]:
        """Return the work of a comparison, which can be stopped before it has begun."""
        self._stop = threading.Event()
        return partial(self._compare, request, self._stop)

    def _compare(self, request: ComparisonRequest, stop: threading.Event, task: JobTask) -> ComparisonResult:
        """Compare, publishing what there is a few times a second (in a worker)."""
        from engine.comparison.comparing import compare

        data = self._databases.get(request.source)

        def progress(fraction: float, message: str = "") -> None:
            if stop.is_set():  # cancelling the job would tell nothing
                raise Cancelled
            task(fraction, message)

        def publish(comparison: Comparison) -> None:
            if not task.cancelled:
                task.publish(prepare_result(request, comparison))

        with self._lock:
            return prepare_result(
                request,
                compare(
                    request.contenders,
                    data,
                    request.privacy,
                    request.sweep(),
                    runs=request.runs,
                    seed=request.choice.seed,
                    processes=self._for(data),
                    progress=progress,
                    publish=publish,
                ),
            )

    def search(self, request: ComparisonRequest, task: JobTask) -> NeededResult:
        """Search the epsilon that each contender needs; publish the answers so far (in a worker)."""
        from engine.comparison.needed import needed_epsilons

        choice = request.choice
        assert choice.within is not None
        data = self._databases.get(request.source)

        def publish(result: NeededEpsilons) -> None:
            if not task.cancelled:
                task.publish(NeededResult(request, result))

        with self._lock:
            answers = needed_epsilons(
                request.contenders,
                data,
                request.privacy.delta,
                within=choice.within,
                share=choice.share,
                runs=request.runs,
                seed=choice.seed,
                processes=self._for(data),
                progress=task,
                publish=publish,
            )
        return NeededResult(request, answers)

    def pick(self, result: ComparisonResult, index: int, run: int, task: JobTask) -> PickedRun:
        """Make one run of a comparison again (in a worker)."""
        from engine.comparison.trial_runs import replay

        outcome = result.comparison.outcomes[index]
        data = self._databases.get(result.request.source)
        task(0.1, "making the run again")
        value = replay(outcome.trial, data, run, seed=result.comparison.seed)
        return PickedRun(result, outcome, run, value)

    def close(self) -> None:
        """End the processes; they are started again when they are needed."""
        with self._lock:
            processes, self._processes, self._data = self._processes, None, None
        if processes is not None:
            processes.close()

    def end(self) -> None:
        """End the processes for good."""
        self._ended = True
        self.close()

    def _for(self, data: Any) -> Any:
        """Return what has the data and makes releases of them: processes here, or the cluster in use."""
        from engine.comparison.processes import side_by_side

        if self._ended:
            raise Cancelled
        if self._data is not data or self._processes is None or self._runner is not runner():
            if self._processes is not None:
                self._processes.close()
            self._processes, self._data, self._runner = side_by_side(data), data, runner()
        return self._processes


def prepare_result(request: ComparisonRequest, comparison: Comparison) -> ComparisonResult:
    """Sort and count what the window will look at (in a worker); what was sorted before stays so."""
    from engine.comparison.verdict import verdict

    for outcome in comparison.outcomes:
        _ = outcome.ranked, outcome.mean, outcome.refused
    _ = comparison.complete, comparison.made, comparison.tried
    result = ComparisonResult(request, comparison)
    verdict(comparison.at(0))  # loads what all verdicts need
    return result


@dataclasses.dataclass(frozen=True, eq=False)
class _Counted:
    """What is to be compared, the last comparison, and how many values the sweep really has."""

    request: ComparisonRequest
    last: ComparisonResult | None
    values: int
    trials: int


def _count_trials(request: ComparisonRequest, last: ComparisonResult | None, _: Any = None) -> _Counted:
    sweep = request.sweep()
    return _Counted(request, last, len(sweep.values), size(request.contenders, sweep))


class ComparisonRunner(QObject):
    """Begins comparisons and searches, and ends them; lets the processes rest when the user is away."""

    failed = Signal(object)  # a job ended with an error
    refused = Signal(str)  # what the user asked for cannot be done; the words say why
    begun = Signal()  # a comparison begins

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
            self._counting.request(partial(_count_trials, request, last))
        else:
            self._on_counted(_count_trials(request, last))

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
        self.searching.request(partial(self.comparer.search, request))

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
