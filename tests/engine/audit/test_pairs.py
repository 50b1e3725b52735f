"""Built-in pairs are neighbours, and show what they are made for; those of data realise S*."""

import itertools
import math

import numpy as np
import pytest

from engine.aggregation.blocks import IndependentSubsets, Partition
from engine.audit import (
    attack_low_bits,
    audit_neighbours,
    pairs_from_data,
    pairs_of_data,
    replace_one_pair,
    worst,
    worst_case_pairs,
)
from engine.catalog import sanitizers
from engine.data.categories import Categories, CategoryDomain
from engine.data.graph import SimpleGraph, WeightedGraph
from engine.data.order_statistics import Sample
from engine.data.points import Points
from engine.domain import Box, Interval
from engine.errors import ParameterError
from engine.mechanisms import (
    PLANTED,
    BlockMechanism,
    LaplaceRelease,
    OneCluster,
    ProposeTestRelease,
    SampleAggregate,
    SmoothRelease,
)
from engine.mechanisms.aggregators import CenterOfAttention
from engine.noise import Laplace
from engine.privacy import Privacy
from engine.queries import QUERIES, Mean, Median, MstCost, Quantile, TriangleCount, TrimmedMean

BOUNDS, SQUARE = Interval(0.0, 10.0), Box.of([0, 0], [1, 1])
COLOURS = CategoryDomain(["colour", "size"], [["red", "green", "blue"], ["s", "l"]])
DOMAINS = {
    "column": BOUNDS,
    "weighted-graph": BOUNDS,
    "simple-graph": Interval(0.0, 1.0),
    "points": SQUARE,
    "categories": COLOURS,
}


def changed(data, neighbour):
    """Return in how many records two databases differ."""
    if isinstance(data, SimpleGraph):
        return data.steps(neighbour)
    if isinstance(data, WeightedGraph):
        assert data.steps(neighbour) == data.records
        return np.count_nonzero(data.weights != neighbour.weights)
    rows = (data.codes, neighbour.codes) if isinstance(data, Categories) else (data.values, neighbour.values)
    return np.count_nonzero((rows[0] != rows[1]).reshape(data.n, -1).any(axis=1))


MECHANISMS = [SmoothRelease(query=query()) for query in QUERIES.values()] + [
    *(sanitizer() for name, sanitizer in sanitizers().items()),
    SampleAggregate(sampling=IndependentSubsets(blocks=30)),
]


@pytest.mark.parametrize("mechanism", MECHANISMS, ids=lambda m: f"{m.name}-{getattr(m, 'query', m).name}")
@pytest.mark.parametrize("n", [3, 5000])
def test_built_in_pairs_are_public_neighbours(mechanism, n):
    if isinstance(mechanism, BlockMechanism):
        n = max(n, 500)
    domain = DOMAINS[getattr(mechanism, "query", mechanism).reads]
    pairs = worst_case_pairs(mechanism, domain, n)
    assert len({pair.name for pair in pairs}) == len(pairs) >= 2
    for pair in pairs:
        assert pair.public
        assert pair.data.n == pair.neighbour.n <= n
        assert changed(pair.data, pair.neighbour) == 1, pair.name


def test_as_few_records_as_a_mechanism_takes():
    small = worst_case_pairs(LaplaceRelease(), BOUNDS, 10**6)
    assert {pair.data.n for pair in small} == {101}
    many = worst_case_pairs(OneCluster(t=300), SQUARE, 10**6)
    assert all(300 <= pair.data.n < 1000 for pair in many)
    assert {pair.data.n for pair in worst_case_pairs(OneCluster(t=300), SQUARE, 310)} == {310}


def test_the_answer_tips_and_local_sensitivity_jumps():
    for query in (Median(), Quantile(q=0.9), Quantile(q=0.0)):
        pairs = {pair.name: pair for pair in worst_case_pairs(SmoothRelease(query=query), BOUNDS, 101)}
        tips, jump = pairs["zeros-and-tops"], pairs["before-the-jump"]
        assert abs(query.value(tips.data) - query.value(tips.neighbour)) == 10
        assert sorted(query.local_sensitivity(x) for x in (jump.data, jump.neighbour)) == [0, 10]
        assert query.value(jump.data) == query.value(jump.neighbour)


