"""A single run of a comparison once more."""

import dataclasses

import numpy as np
import pytest
from comparisons import ANSWERS, CLOUD, COLUMN, METHODS, ONE, PRIVACY

from engine import Lloyd
from engine.aggregation.blocks import Partition
from engine.comparison import Sweep, compare, contenders_from, replay, trials
from engine.comparison.trial_runs import seed_at
from engine.data.database import draw_subsample
from engine.errors import ParameterError
from engine.mechanisms import (
    Clusters,
    ContingencyTable,
    ExponentialRelease,
    KBalls,
    ShiftedHistogram,
    SmoothRelease,
)
from engine.privacy import Privacy


def balls(value):
    return np.concatenate([[*ball["center"], ball["radius"]] for ball in value])


@pytest.mark.parametrize(
    ("mechanism", "data", "numbers"),
    [
        (SmoothRelease(), COLUMN, np.float64),
        (ExponentialRelease(), COLUMN, np.float64),
        (Lloyd(k=2), CLOUD, np.ravel),
        (Clusters(k=1, sampling=Partition(blocks=20)), CLOUD, np.ravel),
        (KBalls(t=60, k=2, grid=64), CLOUD, balls),
        (ContingencyTable(), ANSWERS, lambda value: np.array([cell["count"] for cell in value["cells"]])),
    ],
)
def test_a_run_once_more_is_as_far_off_as_its_error_says(mechanism, data, numbers):
    """Also where records are drawn, and after the first batch."""
    sweep, privacy = Sweep("n", (120.0, 150.0)), Privacy(20.0, 1e-3)
    outcome = compare(contenders_from([mechanism]), data, privacy, sweep, runs=105, seed=2).outcomes[1]
    assert outcome.problem == ""
    some = draw_subsample(data, 150, seed_at(2, 1))
    true = mechanism.prepare(some, privacy).diagnostics["true_value"]
    for run in (0, 7, 104):
        row = numbers(replay(outcome.trial, data, run, seed=2))[None]
        assert mechanism.output.errors(row, true, data.domain)[0] == pytest.approx(
            outcome.errors[run], rel=1e-9
        )


def test_a_number_once_more_is_as_far_off_as_its_error_says():
    found = compare(METHODS, COLUMN, PRIVACY, ONE, runs=250, seed=8)
    true = SmoothRelease().query.value(COLUMN)
    for outcome in found.outcomes[:4]:
        for run in (0, 99, 100, 249):
            assert abs(replay(outcome.trial, COLUMN, run, seed=8) - true) == outcome.errors[run]


def test_a_histogram_once_more_is_the_histogram_whose_answers_were_judged():
    contender = contenders_from([ShiftedHistogram(t=20)])
    outcome = compare(contender, CLOUD, PRIVACY, ONE, runs=3, seed=1).outcomes[0]
    counts = [
        sum(cell["count"] for cell in replay(outcome.trial, CLOUD, run, seed=1)["cells"]) for run in range(3)
    ]
    assert counts == [400, 400, 400]
    shapes = {str(replay(outcome.trial, CLOUD, run, seed=1)) for run in range(3)}
    assert len(shapes) == 3


def test_a_run_before_the_first_is_refused():
    trial = dataclasses.replace(trials(METHODS, ONE, PRIVACY, COLUMN.n)[0])
    with pytest.raises(ParameterError, match="run"):
        replay(trial, COLUMN, -1, seed=1)
