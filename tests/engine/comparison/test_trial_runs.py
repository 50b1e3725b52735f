"""What errors are measured from."""

import numpy as np
import pytest
from comparisons import ANSWERS, CLOUD, COLUMN, METHODS, PRIVACY

from engine import Lloyd
from engine.aggregation.blocks import Partition
from engine.comparison import Sweep, compare, contenders_from, trials
from engine.comparison.trial_runs import Samples
from engine.mechanisms import Clusters, ContingencyTable, KBalls, OneCluster, ShiftedHistogram, SmoothRelease
from engine.privacy import Privacy
from engine.progress import silent


@pytest.mark.parametrize(
    ("mechanism", "data"),
    [
        (SmoothRelease(), COLUMN),
        (Lloyd(k=2), CLOUD),
        (Clusters(k=2, sampling=Partition(blocks=20)), CLOUD),
        (KBalls(t=60, k=2, grid=64), CLOUD),
        (ShiftedHistogram(t=20), CLOUD),
        (ContingencyTable(), ANSWERS),
    ],
)
def test_errors_are_measured_from_the_true_value_that_a_release_keeps(mechanism, data):
    prepared = mechanism.prepare(data, Privacy(20.0, 1e-3))
    kept = prepared.diagnostics["true_value"]
    assert np.array_equal(prepared.true_value(), kept, equal_nan=True)


def test_the_truth_is_found_once_for_all_epsilons(monkeypatch):
    asked = []
    truth = OneCluster._truth

    def noted(self, data, progress=silent):
        asked.append(data.n)
        return truth(self, data, progress)

    monkeypatch.setattr(OneCluster, "_truth", noted)
    contender = contenders_from([OneCluster(t=60, grid=64)])
    compare(contender, CLOUD, PRIVACY, Sweep("epsilon", (5.0, 10.0, 20.0)), runs=3, seed=1)
    assert asked == [400]
    compare(contender, CLOUD, Privacy(20.0, 1e-3), Sweep("n", (200.0, 300.0)), runs=3, seed=1)
    assert asked == [400, 200, 300]


def test_errors_are_measured_from_the_records_at_hand():
    """Processes keep what they know: another sweep with the same seed has other records at the same place."""
    samples, (method, *_) = Samples(COLUMN, seed=1), METHODS
    for n in (7.0, 200.0):
        (trial,) = trials([method], Sweep("n", (n,)), PRIVACY, COLUMN.n)
        here = samples.at(trial)
        prepared = trial.mechanism.prepare(here, PRIVACY)
        assert samples.truth(trial, prepared) == trial.mechanism.query.value(here)
