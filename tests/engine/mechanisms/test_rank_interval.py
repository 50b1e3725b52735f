"""Intervals for order statistics: the public one in ranks, and the one that a share of epsilon pays for."""

import itertools

import numpy as np
import pytest

from engine import (
    AutoRelease,
    ExponentialRelease,
    Interval,
    Maximum,
    Median,
    Privacy,
    Quantile,
    Sample,
    SmoothRelease,
    reproducible,
)
from engine.mechanisms.rank_interval import RankInterval, rank_error, spaced, split_budget
from engine.randomness import secure
from engine.resources import resource
from engine.sampling.output_grid import OutputGrid

SALARIES = Sample(np.loadtxt(resource("examples") / "salaries.csv", skiprows=1), Interval(0, 500_000))
SHAPES = {
    "salaries": SALARIES.values[:2001],
    "even": np.linspace(0, 500_000, 2001),
    "all equal": np.full(2001, 70_000.0),
    "two heaps": np.repeat([10.0, 400_000.0], [1001, 1000]),
    "a wide gap above": np.concatenate([np.linspace(0, 5, 1001), np.full(1000, 499_999.0)]),
}


def misses(interval, data, runs=600):
    """Return how many intervals miss the true value; both ends are drawn at once."""
    rng, ends = reproducible(5), []
    for target, bound in zip(interval.targets, (data.domain.lower, data.domain.upper), strict=True):
        inside = 0 < target < data.n
        ends.append(interval.choice(data, target).draw(rng, runs) if inside else np.full(runs, bound))
    half, value = interval.grid.step / 2, interval.query.value(data)
    return np.count_nonzero((ends[0] - half > value) | (ends[1] + half < value))


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("query", [Median(), Median(even="average"), Quantile(q=0.9), Maximum()], ids=repr)
@pytest.mark.parametrize("epsilon", [0.1, 1.0])
def test_at_least_95_percent_of_intervals_hold_the_value(shape, query, epsilon):
    """False alarm below 1e-6: 60 of 600 misses have probability 1e-7 at 5 %."""
    for values in (SHAPES[shape], SHAPES[shape][1:]):
        data = Sample(values, SALARIES.domain)
        interval = RankInterval(query, data.domain, data.n, epsilon)
        assert misses(interval, data) < 60


@pytest.mark.parametrize("method", [ExponentialRelease, SmoothRelease])
def test_a_value_is_inside_its_interval_which_holds_no_less(method, monkeypatch):
    """The interval of a release is the drawn one, or reaches from it to the released value."""
    drawn, widened = [], 0
    draw = RankInterval.draw
    monkeypatch.setattr(RankInterval, "draw", lambda *given: drawn.append(draw(*given)) or drawn[-1])
    data = Sample(np.random.default_rng(2).uniform(0, 100, 400), Interval(0, 100, resolution=1))
    mechanism, privacy = method(error_share=0.9), Privacy(0.5)
    prepared = mechanism.prepare(data, privacy)
    for seed in range(150):
        release = mechanism.release(prepared, data, privacy, reproducible(seed))
        assert release.parameters["interval"] == [
            min(*drawn[-1], release.value),
            max(*drawn[-1], release.value),
        ]
        widened += tuple(release.parameters["interval"]) != drawn[-1]
    assert len(drawn) == 150
    assert 150 > widened > 0


def test_the_median_of_the_salaries_has_a_short_interval():
    """At a fifth of epsilon it is a tenth as wide as noise on the scale of smooth noise would make it."""
    rng = reproducible(1)
    for share, longest in ((0.2, 2200), (0.5, 900)):
        release = AutoRelease(error_share=share).run(SALARIES, 1.0, rng)
        low, high = release.parameters["interval"]
        assert release.mechanism == "exponential"
        assert low <= Median().value(SALARIES) <= high
        assert (high - low) / 2 < longest
    assert SmoothRelease(error_share=0.2).run(SALARIES, 1.0, rng).parameters["interval"][1] < 52_000


