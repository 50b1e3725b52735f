"""Balls, what is released with them, and several of them."""

import dataclasses
import itertools
import json
import math

import numpy as np
import pytest
from scipy.stats import chi2

from engine import catalog
from engine.analysis.first_attempts import CLUSTER, RADIUS, axis_by_axis, box_of, misleading
from engine.data.points import Points
from engine.domain import Box
from engine.errors import ParameterError
from engine.mechanisms import LaplaceRelease, NoisyAverage
from engine.mechanisms.one_cluster import (
    Ball,
    InteriorPoint,
    KBalls,
    OneCluster,
    ScreenedMean,
    interior_point,
    screen_points,
)
from engine.mechanisms.one_cluster.balls import outside
from engine.mechanisms.one_cluster.grid import DomainGrid
from engine.privacy import Privacy
from engine.randomness import reproducible, secure
from engine.simulation import simulate

PRIVACY = Privacy(1.0, 1e-6)
SQUARE = Box.of([0, 0], [1, 1])


def discs(*sizes, n=4000, seed=2):
    """Return points of the unit square, of which some are in discs of radius 0.02."""
    rng = np.random.default_rng(seed)
    values = rng.uniform(0, 1, (n, 2))
    start = 0
    for center, size in zip([(0.2, 0.3), (0.8, 0.6)], sizes, strict=False):
        values[start : start + size] = np.array(center) + rng.uniform(-0.014, 0.014, (size, 2))
        start += size
    return Points(values, SQUARE)


ONE, TWO = discs(1500), discs(1500, 1400)


def test_a_release_states_the_ball_and_what_theory_promises():
    release = OneCluster(t=1200).run(ONE, PRIVACY, secure())
    assert not release.simulated
    assert set(release.value) == {"center", "radius"}
    assert np.linalg.norm(np.array(release.value["center"]) - [0.2, 0.3]) < 0.1
    facts = json.loads(json.dumps(dict(release.parameters)))
    promise = OneCluster(t=1200).search.promise(SQUARE, ONE.n, PRIVACY)
    assert facts["promised_points"] == promise.promised
    assert facts["promised_share"] == pytest.approx(promise.promised / 1200)
    assert (facts["finder"], facts["grid_step"], facts["t"]) == ("overlapping-cells", 2.0**-16, 1200)
    truth = release.diagnostics["true_value"]
    assert truth.shape == (3,)
    assert np.count_nonzero(Ball.of(truth).contains(ONE.values)) >= 1200
    assert "true_value" not in facts


def test_a_ball_knows_its_points_and_its_box():
    ball = Ball((0.5, 0.5), 0.5)
    assert ball.contains([[0.5, 1.0], [1.0, 0.5], [0.9, 0.9], [0.5, 0.5]]).tolist() == [
        True,
        True,
        False,
        True,
    ]
    assert Ball.of(ball.row) == ball
    assert Ball.of([np.nan, 0.0, 1.0]) is None
    assert ball.bounds(Box.of([0.2, -3], [9, 9])) == Box.of([0.2, 0.0], [1.0, 1.0])
    with pytest.raises(ParameterError, match="radius 0"):
        Ball((0.5, 0.5), 0.0).bounds(SQUARE)


def test_a_ball_of_any_size_can_be_asked():
    far = Ball((0.0, 0.0), 1e200)
    assert far.contains([[1e200, 0.0], [1e200, 1e200]]).tolist() == [True, False]
    near = Ball((0.0, 0.0), 1e-200)
    assert near.contains([[1e-200, 0.0], [1e-200, 1e-200], [1.0, 0.0]]).tolist() == [True, False, False]


def test_screened_points_are_neighbours_when_the_points_are():
    """Outliers are moved to the center, record by record, and the domain is smaller."""
    ball = Ball((0.25, 0.375), 0.125)
    inside = screen_points(ONE, ball)
    assert inside.n == ONE.n
    assert inside.domain == Box.of([0.125, 0.25], [0.375, 0.5])
    rounded = DomainGrid(SQUARE, 1 << 16).round_points(ONE.values)
    moved = ~ball.contains(rounded)
    assert moved.any()
    assert np.all(inside.values[moved] == [0.25, 0.375])
    assert np.array_equal(inside.values[~moved], rounded[~moved])
    other = screen_points(ONE.replaced(3, [0.9, 0.9]), ball)
    assert np.count_nonzero((other.values != inside.values).any(axis=1)) <= 1
    # any mechanism runs on it; this one with noise for a quarter of the bounds
    release = NoisyAverage().run(inside, Privacy(1.0), reproducible(1))
    assert release.noise["scale"][0] == pytest.approx(0.25 * 2 / ONE.n, rel=1e-6)


