"""Gaps near the rank that is sought have all of the mass that is ever drawn; the others are kept exact."""

import itertools
import math

import numpy as np
import pytest
from scipy.special import chdtrc

from engine.data.order_statistics import Sample
from engine.domain import Interval
from engine.mechanisms import ExponentialRelease, pieces, rank_gaps
from engine.mechanisms.pieces import PiecewisePrepared
from engine.mechanisms.rank_gaps import RankGaps
from engine.mechanisms.release import Private
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
    data, query = Sample(values, BOUNDS), Median()
    near = RankGaps.near(data, query.records_below(data.n), epsilon)
    ready = PiecewisePrepared(near, ExponentialRelease().grid(data), diagnostics=Private({}))
    return ready, ready.draw(secure(), count)


@pytest.mark.parametrize("most", [None, 5])
def test_draws_beyond_what_is_near_follow_the_same_law(most, monkeypatch):
    """With next to no gaps near, all others at once or part by part, and an exact coin: false alarm 1e-8."""
    monkeypatch.setattr(Sample, "most_ranks", most)
    monkeypatch.setattr(rank_gaps, "_FIRST_REACH", 1)
    monkeypatch.setattr(rank_gaps, "NEVER", -100.0)
    seeded = np.random.default_rng(1)
    monkeypatch.setattr(pieces, "coins", lambda _, share, size, rng: seeded.random(1) < float(share()))

    ready, values = released(12, 0.3, 400)
    assert ready.near.last - ready.near.first < 5
    edges = ready._all.edges
    expected = np.array([w for w in weights(edges[1:-1], ready.near.sought, 0.3) if w > 0])
    expected *= 400 / expected.sum()
    counts = np.bincount(np.searchsorted(edges, values) - 1, minlength=expected.size)
    few = expected < 5
    statistic = np.sum(((counts - expected) ** 2 / expected)[~few])
    assert chdtrc(np.count_nonzero(~few) - 1, statistic) > 1e-8


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("step", [None, 0.25, 4.0])
def test_others_part_by_part_are_all_others(kind, step, monkeypatch):
    """Heaps of many ranks lie across the parts, whose ends are anywhere."""
    values, domain = KINDS[kind](np.random.default_rng(3))[:60], Interval(0.0, 10.0, resolution=step)
    monkeypatch.setattr(rank_gaps, "_FIRST_REACH", 1)
    monkeypatch.setattr(rank_gaps, "NEVER", -100.0)
    for q, most in itertools.product((0.0, 0.4, 1.0), (3, 4, 7, 17)):
        monkeypatch.setattr(Sample, "most_ranks", None)
        near = RankGaps.near(Sample(values, domain), Quantile(q=q).records_below(60), 0.5, step)
        (whole,) = near.others()
        monkeypatch.setattr(Sample, "most_ranks", most)
        parts = list(near.others())
        assert len(parts) > 1
        assert seen([whole]) == seen(parts)


def seen(parts):
    """Return the ends, the number, the distance and the weight of all pieces that have any."""
    return sorted(
        facts
        for part in parts
        for facts in zip(
            part.places[:-1], part.places[1:], part.number, part.distance, part.log_weights, strict=True
        )
        if facts[-1] > -np.inf
    )


def test_the_coin_asks_for_the_exact_share_only_where_it_must(monkeypatch):
    asked = []
    real = pieces.coins
    monkeypatch.setattr(
        pieces,
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


def law_of_multiples(values, epsilon, step, bounds, sought, margin=0.0):
    """Return the probability of every multiple of the step, from its definition."""
    points = [k * step for k in range(-50, 50) if bounds.lower <= k * step <= bounds.upper]
    moved = [min(points, key=lambda point: (abs(value - point), round(point / step) % 2)) for value in values]
    below = [sum(value < point for value in moved) for point in points]
    upto = [sum(value <= point for value in moved) for point in points]
    outer = [min((b - a) / 4, margin) for a, b in zip(below, upto, strict=True)]
    missed = [max(0, a + g - sought, sought - b + g) for a, b, g in zip(below, upto, outer, strict=True)]
    weights = np.exp([-epsilon / 2 * far for far in missed])
    return np.array(points), weights / weights.sum()


@pytest.mark.parametrize(("q", "bounds"), [(0.5, (0.0, 3.0)), (0.0, (-0.7, 2.4)), (1.0, (0.2, 2.9))])
def test_multiples_of_a_resolution_are_drawn_as_defined_and_are_private(q, bounds):
    """All databases of three records, and all their neighbours."""
    domain, epsilon, query = Interval(*bounds, resolution=1.0), 1.0, Quantile(q=q)
    laws = {}
    for values in itertools.combinations_with_replacement((0.3, 0.5, 1.0, 1.6, 2.9), 3):
        mechanism = ExponentialRelease(query=query, choice="exponential")
        ready = mechanism.prepare(Sample(values, domain), Privacy(epsilon))
        clamped = [min(max(value, domain.lower), domain.upper) for value in values]
        sought = query.records_below(3)
        margin = math.floor(8 * 16 * sought / 3 * (1 - sought / 3) / epsilon) / 8
        points, expected = law_of_multiples(clamped, epsilon, 1.0, domain, sought, margin)
        cells = np.clip(ready.edges[:, None], points - 0.5, points + 0.5)
        found = np.diff(cells, axis=0) / np.diff(ready.edges)[:, None]
        laws[values] = ready.probability @ found
        assert laws[values] == pytest.approx(expected, rel=1e-9)
        assert set(ready.draw(secure(), 3)) <= set(points)
    for one, other in itertools.product(laws, repeat=2):
        shared = list(one)
        for value in other:
            if value in shared:
                shared.remove(value)
        if len(shared) == 1:
            assert np.abs(np.log(laws[one] / laws[other])).max() <= epsilon * (1 + 1e-12)


def test_a_heap_at_the_rank_is_drawn():
    data = Sample([1, 2, 3, 4, 5] * 200, Interval(0, 10, resolution=1))
    ready = ExponentialRelease().prepare(data, Privacy(1.0))
    assert ready.draw(secure(), 5).tolist() == [3.0] * 5
    assert set(ready.draw(np.random.default_rng(1), 1000)) == {3.0}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("q", [0.5, 0.97, 0.0])
def test_heaps_near_the_rank_weigh_what_they_do_among_all(kind, q, monkeypatch):
    values, domain = KINDS[kind](np.random.default_rng(2)), Interval(0.0, 10.0, resolution=0.25)
    whole = ExponentialRelease(query=Quantile(q=q)).prepare(Sample(values, domain), Privacy(2.0))
    monkeypatch.setattr(rank_gaps, "_FIRST_REACH", 5)
    some = ExponentialRelease(query=Quantile(q=q)).prepare(Sample(values, domain), Privacy(2.0))
    inside = (whole.edges >= some.edges[0]) & (whole.edges <= some.edges[-1])
    assert some.edges == pytest.approx(whole.edges[inside])
    mass = whole.probability[inside[:-1] & inside[1:]]
    assert mass.sum() == pytest.approx(1, abs=1e-12)
    assert some.probability == pytest.approx(mass, rel=1e-9)
    others = some._all.without(some.near).log_weights
    assert np.isfinite(others).sum() == whole.near.number.size - some.near.number.size
