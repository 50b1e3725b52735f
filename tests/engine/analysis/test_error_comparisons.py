"""Mechanisms beside each other: the same task, the same seed, and why one is not possible."""

import numpy as np
from blobs import blobs

from engine import KMeansOnCells, Lloyd
from engine.aggregation.blocks import Partition
from engine.analysis.points_errors import alternatives_of, compare_errors
from engine.mechanisms import Clusters, NoisyAverage, SampleAggregate
from engine.mechanisms.aggregators import CenterOfAttention
from engine.noise import Gaussian
from engine.privacy import Privacy
from engine.simulation import simulate

DATA, PRIVACY = blobs(2000), Privacy(2.0)
MECHANISM = Clusters(sampling=Partition(blocks=40))


def test_alternatives_have_the_same_task():
    found = alternatives_of(MECHANISM, DATA, PRIVACY)
    assert next(iter(found)) == "Center of attention"
    assert found["Noisy Lloyd"] == Lloyd(k=3)
    assert "Shortest interval" not in found
    assert len({one.question for one in found.values()}) == 1
    assert "Noisy average" in alternatives_of(SampleAggregate(), DATA, PRIVACY)
    means = ["Noisy average", "Sample and aggregate", "CoinPress"]
    assert list(alternatives_of(NoisyAverage(), DATA, PRIVACY)) == means
    others = ["k-means on cells", "Clusters", "Gaussian mixture", "Noisy Lloyd"]
    assert list(alternatives_of(KMeansOnCells(), DATA, PRIVACY)) == others


def test_other_aggregators_have_the_same_noise_where_they_have_one():
    mechanism = Clusters(sampling=Partition(blocks=40), aggregator=CenterOfAttention(noise=Gaussian()))
    noises = [
        one.aggregator.noise
        for one in alternatives_of(mechanism, DATA, Privacy(2.0, 1e-6)).values()
        if hasattr(getattr(one, "aggregator", None), "noise")
    ]
    assert len(noises) > 1
    assert set(noises) == {Gaussian()}


def test_errors_are_those_of_simulated_releases_and_come_one_after_the_other():
    known = []
    compared = compare_errors(MECHANISM, DATA, PRIVACY, runs=50, seed=4, publish=known.append)
    assert [len(one.samples) for one in known] == list(range(1, len(compared.samples) + 1))
    assert [sample.chosen for sample in compared.samples] == [True] + [False] * (len(known) - 1)
    assert compared.diameter == MECHANISM.vectors.space(DATA.domain).diameter
    alternatives = alternatives_of(MECHANISM, DATA, PRIVACY)
    for sample in compared.samples:
        assert bool(sample.problem) == (sample.errors.size == 0)
        if not sample.problem:
            alone = simulate(alternatives[sample.label], DATA, PRIVACY, runs=50, seed=4)
            np.testing.assert_allclose(sample.errors, alone.distances)
