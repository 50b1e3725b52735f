"""Balls among the records: where the engine found them, and boxes where they were drawn."""

import dataclasses

import numpy as np
import pytest
from small_clusters import CENTER, PRIVACY, T, cluster

from engine.analysis.ball_scenes import ball_scene, boxes_scene, number_scene, records_scene
from engine.analysis.radii import choose_radius
from engine.data.points import Points
from engine.domain import Box
from engine.mechanisms import InteriorPoint, KBalls, OneCluster, ScreenedMean
from engine.privacy import Privacy
from engine.randomness import reproducible

DATA = cluster()
MECHANISM = OneCluster(t=T)
FOUND = MECHANISM.prepare(DATA, PRIVACY).located.run(reproducible(3))


def test_a_ball_is_where_the_run_has_found_it_and_the_true_one_is_the_smallest():
    published = []
    cloud = ball_scene(MECHANISM, DATA, PRIVACY, seed=3, near=False, publish=published.append)
    [ball], [true] = cloud.balls, cloud.truth
    assert (tuple(ball.center), ball.radius) == (FOUND.ball.center, FOUND.ball.radius)
    places = MECHANISM.search.domain(DATA.domain).round_points(DATA.values)
    from_center = np.linalg.norm(places - ball.center, axis=1)
    assert ball.held == np.count_nonzero(from_center <= ball.radius + 1e-12)
    distances = np.sort(np.linalg.norm(places[:, None] - places, axis=2), axis=1)[:, T - 1]
    assert true.radius == pytest.approx(distances.min())
    assert true.held >= T
    assert (cloud.simulated, cloud.target, cloud.n) == (True, T, 1500)
    assert [one.truth for one in published] == [()]
    # once the true ball is known, nothing has to be shown without it
    ball_scene(MECHANISM, DATA, PRIVACY, seed=4, publish=published.append)
    assert len(published) == 1


def test_a_tiny_ball_is_looked_at_closely_unless_something_else_is_asked():
    wide = ball_scene(MECHANISM, DATA, PRIVACY, seed=3, near=False)
    near = ball_scene(MECHANISM, DATA, PRIVACY, seed=3, near=True)
    assert not wide.is_closeup
    assert near.is_closeup
    [ball] = near.balls
    for side, middle in zip(near.window, ball.center, strict=True):
        assert side.width == pytest.approx(4 * ball.radius)
        assert (side.lower + side.upper) / 2 == pytest.approx(middle)
    value = {"center": [0.5, 0.5], "radius": 0.001}
    assert ball_scene(MECHANISM, DATA, Privacy(1.0), released=value, records=False).is_closeup
    assert not ball_scene(
        MECHANISM, DATA, Privacy(1.0), released={**value, "radius": 0.3}, records=False
    ).is_closeup


def test_a_release_takes_the_place_of_a_simulated_ball():
    value = {"center": [0.5, 0.25], "radius": 0.2}
    cloud = ball_scene(MECHANISM, DATA, PRIVACY, released=value)
    assert not cloud.simulated
    assert [disc.radius for disc in cloud.balls] == [0.2]
    assert cloud.truth
    public = ball_scene(MECHANISM, DATA, Privacy(1.0), released=value, records=False)
    assert (public.records, public.truth, public.balls[0].held) == (None, (), None)


def test_several_balls_and_the_mean_inside():
    balls = KBalls(k=2, t=T)
    cloud = ball_scene(balls, DATA, PRIVACY, seed=3)
    found = balls.prepare(DATA, PRIVACY).run(reproducible(3)).searches
    there = [one.ball for one in found if one.ball is not None]
    assert [disc.radius for disc in cloud.balls] == [ball.radius for ball in there]
    screened = ScreenedMean(t=T)
    mean = screened.prepare(DATA, PRIVACY).run(reproducible(3)).mean
    cloud = ball_scene(screened, DATA, PRIVACY, seed=3)
    assert np.array_equal(cloud.mean, mean)
    assert cloud.true_mean == pytest.approx(CENTER, abs=0.01)


def test_boxes_hold_the_records_that_they_say():
    cloud = boxes_scene(MECHANISM, DATA, PRIVACY, seed=3)
    boxes, tried = cloud.boxes, FOUND.tries[-1]
    assert sorted(boxes.counts) == sorted(tried.cells.counts)
    assert (boxes.held, boxes.partitions, boxes.partition) == (
        len(tried.cells.counts),
        len(FOUND.tries),
        len(FOUND.tries) - 1,
    )
    assert boxes.upper - boxes.lower == pytest.approx(boxes.side)
    places = MECHANISM.search.domain(DATA.domain).round_points(DATA.values)
    inside = (places >= boxes.lower[boxes.chosen]) & (places < boxes.upper[boxes.chosen])
    assert inside.all(axis=1).sum() == boxes.counts[boxes.chosen]
    assert cloud.balls
    again = boxes_scene(MECHANISM, DATA, PRIVACY, seed=3, near=True)
    assert again.boxes is boxes
    assert again.is_closeup
    if len(FOUND.tries) > 1:
        assert not boxes_scene(MECHANISM, DATA, PRIVACY, seed=3, tried=0).balls


def test_boxes_of_a_projection_have_no_place_among_the_data():
    many = cluster(40)
    mechanism = OneCluster(t=650, method="tight-boxes")
    cloud = boxes_scene(mechanism, many, Privacy(90.0, 1e-3))
    assert (cloud.projected, cloud.boxes, cloud.balls) == (True, None, ())


@pytest.mark.parametrize("step", ["first", "last"])
def test_a_radius_is_chosen_as_the_run_has_chosen_it(step):
    chosen = choose_radius(MECHANISM, DATA, PRIVACY, seed=3, step=step)
    choice = FOUND.reach if step == "last" and FOUND.reach else FOUND.scale
    assert chosen.radii is choice.radii or np.array_equal(chosen.radii, choice.radii)
    assert np.array_equal(chosen.counts, choice.counts)
    assert (chosen.target, chosen.chosen, chosen.t) == (choice.target, choice.chosen, T)
    assert chosen.counted == ("center" if choice is FOUND.reach else "cells")
    assert (
        choose_radius(dataclasses.replace(MECHANISM, method="tight-boxes"), DATA, PRIVACY).counted == "capped"
    )
    [true] = ball_scene(MECHANISM, DATA, PRIVACY).truth
    assert chosen.truth == true.radius


def test_a_number_stands_among_the_records():
    line = Points(DATA.values[:, :1], Box.of([0], [1]))
    mechanism = InteriorPoint()
    cloud = number_scene(mechanism, line, PRIVACY, seed=3)
    drawn = mechanism.prepare(line, PRIVACY).draw(reproducible(3), 1)
    assert cloud.released.tolist() == drawn.tolist()
    assert cloud.truth[0, 0] == pytest.approx(np.median(line.values), abs=1e-3)
    assert cloud.simulated
    real = number_scene(mechanism, line, PRIVACY, released=0.25)
    assert (real.released.tolist(), real.simulated) == ([[0.25]], False)


def test_records_can_stand_alone():
    cloud = records_scene(DATA)
    assert cloud.records.n == 1500
    assert cloud.kinds == ("records",)
