"""Values chosen by rank with permute-and-flip: the law from the definition, privacy, and exact draws."""

import itertools
import math

import numpy as np
import pytest
from discrete import assert_drawn_from, number_of_draws

from engine.data.order_statistics import Sample
from engine.domain import Interval
from engine.ledger.cost import Cost
from engine.mechanisms import ExponentialRelease, pieces, rank_gaps
from engine.mechanisms.pieces import PiecewisePrepared
from engine.mechanisms.rank_choice import MAX_CANDIDATES, RankFlips
from engine.primitives.permute_and_flip import flip_probabilities
from engine.privacy import Privacy
from engine.queries import Median, Quantile
from engine.randomness import secure

FLIPS = ExponentialRelease(choice="permute-and-flip")
WHOLE = Interval(0.0, 20.0, resolution=1.0)


def scores(values, sought, top):
    """Return the score of each whole number up to `top`: the best rank of those that it may have."""
    below = [sum(value < k for value in values) for k in range(top + 1)]
    upto = [sum(value <= k for value in values) for k in range(top + 1)]
    return np.array([-max(0.0, a - sought, sought - b) for a, b in zip(below, upto, strict=True)])


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
    each = scores(values, Quantile(q=q).records_below(15), 20)
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
    exact = scores(values, Median().records_below(40), 20)
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
