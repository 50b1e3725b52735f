"""Mechanisms on points: blocks and aggregators together, and the baselines beside them."""

import json

import numpy as np
import pytest
from blobs import CENTERS, DATA, SQUARE, blobs

from engine import Lloyd, catalog
from engine.aggregation.blocks import IndependentSubsets, Partition
from engine.aggregation.functions import MeanFunction
from engine.catalog import sanitizers
from engine.data.points import Points
from engine.domain import Box
from engine.errors import DataError, ParameterError
from engine.mechanisms import Clusters, Mixture, NoisyAverage, SampleAggregate
from engine.mechanisms.aggregators import (
    AGGREGATORS,
    Average,
    CenterOfAttention,
    MedianAggregator,
    WinsorizedAggregator,
)
from engine.mechanisms.points import sort_sets
from engine.noise import Gaussian, Laplace
from engine.privacy import Privacy
from engine.progress import Cancelled, silent
from engine.randomness import reproducible
from engine.simulation import simulate


@pytest.mark.parametrize(
    "name", [name for name, one in sanitizers().items() if one.facts.topic != "histograms"]
)
def test_every_mechanism_releases_something_that_can_be_written_down(name):
    mechanism, data = catalog.mechanism(name), DATA
    if name == "interior-point":
        data = Points(DATA.values[:, :1], Box.of([0], [1]))
    ready = mechanism.prepare(data, Privacy(1.0, 1e-6))
    release = mechanism.release(ready, data, Privacy(1.0, 1e-6), reproducible(1))
    json.dumps({"value": release.value, "noise": dict(release.noise), "parameters": dict(release.parameters)})
    assert release.simulated
    assert release.neighbours == "replace-one"
    numbers = ready.draw(reproducible(1), 2)
    assert numbers.shape[0] == 2
    assert name == "perceptron" or np.all((numbers >= 0) & (numbers <= 1))  # weights have a sign
    assert np.shape(release.diagnostics["true_value"]) == numbers[0].shape
    assert mechanism.output.errors(numbers, release.diagnostics["true_value"], data.domain).shape == (2,)


@pytest.mark.parametrize(
    "name", [name for name, one in sanitizers().items() if one.facts.topic == "clusters"]
)
def test_what_blocks_release_are_vectors_and_sets(name):
    value = np.array(catalog.mechanism(name).run(DATA, Privacy(1.0), reproducible(1)).value)
    assert value.shape in {(), (2,), (3, 2)}


@pytest.mark.parametrize("mechanism", [Clusters(), Mixture(), Mixture(fit="em")], ids=repr)
def test_well_separated_blobs_are_found_by_the_blocks(mechanism):
    ready = mechanism.prepare(blobs(6000), Privacy(1.0))
    assert ready.diagnostics["outputs"].shape == (100, 6)
    assert ready.diagnostics["fell_back"] == 0
    space = mechanism.vectors.space(SQUARE)
    for found in (ready.center, ready.diagnostics["true_value"]):
        assert space.distances(found[None], CENTERS.reshape(1, -1))[0, 0] < 0.05


def test_outputs_can_be_kept_while_the_budget_changes():
    """What `prepare` gives at once, `_block_outputs` and `aggregated` give one after the other."""
    mechanism = Clusters(sampling=Partition(blocks=30))
    kept = mechanism._block_outputs(DATA)
    for epsilon in (0.5, 1.0, 2.0):
        apart = mechanism._aggregate(kept, DATA, Privacy(epsilon))
        at_once = mechanism.prepare(DATA, Privacy(epsilon))
        assert np.array_equal(apart.center, at_once.center)
        assert np.array_equal(apart.scale, at_once.scale)
        assert np.array_equal(apart.diagnostics["outputs"], at_once.diagnostics["outputs"])


def test_one_person_changes_one_block():
    """The outputs of a neighbour differ in the block of the record, whatever it becomes."""
    mechanism = SampleAggregate(sampling=Partition(blocks=30))
    before = mechanism.prepare(DATA, Privacy(1.0)).diagnostics["outputs"]
    for record in (0, 17, 2999):
        after = mechanism.prepare(DATA.replaced(record, (1.0, 0.0)), Privacy(1.0)).diagnostics["outputs"]
        assert np.count_nonzero((before != after).any(axis=1)) == 1


def test_one_person_changes_at_most_s_subsets():
    mechanism = SampleAggregate(sampling=IndependentSubsets(blocks=60, most=7))
    before = mechanism.prepare(DATA, Privacy(1.0)).diagnostics["outputs"]
    changed = []
    for record in range(40):
        after = mechanism.prepare(DATA.replaced(record, (1.0, 0.0)), Privacy(1.0)).diagnostics["outputs"]
        changed.append(np.count_nonzero((before != after).any(axis=1)))
    assert 1 < max(changed) <= 7


def test_the_chance_of_the_blocks_is_taken_from_delta():
    sampling = IndependentSubsets(blocks=60, most=9, check="delta")
    s, chance = sampling.overlap(DATA.n)
    assert s == 9
    mechanism = SampleAggregate(sampling=sampling, aggregator=CenterOfAttention(noise=Laplace()))
    ready = mechanism.prepare(DATA, Privacy(1.0, 1e-4))
    expected = Laplace().admissible(Privacy(1.0, 1e-4 - chance), 2)
    assert (ready.noise["alpha"], ready.noise["beta"]) == (expected.alpha, expected.beta)
    for delta in (0.0, chance / 2):
        assert mechanism.problems(Privacy(1.0, delta), SQUARE, DATA.n)[0].field == "delta"


