"""Comparisons and searches for epsilon in a worker, with reusable processes; long ones are confirmed."""

from __future__ import annotations

import dataclasses
import threading
from collections import defaultdict
from collections.abc import Callable
from functools import partial
from typing import Any

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from app.jobs.channels import Jobs
from app.jobs.tasks import JobTask
from app.model.kept_data import DatabaseCache
from app.model.wording.numbers import format_approx, format_count, grouped, short
from app.pages.compare.needed_epsilon import NeededResult
from app.pages.compare.request import ComparisonRequest, ComparisonResult, times_tried
from app.plots.compare.view import ComparisonView
from app.widgets.asking import AskDialog
from app.widgets.card import caption
from app.widgets.deferred import deferred_call
from engine.comparison import Comparison, NeededEpsilons, Outcome
from engine.comparison.processes import processors
from engine.comparison.sweeps import MAX_TRIALS
from engine.mechanisms.base import Mechanism
from engine.progress import Cancelled
from engine.runners import Runner, runner

LONG = 10.0
"""Longer durations, in seconds, are shown in advance."""

MINUTE, HOUR, DAY = 60, 3600, 86_400


def asking_words(request: ComparisonRequest, values: int, seconds: float | None) -> str:
    """Return size and estimated duration as text."""
    many = len(request.contenders)
    fewer = " (slow ones fewer)" if request.fewer else ""
    much = (
        f"{format_count(many)} mechanisms at {format_count(values)} values, "
        f"{format_count(request.runs)} runs each{fewer}: "
        f"{format_count(values * sum(request.each))} simulated releases."
    )
    long = "A small comparison first would show how long this takes."
    if seconds is not None:
        long = f"Judging by the last comparison, this takes about {duration_words(seconds)}."
    return f"{much} {long} You can cancel at any time and keep the results so far."


def expected_seconds(
    request: ComparisonRequest, last: Comparison | None, values: int | None = None
) -> float | None:
    """Return the estimated seconds of a comparison, from the last one; None if not known.

    `values` is the number of values if it is smaller than the requested one. New mechanisms use the catalog's
    estimate for data of this size.
    """
    known = defaultdict[Mechanism[Any], list[Outcome]](list)
    if last is not None:
        for outcome in last.outcomes:
            if outcome.runs:
                known[last.contenders[outcome.trial.contender].mechanism].append(outcome)
    source, alone = request.source, 0.0
    for mechanism, runs in zip(request.mechanisms, request.each, strict=True):
        tried = known[mechanism]
        preparing = sum(one.preparing for one in tried) / max(1, len(tried))
        drawing = sum(one.drawing for one in tried) / max(1, sum(one.runs for one in tried))
        each = drawing or mechanism.resources(source.domain, source.n).seconds
        alone += times_tried(mechanism, request.choice, values) * (preparing + runs * each)
    return alone / processors() if alone else None


def long_words(seconds: float | None) -> str:
    """Return the estimated duration as text; "" if it is short."""
    return "" if seconds is None or seconds <= LONG else f"takes about {duration_words(seconds)}"


def duration_words(seconds: float) -> str:
    """Return a rounded duration in a fitting unit as text.

    >>> duration_words(0.2), duration_words(200), duration_words(9000)
    ('a second', '3 minutes', '2.5 hours')
    """
    if seconds < 1.5:
        return "a second"
    if seconds < 2 * MINUTE:
        return f"{format_approx(round(seconds))} seconds"
    if seconds < 2 * HOUR:
        return f"{format_approx(round(seconds / MINUTE))} minutes"
    if seconds < 2 * DAY:
        return f"{short(seconds / HOUR, 2)} hours"
    return f"{format_approx(round(seconds / DAY))} days"


def expected_words(request: ComparisonRequest | None, last: ComparisonResult | None) -> str:
    """Return the size of a comparison as text, and how long it takes if that is long."""
    if request is None:
        return ""
    planned = zip(request.mechanisms, request.each, request.problems, strict=True)
    releases = sum(runs * times_tried(one, request.choice) for one, runs, problem in planned if not problem)
    long = long_words(expected_seconds(request, None if last is None else last.comparison))
    return f"{grouped(releases)} simulated releases with the same seeds · {long or 'no budget is used'}"


MAX_RUNS = 2_000_000
"""The most simulated releases without confirmation."""

AWAY_MS = 120_000
"""How long worker processes stay alive after the user has left the page."""


@dataclasses.dataclass(frozen=True, eq=False)
class PickedRun:
    """One run with its simulated value (private together with its error)."""

    comparison: ComparisonResult
    outcome: Outcome
    run: int
    value: Any  # its simulated value


