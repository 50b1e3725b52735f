"""Every planted mistake is caught at epsilon = 1, and says that it is none of ours."""

import dataclasses

import pytest

from engine import Covariance, KMeansOnCells, Lloyd, PrivTree
from engine.aggregation.blocks import Partition
from engine.audit import audit_run, worst, worst_case_pairs
from engine.catalog import methods, sanitizers
from engine.data.categories import CategoryDomain
from engine.data.order_statistics import Sample
from engine.data.parts import PartsDomain
from engine.domain import Box, Interval
from engine.extras.frontier.coinpress import CoinPress
from engine.extras.frontier.friendly_core import FriendlyCore
from engine.extras.frontier.growing_box import GrowingBox
from engine.extras.frontier.ladder import Ladder
from engine.extras.frontier.lipschitz_extension import LipschitzExtension
from engine.extras.frontier.log_scale_release import LogScaleRelease
from engine.extras.frontier.stable_cell import StableCell
from engine.mechanisms import (
    PLANTED,
    ChoiceInParts,
    ContingencyTable,
    CountingQueries,
    ExponentialRelease,
    HierarchicalHistogram,
    LaplaceRelease,
    Mode,
    NoisyAverage,
    NoisyHistogram,
    ProposeTestRelease,
    RandomizedResponse,
    SampleAggregate,
    SmoothRelease,
    SortedHistogram,
    SumsInParts,
)
from engine.mechanisms.aggregators import (
    Average,
    ExponentialMedian,
    MedianAggregator,
    ShortestInterval,
    SmallestBall,
)
from engine.mechanisms.planted import BetaIsEpsilon
from engine.noise import LaplacePareto
from engine.privacy import NO_PROMISE, Privacy
from engine.queries import QUERIES, Count, Maximum, Mean, Median, MstCost, Quantile, Sum, TriangleCount
from engine.randomness import reproducible

BOUNDS, LINE, SQUARE = Interval(0.0, 10.0), Box.of([0], [1]), Box.of([0, 0], [1, 1])
COLOURS = CategoryDomain(["colour"], [["red", "green", "blue"]])
DOMAINS = {"weighted-graph": BOUNDS, "column": BOUNDS, "simple-graph": BOUNDS, "categories": COLOURS}
PARTS = PartsDomain(BOUNDS, ("a", "b"))
BLOCKS = SampleAggregate(sampling=Partition(blocks=61))
MEDIANS = SampleAggregate(sampling=Partition(blocks=61), aggregator=MedianAggregator())
SHORTEST = SampleAggregate(sampling=Partition(blocks=61), aggregator=ShortestInterval())
SMALLEST = SampleAggregate(sampling=Partition(blocks=61), aggregator=SmallestBall())
RANKED = SampleAggregate(sampling=Partition(blocks=61), aggregator=ExponentialMedian())
NODES = LipschitzExtension(query=TriangleCount())
FRIENDS = SampleAggregate(sampling=Partition(blocks=700), aggregator=FriendlyCore())

PARTED = [ChoiceInParts(), SumsInParts(), SumsInParts(query=Sum()), SumsInParts(query=Count())]