def test_the_pattern_decides_on_blocks_and_nothing_else_is_random():
    first, again, other = (
        Clusters(pattern=pattern).prepare(DATA, Privacy(1.0)).diagnostics["outputs"] for pattern in (1, 1, 2)
    )
    assert np.array_equal(first, again)
    assert not np.array_equal(first, other)


def test_sets_are_released_in_an_order_of_their_own():
    values = np.array([[0.5, 0.1, 0.2, 0.9, 0.5, 0.0]])
    assert sort_sets(values, 2)[0].tolist() == [[0.2, 0.9], [0.5, 0.0], [0.5, 0.1]]
    for seed in range(20):
        value = Clusters().run(DATA, Privacy(1.0), reproducible(seed)).value
        assert value == sorted(value)


@pytest.mark.parametrize(
    ("mechanism", "privacy", "n", "field"),
    [
        (Clusters(sampling=Partition(blocks=200)), Privacy(1.0), 100, "blocks"),
        (Clusters(sampling=Partition(blocks=50)), Privacy(1.0), 100, "blocks"),
        (Clusters(aggregator=CenterOfAttention(noise=Gaussian())), Privacy(1.0), 3000, "delta"),
        (SampleAggregate(aggregator=AGGREGATORS["shortest-interval"]()), Privacy(1.0), 3000, "aggregator"),
        (Lloyd(k=9), Privacy(1.0), 8, "k"),
        (Lloyd(rounds=100), Privacy(1e-8), 3000, "epsilon"),
        (NoisyAverage(), Privacy(1e-10), 3000, "epsilon"),
    ],
)
def test_combinations_without_sense_are_explained(mechanism, privacy, n, field):
    (problem,) = mechanism.problems(privacy, SQUARE, n)
    assert problem.field == field
    with pytest.raises(ParameterError, match=field):
        mechanism.prepare(blobs(n), privacy)


def test_the_noise_of_the_average_is_for_the_worst_case():
    """Neighbours at opposite corners: the loss of the mean is epsilon, in every column half of it."""
    bounds = Box.of([0, -5], [1, 15])
    ready = NoisyAverage().prepare(Points([[0, -5]] * 10, bounds), Privacy(0.6))
    other = NoisyAverage().prepare(Points([[1, 15]] + [[0, -5]] * 9, bounds), Privacy(0.6))
    loss = np.abs(ready.center - other.center) / ready.scale
    assert loss == pytest.approx([0.3, 0.3], rel=1e-9)


def test_a_column_of_large_numbers_costs_the_others_no_noise():
    """Rounding, and what is added so that noise never vanishes, go column by column."""
    box = Box.of([0, 0], [1e14, 1])
    points = Points(np.random.default_rng(85).uniform(box.lower, box.upper, (3000, 2)), box)
    assert NoisyAverage().prepare(points, Privacy(1.0)).scale[1] == pytest.approx(2 / 3000, rel=1e-6)
    for aggregator in (Average(), MedianAggregator(), WinsorizedAggregator()):
        ready = SampleAggregate(aggregator=aggregator).prepare(points, Privacy(2.0))
        assert np.ptp(ready._draw(reproducible(1), 200, silent)[:, 1]) < 20


def test_errors_are_distances_of_sets():
    run = simulate(Lloyd(), DATA, Privacy(5.0), runs=30, seed=2)
    assert run.values.shape == (30, 6)
    assert run.errors.shape == (30,)
    assert run.refused == 0
    swapped = run.values[:, [2, 3, 0, 1, 4, 5]]
    again = Lloyd().output.errors(swapped, run.true_value, SQUARE)
    assert again == pytest.approx(run.distances)
    assert np.median(run.errors) < 0.2


def test_a_run_can_be_cancelled():
    def impatient(fraction, message=""):
        raise Cancelled

    with pytest.raises(Cancelled):
        Clusters().prepare(DATA, Privacy(1.0), impatient)


def test_points_are_checked_and_clamped():
    points = Points([[0.5, 2.0], [-1.0, 0.5], [0.1, 0.1]], SQUARE)
    assert points.values.tolist() == [[0.5, 1.0], [0.0, 0.5], [0.1, 0.1]]
    assert (points.outside, points.n, points.records) == (2, 3, 3)
    assert points.facts == {"lower": [0.0, 0.0], "upper": [1.0, 1.0]}
    for wrong, words in (
        ([[0.0, np.nan]], "record 1, column 2 is not finite"),
        ([[0.0, 1.0, 2.0]], r"it must be \(n, 2\)"),
        (np.empty((0, 2)), "no records"),
        ([["a", 1]], "not points"),
    ):
        with pytest.raises(DataError, match=words):
            Points(wrong, SQUARE)


def test_every_function_can_be_aggregated():
    for name in catalog.offered("function"):
        mechanism = SampleAggregate(block_function=catalog.function(name), sampling=Partition(blocks=20))
        for aggregator in (CenterOfAttention(), Average(), MedianAggregator()):
            chosen = SampleAggregate(
                block_function=mechanism.block_function, sampling=mechanism.sampling, aggregator=aggregator
            )
            assert np.all(np.isfinite(chosen.prepare(DATA, Privacy(1.0)).draw(reproducible(1), 3)))
    assert MeanFunction().name == "mean"
