"""The order of records changes nothing of a release: of each mechanism, or of the law of its blocks."""

import itertools
import math
from collections import Counter

import numpy as np
import pytest
from cancellable import budget, data_for, runs
from scipy.stats import laplace

import engine.sampling.shuffle as shuffle
from engine.aggregation.blocks import IndependentSubsets, Partition
from engine.aggregation.functions import MeanFunction, MedianFunction
from engine.data.categories import Categories
from engine.data.graph import SimpleGraph, WeightedGraph
from engine.data.order_statistics import Sample
from engine.data.points import Points
from engine.domain import Box
from engine.extras.frontier.scored_choice import ScoredChoice
from engine.mechanisms import BlockMechanism, SampleAggregate
from engine.mechanisms.aggregators import Average
from engine.privacy import Privacy
from engine.randomness import reproducible, secure

LINE, SQUARE = Box.of([0], [1]), Box.of([0, 0], [1, 1])
PRIVACY = Privacy(1.0)
EQUAL = 1 + 1e-9
"""Rounding of probabilities that are added up."""

ALONE = {
    name: one
    for name, one in runs(150).items()
    if one.facts.is_private and not isinstance(one, BlockMechanism)
}


def rounded_rows(data):
    """Return records of which many are the same, as they came, and from the largest to the smallest."""
    if isinstance(data, SimpleGraph | WeightedGraph):
        turned = np.arange(len(data.ends))[::-1]
        if isinstance(data, SimpleGraph):
            return data, SimpleGraph(data.ends[turned], data.n)
        return data, WeightedGraph(data.ends[turned], data.weights[turned], data.domain, data.n)
    if isinstance(data, Categories):
        order = np.lexsort(data.codes.T)[::-1]
        return data, Categories(data.codes[order], data.domain)
    values = np.round(data.values, 1)
    if isinstance(data, Sample):
        return Sample(values, data.domain), Sample(np.sort(values)[::-1], data.domain)
    return Points(values, data.domain), Points(values[np.lexsort(values.T)[::-1]], data.domain)


@pytest.mark.parametrize("name", ALONE)
def test_a_mechanism_without_blocks_does_not_see_the_order(name):
    """To the last bit: the same draws give the same release."""
    mechanism = ALONE[name]
    drawn = [
        repr(mechanism.run(data, budget(mechanism), reproducible(3)).value)
        for data in rounded_rows(data_for(mechanism, 150))
    ]
    assert drawn[0] == drawn[1]


class FirstFunction(MeanFunction):
    """The first record of a block: a function that cares for the order in it."""

    def apply(self, blocks, seeds):
        return blocks[:, 0, :]


class OddFunction(MeanFunction):
    """Whether the first record of a block is an odd number of fifths: neighbours in a sorted file differ."""

    def apply(self, blocks, seeds):
        return np.rint(5 * blocks[:, 0, :]) % 2


class Deals:
    """Every secret order of n records, each once."""

    def __init__(self, monkeypatch):
        self.order = np.arange(0)
        monkeypatch.setattr(shuffle, "random_order", lambda n: self.order[:n])

    def of(self, n):
        for order in itertools.permutations(range(n)):
            self.order = np.array(order)
            yield self.order


@pytest.fixture
def deals(monkeypatch):
    return Deals(monkeypatch)


def neighbours(records, n):
    """Yield multisets of n records, and each with one of them replaced by any other, as sorted tuples."""
    for some in itertools.combinations_with_replacement(records, n):
        for place, other in itertools.product(range(n), records):
            yield some, tuple(sorted(some[:place] + some[place + 1 :] + (other,)))


def average_of(records, function, deals, order=1):
    """Return the law of the mean of blocks, without noise, and the scale of the noise, over all deals."""
    data = Points(np.array(records, float)[::order, None] / 5, LINE)
    mechanism = SampleAggregate(sampling=Partition(blocks=3), aggregator=Average(), block_function=function)
    ready = [mechanism._prepare_release(data, PRIVACY) for _ in deals.of(data.n)]
    assert not any(one.only_simulates for one in ready)
    (scale,) = {float(one.scale[0]) for one in ready}
    return Counter(round(float(one.center[0]), 12) for one in ready), scale


def density(law, scale):
    """Return the density of an average with noise at many places."""
    places = np.linspace(-3, 4, 141)
    count = sum(law.values())
    return sum(times / count * laplace.pdf(places, center, scale) for center, times in law.items())


@pytest.mark.parametrize(
    "function", [FirstFunction(), OddFunction(), MedianFunction()], ids=lambda f: type(f).__name__
)
@pytest.mark.parametrize("n", [3, 4, pytest.param(5, marks=pytest.mark.slow)])
def test_any_record_that_is_replaced_changes_the_law_by_no_more_than_epsilon(n, function, deals):
    """All deals of all sorted files of up to five records: one is replaced, and others move up."""
    laws = {}
    for some in itertools.combinations_with_replacement(range(4), n):
        laws[some], scale = average_of(some, function, deals)
        turned, _ = average_of(some, function, deals, order=-1)
        assert laws[some] == turned  # of the multiset alone
    seen = {some: np.log(density(law, scale)) for some, law in laws.items()}
    worst = max(np.abs(seen[x] - seen[y]).max() for x, y in neighbours(range(4), n))
    assert 0.2 * PRIVACY.epsilon < worst <= PRIVACY.epsilon * EQUAL


