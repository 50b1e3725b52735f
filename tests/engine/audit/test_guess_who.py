"""The guessing game: exact hit rates, the bound of the guarantee, and mistakes that exceed it.

Each statement about chance fails without cause with probability at most 1e-6.
"""

import dataclasses
import math

import numpy as np
import pytest
from scipy.stats import binom

from engine.aggregation.blocks import Partition
from engine.audit import audit_run, worst, worst_case_pairs
from engine.audit.bounding import audit_draws
from engine.audit.events import DISTANCES
from engine.audit.guess_who import LUCK, hit_bound, lucky_share
from engine.catalog import methods
from engine.data.categories import CategoryDomain
from engine.data.parts import PartsDomain
from engine.domain import Box, Interval
from engine.extras.frontier.coinpress import CoinPress
from engine.extras.frontier.friendly_core import FriendlyCore
from engine.extras.frontier.growing_box import GrowingBox
from engine.extras.frontier.ladder import Ladder
from engine.extras.frontier.lipschitz_extension import LipschitzExtension
from engine.extras.frontier.stable_cell import StableCell
from engine.extras.libraries.library import Peer
from engine.extras.points.k_means import Lloyd
from engine.mechanisms import (
    PLANTED,
    ChoiceInParts,
    ContingencyTable,
    ExponentialRelease,
    LaplaceRelease,
    Mode,
    NoisyAverage,
    ProposeTestRelease,
    RandomizedResponse,
    SampleAggregate,
    SmoothRelease,
    SumsInParts,
)
from engine.noise import NOISES
from engine.privacy import Privacy
from engine.queries import Count, Mean, Median, MstCost, TriangleCount

ALARM = 1e-6
ROUNDS = 100_000
BOUNDS, LINE, SQUARE = Interval(0.0, 10.0), Box.of([0], [1]), Box.of([0, 0], [1, 1])
COLOURS = CategoryDomain(["colour"], [["red", "green", "blue"]])
DOMAINS = {"points": SQUARE, "categories": COLOURS, "parts": PartsDomain(BOUNDS, ("a", "b"))}
PURE, LOOSE = Privacy(1.0), Privacy(1.0, 1e-3)
BLOCKS = SampleAggregate(sampling=Partition(blocks=61))


def domain_of(mechanism):
    if isinstance(mechanism, SampleAggregate):
        return LINE
    return DOMAINS.get(mechanism.reads, BOUNDS)


def exact_mechanisms():
    for query in (Median(), Mean(), MstCost()):
        for kind in methods().values():
            made = kind(query=query)
            budget = PURE if not made.problems(PURE, BOUNDS, 1000) else LOOSE
            private = made.facts.is_private and not isinstance(made, Peer)
            if private and not made.problems(budget, BOUNDS, 1000):
                yield made, budget
    for noise in (kind() for kind in NOISES.values()):
        yield SmoothRelease(noise=noise), LOOSE if noise.needs_delta else PURE
    for other in (Mode(), NoisyAverage(), RandomizedResponse(), BLOCKS, ProposeTestRelease(bound=0.05)):
        yield other, LOOSE if isinstance(other, ProposeTestRelease) else PURE


CASES = [pytest.param(*case, id=f"{case[0].name}-{place}") for place, case in enumerate(exact_mechanisms())]


@pytest.mark.parametrize(("mechanism", "privacy"), CASES)
def test_auto_reaches_the_exact_rate_and_never_exceeds_the_bound(mechanism, privacy):
    slow = mechanism.reads == "categories"
    for pair in worst_case_pairs(mechanism, domain_of(mechanism), 1000, privacy):
        game = audit_run(mechanism, pair, privacy, runs=20_000 if slow else 2 * ROUNDS, seed=3).game
        hits, bets = int(game.hits(game.bets).sum()), int((game.bets >= 0).sum())
        assert binom.sf(hits - 1, bets, game.bound) > ALARM / 100, pair.name
        if game.best is not None:
            assert game.best <= game.bound + 1e-9
            low, high = binom.ppf([ALARM / 200, 1 - ALARM / 200], bets, game.best)
            assert low <= hits <= high, (pair.name, hits / bets, game.best)


