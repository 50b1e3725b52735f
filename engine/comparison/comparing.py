"""All contenders at all values of a sweep."""

from __future__ import annotations

import contextlib
import dataclasses
import time
from collections.abc import Callable, Sequence
from typing import Any

from engine.comparison.agenda import in_turn
from engine.comparison.contenders import same_task
from engine.comparison.processes import Processes
from engine.comparison.results import Comparison, Contender, Outcome, Sweep, Trial
from engine.comparison.rounds import Rounds
from engine.comparison.sweeps import varied
from engine.comparison.trying import check_seed
from engine.data.subsample import check_divisible
from engine.errors import ParameterError
from engine.privacy import Privacy
from engine.progress import Cancelled, Progress, silent
from engine.simulation import check_runs

OFTEN = 0.25
"""Seconds between two comparisons that are published before the whole is done."""

Publish = Callable[[Comparison], None]


def to_nobody(comparison: Comparison) -> None:
    """Publish nothing."""


def trials(contenders: Sequence[Contender], sweep: Sweep, privacy: Privacy, n: int) -> tuple[Trial, ...]:
    """Return what is to be tried: at each value of the sweep, each contender.

    Where the values change nothing about a contender (epsilon nothing about one that is not private,
    a parameter nothing about one that has none of this name), all its trials are `shared`.

    Raises
    ------
    ParameterError
        If the contenders answer different questions, or a value of the sweep is not possible.
    """
    same_task([contender.mechanism for contender in contenders])
    if not sweep.values:
        raise ParameterError("sweep", f"there is no value of {sweep.name}; give at least one")
    along = [
        [_trial(number, contender, place, sweep, privacy, n) for place in range(len(sweep.values))]
        for number, contender in enumerate(contenders)
    ]
    shared = [_change_nothing(sweep, each) for each in along]
    return tuple(
        dataclasses.replace(trial, shared=alike)
        for at_one_value in zip(*along, strict=True)
        for trial, alike in zip(at_one_value, shared, strict=True)
    )


def _change_nothing(sweep: Sweep, along: Sequence[Trial]) -> bool:
    """Tell whether all trials of a contender are one and the same."""
    if sweep.name == "n" or len(along) == 1:
        return False
    if sweep.name == "epsilon":
        return not along[0].mechanism.is_private
    return len({trial.mechanism for trial in along}) == 1


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

    A few runs of all trials are made first, then the others.  Trials that are `shared` are made once.

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
        the sweep; in a sweep of n they are all given the same records, and errors are measured
        from what is true of these.
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
    board = _Board(Comparison(contenders, sweep, (), runs, seed), planned, publish)
    rounds = Rounds([trial for trial in planned if trial.place == trial.origin], runs, seed, board.put)
    with contextlib.suppress(Cancelled):
        if processes is None:
            in_turn(data, rounds, progress)
        else:
            processes.run(rounds, progress)
    return board.published()


class _Board:
    """Collects outcomes as they come, and publishes them now and then."""

    def __init__(self, empty: Comparison, planned: Sequence[Trial], publish: Publish) -> None:
        self._empty = empty
        self._planned = planned
        self._publish = publish
        self._found: dict[tuple[int, int], Outcome] = {}
        self._last = time.monotonic()

    def put(self, outcome: Outcome) -> None:
        """Take an outcome, in place of what was known of its trial before, and of those that share it."""
        made = outcome.trial
        for trial in self._planned:
            if (trial.contender, trial.origin) == (made.contender, made.origin):
                self._found[trial.place, trial.contender] = dataclasses.replace(outcome, trial=trial)
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