def stated(records, pattern):
    """Return the outputs of blocks of a stated pattern."""
    data = Points(np.array(records, float)[:, None] / 5, LINE)
    mechanism = SampleAggregate(
        sampling=Partition(blocks=3), aggregator=Average(), block_function=OddFunction(), pattern=pattern
    )
    return mechanism._prepare_release(data, PRIVACY)


def test_a_pattern_that_is_known_costs_as_much_as_all_blocks():
    """The mistake of earlier versions: in a sorted file one record moves all others by one place."""
    before, after = (0, 1, 2, 3, 4), (1, 2, 3, 4, 5)  # 0 is replaced by 5
    made = [(stated(before, pattern), stated(after, pattern)) for pattern in range(30)]
    losses = [abs(float((x.center - y.center)[0] / x.scale[0])) for x, y in made]
    assert max(losses) == pytest.approx(3 * PRIVACY.epsilon)  # the noise hides one of three blocks
    changed = [np.count_nonzero(x.diagnostics["outputs"] != y.diagnostics["outputs"]) for x, y in made]
    assert set(changed) == {3}
    assert all(x.only_simulates for x, _ in made)


def chosen(records, deals, pattern=None):
    """Return the probabilities of candidates that are scored on pairs of records, over all deals."""
    data = Points(np.array(records, float), SQUARE)
    mechanism = ScoredChoice(block_function=FirstFunction(), size=2, pattern=pattern)
    if pattern is not None:
        return mechanism._prepare_release(data, PRIVACY).probabilities
    some = [mechanism._prepare_release(data, PRIVACY).probabilities for _ in deals.of(data.n)]
    return np.mean(some, axis=0)


def test_a_choice_by_scores_of_blocks_keeps_epsilon_for_any_record(deals):
    """Six records in three blocks, all deals; of a pattern it costs more, though no record is another."""
    a, b = (0.0, 1.0), (1.0, 0.0)
    before, after = (a, b) * 3, (b, a) * 3
    patterns = [chosen(before, deals, p) / chosen(after, deals, p) for p in range(200)]
    assert np.abs(np.log(patterns)).max() == pytest.approx(1.5 * PRIVACY.epsilon)
    secret = np.log(chosen(before, deals) / chosen(after, deals))
    assert np.abs(secret).max() < 1e-12  # the same records in another order
    one_more = (b, *before[1:])
    assert np.abs(np.log(chosen(before, deals) / chosen(one_more, deals))).max() <= PRIVACY.epsilon * EQUAL


def test_each_release_deals_anew_and_what_was_dealt_by_a_pattern_is_dealt_again(monkeypatch):
    made = []
    monkeypatch.setattr(shuffle, "random_order", lambda n: made.append(n) or np.arange(n))
    data = Points(np.linspace(0, 1, 60)[:, None], LINE)
    mechanism = SampleAggregate(sampling=Partition(blocks=20))
    for _ in range(2):
        assert not mechanism.run(data, PRIVACY).simulated
    assert made == [60, 60]
    looked_at = mechanism.prepare(data, PRIVACY)
    assert made == [60, 60]
    mechanism.release(looked_at, data, PRIVACY, reproducible(1))
    assert made == [60, 60]
    mechanism.release(looked_at, data, PRIVACY, secure())
    assert made == [60, 60, 60]


@pytest.mark.parametrize(
    "mechanism", [SampleAggregate(pattern=1), ScoredChoice(pattern=1)], ids=lambda m: m.name
)
def test_a_stated_pattern_makes_a_simulation(mechanism):
    data = Points(np.random.default_rng(1).random((3000, 2)), SQUARE)
    made = mechanism.run(data, Privacy(1.0, 1e-6))
    assert (made.simulated, made.parameters["pattern"]) == (True, 1)
    assert mechanism.simulated_by == "pattern 1"
    assert not type(mechanism)().run(data, Privacy(1.0, 1e-6)).simulated


def test_blocks_of_a_simulation_follow_from_its_pattern_alone():
    data = Points(np.random.default_rng(1).random((3000, 1)), LINE)
    for sampling in (Partition(), IndependentSubsets(check="delta")):
        mechanism = SampleAggregate(sampling=sampling)
        values = {mechanism.run(data, Privacy(1.0, 1e-3), reproducible(1)).value for _ in range(2)}
        assert len(values) == 1


def test_subsets_of_a_release_hold_every_record_equally_often_and_at_every_place():
    """6,000 subsets of 3 among 9: each count of a record at a place is within 6 standard deviations."""
    sampling = IndependentSubsets(blocks=3, most=2, check="delta")
    drawn = np.concatenate([sampling.draw(9, secure()).members[0] for _ in range(2000)])
    assert all(len(set(row)) == 3 for row in drawn.tolist())
    counts = np.array([np.bincount(column, minlength=9) for column in drawn.T])
    assert np.abs(counts - len(drawn) / 9).max() < 6 * math.sqrt(len(drawn) / 9)
    tried = [IndependentSubsets(blocks=3, most=2).draw(9, secure()).members[0] for _ in range(50)]
    assert max(np.bincount(one.ravel()).max() for one in tried) == 2
