"""Gaps near the rank that is sought have all of the mass that is ever drawn; the others are kept exact."""

import math

import numpy as np
import pytest
from scipy.special import chdtrc

from engine.data.order_statistics import Sample
from engine.domain import Interval
from engine.mechanisms import ExponentialRelease, exponential, rank_gaps
from engine.mechanisms.rank_gaps import RankGaps
from engine.privacy import Privacy
from engine.queries import Median, Quantile
from engine.randomness import secure
from engine.sampling.balls import precision

BOUNDS = Interval(0.0, 10.0)
N = 400
KINDS = {
    "uniform": lambda rng: 10 * rng.random(N),
    "log-scale": lambda rng: rng.lognormal(0, 2, N),
    "integers": lambda rng: np.rint(10 * rng.random(N)),
    "half ties": lambda rng: np.maximum(0.0, rng.normal(size=N)),
    "all equal": lambda rng: np.full(N, 3.0),
    "outside": lambda rng: np.full(N, 30.0),
}


def lengths(values):
    return np.diff([0.0, *sorted(min(max(value, 0.0), 10.0) for value in values), 10.0]).tolist()


def weights(values, sought, epsilon):
    return [
        length * math.exp(-epsilon / 2 * abs(place - sought)) for place, length in enumerate(lengths(values))
    ]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("epsilon", "q"), [(0.5, 0.5), (1.0, 0.97), (7.0, 0.0)])
def test_what_is_left_out_weighs_next_to_nothing(kind, epsilon, q, monkeypatch):
    monkeypatch.setattr(rank_gaps, "_FIRST_REACH", 5)
    values = KINDS[kind](np.random.default_rng(1))
    sought = Quantile(q=q).records_below(N)
    found = RankGaps.near(Sample(values, BOUNDS), sought, epsilon)
    each = weights(values, sought, epsilon)
    rest = sum(each[: found.first]) + sum(each[found.last + 1 :])
    assert rest <= 2.0**-69 * sum(each)
    assert np.exp(found.log_weights) == pytest.approx([each[place] for place in found.number], rel=1e-9)
    near = range(found.first, found.last + 1)
    assert found.number.tolist() == [place for place in near if lengths(values)[place] > 0]
    with precision(96):
        assert float(found.mass()) == pytest.approx(sum(each), rel=1e-12)


def released(n, epsilon, count):
    """Return releases from values of which every second gap is nine times as wide."""
    values = np.cumsum(np.tile([0.1, 0.9], n // 2)) * 10 / n * 2
    ready = ExponentialRelease().prepare(Sample(values, BOUNDS), Privacy(epsilon))
    return ready, ready.draw(secure(), count)


def test_draws_beyond_what_is_near_follow_the_same_law(monkeypatch):
    """With next to no gaps near, and a coin that is exact: false alarm 1e-8."""
    monkeypatch.setattr(rank_gaps, "_FIRST_REACH", 1)
    monkeypatch.setattr(rank_gaps, "_NEVER", -100.0)
    seeded = np.random.default_rng(1)
    monkeypatch.setattr(exponential, "coins", lambda _, share, size, rng: seeded.random(1) < float(share()))

    ready, values = released(12, 0.3, 700)
    assert ready.near.last - ready.near.first < 5
    edges = ready._all.edges
    expected = np.array([w for w in weights(edges[1:-1], ready.sought, 0.3) if w > 0])
    expected *= 700 / expected.sum()
    counts = np.bincount(np.searchsorted(edges, values) - 1, minlength=expected.size)
    few = expected < 5
    statistic = np.sum(((counts - expected) ** 2 / expected)[~few])
    assert chdtrc(np.count_nonzero(~few) - 1, statistic) > 1e-8


def test_the_coin_asks_for_the_exact_share_only_where_it_must(monkeypatch):
    asked = []
    real = exponential.coins
    monkeypatch.setattr(
        exponential,
        "coins",
        lambda p, share, size, rng: real(p, lambda: asked.append(share()) or asked[-1], size, rng),
    )
    monkeypatch.setattr("engine.sampling.choice.random_words", lambda size: np.full(size, 1 << 13, np.uint64))
    monkeypatch.setattr(rank_gaps, "_FIRST_REACH", 5)
    values = 10 * np.random.default_rng(1).random(N)
    ready = ExponentialRelease(query=Median()).prepare(Sample(values, BOUNDS), Privacy(2.0))
    assert not ready._beyond(secure())
    assert not asked
    monkeypatch.setattr("engine.sampling.choice.random_words", lambda size: np.zeros(size, np.uint64))
    assert not ready._beyond(secure())
    assert 0 < float(asked[0]) < 2.0**-69


def test_the_density_beyond_is_that_of_all_gaps(monkeypatch):
    points = np.linspace(-1, 11, 500)
    values = 10 * np.random.default_rng(1).random(N)
    whole = ExponentialRelease().prepare(Sample(values, BOUNDS), Privacy(3.0))
    monkeypatch.setattr(rank_gaps, "_FIRST_REACH", 5)
    some = ExponentialRelease().prepare(Sample(values, BOUNDS), Privacy(3.0))
    assert some.near.number.size < whole.near.number.size
    assert some.density(points) == pytest.approx(whole.density(points), rel=1e-12)
    assert some.quantile(np.linspace(0.01, 0.99, 50)) == pytest.approx(
        whole.quantile(np.linspace(0.01, 0.99, 50)), rel=1e-12
    )
