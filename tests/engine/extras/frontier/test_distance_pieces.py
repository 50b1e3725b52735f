"""Values by their distance from the data: knots and laws from the definition, and what lies far off."""

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from definition import databases, neighbours
from discrete import number_of_draws
from exact_laws import keeps
from flint import arb
from scipy.special import chdtrc

from engine import WinsorizedMean
from engine.data.graph import SimpleGraph, WeightedGraph
from engine.data.order_statistics import Sample
from engine.domain import Interval
from engine.extras.frontier import distance_pieces
from engine.extras.frontier.distance_pieces import DistancePieces
from engine.extras.frontier.inverse_sensitivity import InverseSensitivity, PiecewiseLaplace, RankKnots
from engine.extras.frontier.ladder import Ladder
from engine.mechanisms import ExponentialRelease, pieces
from engine.privacy import Privacy
from engine.progress import silent
from engine.queries import Maximum, Mean, Median, MstCost, Quantile, TriangleCount, TrimmedMean
from engine.randomness import reproducible, secure
from engine.sampling.balls import ball

DOMAIN = Interval(0.0, 1.0, resolution=0.125)
VALUES = (0.0, 0.25, 0.625, 1.0)
QUERIES = (
    Median(),
    Median(even="average"),
    Quantile(q=0.8),
    Maximum(),
    Mean(),
    TrimmedMean(trim=0.25),
    WinsorizedMean(trim=0.25),
)


def reached(query, n, values=VALUES):
    """Return of every database the exact answers within distance k, from enumeration."""
    everything = databases(values, n)
    answer = {x: query.exact_value(Sample(x, DOMAIN)) for x in everything}
    sets = {x: {x} for x in everything}
    found = {x: [(answer[x], answer[x])] for x in everything}
    for _ in range(n):
        sets = {x: set().union(*(neighbours(y, values) for y in some)) for x, some in sets.items()}
        for x, some in sets.items():
            answers = [answer[y] for y in some]
            found[x].append((min(answers), max(answers)))
    return found


@pytest.mark.parametrize("query", QUERIES, ids=repr)
@pytest.mark.parametrize("most", [4, pytest.param(5, marks=pytest.mark.slow)])
def test_knots_are_the_farthest_answers_with_so_many_records_replaced(query, most):
    """Of values with the bounds among them, for all databases of one to so many records."""
    for n in range(1, most + 1):
        for x, ends in reached(query, n).items():
            knots = RankKnots(query, Sample(x, DOMAIN))
            assert [(knots.knot(-k), knots.knot(k)) for k in range(n + 1)] == ends
            below, above = knots.rises(1, n, silent)
            exact = [(ends[k - 1][0] - ends[k][0], ends[k][1] - ends[k - 1][1]) for k in range(1, n + 1)]
            assert [
                (Fraction(a) / knots.unit, Fraction(b) / knots.unit)
                for a, b in zip(below, above, strict=True)
            ] == exact


def law(ends, value, epsilon, is_linear, radius=Fraction(1, 16)):
    """Return the probability of each eighth, from the knots and the definition of the density."""
    edges = [value - radius, value + radius]
    masses = [(*edges, arb(0), arb(0))]
    for k in range(1, len(ends)):
        above = (ends[k - 1][1] + radius, ends[k][1] + radius)
        below = (ends[k][0] - radius, ends[k - 1][0] - radius)
        first, last = (k - 1, k) if is_linear else (k, k)
        masses += [(*above, arb(first), arb(last)), (*below, arb(last), arb(first))]
    half, found = ball(epsilon) / 2, []
    for index in range(9):
        low = Fraction(2 * index - 1, 16) if index > 0 else Fraction(-1)
        high = Fraction(2 * index + 1, 16) if index < 8 else Fraction(2)
        total = arb(0)
        for start, end, at_start, at_end in masses:
            left, right = max(start, low), min(end, high)
            if left >= right:
                continue
            distances = [
                at_start + (at_end - at_start) * ball((place - start) / (end - start))
                for place in (left, right)
            ]
            if at_start == at_end:
                total += ball(right - left) * (-half * at_start).exp()
            else:
                rate = half * (at_end - at_start) / ball(end - start)
                total += ((-half * distances[0]).exp() - (-half * distances[1]).exp()) / rate
        found.append(total)
    return [mass / sum(found, arb(0)) for mass in found]


