"""What is promised follows from the slack of each step, and the steps aim at what it says."""

import itertools
import math

import numpy as np
import pytest
from spent import Spent

from engine.data.points import Points
from engine.domain import Box
from engine.errors import ParameterError
from engine.mechanisms.one_cluster import FINDERS, Ball, InteriorPoint, OneCluster, Task
from engine.mechanisms.one_cluster.grid import DomainGrid
from engine.mechanisms.one_cluster.overlapping_cells import CenterOnly
from engine.mechanisms.one_cluster.radius import reach
from engine.privacy import Privacy
from engine.randomness import reproducible

WIDE, CELLS, TIGHT = "wide-boxes", "overlapping-cells", "tight-boxes"
PRIVACY = Privacy(1.0, 1e-6)
N, BETA, LN = 5000, 0.1, math.log


def task(d, t=4000, steps=1 << 16):
    return Task(DomainGrid(Box.of([0] * d, [1] * d), steps), N, t, PRIVACY, BETA)


def cloud(t, d=2):
    rng = np.random.default_rng(1)
    values = rng.uniform(0, 1, (N, d))
    values[:t] = 0.3 + rng.uniform(-0.02, 0.02, (t, d))
    return Points(values, Box.of([0] * d, [1] * d))


def losses_of_cells():
    """2 G, and the slacks of the cell and of the reach, one dimension and |X| = 2^16.

    18 levels, at most 2^16 + 2 cells, and radii from 2^17 steps to half of one, four for each
    doubling: 73 of them.
    """
    third = BETA / 3
    return 2 * 2 / 0.25 * LN(18 / third), 2 / 0.35 * LN((2**16 + 2) / third), 2 / 0.2 * LN(73 / third)


def losses_of_boxes(epsilon, delta_share, fits, things):
    """Twice the slack of radius, threshold and box: the first of 18 radii, and of sensitivity 2."""
    failing = BETA / things
    rounds = math.ceil(LN(failing) / LN(1 - fits))
    return (
        2 * 2 * 2 / epsilon * LN(18 / failing),
        2 * 4 / epsilon * LN(2 * rounds / failing),
        2 * 2 / epsilon * LN(N / (2 * failing)),
    )


def test_cells_promise_what_their_steps_leave():
    promise = FINDERS[CELLS]().guarantee(task(1))
    assert promise.promised == pytest.approx(4000 - math.fsum(losses_of_cells()))
    for d in (1, 2, 5):
        # a cell is less than 8 radii wide
        assert FINDERS[CELLS]().guarantee(task(d)).factor == pytest.approx(8 * math.sqrt(d))
        assert CenterOnly().guarantee(task(d)).factor == pytest.approx(8 * math.sqrt(d))


def test_wide_boxes_promise_what_their_steps_leave():
    lost = losses_of_boxes(0.25, 0.5, 0.5, 4)
    assert FINDERS[WIDE]().losses(task(1)) == pytest.approx(
        dict(zip(("scale", "threshold", "box"), lost, strict=True))
    )
    promise = FINDERS[WIDE]().guarantee(task(1))
    assert promise.promised == pytest.approx(4000 - math.fsum(lost))
    for d in (1, 2, 5):
        # of side 4 d r, for an r of four times the smallest; the diagonal of that
        assert FINDERS[WIDE]().side(2.0, d) == pytest.approx(8 * d)
        assert FINDERS[WIDE]().fits(task(d)) == pytest.approx((1 - 1 / (2 * d)) ** d)
        assert FINDERS[WIDE]().guarantee(task(d)).factor == pytest.approx(16 * d * math.sqrt(d))


def test_tight_boxes_promise_what_their_steps_leave():
    lost = losses_of_boxes(0.2, 0.5, 0.1, 5)
    assert FINDERS[TIGHT]().losses(task(1)) == pytest.approx(
        dict(zip(("scale", "threshold", "box"), lost, strict=True))
    )
    # radii from twice the longest distance, 2^17 steps, to half a step
    last = 2 / 0.2 * LN(73 / (BETA / 5))
    promise = FINDERS[TIGHT]().guarantee(task(1))
    assert promise.promised == pytest.approx(4000 - math.fsum(lost) - last)
    for d in (1, 2, 5):
        side = FINDERS[TIGHT]().side(1.0, d)
        assert (1 - 2 / side) ** d == pytest.approx(0.1)
        assert FINDERS[TIGHT]().guarantee(task(d)).factor == pytest.approx(4 * side * math.sqrt(d))


@pytest.mark.parametrize("t", [4000, 350])
def test_cells_aim_at_what_they_promise(t):
    """The reach wants all but what may be lost, and never less than half of t."""
    wide, box, _ = losses_of_cells()
    found = OneCluster(t=t).prepare(cloud(t, 1), PRIVACY).located.run(reproducible(1))
    assert found.scale.target == pytest.approx(t - wide / 2)
    assert found.reach.target == pytest.approx(max(t / 2, t - wide - box))
    assert (found.reach.target == t / 2) == (t == 350)


