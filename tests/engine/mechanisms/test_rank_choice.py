"""Values chosen by rank with permute-and-flip: the law from the definition, privacy, and exact draws."""

import itertools
import math

import numpy as np
import pytest
from discrete import assert_drawn_from, number_of_draws

from engine.audit.auditing import audit_mechanism
from engine.audit.pairs import worst_case_pairs
from engine.data.order_statistics import Sample
from engine.domain import Interval
from engine.ledger.cost import Cost
from engine.mechanisms import ExponentialRelease, pieces, rank_gaps
from engine.mechanisms.pieces import PiecewisePrepared
from engine.mechanisms.planted.choices import ExponentialDoubled
from engine.mechanisms.rank_choice import MAX_CANDIDATES, RankFlips
from engine.primitives.permute_and_flip import flip_probabilities
from engine.privacy import Privacy
from engine.queries import Median, Quantile
from engine.randomness import secure

FLIPS = ExponentialRelease(choice="permute-and-flip")
WHOLE = Interval(0.0, 20.0, resolution=1.0)


def scores(values, sought, top, epsilon):
    """Return the score of each whole number up to `top`: the best of the inner ranks that it may have."""
    share = sought / len(values)
    margin = math.floor(128 * share * (1 - share) / epsilon) / 8
    below = [sum(value < k for value in values) for k in range(top + 1)]
    upto = [sum(value <= k for value in values) for k in range(top + 1)]
    outer = [min((b - a) / 4, margin) for a, b in zip(below, upto, strict=True)]
    each = zip(below, upto, outer, strict=True)
    return np.array([-max(0.0, a + g - sought, sought - b + g) for a, b, g in each])


def law(prepared):
    """Return the probability of each multiple of the step."""
    many = np.diff(prepared.near.places).astype(int)
    return np.repeat(prepared.probability / many, many)


@pytest.mark.parametrize("q", [0.0, 0.3, 0.5, 1.0])
@pytest.mark.parametrize("epsilon", [0.1, 1.0, 9.0])
def test_its_law_is_permute_and_flip_among_all_multiples(q, epsilon):
    values = np.random.default_rng(3).integers(2, 19, 15)
    mechanism = ExponentialRelease(query=Quantile(q=q), choice="permute-and-flip")
    prepared = mechanism.prepare(Sample(values, WHOLE), Privacy(epsilon))
    each = scores(values, Quantile(q=q).records_below(15), 20, epsilon)
    assert law(prepared) == pytest.approx(flip_probabilities(each, epsilon), rel=1e-9)


def test_it_keeps_epsilon_on_all_small_databases():
    domain, privacy = Interval(0.0, 4.0, resolution=1.0), Privacy(0.9)
    laws = {
        values: law(FLIPS.prepare(Sample(values, domain), privacy))
        for values in itertools.combinations_with_replacement(range(5), 3)
    }
    losses = [
        np.abs(np.log(laws[values] / laws[tuple(sorted((*values[:i], other, *values[i + 1 :])))])).max()
        for values in laws
        for i in range(3)
        for other in range(5)
    ]
    assert 0.75 * 0.9 < max(losses) <= 0.9 * (1 + 1e-9)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("step", [1.0, 5.0])
@pytest.mark.parametrize("epsilon", [0.1, 1.0])
def test_its_expected_distance_in_ranks_is_never_larger(seed, step, epsilon):
    data = Sample(np.random.default_rng(seed).normal(40, 15, 99), Interval(0.0, 120.0, resolution=step))
    expected = [
        float(ready.probability @ ready.near.distance)
        for choice in ("permute-and-flip", "exponential")
        for ready in [ExponentialRelease(choice=choice).prepare(data, Privacy(epsilon))]
    ]
    assert expected[0] <= expected[1] * (1 + 1e-9)


@pytest.mark.parametrize("kind", ["few", "one heap", "skew"])
@pytest.mark.parametrize("margin", [0.0, 0.5, 3.125, 40.0])
def test_parts_of_the_ranks_know_the_same_distances(kind, margin):
    """A heap that ends beyond the ranks read has the distance that it has among all ranks."""
    rng = np.random.default_rng(4)
    values = {
        "few": rng.integers(0, 21, 300),
        "one heap": np.concatenate([np.full(200, 7), rng.integers(0, 21, 100)]),
        "skew": np.minimum(20, rng.geometric(0.2, 300)),
    }[kind]
    data = Sample(values, WHOLE)
    for sought in (0.5, 90.0, 150.0):
        whole = rank_gaps.RankGaps.of(data, sought, 1.0, 0, 300, 1.0, margin)
        distance = dict(zip(whole.places.tolist(), whole.distance.tolist(), strict=False))
        for first, last in ((0, 20), (85, 95), (149, 152), (100, 300)):
            some = rank_gaps.RankGaps.of(data, sought, 1.0, first, last, 1.0, margin)
            assert some.distance.tolist() == [distance[place] for place in some.places[:-1]]
        near = rank_gaps.RankGaps.of(data, sought, 1.0, 140, 160, 1.0, margin)
        assert [near.distance_at(k) for k in range(21)] == [whole.distance_at(k) for k in range(21)]