def test_intervals_cover_the_population_of_samples():
    """Samples of 400 from a known population: at most 5 % of the intervals miss its median."""
    rng, missed, runs = np.random.default_rng(3), 0, 300
    for number in range(runs):
        data = Sample(100 * rng.beta(2, 5, 400), Interval(0, 100))
        interval = RankInterval(Median(), data.domain, data.n, 20.0, "population")
        low, high = interval.draw(data, reproducible(number))
        missed += not low <= 26.445 <= high
    assert missed < 0.05 * runs + 5 * np.sqrt(0.05 * 0.95 * runs)
    own = RankInterval(Median(), data.domain, data.n, 20.0)
    assert interval.of_sampling > 20 > 0 == own.of_sampling


@pytest.mark.parametrize("step", [None, 1.0])
@pytest.mark.parametrize("query", [Median(), Quantile(q=0.25)], ids=repr)
def test_the_law_of_each_end_costs_half_of_its_budget(query, step):
    """On all databases of four records with values 0 to 4, and target ranks that are whole or not."""
    domain, points = Interval(0, 4, resolution=step), range(5)
    interval = RankInterval(query, domain, 4, 1.0)
    edges = (np.arange(np.rint(4 / interval.grid.step) + 2) - 0.5) * interval.grid.step
    for target in (0.7, 2.0, 3.5):
        laws = {}
        for values in itertools.combinations_with_replacement(points, 4):
            ready = interval.choice(Sample(values, domain), target)
            below = np.concatenate([[0.0], np.cumsum(ready.probability)])
            laws[values] = np.diff(np.interp(edges, ready.near.edges, below))
        for one, other in itertools.combinations(laws, 2):
            moved = np.bincount(one, minlength=5) - np.bincount(other, minlength=5)
            if moved.clip(0).sum() == 1:
                assert np.abs(np.log(laws[one] / laws[other])).max() <= 0.5 + 1e-9


@pytest.mark.parametrize("share", [0.1, 1 / 3, 0.9])
def test_value_and_interval_cost_no_more_than_asked(share):
    value, interval = split_budget(Privacy(0.7, 1e-6), share)
    assert value.epsilon + interval <= 0.7
    assert interval == pytest.approx(share * 0.7)
    assert value.delta == 1e-6
    release = ExponentialRelease(error_share=share).run(SALARIES, 0.7, secure())
    assert release.privacy == Privacy(0.7)


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("epsilon", [0.05, 1.0])
def test_the_released_value_lies_between_the_stated_shares(shape, epsilon):
    """Records and values count as their nearest multiple of the grid."""
    data = Sample(SHAPES[shape], SALARIES.domain)
    method, privacy = ExponentialRelease(query=Quantile(q=0.3)), Privacy(epsilon)
    low, high = method.public_facts(data.domain, data.n, privacy)["rank_interval"]
    step = method.grid(data).step
    drawn = np.rint(method.prepare(data, privacy).draw(reproducible(2), 600) / step) * step
    records = np.sort(np.rint(data.values / step) * step)
    below, upto = (np.searchsorted(records, drawn, side=side) / data.n for side in ("left", "right"))
    assert np.count_nonzero((upto < low) | (below > high)) < 60
    assert 0 <= low < 0.3 < high <= 1


def test_the_error_in_ranks_is_that_of_the_guide():
    assert rank_error(Interval(0, 120), 1.0, 0.5) == pytest.approx(2 * np.log(121 / 0.05) / 0.5)
    release = ExponentialRelease().run(Sample(range(1000), Interval(0, 999, resolution=1)), 1.0)
    low, high = release.parameters["rank_interval"]
    assert low == pytest.approx(0.4995 - (2 * np.log(1000 / 0.05) + 3.875) / 1000)
    assert high == pytest.approx(0.4995 + (2 * np.log(1000 / 0.05) + 3.875) / 1000)


def test_heaps_keep_their_length_beside_large_bounds():
    domain = Interval(1e9, 1e9 + 1)
    grid = spaced(OutputGrid.of(1.0, domain.lower, domain.upper), domain)
    number = domain.lower / grid.step
    assert (number + 0.5) - number == 0.5
    data = Sample(np.full(400, 1e9 + 0.25), domain)
    assert ExponentialRelease().run(data, 2.0, secure()).value == 1e9 + 0.25