def test_a_screened_mean_is_that_of_the_points_inside():
    simulation = simulate(ScreenedMean(t=1300), ONE, PRIVACY, runs=40, seed=1)
    assert simulation.refused == 0
    assert np.median(simulation.errors) < 0.005
    assert simulation.true_value[3:] == pytest.approx([0.2, 0.3], abs=0.01)
    value = ScreenedMean(t=1300).run(ONE, PRIVACY, reproducible(1)).value
    assert set(value) == {"center", "radius", "mean"}


def test_the_parts_of_a_screened_mean_add_up():
    mechanism = ScreenedMean(t=1300, share=0.6)
    shares = mechanism.shares(SQUARE, 4000, PRIVACY)
    assert math.fsum(share.privacy.epsilon for share in shares) == pytest.approx(1.0)
    assert math.fsum(share.privacy.delta for share in shares) == pytest.approx(1e-6)
    assert shares[-1].privacy.epsilon == pytest.approx(0.4)
    assert mechanism.search.task(SQUARE, 4000, PRIVACY).privacy == Privacy(0.6, 0.6 * 1e-6)


def test_a_screened_mean_of_copies_is_the_point():
    values = np.concatenate([np.full((1500, 2), 0.25), np.random.default_rng(1).uniform(0, 1, (300, 2))])
    found = ScreenedMean(t=1400).run(Points(values, SQUARE), PRIVACY, reproducible(1)).value
    assert found == {"center": [0.25, 0.25], "radius": 0.0, "mean": [0.25, 0.25]}


def test_two_balls_are_found_one_after_the_other():
    mechanism = KBalls(t=1200, k=2)
    simulation = simulate(mechanism, TWO, Privacy(2.0, 1e-6), runs=20, seed=1)
    assert np.median(simulation.errors) < 0.02
    value = mechanism.run(TWO, Privacy(2.0, 1e-6), reproducible(1)).value
    assert len(value) == 2
    assert sorted(round(ball["center"][0], 1) for ball in value) == [0.2, 0.8]
    assert mechanism.search.task(SQUARE, 4000, Privacy(2.0, 1e-6)).privacy == Privacy(1.0, 5e-7)


def test_what_is_left_differs_in_one_record_between_neighbours():
    """Leaving out a public ball: all databases of 3 points on a line of 4, and all balls."""
    grid = DomainGrid(Box.of([0], [1]), 4)
    for data in itertools.product(range(4), repeat=3):
        for moved, center, radius in itertools.product(range(4), (0.0, 0.25, 0.5), (0.0, 0.25)):
            ball = Ball((center,), radius)
            sets = [
                np.bincount(outside(grid, np.array(some)[:, None], ball)[:, 0], minlength=4)
                for some in (data, (moved, *data[1:]))
            ]
            difference = sets[0] - sets[1]
            assert difference[difference > 0].sum() <= 1
            assert -difference[difference < 0].sum() <= 1


def test_balls_go_on_where_nothing_is_left():
    values = np.concatenate([np.full((900, 2), 0.25), np.full((100, 2), 0.75)])
    found = KBalls(t=800, k=3).run(Points(values, SQUARE), Privacy(3.0, 1e-6), reproducible(1))
    assert len(found.value) == 3
    assert found.value[0] == {"center": [0.25, 0.25], "radius": 0.0}
    assert np.isnan(found.diagnostics["true_value"][3:]).all()


@pytest.mark.parametrize("way", ["exponential", "reduction"])
def test_an_interior_point_has_records_on_both_sides(way):
    """It may fail with probability beta = 0.1; of 100 runs 30 would with p < 1e-6."""
    values = np.random.default_rng(3).normal(0.3, 0.0005, 500)
    data = Points(values[:, None], Box.of([0], [1]))
    mechanism = InteriorPoint(way=way)
    ready = mechanism.prepare(data, Privacy(2.0, 1e-6))
    drawn = ready.draw(reproducible(1), 100)[:, 0]
    step = 2.0**-16
    outside = np.count_nonzero((drawn < values.min() - step / 2) | (drawn > values.max() + step / 2))
    assert outside < 30
    assert isinstance(mechanism.run(data, Privacy(2.0, 1e-6), reproducible(1)).value, float)


def test_an_interior_point_of_copies_is_their_value():
    data = Points(np.full((600, 1), 0.25), Box.of([0], [1]))
    for way in ("exponential", "reduction"):
        drawn = InteriorPoint(way=way).prepare(data, Privacy(2.0, 1e-6)).draw(reproducible(2), 20)
        assert np.count_nonzero(drawn == 0.25) >= 15


@pytest.mark.parametrize(
    ("mechanism", "box", "n", "field", "words"),
    [
        (InteriorPoint(), SQUARE, 1000, "columns", "one column"),
        (InteriorPoint(), Box.of([0], [1]), 40, "way", "at least 55"),
        (InteriorPoint(way="reduction"), Box.of([0], [1]), 200, "way", "at least"),
        (KBalls(t=400, k=5), SQUARE, 1000, "t", "at least"),
    ],
)
def test_too_few_records_are_explained(mechanism, box, n, field, words):
    [problem] = mechanism.problems(PRIVACY, box, n)
    assert problem.field == field
    assert words in problem.message