def test_a_test_is_at_its_limit():
    """Half of epsilon pays for the test: where it is passed half of the time, nearly all of that shows."""
    mechanism, privacy = ProposeTestRelease(bound=0.05), Privacy(1.0, 1e-3)
    *_, pair = worst_case_pairs(mechanism, BOUNDS, 1000, privacy)
    assert pair.name == "at-the-test"
    assert changed(pair.data, pair.neighbour) == 1
    sides = (mechanism.prepare(data, privacy) for data in (pair.data, pair.neighbour))
    passed, too = (one.diagnostics["answer_probability"] for one in sides)
    ratios = [abs(math.log(passed / too)), abs(math.log((1 - passed) / (1 - too)))]
    assert 0.4 < max(ratios) <= 0.5
    assert 0.2 < passed < 0.8


@pytest.mark.parametrize("q", [0.2, 0.5, 0.9])
def test_answer_and_noise_change_together_where_gaps_grow(q):
    mechanism = SmoothRelease(query=Quantile(q=q))
    found = worst_case_pairs(mechanism, BOUNDS, 101, Privacy(1.0))
    (pair,) = (p for p in found if p.name == "growing-gaps")
    ready = [mechanism.prepare(data, Privacy(1.0)) for data in (pair.data, pair.neighbour)]
    rate = math.log(ready[1].scale / ready[0].scale) / ready[0].noise["beta"]
    shift = abs(ready[0].center - ready[1].center) / (ready[0].scale * ready[0].noise["alpha"])
    assert rate == pytest.approx(1, abs=0.02)
    assert shift == pytest.approx(1, abs=1e-6)


def test_noise_that_cannot_be_calibrated_is_for_the_mechanism_to_refuse():
    for mechanism, domain in (
        (SmoothRelease(noise=Laplace()), BOUNDS),
        (SampleAggregate(aggregator=CenterOfAttention(noise=Laplace())), SQUARE),
    ):
        assert mechanism.problems(Privacy(1.0), domain, 1000)
        assert worst_case_pairs(mechanism, domain, 1000, Privacy(1.0))


def test_public_edges_are_kept():
    ends = [(0, 1), (1, 2), (2, 0), (2, 3), (3, 0), (3, 1)]
    mechanism = SmoothRelease(query=MstCost())
    pairs = {pair.name: pair for pair in worst_case_pairs(mechanism, BOUNDS, 4, ends=ends)}
    assert np.array_equal(pairs["all-ways-heavy"].data.ends, ends)
    jump, query = pairs["before-the-jump"], MstCost()
    assert [query.local_sensitivity(x) for x in (jump.data, jump.neighbour)] == [10, 0]
    heavy = pairs["all-ways-heavy"]
    assert query.value(heavy.data) - query.value(heavy.neighbour) == 10


@pytest.mark.parametrize("partition", [Partition(blocks=31), Partition(blocks=40)])
def test_blocks_tip_over(partition):
    line = Box.of([0], [1])
    mechanism = SampleAggregate(sampling=partition)
    pairs = {pair.name: pair for pair in worst_case_pairs(mechanism, line, 5000)}
    lost = pairs["lost-majority"]
    centers = [mechanism.prepare(data, Privacy(1.0)).center[0] for data in (lost.data, lost.neighbour)]
    assert sorted(centers) == [0, 1]


def test_where_a_mistake_shows_best():
    mistake = PLANTED["local-noise"]
    pairs = worst_case_pairs(mistake.planted(SmoothRelease()), BOUNDS, 101)
    assert worst(mistake.planted(SmoothRelease()), pairs).name == "before-the-jump"
    assert worst(mistake.planted(SmoothRelease()), pairs[:1]) is pairs[0]


