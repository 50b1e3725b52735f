"""The attack on the low bits: what is rounded exactly stands it, noise in double precision does not.

Real releases have no seed: what is exact is called violated with probability 1e-6 at each test.
"""

import dataclasses
import math

import numpy as np
import pytest
from low_bits import can_give, other_cases, pair_of, scalar_cases

from engine import Lloyd
from engine.audit import LowBits, check_grid, doubles, low_bits_run
from engine.audit.low_bits import grid_of, p_value
from engine.data.categories import Categories, CategoryDomain
from engine.data.order_statistics import Sample
from engine.data.points import Points
from engine.domain import Box, Interval
from engine.errors import ParameterError
from engine.mechanisms import (
    ContingencyTable,
    HierarchicalHistogram,
    InteriorPoint,
    LaplaceRelease,
    Mode,
    NoisyAverage,
    NoisyHistogram,
    OneCluster,
    SampleAggregate,
    ScreenedMean,
    SmoothRelease,
)
from engine.mechanisms.aggregators import Average, MedianAggregator, WinsorizedAggregator
from engine.mechanisms.planted import HalvedScale, NaiveDoubles
from engine.privacy import NO_PROMISE, Privacy
from engine.progress import Cancelled
from engine.queries import Mean
from engine.randomness import reproducible, secure
from engine.sampling.public_grid import PublicGrid

UNIT, LINE, SQUARE = Interval(0, 1), Box.of([0], [1]), Box.of([0, 0], [1, 1])
COLOURS = CategoryDomain(["colour"], [["red", "green", "blue"]])
PURE = Privacy(1.0)
MEDIANS = pair_of(*(Sample([0, value, 1], UNIT) for value in (0.1, 0.3)))
QUICK = ("0.1-0.3 laplace", "0.1-0.3 smooth lcp", "0.1-0.3 exponential", "salaries laplace", "counts")
ALL = [*scalar_cases(), *other_cases()]
PICKED = [
    pytest.param(case, id=case.name, marks=() if case.name in QUICK else pytest.mark.slow) for case in ALL
]


@pytest.mark.parametrize("case", PICKED)
def test_exact_releases_stand_the_attack(case):
    found = low_bits_run(case.mechanism, case.pair, case.privacy, runs=1000).result
    assert found.verdict == "consistent"
    assert (found.off_grid, found.impossible, found.at_least) == (0.0, (0.0, 0.0), 0.0)
    assert [step for step in found.step if not math.isnan(step)] == [case.step]
    assert "never prove it" in found.describe()


@pytest.mark.parametrize(
    "case",
    [pytest.param(case, id=case.name, marks=pytest.mark.slow if case.name == "ball" else ()) for case in ALL],
)
def test_noise_in_double_precision_is_caught(case):
    """Least often where most answers are refused: one in a hundred is caught but for 1e-6 of all tests."""
    assert NaiveDoubles.applies_to(case.mechanism)
    planted = NaiveDoubles.planted(case.mechanism)
    run = low_bits_run(planted, case.pair, case.privacy, runs=1000)
    assert run.result.verdict == "violated"
    assert run.result.off_grid > 0
    assert "do not lie on the public grid" in run.result.describe()
    if case.name == "0.1-0.3 laplace":
        assert min(run.result.impossible) > 0.7
        assert run.result.refuted
        assert "refute every ε" in run.result.describe()
    inside = np.concatenate(run.positions)
    assert np.abs(inside).max() <= 0.5
    assert len(run.positions[0]) == len(run.impossible[0])


@pytest.mark.parametrize(
    ("right", "pair"),
    [
        (NoisyAverage(), "points"),
        (SampleAggregate(aggregator=Average()), "points"),
        (SampleAggregate(aggregator=MedianAggregator()), "points"),
        (SampleAggregate(aggregator=WinsorizedAggregator()), "points"),
        (LaplaceRelease(query=Mean()), "column"),
        (ContingencyTable(), "categories"),
    ],
    ids=lambda value: getattr(value, "name", value),
)
def test_it_is_caught_wherever_it_applies(right, pair):
    values = np.random.default_rng(3).random((300, 2))
    pairs = {
        "points": pair_of(Points(values, SQUARE), Points(values, SQUARE).replaced(0, [1.0, 0.0])),
        "column": MEDIANS,
        "categories": pair_of(
            *(Categories([[i % 2] for i in range(39)] + [[last]], COLOURS) for last in (0, 1))
        ),
    }
    assert NaiveDoubles.applies_to(right)
    assert low_bits_run(NaiveDoubles.planted(right), pairs[pair], Privacy(20.0), runs=1000).result.violated


