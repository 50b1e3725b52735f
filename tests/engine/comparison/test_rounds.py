"""Trials in turn: the whole sweep is seen early, and only now and then."""

import time

import numpy as np
from comparisons import COLUMN, METHODS, ONE, PRIVACY

from engine.comparison import Sweep, compare, contenders_from, schedule, trial_runs, trials
from engine.comparison.schedule import Rounds, in_turn
from engine.mechanisms import (
    LaplaceRelease,
)
from engine.progress import silent


class Slow(LaplaceRelease):
    """Takes longer to look at the data than for any number of draws."""

    def prepare(self, data, privacy, progress=silent):
        time.sleep(0.02)
        return super().prepare(data, privacy, progress)


def test_the_whole_sweep_is_seen_early(monkeypatch):
    """A tenth of the runs of all trials first; what takes long to prepare is drawn from for as long."""
    seen, sweep = [], Sweep("epsilon", (1.0, 2.0))
    monkeypatch.setattr(trial_runs, "DRAWING_TIME_RATIO", 0.0)
    rounds = Rounds(trials(METHODS[:3], sweep, PRIVACY, COLUMN.n), 6, [2000] * 3, 12_000, 1, seen.append)
    in_turn(COLUMN, rounds, silent)
    firsts = [outcome for outcome in seen if outcome.runs == 200]
    lasts = [outcome for outcome in seen if outcome.complete]
    assert len(firsts) == len(lasts) == 6
    assert seen.index(firsts[-1]) < seen.index(lasts[0])
    whole = compare(METHODS[:3], COLUMN, PRIVACY, sweep, runs=2000, seed=1)
    for last, outcome in zip(lasts, whole.outcomes, strict=True):
        assert np.array_equal(last.errors, outcome.errors)
    monkeypatch.undo()
    seen.clear()
    monkeypatch.setattr(schedule, "RESULT_SECONDS", 0.0)
    slow = trials(contenders_from([Slow(), LaplaceRelease()]), Sweep("epsilon", (1.0,)), PRIVACY, COLUMN.n)
    in_turn(COLUMN, Rounds(slow, 2, [400] * 2, 800, 1, seen.append), silent)
    assert [outcome.runs for outcome in seen[:4]] == [100, 200, 300, 400]


def test_many_runs_are_handed_on_now_and_then_only(monkeypatch):
    """Handing on joins all runs so far: after each of 10,000 batches that would take a minute."""
    monkeypatch.setattr(schedule, "RESULT_SECONDS", 1e9)
    monkeypatch.setattr(trial_runs, "DRAWING_TIME_RATIO", 0.0)
    seen, runs = [], 20_000
    planned = trials(contenders_from([LaplaceRelease()]), ONE, PRIVACY, COLUMN.n)
    in_turn(COLUMN, Rounds(planned, 1, [runs], runs, 1, seen.append), silent)
    assert [outcome.runs for outcome in seen] == [1000, runs]
