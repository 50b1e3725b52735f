"""How outputs agree: distances counted one by one, and the definitions that they stand for."""

import numpy as np
import pytest

from engine.aggregation.blocks import Partition
from engine.aggregation.functions import KMeans
from engine.analysis.output_agreement import OutputAgreement, agree_outputs
from engine.data.points import Points
from engine.domain import Box
from engine.mechanisms import SampleAggregate
from engine.mechanisms.aggregators import Average, ExponentialMedian
from engine.privacy import Privacy

SQUARE = Box.of([0, 0], [1, 1])


@pytest.mark.parametrize("aggregator", [Average(), ExponentialMedian()], ids=lambda one: one.name)
def test_distances_are_those_of_the_outputs(aggregator):
    values = np.random.default_rng(1).beta(2, 5, (300, 2))
    mechanism = SampleAggregate(sampling=Partition(blocks=30), aggregator=aggregator)
    data, privacy = Points(values, SQUARE), Privacy(1.0)
    found = agree_outputs(mechanism, data, privacy)
    ready = mechanism.prepare(data, privacy)
    outputs = ready.diagnostics["outputs"]
    to_truth = np.linalg.norm(outputs - values.mean(axis=0), axis=1)
    assert found.to_truth == pytest.approx(np.sort(to_truth))
    assert found.to_center == pytest.approx(np.sort(np.linalg.norm(outputs - ready.center, axis=1)))
    assert np.mean(to_truth <= found.accuracy * (1 + 1e-12)) >= 0.75
    assert np.mean(to_truth < found.accuracy * (1 - 1e-12)) < 0.75
    for radius in (0.0, 0.02, 1.0):
        assert found.stable(radius) == np.mean(np.linalg.norm(outputs - ready.center, axis=1) <= radius)


def test_sets_are_as_far_apart_as_they_can_be_matched():
    middles = np.tile([[0.1, 0.1], [0.9, 0.9]], (100, 1))
    data = Points(middles + 0.001 * np.random.default_rng(2).standard_normal((200, 2)), SQUARE)
    mechanism = SampleAggregate(
        sampling=Partition(blocks=10), block_function=KMeans(k=2), aggregator=Average()
    )
    assert agree_outputs(mechanism, data, Privacy(1.0)).to_truth.max() < 0.01


def test_what_is_found_is_told_in_words():
    found = OutputAgreement(np.array([0.1, 0.2, 0.3, 0.9]), np.array([0.0, 0.1, 0.2, 0.8]), 1.0)
    told = {finding.name: finding.value for finding in found.findings()}
    assert told["accuracy r: three quarters of the outputs are within r of the truth"] == 0.3
    assert told["share of the outputs within r of the aggregate"] == 0.75
    assert not any(finding.public for finding in found.findings())