def test_what_is_possible_where_it_was_drawn():
    """No draw of numpy's samplers is called impossible for its own center and scale."""
    rng = reproducible(5)
    for center, scale in ((0.0, 1.0), (0.1, 1.3), (48139.0, 5e7 * (1 + 2**-48)), (3.3, 0.7), (-5.0, 1e-9)):
        for laplace, z in ((True, rng.laplace(size=2000)), (False, rng.standard_normal(2000))):
            values = center + scale * z
            assert doubles.sums(values, center, scale, laplace=laplace).all()
    edges = np.array([0.0, 0.1, 0.1, 0.7, 1.0])
    gap = rng.choice([0, 2, 3], 2000)
    values = edges[gap] + rng.random(2000) * (edges[gap + 1] - edges[gap])
    assert doubles.in_pieces(values, edges).all()


@pytest.mark.parametrize(("center", "scale"), [(0.0, 1.3), (0.3, 1.0), (0.1, 0.37), (7.0, 3.0)])
def test_sums_in_double_precision_are_those_of_exact_arithmetic(center, scale):
    values = 0.1 + 1.1 * reproducible(6).standard_normal(500)
    expected = [can_give(value, center, scale) for value in values.tolist()]
    assert doubles.sums(values, center, scale, laplace=False).tolist() == expected
    assert not all(expected)


def test_low_bits_of_two_laws_are_told_apart():
    """A fault of one bit in 10 is seen; numbers of one law, and ends of ranges, are not called one."""
    rng = reproducible(7)
    wide = np.rint(rng.normal(0, 2**40, (2, 4000, 1)))
    assert p_value(*wide) > 1e-6
    biased = wide.copy()
    biased[1] = biased[1] // 2 * 2 + (rng.random((4000, 1)) < 0.6)
    assert p_value(*biased) < 1e-6
    clamped = np.where(rng.random((2, 4000, 1)) < [[[0.1]], [[0.5]]], 2.0**45, wide)
    assert p_value(*clamped) > 1e-6
    # bits that the noise itself reaches are none of the low ones
    assert p_value(np.zeros((4000, 1)), np.ones((4000, 1))) == 1.0
    coarse = np.rint(rng.normal(0, 20, (2, 4000, 1))) + np.array([[[0]], [[30]]])
    assert p_value(*coarse) == 1.0
    assert p_value(np.full((4000, 1), np.nan), wide[0]) == 1.0


def test_p_values_are_uniform_for_one_law():
    """Of 400 one in 20 is below 0.05: 45 or more would have probability below 1e-6; the seed is fixed."""
    rng = reproducible(8)
    small = sum(p_value(*np.rint(rng.laplace(0, 2**40, (2, 2000, 1)))) < 0.05 for _ in range(400))
    assert 2 < small < 45


def found_with(**changes):
    found = LowBits(PURE, 1000, (1.0,), True, 0.0, (0.0, 0.0), 0.0, 0.5)
    return dataclasses.replace(found, **changes)


def test_what_refutes_a_promise():
    assert not found_with().violated
    impossible = {"impossible": (0.01, 0.0), "at_least": 0.002}
    assert found_with(**impossible).refuted
    assert not found_with(privacy=Privacy(1.0, 0.005), **impossible).refuted
    assert found_with(privacy=Privacy(1.0, 0.001), **impossible).refuted
    assert found_with(off_grid=0.1).violated
    assert found_with(p_value=1e-7).violated
    assert "tell the databases apart" in found_with(p_value=1e-7).describe()
    assert "grid is not the same" in found_with(same_grid=False).describe()
    assert "Fewer than 0.1 %" in found_with(off_grid=1e-4).describe()