def test_the_direct_way_needs_fewer_records_than_the_reduction():
    box = Box.of([0], [1])
    direct, reduction = (
        InteriorPoint(way=way).needed(box, 1000, PRIVACY) for way in ("exponential", "reduction")
    )
    assert direct < 60 < 200 < reduction


def test_the_score_of_an_interior_point_moves_by_one():
    """All databases of 3 numbers of 5: min(|{x <= a}|, |{x >= a}|)."""

    def scores(data):
        return [min(sum(x <= a for x in data), sum(x >= a for x in data)) for a in range(5)]

    for data in itertools.product(range(5), repeat=3):
        for moved in range(5):
            pairs = zip(scores(data), scores((moved, *data[1:])), strict=True)
            assert max(abs(one - other) for one, other in pairs) <= 1


def test_the_first_attempt_finds_an_empty_box_beside_a_cluster():
    points = misleading(2000)
    assert np.all((points >= 0) & (points <= 1))
    found = axis_by_axis(points, 2 * RADIUS)
    assert found.inside == 0
    in_cluster = np.linalg.norm(points - CLUSTER, axis=1) <= RADIUS
    assert np.count_nonzero(in_cluster) == 600
    assert found.counts.min() > 600
    for axis in (0, 1):
        hit = (points[:, axis] >= found.lower[axis]) & (points[:, axis] < found.upper[axis])
        assert np.count_nonzero(hit) == found.counts[axis]


def test_boxes_that_a_ball_fits_into_grow_faster_than_the_dimension():
    for d in (1, 2, 10, 100):
        side, diameter = box_of(d)
        assert (1 - 2 / side) ** d == pytest.approx(0.5)
        assert diameter == pytest.approx(side * math.sqrt(d))
    assert box_of(100)[0] / box_of(10)[0] == pytest.approx(10, rel=0.05)


def test_points_are_rounded_to_the_nearest_grid_point():
    grid = DomainGrid(Box.of([10.0, 0.0], [20.0, 2.5]), 100)
    assert (grid.bits, grid.step) == (7, 10 / 128)
    assert grid.last.tolist() == [128, 32]
    values = np.random.default_rng(1).uniform([10, 0], [20, 2.5], (200, 2))
    snapped = grid.index_points(values)
    assert np.abs(grid.unclamped(snapped) - values).max() <= grid.step / 2 + 1e-12
    assert np.array_equal(grid.index_points(grid.points_at(snapped)), snapped)
    assert grid.diameter == pytest.approx(math.hypot(128, 32))


def test_a_side_shorter_than_a_step_has_one_grid_point():
    grid = DomainGrid(Box.of([0.0, 0.0], [1.0, 1e-6]), 16)
    assert grid.last.tolist() == [16, 0]
    release = OneCluster(t=1200, grid=16).run(
        Points(ONE.values * [1.0, 1e-6], grid.box), PRIVACY, reproducible(1)
    )
    assert release.value["center"][1] == 5e-7


@pytest.mark.parametrize("last", [3, 9])
def test_grid_points_of_one_score_are_drawn_together(last):
    """The pieces hold every grid point once, and no record in the midst of a piece."""
    for records in itertools.combinations_with_replacement(range(last + 1), 3):
        found = interior_point.pieces(np.array(records), last)
        spans = [
            set(range(int(a), int(a) + int(m))) for a, m in zip(found.first, found.how_many, strict=True)
        ]
        assert sorted(itertools.chain(*spans)) == list(range(last + 1))
        for span in spans:
            assert len(span) == 1 or not span & set(records)


def test_an_interior_point_is_drawn_by_its_score():
    """All 9 grid points around three records; chi-squared, p < 1e-6."""
    data = Points(np.array([[0.25], [0.5], [0.5]]), Box.of([0], [1]))
    ready = dataclasses.replace(InteriorPoint(grid=8).prepare(data, Privacy(100.0)), epsilon=1.0)
    drawn = np.rint(ready.draw(reproducible(3), 4000)[:, 0] * 8).astype(int)
    records = [2, 4, 4]
    score = [min(sum(x <= a for x in records), sum(x >= a for x in records)) for a in range(9)]
    exact = np.exp(0.5 * np.array(score))
    expected = 4000 * exact / exact.sum()
    assert chi2.sf(np.sum((np.bincount(drawn, minlength=9) - expected) ** 2 / expected), 8) > 1e-6


def test_topics_keep_pages_apart():
    assert catalog.mechanism("one-cluster").facts.topic == "balls"
    assert NoisyAverage().facts.topic == "clusters"
    assert LaplaceRelease().facts.topic == ""
