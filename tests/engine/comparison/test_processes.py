"""Trials in processes of their own: the same numbers, cancelled soon, broken down in words."""

import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from sleeper import Sleeper

from engine.aggregation.blocks import IndependentSubsets
from engine.comparison import Processes, Sweep, alternatives, compare, contenders_from, replay
from engine.data.graph import WeightedGraph
from engine.data.order_statistics import Sample
from engine.data.points import Points
from engine.domain import Box, Interval
from engine.errors import ExecutionError, ParameterError
from engine.mechanisms import LaplaceRelease, SampleAggregate, SmoothRelease
from engine.privacy import Privacy
from engine.progress import Cancelled
from engine.queries import MstCost

PRIVACY = Privacy(1.0, 1e-6)
ONE = Sweep("epsilon", (1.0,))
COLUMN = Sample(np.random.default_rng(5).normal(50, 10, 301), Interval(0, 100))
METHODS = contenders_from(alternatives(SmoothRelease(), PRIVACY, COLUMN.domain, COLUMN.n))


@pytest.fixture(scope="module")
def processes():
    with Processes(COLUMN, workers=2) as kept:
        yield kept


class Impatient:
    """Raises `Cancelled` so many seconds after the first trial has begun, and notes when."""

    def __init__(self, seconds):
        self.seconds = seconds
        self.until = np.inf
        self.raised = np.nan

    def __call__(self, fraction, message=""):
        if fraction > 0:
            self.until = min(self.until, time.monotonic() + self.seconds)
        if time.monotonic() > self.until:
            self.raised = time.monotonic()
            raise Cancelled


@pytest.mark.parametrize("sweep", [Sweep("epsilon", (0.5, 1.0, 2.0)), Sweep("n", (51.0, 301.0))])
def test_the_numbers_are_those_of_one_thread(processes, sweep):
    fractions = []
    apart = compare(
        METHODS,
        COLUMN,
        PRIVACY,
        sweep,
        runs=250,
        seed=1,
        processes=processes,
        progress=lambda fraction, _: fractions.append(fraction),
    )
    alone = compare(METHODS, COLUMN, PRIVACY, sweep, runs=250, seed=1)
    assert apart.complete
    assert [outcome.trial for outcome in apart.outcomes] == [outcome.trial for outcome in alone.outcomes]
    for one, other in zip(apart.outcomes, alone.outcomes, strict=True):
        assert np.array_equal(one.errors, other.errors, equal_nan=True)
    assert fractions[-1] == 1
    assert fractions == sorted(fractions)


def test_what_there_is_at_a_cancel_is_kept_and_the_processes_go_on(processes):
    few, published, impatient = METHODS[:3], [], Impatient(0.6)
    stopped = compare(
        few,
        COLUMN,
        PRIVACY,
        ONE,
        runs=10**8,
        seed=1,
        processes=processes,
        progress=impatient,
        publish=published.append,
    )
    assert time.monotonic() - impatient.raised < 600  # all of it would take a day
    assert not stopped.complete
    assert len(stopped.outcomes) == len(few)  # a little of each, then more of two
    assert all(1000 <= outcome.runs < 10**8 for outcome in stopped.outcomes)
    assert len(published) >= 2
    made = [sum(outcome.runs for outcome in found.outcomes) for found in (*published, stopped)]
    assert made == sorted(made)
    assert compare(METHODS, COLUMN, PRIVACY, ONE, runs=20, seed=1, processes=processes).complete


@pytest.mark.slow
def test_a_process_that_does_not_listen_is_ended(processes):
    contenders = contenders_from([LaplaceRelease(), Sleeper()])
    impatient = Impatient(0.2)
    stopped = compare(
        contenders, COLUMN, PRIVACY, ONE, runs=20, seed=1, processes=processes, progress=impatient
    )
    assert time.monotonic() - impatient.raised < 20  # it would sleep for 30 s
    assert [outcome.trial.contender for outcome in stopped.outcomes] == [0]
    assert compare(METHODS, COLUMN, PRIVACY, ONE, runs=20, seed=1, processes=processes).complete


def test_problems_cross_over(processes):
    found = compare(METHODS, COLUMN, Privacy(1.0), ONE, runs=5, seed=1, processes=processes)
    problems = [trial.mechanism.name for trial in (one.trial for one in found.outcomes if one.problem)]
    assert problems == ["gaussian", "propose-test-release"]


def test_a_process_that_is_killed_is_told_in_words(processes):
    def kill(fraction, message=""):
        for worker in processes._workers:
            worker._process.kill()

    with pytest.raises(ExecutionError, match="ended unexpectedly"):
        compare(METHODS, COLUMN, PRIVACY, ONE, runs=10**8, seed=1, processes=processes, progress=kill)


@pytest.mark.slow
def test_blocks_drawn_with_coins_are_the_same_in_every_process():
    cloud = Points(np.random.default_rng(1).random((300, 1)), Box.of([0], [1]))
    contender = contenders_from([SampleAggregate(sampling=IndependentSubsets(blocks=30))])
    privacy = Privacy(1.0, 1e-4)
    with Processes(cloud, workers=1) as processes:
        apart = compare(contender, cloud, privacy, ONE, runs=10, seed=1, processes=processes).outcomes[0]
    alone = compare(contender, cloud, privacy, ONE, runs=10, seed=1).outcomes[0]
    assert alone.problem == ""
    assert np.array_equal(apart.errors, alone.errors)
    assert replay(apart.trial, cloud, 3, seed=1) == replay(alone.trial, cloud, 3, seed=1)


@pytest.mark.slow
def test_graphs_cross_over_with_what_is_known_of_them():
    graph = WeightedGraph([(0, 1), (1, 2), (0, 2), (2, 3)], [1.0, 2.0, 3.0, 1.0], Interval(0, 5))
    contenders = contenders_from([SmoothRelease(query=MstCost()), LaplaceRelease(query=MstCost())])
    alone = compare(contenders, graph, PRIVACY, ONE, runs=10, seed=1)
    with Processes(graph, workers=1) as processes:
        apart = compare(contenders, graph, PRIVACY, ONE, runs=10, seed=1, processes=processes)
    for one, other in zip(apart.outcomes, alone.outcomes, strict=True):
        assert np.array_equal(one.errors, other.errors)


def test_no_workers_are_refused():
    with pytest.raises(ParameterError, match="workers"):
        Processes(COLUMN, workers=0)


@pytest.mark.slow
def test_a_script_without_a_guard_is_told_what_it_lacks(tmp_path):
    script = tmp_path / "script.py"
    script.write_text(
        "from engine.comparison import *\n"
        "from engine.data.order_statistics import Sample\n"
        "from engine.domain import Interval\n"
        "from engine.mechanisms import LaplaceRelease\n"
        "from engine.privacy import Privacy\n"
        "data = Sample([1.0, 2.0], Interval(0, 3))\n"
        "with Processes(data, workers=1) as processes:\n"
        "    compare(contenders_from([LaplaceRelease()]), data, Privacy(1.0), Sweep('epsilon', (1.0,)),\n"
        "            runs=5, seed=1, processes=processes)\n",
        "utf-8",
    )
    root = Path(__file__).resolve().parents[3]
    done = subprocess.run(
        [sys.executable, str(script)],
        capture_output=True,
        text=True,
        env={"PYTHONPATH": str(root)},
        timeout=600,
    )
    assert done.returncode == 1
    assert "if __name__ == '__main__'" in done.stderr.splitlines()[-1]