@pytest.mark.parametrize(("t", "method"), [(4000, WIDE), (4000, TIGHT), (1000, TIGHT)])
def test_boxes_aim_at_what_they_promise(t, method, monkeypatch):
    """The radius is short of t by its slack, boxes by that of both, the reach by that of all three."""
    lost = losses_of_boxes(*{WIDE: (0.25, 0.5, 0.5, 4), TIGHT: (0.2, 0.5, 0.1, 5)}[method])
    ready = OneCluster(t=t, method=method).prepare(cloud(t, 1), PRIVACY)
    spent = Spent(monkeypatch)
    found = ready.located.run(spent.rng(1))
    assert found.scale.target == pytest.approx(t - lost[0] / 2)
    [stop] = spent.by_name("above_threshold")
    assert stop.given["threshold"] == pytest.approx(t - lost[0] - lost[1] / 2)
    if method == TIGHT:
        assert found.reach.target == pytest.approx(max(t / 2, t - math.fsum(lost)))
        assert (found.reach.target == t / 2) == (t == 1000)


def test_the_reach_goes_from_the_farthest_point_to_half_a_step():
    """Counts are those of closed balls; the smallest radius has no other below it but half a step."""
    grid = DomainGrid(Box.of([0, 0], [1, 1]), 64)
    points = np.array([[8, 0], [4, 0], [0, 4], [1, 1], [0, 0], [0, 0], [3, 7]])
    found = reach(grid, points, np.zeros(2), 8.0, 4.0, 1.0, reproducible(1))
    radii = found.radii / grid.step
    assert radii[0] == 8
    assert 0.5 <= radii[-1] < 0.5 * 2**0.25
    assert radii[4] == pytest.approx(4, abs=0)
    apart = np.sqrt(np.square(points).sum(axis=1))
    assert found.counts.tolist() == [np.count_nonzero(apart <= radius) for radius in radii]
    assert found.counts[[0, 4, -1]].tolist() == [7, 5, 2]


@pytest.mark.parametrize("low", [0.0, 0.1, -7.3, 1e3])
def test_a_ball_holds_the_grid_points_on_its_edge_and_none_beyond(low):
    """Whole squared distances tell who is inside, for boxes whose grid points are no round numbers."""
    for width, steps in itertools.product((0.3, 1 / 7, 33.3), (16, 64)):
        grid = DomainGrid(Box.of([low, low], [low + width, low + width]), steps)
        places = np.array(list(itertools.product(range(steps + 1), repeat=2)))
        for center in ([0, 0], [3, 11], [steps // 2, 5]):
            squared = np.square(places - center).sum(axis=1)
            for edge in (0, 1, 2, 25, 65, 169):
                ball = Ball.at(grid.points_at(np.array(center)), math.sqrt(edge) * grid.step)
                assert np.array_equal(ball.contains(grid.points_at(places)), squared <= edge)


def test_an_interior_point_leaves_out_and_cuts_as_much_as_its_proof_needs():
    """Ball and choice fail with beta/2 each; no interval may hold as many records as the ball."""
    mechanism, privacy = InteriorPoint(way="reduction"), Privacy(2.0, 1e-6)
    data = Points(np.random.default_rng(3).normal(0.3, 0.01, (500, 1)), Box.of([0], [1]))
    ready = mechanism.prepare(data, privacy)
    sought = ready.candidates.located.task
    # a quarter of epsilon for the choice among 17 edges
    margin = math.ceil(2 / 0.5 * LN(17 / (BETA / 2)))
    assert sought.n == sought.t == 500 - 2 * margin
    assert sought.beta == BETA / 2
    assert len(ready.candidates.located.points) == sought.n
    needed = CenterOnly().guarantee(sought).needed
    assert mechanism.needed(data.domain, data.n, privacy) == needed + 2 * margin
    edges = ready.candidates(reproducible(1)).first
    assert len(edges) == 17
    parts = (edges[-1] - edges[0]) / 2 / np.diff(edges)
    assert parts == pytest.approx(CenterOnly().guarantee(sought).factor)


@pytest.mark.parametrize("method", [*(name for name, one in FINDERS.items() if one.uses_delta), "auto"])
def test_the_smallest_failure_is_a_promise_still_and_smaller_ones_are_refused(method):
    mechanism, box = OneCluster(t=50, beta=1e-100, method=method), Box.of([0, 0], [1, 1])
    assert mechanism.search.promise(box, N, Privacy(1e-9, 1e-100)).needed > N
    assert [one.field for one in mechanism.problems(Privacy(1.0, 1e-320), box, N)] == ["delta"]
    with pytest.raises(ParameterError, match="beta"):
        OneCluster(t=50, beta=1e-321, method=method)
