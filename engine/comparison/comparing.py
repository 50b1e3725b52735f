"""All contenders at all values of a sweep."""

from __future__ import annotations

import contextlib
import dataclasses
import functools
import time
from collections.abc import Callable, Sequence
from typing import Any

from engine.comparison.contenders import same_task
from engine.comparison.processes import Processes
from engine.comparison.results import Comparison, Contender, Outcome, Sweep, Trial
from engine.comparison.sweeps import varied
from engine.comparison.trying import Samples, check_seed, outcomes
from engine.data.subsample import check_divisible
from engine.errors import ParameterError
from engine.privacy import Privacy
from engine.progress import Cancelled, Progress, part, silent
from engine.simulation import check_runs

OFTEN = 0.25
"""Seconds between two comparisons that are published before the whole is done."""

Publish = Callable[[Comparison], None]


def to_nobody(comparison: Comparison) -> None:
    """Publish nothing."""


def trials(contenders: Sequence[Contender], sweep: Sweep, privacy: Privacy, n: int) -> tuple[Trial, ...]:
    """Return what is to be tried: at each value of the sweep, each contender.

    Raises
    ------
    ParameterError
        If the contenders answer different questions, or a value of the sweep is not possible.
    """
    same_task([contender.mechanism for contender in contenders])
    if not sweep.values:
        raise ParameterError("sweep", f"there is no value of {sweep.name}; give at least one")
    return tuple(
        _trial(number, contender, place, sweep, privacy, n)
        for place in range(len(sweep.values))
        for number, contender in enumerate(contenders)
    )


def _trial(number: int, contender: Contender, place: int, sweep: Sweep, privacy: Privacy, n: int) -> Trial:
    value, mechanism = sweep.values[place], contender.mechanism
    if sweep.name == "epsilon":
        privacy = dataclasses.replace(privacy, epsilon=value)
    elif sweep.name == "n":
        if not 1 <= value <= n:
            raise ParameterError(
                "sweep", f"{value:,g} records cannot be drawn of {n:,}; choose n between 1 and {n:,}"
            )
        n = int(value)
    else:
        mechanism = varied(mechanism, sweep.name, value)
    return Trial(number, place, value, mechanism, privacy, n)


def compare(
    contenders: Sequence[Contender],
    data: Any,
    privacy: Privacy,
    sweep: Sweep,
    runs: int,
    seed: int,
    *,
    processes: Processes | None = None,
    progress: Progress = silent,
    publish: Publish = to_nobody,
) -> Comparison:
    """Simulate many releases of each contender at each value of a sweep.

    Parameters
    ----------
    contenders : sequence of Contender
    data : Sample, Points, Categories or a graph
    privacy : Privacy
        What is asked for; a sweep of epsilon replaces its epsilon.
    sweep : Sweep
    runs : int
        Simulated releases of each contender at each value.
    seed : int
        At least 0.  All contenders draw from the same seeds, which depend on the value's place in
        the sweep; in a sweep of n they are all given the same records.
    processes : Processes, optional
        Make the trials, on the same data; without them this thread does.
    progress : Progress
        When it raises `Cancelled`, what there is by then is returned.
    publish : callable
        Is given the comparison so far, a few times a second.

    Returns
    -------
    Comparison
        `Comparison.complete` tells whether it was cancelled.

    Raises
    ------
    ParameterError
        If the contenders answer different questions, a value of the sweep is not possible, or
        `runs` or `seed` is.
    DataError
        If records are to be drawn from data of which none can be, such as a graph.
    ExecutionError
        If a process breaks down.
    """
    contenders = tuple(contenders)
    check_runs(runs)
    check_seed(seed)
    planned = trials(contenders, sweep, privacy, data.n)
    if sweep.name == "n":
        check_divisible(data)
    board = _Board(Comparison(contenders, sweep, (), runs, seed), publish)
    run = functools.partial(in_turn, data) if processes is None else processes.run
    with contextlib.suppress(Cancelled):
        run(planned, runs, seed, board.put, progress)
    return board.published()


def in_turn(
    data: Any,
    planned: Sequence[Trial],
    runs: int,
    seed: int,
    put: Callable[[Outcome], None],
    progress: Progress,
) -> None:
    """Make one trial after the other, in this thread."""
    samples = Samples(data, seed)
    for number, trial in enumerate(planned):
        here = part(progress, number / len(planned), (number + 1) / len(planned))
        here(0.0, "simulated releases")
        for so_far in outcomes(trial, samples, runs, here):
            put(so_far)


class _Board:
    """Collects outcomes as they come, and publishes them now and then."""

    def __init__(self, empty: Comparison, publish: Publish) -> None:
        self._empty = empty
        self._publish = publish
        self._found: dict[tuple[int, int], Outcome] = {}
        self._last = time.monotonic()

    def put(self, outcome: Outcome) -> None:
        """Take an outcome, in place of what was known of its trial before."""
        self._found[outcome.trial.place, outcome.trial.contender] = outcome
        if time.monotonic() - self._last >= OFTEN:
            self._publish(self.so_far())
            self._last = time.monotonic()

    def so_far(self) -> Comparison:
        """Return what there is."""
        return dataclasses.replace(
            self._empty, outcomes=tuple(self._found[key] for key in sorted(self._found))
        )

    def published(self) -> Comparison:
        """Publish all, and return it."""
        comparison = self.so_far()
        self._publish(comparison)
        return comparison