def test_most_numbers_have_an_exact_rate():
    known = 0
    for mechanism, privacy in exact_mechanisms():
        pair = worst_case_pairs(mechanism, domain_of(mechanism), 100, privacy)[0]
        known += audit_run(mechanism, pair, privacy, runs=1000).game.best is not None
    assert known > 0.6 * len(CASES)


NODES = LipschitzExtension(query=TriangleCount())
FRIENDS = SampleAggregate(sampling=Partition(blocks=700), aggregator=FriendlyCore())

CAUGHT = [
    ("local-noise", SmoothRelease(), 2000),
    ("local-noise", BLOCKS, 40_000),
    ("beta-is-epsilon", SmoothRelease(), 40_000),
    ("beta-is-epsilon", BLOCKS, 200_000),
    ("test-left-out", ProposeTestRelease(bound=0.1), 2000),
    ("halved-scale", LaplaceRelease(), 10_000),
    ("halved-scale", NoisyAverage(), 40_000),
    ("halved-scale", CoinPress(), 400_000),
    ("gap-formula", SmoothRelease(), 1_000_000),
    ("shifted-gap-formula", SmoothRelease(), 2000),
    ("exponential-doubled", ExponentialRelease(), 20_000),
    ("exponential-doubled", Mode(), 10_000),
    ("exponential-doubled", Ladder(query=TriangleCount()), 40_000),
    ("histogram-scale-one", ContingencyTable(post="none"), 15_000),
    ("histogram-scale-one", SumsInParts(query=Count()), 20_000),
    ("two-category-odds", RandomizedResponse(), 40_000),
    ("sizes-shown", SumsInParts(), 2000),
    ("sizes-shown", ChoiceInParts(), 2000),
    ("published-center-of-attention", SampleAggregate(sampling=Partition(blocks=201)), 800_000),
    ("naive-doubles", SmoothRelease(), 4000),
    ("naive-doubles", LaplaceRelease(), 4000),
    ("naive-doubles", ExponentialRelease(), 4000),
    ("hubs-left-out", NODES, 2000),
    ("fixed-threshold", GrowingBox(way="above-threshold"), 4000),
    ("any-cell", StableCell(), 2000),
    ("lloyd-inverted", Lloyd(k=2, rounds=2), 4000),
    ("exact-last-step", Lloyd(k=2, rounds=1), 1000),
    ("all-or-nothing", FRIENDS, 2000),
]


def test_every_faulty_variant_is_played():
    assert {name for name, _, _ in CAUGHT} == set(PLANTED)


@pytest.mark.parametrize(("name", "right", "runs"), CAUGHT, ids=lambda value: getattr(value, "name", value))
def test_auto_exceeds_the_bound_for_faulty_variants(name, right, runs):
    mechanism = PLANTED[name].planted(right)
    privacy = LOOSE if isinstance(right, (ProposeTestRelease, StableCell)) or right is FRIENDS else PURE
    privacy = dataclasses.replace(privacy, delta=min(privacy.delta, 1e-6))
    pair = worst(mechanism, worst_case_pairs(mechanism, domain_of(right), 1000, privacy))
    game = audit_run(mechanism, pair, privacy, runs=runs, seed=1).game
    hits = game.hits(game.bets)
    assert binom.sf(int(hits.sum()) - 1, len(hits), game.bound) < ALARM


def test_doubles_that_only_one_database_can_give_are_always_right():
    """The audit of events sees nothing; the exact mechanism waits for no such answer."""
    right = SmoothRelease()
    for mechanism in (right, PLANTED["naive-doubles"].planted(right)):
        pair = worst_case_pairs(mechanism, BOUNDS, 11, PURE)[0]
        run = audit_run(mechanism, pair, PURE, runs=4000)
        assert run.audit.verdict == "consistent"
        assert (run.game.hit_rate == 1.0, run.game.share < 1) == (mechanism is not right,) * 2


def test_total_variation_of_laplace_noise_is_known_by_hand():
    """Two Laplace laws one scale/epsilon apart: 1 - exp(-epsilon/2)."""
    for epsilon in (0.1, 1.0, 5.0):
        mechanism = LaplaceRelease(query=Mean())
        pair = worst_case_pairs(mechanism, BOUNDS, 100, Privacy(epsilon))[0]
        game = audit_run(mechanism, pair, Privacy(epsilon), runs=1000).game
        assert game.best == pytest.approx(1 - math.exp(-epsilon / 2) / 2, abs=1e-6)


