"""Comparisons in a worker, and in the processes that it keeps for the same data."""

from __future__ import annotations

import dataclasses
import threading
from collections.abc import Callable
from functools import partial
from typing import Any

from app.jobs.tasks import JobTask
from app.model.kinds.databases import DatabaseCache
from app.pages.compare.needed_epsilon import NeededResult
from app.pages.compare.request import ComparisonRequest
from engine.comparison import Comparison, NeededEpsilons, Outcome
from engine.progress import Cancelled, Progress
from engine.runners import Runner, runner


class StopEarly:
    """Ends a comparison so that what there is by then is still told; cancelling its job tells nothing."""

    def __init__(self) -> None:
        self._asked = threading.Event()

    def ask(self) -> None:
        """Stop at the next report."""
        self._asked.set()

    def within(self, task: JobTask) -> Progress:
        """Return the progress of a job that ends when it was asked for."""

        def report(fraction: float, message: str = "") -> None:
            if self._asked.is_set():
                raise Cancelled
            task(fraction, message)

        return report


@dataclasses.dataclass(frozen=True, eq=False)
class ComparisonResult:
    """A comparison, and what it is the answer to."""

    request: ComparisonRequest
    comparison: Comparison

    def answers(self, request: ComparisonRequest) -> bool:
        """Tell whether it is all of what a comparison of `request` would find."""
        return self.comparison.complete and self.request.same(request)


@dataclasses.dataclass(frozen=True, eq=False)
class PickedRun:
    """One run, as it would be released (private together with its error).

    Attributes
    ----------
    found : ComparisonResult
    outcome : Outcome
    run : int
    value : object
        What the run would have released.
    """

    found: ComparisonResult
    outcome: Outcome
    run: int
    value: Any


class ComparisonAnalysis:
    """Compares; keeps worker processes warm while the data stay the same."""

    def __init__(self, databases: DatabaseCache) -> None:
        self._databases = databases
        self._lock = threading.Lock()
        self._stop: StopEarly | None = None
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
        if self._stop is not None:
            self._stop.ask()

    def comparison(self, request: ComparisonRequest) -> Callable[[JobTask], ComparisonResult]:
        """Return the work of a comparison, which can be stopped before it has begun."""
        self._stop = StopEarly()
        return partial(self._compare, request, self._stop)

    def _compare(self, request: ComparisonRequest, stop: StopEarly, task: JobTask) -> ComparisonResult:
        """Compare, publishing what there is a few times a second (in a worker)."""
        from engine.comparison.comparing import compare

        data = self._databases.get(request.source)

        def publish(comparison: Comparison) -> None:
            if not task.cancelled:
                task.publish(prepared(request, comparison))

        with self._lock:
            return prepared(
                request,
                compare(
                    request.contenders,
                    data,
                    request.privacy,
                    request.sweep(),
                    runs=request.runs,
                    seed=request.choice.seed,
                    processes=self._for(data),
                    progress=stop.within(task),
                    publish=publish,
                ),
            )

    def search(self, request: ComparisonRequest) -> Callable[[JobTask], NeededResult]:
        """Return the work of finding the epsilon that each contender needs."""
        return partial(self._search, request)

    def _search(self, request: ComparisonRequest, task: JobTask) -> NeededResult:
        """Search side by side, publishing each answer with those before it (in a worker)."""
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


def prepared(request: ComparisonRequest, comparison: Comparison) -> ComparisonResult:
    """Sort and count what the window will look at (in a worker); what was sorted before stays so."""
    from engine.comparison.verdict import verdict

    for outcome in comparison.outcomes:
        _ = outcome.ranked, outcome.mean, outcome.refused
    _ = comparison.complete, comparison.made, comparison.tried
    result = ComparisonResult(request, comparison)
    verdict(comparison.at(0))  # loads what all verdicts need
    return result