def test_a_grid_holds_its_points_alone():
    grid = PublicGrid.multiples([0.25, 0.1])
    numbers = np.array([[0.5, 0.3], [0.3, 0.30000000000000004], [np.nan, np.nan], [1e300, -0.1]])
    assert grid.holds(numbers).tolist() == [[True, False], [False, True], [True, True], [True, True]]
    assert grid.same(PublicGrid.multiples([0.25, 0.1]))
    assert not grid.same(PublicGrid.multiples(0.25))


def test_balls_and_means_lie_on_their_own_grid():
    data, asked = Points(np.random.default_rng(1).random((3000, 2)), SQUARE), Privacy(1.0, 1e-6)
    for mechanism, size in ((OneCluster(t=500), 3), (ScreenedMean(t=700), 5)):
        grid = grid_of(mechanism, data, asked)
        drawn = mechanism.prepare(data, asked).draw(reproducible(1), 5)
        assert drawn.shape == (5, size)
        assert grid.holds(drawn).all()
        assert not grid.holds(drawn + 1e-9 * (np.arange(size) == 0))[:, 0].any()
    line = Points(data.values[:, :1], LINE)
    assert grid_of(InteriorPoint(), line, asked).step.tolist() == [2.0**-16]


@pytest.mark.parametrize(
    ("mechanism", "data"),
    [
        (Lloyd(), Points([[0.5, 0.5]], SQUARE)),
        (HierarchicalHistogram(), Points([[0.5, 0.5]], SQUARE)),
        (Mode(), Categories([[0]], COLOURS)),
        (ContingencyTable(margins="singles"), Categories([[0]], COLOURS)),
        (InteriorPoint(way="reduction"), Points([[0.5]], LINE)),
    ],
    ids=lambda value: getattr(value, "name", ""),
)
def test_what_has_no_low_bits_says_so(mechanism, data):
    with pytest.raises(ParameterError, match="low bits cannot be tested"):
        check_grid(mechanism, pair_of(data, data), PURE)


def test_it_refuses_too_few_runs_and_can_be_cancelled():
    with pytest.raises(ParameterError, match="too few"):
        low_bits_run(LaplaceRelease(), MEDIANS, PURE, runs=999)

    def cancel(fraction: float, _: str) -> None:
        if fraction > 0.2:
            raise Cancelled

    with pytest.raises(Cancelled):
        low_bits_run(LaplaceRelease(), MEDIANS, PURE, runs=2000, progress=cancel)


def test_other_mistakes_are_exact_and_stand_it():
    run = low_bits_run(HalvedScale.planted(LaplaceRelease()), MEDIANS, PURE, runs=1000)
    assert run.result.verdict == "consistent"


def test_a_release_of_it_promises_nothing_and_states_no_grid():
    made = NaiveDoubles.planted(SmoothRelease()).run(MEDIANS.data, PURE, secure())
    assert made.privacy == NO_PROMISE
    assert (made.step, made.exact, made.simulated) == (None, False, False)
    assert made.parameters["instead_of"] == "smooth"
    assert NaiveDoubles.planted(SmoothRelease()).run(MEDIANS.data, PURE, reproducible(1)).simulated


def test_a_declared_resolution_does_not_hide_it():
    """The noise is not rounded at all, whatever is declared."""
    coarse = Interval(0, 1, resolution=0.01)
    pair = pair_of(*(Sample([0, value, 1], coarse) for value in (0.1, 0.3)))
    found = [
        low_bits_run(one, pair, PURE, runs=1000).result
        for one in (LaplaceRelease(), NaiveDoubles.planted(LaplaceRelease()))
    ]
    assert [one.verdict for one in found] == ["consistent", "violated"]
    assert found[0].step == (0.01,)


def test_histograms_are_looked_at_count_by_count():
    values = np.random.default_rng(1).random((50, 2))
    ready = NaiveDoubles.planted(NoisyHistogram(bins=2, post="none")).prepare(Points(values, SQUARE), PURE)
    assert ready.ready.sanitizer.histogram(reproducible(1)).counts.shape == (4,)