@pytest.mark.parametrize("noise", [kind() for kind in NOISES.values()], ids=lambda noise: noise.name)
def test_total_variation_agrees_with_a_mean_over_quantiles(noise):
    """It is the mean of (1 - q/p)+ under p."""
    privacy = LOOSE if noise.needs_delta else PURE
    mechanism = SmoothRelease(query=Median(), noise=noise)
    levels = (np.arange(4000) + 0.5) / 4000
    for pair in worst_case_pairs(mechanism, BOUNDS, 11, privacy)[:3]:
        ready = [mechanism.unprocessed().prepare(one, privacy) for one in (pair.data, pair.neighbour)]
        values = float(ready[0].center) + ready[0].scale * ready[0].family.quantile(levels)
        p, q = (one.density(values) for one in ready)
        best = audit_run(mechanism, pair, privacy, runs=1000).game.best
        assert best == pytest.approx((1 + np.maximum(1 - q / p, 0).mean()) / 2, abs=1e-3)


def test_the_bound_is_that_of_randomized_response_with_delta():
    assert hit_bound(Privacy(1.0)) == pytest.approx(math.e / (1 + math.e))
    assert hit_bound(Privacy(1.0, 0.1)) == pytest.approx((math.e + 0.1) / (1 + math.e))
    assert hit_bound(Privacy(1.0, 0.1), 0.5) == pytest.approx((math.e + 0.2) / (1 + math.e))
    assert hit_bound(Privacy(1.0, 0.5), 0.1) == 1.0
    assert hit_bound(Privacy(800.0)) == 1.0


def test_the_edge_of_luck_is_a_quantile_of_the_binomial():
    counts = np.array([1, 5, 100, 10_000])
    for rate in (0.5, 0.731, 1.0):
        below = binom.ppf(LUCK, counts, rate) - counts * lucky_share(counts, rate)
        assert ((below > -1e-6) & (below < 1)).all()


def test_exchanged_databases_change_no_result_of_the_game():
    rng = np.random.default_rng(1)
    for first, second in ((rng.normal(0, 1, 4000), rng.normal(1, 1, 4000)), (rng.random((4000, 3)),) * 2):
        run = audit_draws(first, second, PURE)
        other = run.exchanged()
        assert (other.audit.epsilon_lower_bound, other.shares) == (
            run.audit.epsilon_lower_bound,
            run.shares[::-1],
        )
        assert (other.often, other.game.share) == (1 - run.often, run.game.share)
        for game in (run.game, other.game):
            assert game.hits(game.bets).tolist() == run.game.hits(run.game.bets).tolist()
        assert np.array_equal(other.bins.shares, run.bins.shares[::-1])
        again = other.exchanged()
        assert (again.audit, again.event, again.game.feature) == (run.audit, run.event, run.game.feature)


def test_the_distance_from_a_center_is_named_after_the_exchanged_database():
    rng = np.random.default_rng(1)
    run = audit_draws(rng.normal(0, 1e-3, 4000), rng.normal(0, 1, 4000), PURE)
    names = {
        one: one.replace("first", "other").replace("second", "first").replace("other", "second")
        for one in DISTANCES
    }
    assert run.event.feature in names
    assert run.exchanged().event.feature == names[run.event.feature]
    assert run.exchanged().audit.event.startswith(names[run.event.feature])


def test_hits_leave_out_the_rounds_that_wait():
    rng = np.random.default_rng(1)
    game = audit_draws(rng.normal(0, 1, 4000), rng.normal(1, 1, 4000), PURE).game
    bets = game.sides[:10].copy()
    assert game.hits(bets).tolist() == [True] * 10
    bets[:3] = -1
    bets[3] = 1 - bets[3]
    assert game.hits(bets).tolist() == [False] + [True] * 6


def test_refusals_count_as_answers():
    rng = np.random.default_rng(1)
    first, second = rng.random(4000), rng.random(4000)
    first[::2] = np.nan
    game = audit_draws(first, second, PURE).game
    assert game.hit_rate == pytest.approx(0.75, abs=0.05)