CAUGHT = [
    ("local-noise", SmoothRelease(), 2000),
    ("local-noise", SmoothRelease(query=MstCost()), 2000),
    ("local-noise", SmoothRelease(query=TriangleCount()), 2000),
    ("local-noise", BLOCKS, 2000),
    ("local-noise", MEDIANS, 2000),
    ("local-noise", SHORTEST, 2000),
    ("local-noise", SMALLEST, 2000),
    ("beta-is-epsilon", SmoothRelease(), 20_000),
    ("beta-is-epsilon", SmoothRelease(query=MstCost()), 200_000),
    ("beta-is-epsilon", SmoothRelease(query=TriangleCount()), 200_000),
    ("beta-is-epsilon", BLOCKS, 200_000),
    ("test-left-out", LogScaleRelease(), 2000),
    ("test-left-out", ProposeTestRelease(bound=0.1), 2000),
    ("halved-scale", LaplaceRelease(), 10_000),
    ("halved-scale", NoisyAverage(), 10_000),
    ("halved-scale", CoinPress(), 20_000),
    ("halved-scale", ContingencyTable(post="none"), 15_000),
    ("halved-scale", NODES, 5000),
    ("hubs-left-out", NODES, 2000),
    ("gap-formula", SmoothRelease(), 100_000),
    ("gap-formula", SmoothRelease(query=Quantile(q=0.7)), 100_000),
    ("shifted-gap-formula", SmoothRelease(), 2000),
    ("exponential-doubled", ExponentialRelease(), 10_000),
    ("exponential-doubled", Mode(), 10_000),
    ("exponential-doubled", RANKED, 20_000),
    ("exponential-doubled", Ladder(query=TriangleCount()), 20_000),
    ("histogram-scale-one", ContingencyTable(post="none"), 15_000),
    pytest.param("histogram-scale-one", NoisyHistogram(bins=2), 10_000, marks=pytest.mark.slow),
    ("exponential-doubled", ChoiceInParts(), 10_000),
    ("halved-scale", SumsInParts(), 20_000),
    ("halved-scale", SumsInParts(query=Sum()), 20_000),
    ("histogram-scale-one", SumsInParts(query=Count()), 20_000),
    ("sizes-shown", SumsInParts(), 2000),
    ("sizes-shown", ChoiceInParts(), 2000),
    ("two-category-odds", RandomizedResponse(), 10_000),
    ("fixed-threshold", GrowingBox(way="above-threshold"), 2000),
    ("any-cell", StableCell(), 1000),
    ("lloyd-inverted", Lloyd(k=2, rounds=2), 2000),
    pytest.param("exact-last-step", KMeansOnCells(), 1000, marks=pytest.mark.slow),
    ("exact-last-step", Lloyd(k=2, rounds=1), 1000),
    ("all-or-nothing", FRIENDS, 1000),
    ("published-center-of-attention", SampleAggregate(sampling=Partition(blocks=201)), 100_000),
]


def domain_of(mechanism):
    if isinstance(mechanism, SampleAggregate):
        return LINE
    if mechanism.reads == "parts":
        return PARTS
    return DOMAINS.get(getattr(mechanism, "query", mechanism).reads, SQUARE)


def test_the_printed_bound_asks_for_what_an_audit_can_find():
    mistake = PLANTED["published-center-of-attention"]
    few, many = (mistake.planted(SampleAggregate(sampling=Partition(blocks=m))) for m in (61, 201))
    for mechanism, domain, field in ((few, LINE, "blocks"), (many, SQUARE, "columns")):
        assert [problem.field for problem in mechanism.problems(Privacy(1.0), domain, 1000)] == [field]
    assert not many.problems(Privacy(1.0), LINE, 1000)


def found(name, right, runs, pairs=None):
    """Return the largest bound over the pairs where the mistake is said to show, or over these."""
    mechanism = PLANTED[name].planted(right)
    delta = right is FRIENDS or isinstance(right, (LogScaleRelease, ProposeTestRelease, StableCell))
    privacy = Privacy(1.0, 1e-6 if delta else 0.0)
    on = worst_case_pairs(mechanism, domain_of(right), 1000, privacy)
    shown = [worst(mechanism, on)] if pairs is None else on
    return max(
        audit_run(mechanism, pair, privacy, runs=runs, seed=1).audit.epsilon_lower_bound for pair in shown
    )


@pytest.mark.parametrize(("name", "right", "runs"), CAUGHT, ids=lambda value: getattr(value, "name", value))
def test_planted_mistakes_are_caught(name, right, runs):
    """On the pair that they name, or on another; what is right exceeds epsilon with probability 1e-3."""
    assert PLANTED[name].applies_to(right)
    assert found(name, right, runs) > 1.0 or found(name, right, runs, "all") > 1.0


OFFERED = [
    *(kind(query=query()) for query in QUERIES.values() for kind in methods().values()),
    *(kind() for kind in sanitizers().values()),
    *(ChoiceInParts(query=query) for query in (Median(), Quantile(q=0.9))),
    *(SumsInParts(query=query) for query in (Count(), Count(where="> 3", give="share"), Sum(), Mean())),
    SampleAggregate(aggregator=MedianAggregator()),
    SampleAggregate(aggregator=Average()),
]


@pytest.mark.slow
@pytest.mark.parametrize(
    "right", OFFERED, ids=lambda right: f"{getattr(right, 'query', right).name}-{right.name}"
)
def test_whatever_is_offered_is_caught(right):
    """With default parameters, and as many runs as the mistake asks for."""
    shown = {name: mistake for name, mistake in PLANTED.items() if not mistake.shows_in_low_bits}
    for name, mistake in shown.items():
        if mistake.applies_to(right) and not mistake.planted(right).problems(
            Privacy(1.0), domain_of(right), 1000
        ):
            assert found(name, right, mistake.runs) > 1.0, name


