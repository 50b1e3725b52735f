"""What pictures of mechanisms on points share: nothing is worked out twice, and nothing is mixed up."""

import dataclasses
import functools
from collections import Counter

import numpy as np
import pytest
from blobs import blobs

from engine import Lloyd
from engine.aggregation.blocks import Partition
from engine.analysis.cluster_scenes import data_scene, outputs_scene, release_scene
from engine.analysis.points_errors import compare_errors, estimate_points_error
from engine.analysis.preparing import prepare
from engine.analysis.shared.point_steps import simulated_values, true_value
from engine.errors import ParameterError
from engine.extras.sandbox.black_box import BlackBox
from engine.mechanisms import (
    BlockMechanism,
    Clusters,
    KBalls,
    Mixture,
    OneCluster,
    SampleAggregate,
    ScreenedMean,
)
from engine.mechanisms.aggregators import Average, CenterOfAttention
from engine.noise import StudentT
from engine.privacy import Privacy
from engine.randomness import reproducible
from engine.simulation import simulate

PRIVACY = Privacy(1.0, 1e-6)
MECHANISM = Clusters(sampling=Partition(blocks=40))


@pytest.fixture
def data():
    return blobs(2000)


@pytest.fixture
def counted(monkeypatch):
    """Count how often blocks are run."""
    found = Counter()
    before = BlockMechanism._block_outputs

    def counting(self, data, *rest):
        found[self.function, self.sampling, self.pattern] += 1
        return before(self, data, *rest)

    monkeypatch.setattr(BlockMechanism, "_block_outputs", counting)
    return found


def test_blocks_run_once_whatever_the_budget_the_picture_and_the_aggregator(data, counted):
    for aggregator, privacy in (
        (CenterOfAttention(), Privacy(1.0)),
        (CenterOfAttention(noise=StudentT()), Privacy(0.3)),
        (Average(), PRIVACY),
    ):
        mechanism = dataclasses.replace(MECHANISM, aggregator=aggregator)
        compare = functools.partial(compare_errors, runs=20)
        for analysis in (data_scene, outputs_scene, compare, release_scene, estimate_points_error):
            analysis(mechanism, data, privacy)
    assert list(counted.values()) == [1]


@pytest.mark.parametrize(
    "other",
    [
        Clusters(sampling=Partition(blocks=41)),
        dataclasses.replace(MECHANISM, pattern=2),
        dataclasses.replace(MECHANISM, k=2),
        Mixture(sampling=Partition(blocks=40)),
    ],
    ids=["blocks", "pattern", "function", "mechanism"],
)
def test_blocks_run_again_where_they_must(data, counted, other):
    for mechanism in (MECHANISM, other):
        outputs_scene(mechanism, data, PRIVACY)
    assert sum(counted.values()) == 2


@pytest.mark.parametrize(
    ("kind", "method"),
    [
        (OneCluster, "b"),
        (OneCluster, "c"),
        (KBalls, "b"),
        (ScreenedMean, "b"),
        pytest.param(KBalls, "c", marks=pytest.mark.slow),
        pytest.param(ScreenedMean, "c", marks=pytest.mark.slow),
    ],
)
def test_counts_for_one_budget_give_the_draws_of_another(kind, method):
    data = blobs(600)
    mechanism = kind(t=200, method=method)
    prepare(mechanism, data, Privacy(30.0, 1e-3))
    for privacy in (Privacy(20.0, 1e-4), Privacy(40.0, 1e-3)):
        for t in (200, 230):
            other = dataclasses.replace(mechanism, t=t)
            ready, alone = prepare(other, data, privacy), other.prepare(data, privacy)
            np.testing.assert_array_equal(ready.draw(reproducible(4), 3), alone.draw(reproducible(4), 3))
            np.testing.assert_array_equal(ready.diagnostics["true_value"], alone.diagnostics["true_value"])


def test_what_does_not_fit_is_refused_with_what_was_counted_for_another_budget(data):
    mechanism = OneCluster(t=600)
    prepare(mechanism, data, Privacy(30.0, 1e-3))
    with pytest.raises(ParameterError):
        prepare(mechanism, data, Privacy(0.01, 1e-9))


def test_simulated_values_are_those_of_a_simulation(data):
    for mechanism in (MECHANISM, Lloyd(k=3)):
        values = simulated_values(mechanism, data, PRIVACY, runs=30, seed=3)
        np.testing.assert_array_equal(values, simulate(mechanism, data, PRIVACY, runs=30, seed=3).values)


def test_fewer_are_simulated_where_each_takes_long():
    many = blobs(500_000)
    assert len(simulated_values(Lloyd(k=3, rounds=1), many, PRIVACY, runs=400, seed=1)) == 6


def test_the_typical_error_is_that_of_simulated_releases(data):
    found = estimate_points_error(MECHANISM, data, PRIVACY).errors
    errors = simulate(MECHANISM, data, PRIVACY, runs=400, seed=1).errors
    assert (found.typical, found.most) == pytest.approx(tuple(np.quantile(errors, [0.5, 0.95])))


def test_mechanisms_with_the_same_estimand_have_the_same_truth(data):
    first = true_value(MECHANISM, data, PRIVACY)
    again = true_value(dataclasses.replace(MECHANISM, aggregator=Average()), data, Privacy(0.2))
    assert again is first
    np.testing.assert_array_equal(first, MECHANISM.prepare(data, PRIVACY).diagnostics["true_value"])


@pytest.mark.slow
def test_an_edited_function_from_a_file_is_run_again(data, tmp_path):
    file = tmp_path / "mine.py"
    mechanism = SampleAggregate(
        block_function=BlackBox(str(file), "middle", (0.0,), (1.0,)), sampling=Partition(blocks=40)
    )

    def found():
        ready = prepare(mechanism, data, PRIVACY)
        drawn = simulated_values(mechanism, data, PRIVACY, runs=3, seed=1)
        return ready, ready.diagnostics["outputs"].max(), *true_value(mechanism, data, PRIVACY), drawn

    file.write_text("def middle(block): return [0.25]")
    before, *outputs, drawn = found()
    assert outputs == [0.25, 0.25]
    assert prepare(mechanism, data, PRIVACY) is before
    file.write_text("def middle(block): return [0.75]")
    _, *outputs, later = found()
    assert outputs == [0.75, 0.75]
    assert not np.array_equal(drawn, later)
    file.unlink()
    with pytest.raises(ParameterError, match="cannot be read"):
        prepare(mechanism, data, PRIVACY)