@pytest.mark.parametrize("kind", [InverseSensitivity, PiecewiseLaplace])
@pytest.mark.parametrize("query", [Median(), Mean(), WinsorizedMean(trim=0.3)], ids=repr)
@pytest.mark.parametrize("epsilon", [0.3, 3.0])
def test_laws_on_a_grid_are_private_to_the_last_bit(kind, query, epsilon):
    """All neighbours of three records, with the laws that follow from the definition."""
    answers = reached(query, 3)
    laws = {x: law(ends, ends[0][0], epsilon, kind.is_linear) for x, ends in answers.items()}
    for x in laws:
        for y in neighbours(x, VALUES):
            assert keeps(laws[x], laws[y], epsilon, 0.0)
    for x in list(laws)[::4]:
        ready = kind(query=query).prepare(Sample(x, DOMAIN), Privacy(epsilon))
        cells = np.clip(ready.quantile(np.linspace(0, 1, 50_001)), 0, 1)
        counts = np.bincount(np.rint(8 * cells).astype(int), minlength=9) / cells.size
        assert counts == pytest.approx([float(p) for p in laws[x]], abs=2e-4)


@pytest.mark.parametrize("rng", [secure, lambda: reproducible(12)], ids=["release", "simulation"])
@pytest.mark.parametrize("kind", [InverseSensitivity, PiecewiseLaplace])
@number_of_draws(500, 1_500)
def test_what_is_drawn_has_the_law_of_the_definition(kind, rng, runs):
    """Chi-square; false alarm 1e-8 each."""
    query, x = TrimmedMean(trim=0.25), (0.0, 0.25, 0.625, 0.625)
    ends = reached(query, 4)[x]
    drawn = kind(query=query).prepare(Sample(x, DOMAIN), Privacy(2.0)).draw(rng(), runs)
    expected = runs * np.array([float(p) for p in law(ends, ends[0][0], 2.0, kind.is_linear)])
    counts = np.bincount(np.rint(8 * drawn).astype(int), minlength=9)
    assert expected.min() > 5
    assert chdtrc(8, np.sum((counts - expected) ** 2 / expected)) > 1e-8


@pytest.mark.parametrize("q", [0.0, 0.5, 0.93])
def test_without_smoothing_it_is_the_exponential_mechanism_by_rank(q):
    data = Sample(np.random.default_rng(1).gamma(2.0, 2.0, 101), Interval(0.0, 20.0))
    points = np.linspace(0.0, 20.0, 997)
    one, other = (
        mechanism.prepare(data, Privacy(0.7)).density(points)
        for mechanism in (
            InverseSensitivity(query=Quantile(q=q), smoothing=0.0),
            ExponentialRelease(query=Quantile(q=q)),
        )
    )
    assert one == pytest.approx(other, rel=1e-9)


@pytest.mark.parametrize("query", [Median(), Mean(), TrimmedMean()], ids=repr)
def test_without_smoothing_falling_pieces_are_never_worse(query):
    data = Sample(np.random.default_rng(1).gamma(2.0, 2.0, 101), Interval(0.0, 20.0))
    p = np.linspace(0.01, 0.99, 99)
    steps, linear = (
        kind(query=query, smoothing=0.0).prepare(data, Privacy(1.0)).error_quantiles(p)
        for kind in (InverseSensitivity, PiecewiseLaplace)
    )
    assert np.all(linear <= steps * (1 + 1e-9))
    assert linear[49] < 0.99 * steps[49]


def clamped_rungs(graph):
    """Return the law of counts at epsilon = 2 ln 2: a half for each rung, and what is beyond at the ends."""
    most = graph.n * (graph.n - 1) * (graph.n - 2) // 6
    value = int(TriangleCount().exact_value(graph))
    ends = np.concatenate([[0], np.cumsum(TriangleCount().sensitivity_at_distance(graph, 3 * most))])
    drawn = np.arange(-most, 2 * most + 1)
    weights = 0.5 ** np.searchsorted(ends, np.abs(drawn - value))
    return np.bincount(np.clip(drawn, 0, most), weights / weights.sum())