def test_a_grid_of_many_cells_hides_a_mistake_in_each():
    mistake = PLANTED["histogram-scale-one"]
    many, few = (mistake.planted(NoisyHistogram(bins=bins)) for bins in (16, 2))
    assert [problem.field for problem in many.problems(Privacy(1.0), SQUARE, 1000)] == ["bins"]
    assert not few.problems(Privacy(1.0), SQUARE, 1000)


def test_many_counts_that_change_hide_a_mistake_in_each():
    mistake = PLANTED["halved-scale"]
    many, few = (mistake.planted(CountingQueries(where=where)) for where in ("", "> 0.3; > 0.5; > 0.7"))
    assert [problem.field for problem in many.problems(Privacy(1.0), SQUARE, 1000)] == ["where"]
    assert not few.problems(Privacy(1.0), SQUARE, 1000)


def test_every_mistake_is_among_those():
    named = {case[0] for case in CAUGHT if isinstance(case, tuple)}
    in_low_bits = {name for name, mistake in PLANTED.items() if mistake.shows_in_low_bits}
    assert in_low_bits == {"naive-doubles"}  # all of it is in tests/engine/audit/test_low_bits.py
    assert set(PLANTED) <= named | in_low_bits


@pytest.mark.slow
@pytest.mark.parametrize(
    "right", [SortedHistogram(), ContingencyTable(), SmoothRelease(noise=LaplacePareto(g=2.0))], ids=repr
)
def test_half_of_the_noise_is_caught_after_processing_and_in_heavy_tails(right):
    assert found("halved-scale", right, 200_000 if isinstance(right, SmoothRelease) else 50_000, "all") > 1


@pytest.mark.parametrize(
    "right", [SmoothRelease(), BLOCKS, ExponentialRelease(), *PARTED], ids=lambda m: repr(m)[:60]
)
def test_the_same_audit_passes_what_is_right(right):
    for pair in worst_case_pairs(right, domain_of(right), 1000):
        run = audit_run(right, pair, Privacy(1.0), runs=100_000, seed=1, confidence=1 - 1e-7)
        assert run.audit.verdict == "consistent"


def test_they_are_no_mechanisms_of_ours():
    assert not set(PLANTED) & {*methods(), *sanitizers()}
    for mistake in PLANTED.values():
        assert mistake.label
        assert mistake.summary
        assert not mistake.facts.is_private


@pytest.mark.parametrize("name", ["local-noise", "halved-scale", "gap-formula"])
def test_what_they_release_promises_nothing(name):
    mechanism, data = PLANTED[name].planted(SmoothRelease()), Sample([1.0, 4.0, 9.0], BOUNDS)
    release = mechanism.run(data, Privacy(1.0), reproducible(1))
    assert release.privacy == NO_PROMISE
    assert (release.mechanism, release.parameters["instead_of"]) == (name, "smooth")
    right = SmoothRelease().prepare(data, Privacy(1.0)).diagnostics
    wrong = release.diagnostics
    assert wrong["true_value"] == right["true_value"]
    assert wrong["scale"] < right["scale"]


@dataclasses.dataclass(frozen=True)
class RightSmoothness(BetaIsEpsilon):
    def bound(self, data, beta, privacy):
        return self.right.query.smooth_sensitivity(data, beta).value


def test_a_wrong_bound_is_the_only_mistake():
    """With the right bound in its place the noise is the right one, also where rounding adds to it."""
    right, data = SmoothRelease(query=Mean()), Sample([1e15, 1e15 + 2, 1e15 + 8], Interval(1e15, 1e15 + 8))
    scales = [m.prepare(data, Privacy(1.0)).scale for m in (right, RightSmoothness(right))]
    assert scales[0] == scales[1]


def test_where_mistakes_apply():
    applying = {
        SmoothRelease(): 5,
        SmoothRelease(query=Mean()): 1,
        LaplaceRelease(): 2,
        ExponentialRelease(): 2,
        ExponentialRelease(query=Maximum()): 1,
        SmoothRelease(query=MstCost()): 3,
        SampleAggregate(): 4,
        SampleAggregate(aggregator=Average()): 2,
        NoisyHistogram(): 3,
        HierarchicalHistogram(): 0,
        Covariance(): 0,
        Lloyd(): 2,
        KMeansOnCells(): 1,
        RandomizedResponse(): 1,
        Mode(): 1,
        PrivTree(): 0,
        ChoiceInParts(): 2,
        SumsInParts(): 3,
        SumsInParts(noise="gaussian"): 1,
    }
    for mechanism, count in applying.items():
        assert sum(mistake.applies_to(mechanism) for mistake in PLANTED.values()) == count, mechanism