class ComparisonAnalysis:
    """Compares; keeps worker processes alive while the data stay the same."""

    def __init__(self, databases: DatabaseCache) -> None:
        self._databases = databases
        self._lock = threading.Lock()
        self._stop = threading.Event()  # ends a running comparison, which then returns partial results
        self._processes: Any = None
        self._data: Any = None
        self._runner: Runner | None = None
        self._ended = False

    @property
    def warm(self) -> bool:
        """Whether processes are alive."""
        return self._processes is not None

    def stop(self) -> None:
        """End the running comparison with partial results."""
        self._stop.set()

    def comparison(self, request: ComparisonRequest) -> Callable[[JobTask], ComparisonResult]:
        """Return the work of a comparison, which can be stopped before it starts."""
        self._stop = threading.Event()
        return partial(self._compare, request, self._stop)

    def _compare(self, request: ComparisonRequest, stop: threading.Event, task: JobTask) -> ComparisonResult:
        """Compare, and publish partial results a few times a second (in a worker)."""
        from engine.comparison.comparing import compare

        data = self._databases.get(request.source)

        def progress(fraction: float, message: str = "") -> None:
            if stop.is_set():  # cancelling the job would lose the results
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
                    runs=request.each,
                    seed=request.choice.seed,
                    processes=self._for(data),
                    progress=progress,
                    publish=publish,
                ),
            )

    def search(self, request: ComparisonRequest, task: JobTask) -> NeededResult:
        """Search the epsilon that each mechanism needs; publish the answers so far (in a worker)."""
        from engine.comparison.needed import needed_epsilons

        choice = request.choice
        assert request.within is not None
        data = self._databases.get(request.source)

        def publish(result: NeededEpsilons) -> None:
            if not task.cancelled:
                task.publish(NeededResult(request, result))

        with self._lock:
            answers = needed_epsilons(
                request.contenders,
                data,
                request.privacy.delta,
                within=request.within,
                share=choice.share,
                runs=request.each,
                seed=choice.seed,
                processes=self._for(data),
                progress=task,
                publish=publish,
            )
        return NeededResult(request, answers)

    def pick(self, result: ComparisonResult, index: int, run: int, task: JobTask) -> PickedRun:
        """Repeat one run of a comparison (in a worker)."""
        from engine.comparison.trial_runs import replay

        outcome = result.comparison.outcomes[index]
        data = self._databases.get(result.request.source)
        task(0.1, "repeating the run")
        value = replay(outcome.trial, data, run, seed=result.comparison.seed)
        return PickedRun(result, outcome, run, value)

    def close(self) -> None:
        """End the processes; the next comparison starts them again."""
        with self._lock:
            processes, self._processes, self._data = self._processes, None, None
        if processes is not None:
            processes.close()

    def end(self) -> None:
        """End the processes permanently."""
        self._ended = True
        self.close()

    def _for(self, data: Any) -> Any:
        """Return the workers that have the data: local processes, or the cluster in use."""
        from engine.comparison.processes import side_by_side

        if self._ended:
            raise Cancelled
        if self._data is not data or self._processes is None or self._runner is not runner():
            if self._processes is not None:
                self._processes.close()
            self._processes, self._data, self._runner = side_by_side(data), data, runner()
        return self._processes


def prepare_result(request: ComparisonRequest, comparison: Comparison) -> ComparisonResult:
    """Sort and count the visible results (in a worker); reuse sorted ones."""
    for outcome in comparison.outcomes:
        _ = outcome.ranked, outcome.mean, outcome.refused
    _ = comparison.complete, comparison.made, comparison.tried
    for position in ComparisonView(comparison).places:
        comparison.verdict(position)
    return ComparisonResult(request, comparison)


class ComparisonRunner(QObject):
    """Starts and ends comparisons and searches, and ends idle processes."""

    failed = Signal(object)  # a job failed
    begun = Signal()  # a comparison starts

    def __init__(self, jobs: Jobs, databases: DatabaseCache, parent: QWidget) -> None:
        super().__init__(parent)
        self._window = parent.window
        self.dialog: AskDialog | None = None
        self.comparer = ComparisonAnalysis(databases)
        self.work = jobs.channel("comparison", failed=self.failed)
        self.searching = jobs.channel("needed epsilon", failed=self.failed)
        self._ended = False
        self._chores = jobs.channel("processes of compare")
        self.away = deferred_call(self, self.rest, AWAY_MS)

    @property
    def busy(self) -> bool:
        """Whether a comparison or a search is running."""
        return self.work.busy or self.searching.busy

    def compare(self, request: ComparisonRequest, last: ComparisonResult | None) -> None:
        """Compare; confirm a large comparison first."""
        self.close_dialog()
        values = len(request.sweep().values)
        trials = len(request.contenders) * values
        if trials > MAX_TRIALS or values * sum(request.each) > MAX_RUNS:
            seconds = expected_seconds(request, None if last is None else last.comparison, values)
            heading = f"{format_count(trials)} trials"
            self.dialog = AskDialog("Start a long comparison?", heading, "Co&mpare", self._window())
            self.dialog.card.put(caption(asking_words(request, values, seconds)))
            self.dialog.accepted.connect(lambda: self.begin(request))
            self.dialog.finished.connect(self._on_answered)
            self.dialog.open()
        else:
            self.begin(request)

    def begin(self, request: ComparisonRequest) -> None:
        """Compare without confirmation."""
        self.begun.emit()
        self.work.request(self.comparer.comparison(request))

    def search(self, request: ComparisonRequest) -> None:
        """Search the epsilon that each mechanism needs."""
        self.searching.request(partial(self.comparer.search, request))

    def stop(self) -> None:
        """Stop, and keep the results so far."""
        self.comparer.stop()
        self.searching.cancel()

    def close_dialog(self) -> None:
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
        """End the processes in a worker, since this may take a moment."""
        if self.comparer.warm:
            self._chores.request(self._close_processes)

    def end(self) -> None:
        """End all processes when the window closes."""
        self._ended = True
        self.away.stop()
        self.comparer.end()

    def _on_answered(self, _: int) -> None:
        self.dialog = None

    def _close_processes(self, _: Any) -> None:
        self.comparer.close()