def test_a_ladder_for_triangles_is_the_definition_and_private():
    """All graphs of four vertices, and all that differ in one edge; whole numbers alone."""
    epsilon = 2 * math.log(2)
    pairs = list(itertools.combinations(range(4), 2))
    laws = {}
    for bits in itertools.product((0, 1), repeat=6):
        graph = SimpleGraph([pair for pair, bit in zip(pairs, bits, strict=True) if bit], n=4)
        laws[bits] = clamped_rungs(graph)
        ready = Ladder(query=TriangleCount()).prepare(graph, Privacy(epsilon))
        assert ready.near.is_complete
        found = np.rint(ready.grid.clamp(ready.quantile(np.linspace(0.0, 1.0, 20_001)))).astype(int)
        assert np.bincount(found, minlength=5) / 20_001 == pytest.approx(laws[bits], abs=5e-4)
        assert set(ready.draw(secure(), 4)) <= set(range(5))
    for bits, place in itertools.product(laws, range(6)):
        other = tuple(bit ^ (at == place) for at, bit in enumerate(bits))
        assert np.abs(np.log(laws[bits] / laws[other])).max() <= epsilon * (1 + 1e-9)


def test_the_ladder_for_costs_has_rungs_that_neighbours_cannot_outgrow():
    """A^(t) of one against A^(t+1) of the other, as the numbers that are used; and the answers."""
    weights = {
        w: WeightedGraph([(0, 1), (1, 2), (0, 2)], w, Interval(0, 10))
        for w in itertools.product((0.0, 3.3, 10.0), repeat=3)
    }
    knots = {w: Ladder(query=MstCost()).knots(graph, silent) for w, graph in weights.items()}
    for one, first in knots.items():
        for place, new in itertools.product(range(3), (0.0, 3.3, 10.0)):
            second = knots[(*one[:place], new, *one[place + 1 :])]
            for k in range(first.last - 1):
                assert second.knot(k + 1) >= first.knot(k)
                assert second.knot(-k - 1) <= first.knot(-k)


@pytest.mark.parametrize("is_linear", [False, True])
def test_what_is_left_out_weighs_next_to_nothing(is_linear, monkeypatch):
    data = Sample(np.random.default_rng(2).lognormal(0, 2, 400), Interval(0.0, 10.0))
    knots = RankKnots(TrimmedMean(), data)
    whole = DistancePieces.of(knots, 1e-5, 3.0, data.n, is_linear=is_linear)
    monkeypatch.setattr(distance_pieces, "_FIRST_REACH", 5)
    near = DistancePieces.near(knots, 1e-5, 3.0, is_linear=is_linear)
    assert near.reach < 200
    assert whole.is_complete
    assert whole.edges[[0, -1]] == pytest.approx([-1e-5, 10 + 1e-5], rel=1e-9, abs=1e-9)
    rest = whole.without(near).log_weights
    assert np.exp(rest).sum() <= 2.0**-69 * np.exp(whole.log_weights).sum()
    for piece in range(0, near.number.size, 9):
        assert float(near.log_weight(piece).mid()) == pytest.approx(near.log_weights[piece], rel=1e-12)
    numbers, weights = [], []
    monkeypatch.setattr(knots, "most", 37)
    for part in near.others():
        assert part.number.size <= 2 * 37
        numbers += part.number.tolist()
        weights += part.log_weights.tolist()
    order = np.argsort(numbers)
    kept = rest > -np.inf
    assert np.array(numbers)[order].tolist() == whole.number[kept].tolist()
    assert np.array(weights)[order] == pytest.approx(rest[kept], rel=1e-12)
    with_coin = PiecewiseLaplace(query=TrimmedMean()).prepare(data, Privacy(3.0))
    assert with_coin.density(np.linspace(-1, 11, 50)).min() >= 0


def test_draws_beyond_what_is_near_follow_the_same_law(monkeypatch):
    """With next to no pieces near, and a coin that is exact: false alarm 1e-8."""
    monkeypatch.setattr(distance_pieces, "_FIRST_REACH", 1)
    monkeypatch.setattr(distance_pieces, "NEVER", -100.0)
    seeded = np.random.default_rng(1)
    monkeypatch.setattr(pieces, "coins", lambda _, share, size, rng: seeded.random(1) < float(share()))
    x = (0.0, 0.25, 0.625, 0.625)
    ready = PiecewiseLaplace(query=Mean()).prepare(Sample(x, DOMAIN), Privacy(0.5))
    assert ready.near.reach == 1
    ends = reached(Mean(), 4)[x]
    expected = 300 * np.array([float(p) for p in law(ends, ends[0][0], 0.5, True)])
    counts = np.bincount(np.rint(8 * ready.draw(secure(), 300)).astype(int), minlength=9)
    assert expected.min() > 5
    assert chdtrc(8, np.sum((counts - expected) ** 2 / expected)) > 1e-8