def test_the_public_rank_error_holds_with_a_margin():
    """The worst case for the margin: the target is at the end of a heap between two large ones."""
    values = np.repeat([5, 6, 7], [60, 40, 60])
    data, privacy, domain = Sample(values, WHOLE), Privacy(0.5), WHOLE
    for q in np.linspace(0.02, 0.98, 25):
        mechanism = ExponentialRelease(query=Quantile(q=float(q)))
        ready = mechanism.prepare(data, privacy)
        low, high = mechanism.public_facts(domain, 160, privacy)["rank_interval"]
        below = np.array([np.mean(values < k) for k in range(21)])
        upto = np.array([np.mean(values <= k) for k in range(21)])
        assert law(ready)[(upto < low) | (below > high)].sum() <= 0.05


def test_extreme_ranks_have_no_margin():
    """Else the minimum of a heap would be farther from its rank than the empty multiples below it."""
    data = Sample(np.repeat([5, 9], [30, 30]), WHOLE)
    ready = ExponentialRelease(query=Quantile(q=0.0)).prepare(data, Privacy(1.0))
    assert law(ready).argmax() == 5


@number_of_draws(500, 20_000)
def test_releases_have_its_law(runs):
    data = Sample([3, 3, 4, 8, 11, 11, 11, 15], WHOLE)
    prepared = FLIPS.prepare(data, Privacy(1.0))
    assert prepared.near.is_complete
    assert_drawn_from(prepared.draw(secure(), runs).astype(int), law(prepared))


@number_of_draws(500, 20_000)
def test_omitted_ranks_win_as_often_as_they_should(runs, monkeypatch):
    """With a short reach some ranks are not read, but they are drawn with their exact probability."""
    values = np.sort(np.random.default_rng(2).integers(0, 21, 40))
    all_ranks = FLIPS.prepare(Sample(values, WHOLE), Privacy(0.2))
    monkeypatch.setattr(rank_gaps, "_FIRST_REACH", 3)
    monkeypatch.setattr(rank_gaps, "NEVER", -20.0)
    assert pieces.NEVER > 0
    few = FLIPS.prepare(Sample(values, WHOLE), Privacy(0.2))
    assert few.near.distance.size < all_ranks.near.distance.size
    exact = scores(values, Median().records_below(40), 20, 0.2)
    assert [few.near.distance_at(k) for k in range(21)] == pytest.approx(list(-exact))
    assert_drawn_from(few.draw(secure(), runs).astype(int), law(all_ranks))


def test_the_automatic_choice_depends_on_public_facts():
    """It needs a resolution, few multiples and no delta; then it costs epsilon^2/2 in zCDP."""
    automatic, fine = ExponentialRelease(), Interval(0.0, 20.0)
    many = Interval(0.0, 2.0 * MAX_CANDIDATES, resolution=1.0)
    kinds = {
        (WHOLE, 0.0): RankFlips,
        (WHOLE, 1e-6): PiecewisePrepared,
        (fine, 0.0): PiecewisePrepared,
        (many, 0.0): PiecewisePrepared,
    }
    for (domain, delta), kind in kinds.items():
        privacy = Privacy(1.0, delta)
        assert type(automatic.prepare(Sample([1, 2, 3], domain), privacy)) is kind
        cost = Cost.of(automatic, privacy, domain).concentrated
        assert math.isclose(cost.rho, 0.5 if kind is RankFlips else 0.125)
        assert Cost.of(automatic, privacy).concentrated.rho >= cost.rho


@pytest.mark.parametrize("mechanism", [ExponentialRelease(), ExponentialDoubled(ExponentialRelease())])
def test_an_audit_finds_scores_without_the_half(mechanism):
    privacy, domain = Privacy(1.0), Interval(0.0, 100.0, resolution=1.0)
    (pair,) = (one for one in worst_case_pairs(mechanism, domain, 101, privacy) if one.name == "three-heaps")
    audit = audit_mechanism(mechanism, pair.data, pair.neighbour, privacy, runs=20_000, seed=1)
    assert audit.violated == isinstance(mechanism, ExponentialDoubled)