def realises(query, data):
    """Check that k records change, and that the neighbour's answer is A^(k) away."""
    mechanism, privacy = SmoothRelease(query=query), Privacy(1.0)
    (pair,) = pairs_from_data(mechanism, data, privacy)
    assert not pair.public
    beta = mechanism.calibrate(privacy).pair.beta
    k = query.smooth_sensitivity(data, beta).argmax_k
    assert changed(data, pair.data) <= k
    assert changed(pair.data, pair.neighbour) <= 1
    assert (f"{k:,} records of the data change," in pair.why) == (k > 1)
    assert ("one record of the data changes," in pair.why) == (k == 1)
    move = abs(query.value(pair.data) - query.value(pair.neighbour))
    assert move == pytest.approx(query.sensitivity_at_distance(data, k)[k], rel=1e-9, abs=1e-12)
    return k


@pytest.mark.parametrize(
    "query", [Median(), Median(even="average"), Quantile(q=0.85), Mean(), TrimmedMean(trim=0.2)], ids=repr
)
def test_what_realises_s_of_columns(query):
    rng = np.random.default_rng(5)
    found = [
        realises(query, Sample(rng.choice(values, n), BOUNDS))
        for n in (1, 2, 7, 30)
        for values in ([0, 10], [0, 1, 3, 9], np.linspace(4, 6, 50))
        for _ in range(4)
    ]
    assert isinstance(query, Mean) or max(found) > 0


def test_records_at_ranks_are_those_of_a_stable_sort():
    for values in map(np.array, itertools.product((0.0, 1.0, 2.0), repeat=5)):
        order = np.argsort(values, kind="stable")
        for start, stop in itertools.combinations_with_replacement(range(6), 2):
            assert pairs_of_data._at_ranks(values, start, stop).tolist() == order[start:stop].tolist()


def test_what_realises_s_of_graphs():
    rng = np.random.default_rng(6)
    pairs = np.array([(i, j) for i in range(7) for j in range(i)])
    for _ in range(12):
        realises(MstCost(), WeightedGraph(pairs, rng.choice([0.0, 0.5, 2.0, 10.0], 21), BOUNDS))
        realises(TriangleCount(), SimpleGraph(pairs[rng.random(21) < rng.random()], n=7))


def test_only_a_smooth_sensitivity_is_realised():
    assert pairs_from_data(LaplaceRelease(), Sample([1, 2, 3], BOUNDS), Privacy(1.0)) == ()


def test_one_record_moved():
    for data, value in (
        (Sample([1, 2, 3], BOUNDS), 9.0),
        (Points([[0, 0], [1, 1]], SQUARE), [0.5, 0.5]),
        (Categories([[0, 0], [1, 0]], COLOURS), ["blue", "l"]),
        (WeightedGraph([(0, 1), (1, 2), (0, 2)], [1, 2, 3], BOUNDS), 7.0),
        (SimpleGraph([(0, 1)], n=4), True),
        (SimpleGraph([(0, 2), (0, 1)], n=4), False),
    ):
        pair = replace_one_pair(data, 1, value)
        assert changed(data, pair.neighbour) == 1
        assert not pair.public
        with pytest.raises(ParameterError, match="numbered from 1"):
            replace_one_pair(data, data.records, value)


@pytest.mark.parametrize(
    ("mechanism", "data", "value"),
    [
        (LaplaceRelease(), Sample([1, 2, 12], BOUNDS), 10.0),
        (SmoothRelease(query=MstCost()), WeightedGraph([(0, 1), (1, 2), (0, 2)], [1, 2, 3], BOUNDS), 3.0),
        (SmoothRelease(query=TriangleCount()), SimpleGraph([(0, 3), (0, 1)], n=4), True),
    ],
)
def test_a_record_moved_to_itself_is_refused(mechanism, data, value):
    for audit in (audit_neighbours, attack_low_bits):
        with pytest.raises(ParameterError, match="has this value already") as caught:
            audit(mechanism, data, Privacy(1.0), pair="moved", record=2, value=value)
        assert "\n" not in str(caught.value)


def test_a_pair_says_nothing_of_its_data():
    assert "7.25" not in repr(replace_one_pair(Sample([1, 2, 7.25], BOUNDS), 0, 7.25))


def test_a_record_moved_beyond_the_bounds_is_said_to_count_as_the_nearest_within():
    data = Sample([1, 2, 3], BOUNDS)
    assert "nearest one inside" in replace_one_pair(data, 1, 9e9).why
    assert "nearest one inside" not in replace_one_pair(data, 1, BOUNDS.upper).why
