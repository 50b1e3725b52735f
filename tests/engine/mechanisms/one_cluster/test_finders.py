"""Ways of finding a ball: what they spend, what they keep of their promise, what they refuse."""

import math

import numpy as np
import pytest
from spent import Spent

from engine.data.points import Points
from engine.domain import Box
from engine.errors import ParameterError
from engine.mechanisms.one_cluster import (
    FINDERS,
    FORMER_NAMES,
    Ball,
    OneCluster,
    Task,
    finder,
    in_boxes,
)
from engine.mechanisms.one_cluster.grid import DomainGrid
from engine.mechanisms.one_cluster.overlapping_cells import CenterOnly, OverlappingCells
from engine.primitives import SumCount
from engine.privacy import Privacy
from engine.randomness import reproducible
from engine.specification import Specification

WIDE, CELLS, TIGHT = "wide-boxes", "overlapping-cells", "tight-boxes"
PRIVACY = Privacy(1.0, 1e-6)


def planted(n, t, d=2, size=0.02, seed=1):
    """Return points of the unit cube, the first t of them in a ball around (0.3, ..., 0.3)."""
    rng = np.random.default_rng(seed)
    values = rng.uniform(0, 1, (n, d))
    direction = rng.standard_normal((t, d))
    direction /= np.linalg.norm(direction, axis=1, keepdims=True)
    values[:t] = 0.3 + size * direction * rng.uniform(0, 1, (t, 1)) ** (1 / d)
    return Points(values, Box.of([0] * d, [1] * d))


CLOUD = planted(3000, 1200)


@pytest.mark.parametrize("name", FINDERS)
def test_shares_add_up_to_the_budget(name):
    for d in (2, 30):
        task = Task(DomainGrid(Box.of([0] * d, [1] * d), 256), 1000, 500, PRIVACY, 0.1)
        shares = FINDERS[name]().shares(task)
        assert math.fsum(share.privacy.epsilon for share in shares) <= 1.0 + 1e-12
        assert math.fsum(share.privacy.delta for share in shares) <= 1e-6 * (1 + 1e-12)
        assert len({share.name for share in shares}) == len(shares)


@pytest.mark.parametrize("method", [WIDE, CELLS, TIGHT])
def test_every_step_is_given_the_share_that_is_shown(method, monkeypatch):
    """What is said of the budget, against what the steps themselves are given."""
    mechanism = OneCluster(t=1200, method=method)
    ready = mechanism.prepare(CLOUD, PRIVACY)
    spent = Spent(monkeypatch)
    assert ready.located.run(spent.rng(3)).ball is not None
    shares = mechanism.shares(CLOUD.domain, CLOUD.n, PRIVACY)
    for step, share in zip(spent.steps, shares, strict=True):
        assert (step.name == "mean") == (share.name == "center")
        if step.name == "mean":
            assert step.given["self"].rho == pytest.approx(SumCount.of(1.0, share.privacy).rho)
        else:
            assert step.budget == share.privacy


@pytest.mark.parametrize("method", [WIDE, CELLS, TIGHT])
def test_the_promise_is_kept(method):
    """With probability 1 - beta = 0.9 at least; of 60 runs 22 would break it with p < 1e-6."""
    mechanism = OneCluster(t=1200, method=method)
    promise = mechanism.search.promise(CLOUD.domain, CLOUD.n, PRIVACY)
    assert promise.promised > 0
    ready = mechanism.prepare(CLOUD, PRIVACY)
    smallest = ready.diagnostics["true_value"][-1]
    rng, broken = reproducible(4), 0
    for _ in range(60):
        ball = ready.located.run(rng).ball
        kept = (
            ball is not None
            and np.count_nonzero(ball.contains(CLOUD.values)) >= promise.promised
            and ball.radius <= promise.factor * smallest
        )
        broken += not kept
    assert broken < 22


@pytest.mark.parametrize(
    ("method", "d"),
    [
        (WIDE, 2),
        (CELLS, 1),
        (CELLS, 2),
        (CELLS, 3),
        (TIGHT, 2),
        (TIGHT, 6),
    ],
)
def test_the_ball_is_near_the_cluster(method, d):
    data = planted(3000, 1500, d, size=0.05)
    ready = OneCluster(t=1500, method=method).prepare(data, Privacy(2.0, 1e-6))
    for seed in range(5):
        ball = ready.located.run(reproducible(seed)).ball
        assert ball is not None
        assert np.linalg.norm(np.array(ball.center) - 0.3) < (0.6 if method == WIDE else 0.1)
        assert np.count_nonzero(ball.contains(data.values[:1500])) >= 600


def test_thirty_dimensions_are_searched_in_a_projection():
    data = planted(1500, 1200, 30, size=0.1)
    mechanism = OneCluster(t=1200, grid=1 << 10)
    assert mechanism.search.finder(data.domain).name == TIGHT
    ready = mechanism.prepare(data, Privacy(8.0, 1e-6))
    found = [ready.located.run(reproducible(seed)).ball for seed in range(6)]
    near = [ball for ball in found if ball and np.linalg.norm(np.array(ball.center) - 0.3) < 0.3]
    assert len(near) >= 4


@pytest.mark.parametrize("method", [WIDE, CELLS, TIGHT])
def test_copies_of_one_point_are_found_with_radius_zero(method):
    values = np.concatenate([np.full((1500, 2), 0.25), np.random.default_rng(1).uniform(0, 1, (500, 2))])
    ready = OneCluster(t=1500, method=method).prepare(Points(values, CLOUD.domain), PRIVACY)
    found = ready.located.run(reproducible(1))
    assert found.ball == Ball((0.25, 0.25), 0.0)
    assert ready.diagnostics["true_value"].tolist() == [0.25, 0.25, 0.0]


def test_a_resolution_coarser_than_the_cluster_finds_its_grid_point():
    ready = OneCluster(t=1200, grid=8).prepare(planted(3000, 1200, size=0.01), PRIVACY)
    ball = ready.located.run(reproducible(1)).ball
    assert ball is not None
    assert (ball.center, ball.radius) == ((0.25, 0.25), 0.0)  # the nearest multiple of 1/8 to 0.3


def test_sides_of_different_length_and_points_outside_are_no_trouble():
    values = CLOUD.values * [10.0, 1.0] + [5.0, -3.0]
    box = Box.of([5.0, -3.0], [13.0, -2.5])
    ball = OneCluster(t=1200).run(Points(values, box), PRIVACY, reproducible(1)).value
    assert ball["center"] == pytest.approx([8.0, -2.7], abs=0.3)
    assert 5 <= ball["center"][0] <= 13


def test_auto_is_cells_up_to_six_dimensions():
    assert [finder("auto", d).name for d in (1, 6, 7, 30)] == [
        CELLS,
        CELLS,
        TIGHT,
        TIGHT,
    ]


@pytest.mark.parametrize(
    ("mechanism", "privacy", "d", "n", "field", "words"),
    [
        (OneCluster(t=2000), PRIVACY, 2, 1000, "t", "to 1,000"),
        (OneCluster(t=100), PRIVACY, 2, 1000, "t", "at least 247"),
        (OneCluster(t=100, method=WIDE), PRIVACY, 2, 1000, "t", "at least 213"),
        (OneCluster(t=500), Privacy(1.0), 2, 1000, "delta", "above 0"),
        (OneCluster(t=500, method=CELLS), PRIVACY, 9, 1000, "method", "at most 8"),
        (OneCluster(t=500, method=WIDE), Privacy(0.01, 0.01), 2, 10**6, "t", "which needs at least"),
        (OneCluster(t=10**6, method=WIDE), Privacy(0.01, 0.01), 2, 10**7, "delta", "at most"),
        (
            OneCluster(t=500, method="published"),
            PRIVACY,
            2,
            1000,
            "t",
            "auto, which promises a ball from t = 325 on",
        ),
        (OneCluster(t=500, method="published"), Privacy(20.0, 1e-6), 2, 1000, "epsilon", "less than 16"),
    ],
)
def test_what_makes_no_sense_is_explained_before_a_run(mechanism, privacy, d, n, field, words):
    problems = mechanism.problems(privacy, Box.of([0] * d, [1] * d), n)
    assert [problem.field for problem in problems] == [field]
    assert words in problems[0].message
    with pytest.raises(ParameterError, match=field):
        mechanism.refuse(privacy, Box.of([0] * d, [1] * d), n)


def test_a_budget_that_is_too_small_asks_for_more_points_than_one_that_is_not():
    box = Box.of([0, 0], [1, 1])
    needed = [
        OneCluster().search.promise(box, 1000, Privacy(epsilon, 1e-6)).needed for epsilon in (0.1, 1.0, 10.0)
    ]
    assert needed == sorted(needed, reverse=True)
    assert needed[1] == 325


@pytest.mark.parametrize("method", [WIDE, CELLS, TIGHT])
@pytest.mark.parametrize("d", [1, 2, 6])
def test_needed_is_the_smallest_t_of_which_anything_is_promised(method, d):
    box = Box.of([0] * d, [1] * d)
    needed = OneCluster(method=method).search.promise(box, 5000, PRIVACY).needed
    promised = [
        OneCluster(t=t, method=method).search.promise(box, 5000, PRIVACY).promised
        for t in (needed - 1, needed)
    ]
    assert promised[0] == 0 < promised[1]
    assert (
        OneCluster(method=method).search.finder(box).least(OneCluster().search.task(box, 5000, PRIVACY))
        <= needed
    )


def test_nothing_is_promised_in_a_projection():
    box = Box.of([0] * 30, [1] * 30)
    assert OneCluster(t=3000).search.promise(box, 5000, PRIVACY).promised == 0
    [problem] = OneCluster(t=800).problems(PRIVACY, box, 5000)
    assert problem.field == "t"


def test_failures_share_beta():
    """Scale, tries, threshold and box of wide boxes; the reach, too, of tight boxes."""
    task = OneCluster().search.task(CLOUD.domain, CLOUD.n, PRIVACY)
    assert FINDERS[WIDE]().failing(task) == pytest.approx(0.1 / 4)
    assert FINDERS[TIGHT]().failing(task) == pytest.approx(0.1 / 5)


def test_copies_that_are_not_on_the_grid_are_found_where_the_grid_has_them():
    values = np.concatenate([np.full((1500, 2), 0.3), np.random.default_rng(1).uniform(0, 1, (500, 2))])
    found = (
        OneCluster(t=1500).prepare(Points(values, CLOUD.domain), PRIVACY).located.run(reproducible(1)).ball
    )
    assert found is not None
    assert found.radius == 0
    grid = DomainGrid(CLOUD.domain, 1 << 16)
    assert np.count_nonzero(found.contains(grid.round_points(values))) >= 1500
    assert np.abs(np.array(found.center) - 0.3).max() <= grid.step / 2


def test_what_is_private_does_not_print_itself():
    ready = OneCluster(t=1200, method=WIDE).prepare(CLOUD, PRIVACY)
    found = ready.located.run(reproducible(1))
    for one in (found, found.scale, found.tries[0], found.tries[0].cells, ready.located, ready):
        assert "counts" not in repr(one)
        assert "array" not in repr(one)


def test_boxes_at_the_lower_face_end_where_they_end():
    finder, grid = FINDERS[WIDE](), DomainGrid(CLOUD.domain, 1 << 10)
    box = in_boxes.ShiftedBoxes(np.array([-300.0, -10.0]), 400.0, None)
    located = in_boxes.Boxed(finder, Task(grid, 10, 5, PRIVACY, 0.1), None, None)
    cell = finder.cell(located, box, np.array([0, 2]), None, 1.0, None)
    assert (cell.center - cell.extent).tolist() == [0.0, 790.0]
    assert (cell.center + cell.extent).tolist() == [100.0, 1024.0]


def test_more_than_one_change_is_for_cells_only():
    task = Task(DomainGrid(Box.of([0, 0], [1, 1]), 256), 4000, 3000, PRIVACY, 0.1, changes=3)
    assert not CenterOnly().problems(task)
    [problem] = FINDERS[TIGHT]().problems(task)
    assert problem.field == "method"
    one = Task(task.grid, 4000, 3000, PRIVACY, 0.1)
    assert CenterOnly().guarantee(task).needed == pytest.approx(3 * CenterOnly().guarantee(one).needed, abs=3)


def test_without_reach_the_ball_holds_the_whole_cell():
    task = Task(DomainGrid(CLOUD.domain, 1 << 16), CLOUD.n, 1200, PRIVACY, 0.1)
    points = task.grid.index_points(CLOUD.values)
    found = CenterOnly().prepare(task, points).run(reproducible(2))
    assert found.reach is None
    assert found.ball is not None
    [partition] = found.tries
    low, high = partition.bounds(partition.chosen)
    inside = ((CLOUD.values >= low) & (CLOUD.values <= high)).all(axis=1)
    assert found.ball.contains(CLOUD.values[inside]).all()


def test_boxes_are_where_they_are_said_to_be():
    """Every record lies in as many boxes as are counted there, and the winner is one of them."""
    for method in (WIDE, CELLS, TIGHT):
        found = OneCluster(t=1200, method=method).prepare(CLOUD, PRIVACY).located.run(reproducible(1))
        partition = found.tries[-1]
        low, high = partition.bounds(partition.cells.corners)
        values = DomainGrid(CLOUD.domain, 1 << 16).points_at(
            DomainGrid(CLOUD.domain, 1 << 16).index_points(CLOUD.values)
        )
        fullest = np.argsort(-partition.cells.counts)[:5]
        for place in fullest:
            inside = ((values >= low[place]) & (values < high[place])).all(axis=1)
            assert np.count_nonzero(inside) == partition.cells.counts[place]
        assert partition.chosen.tolist() in partition.cells.corners.tolist()


def test_a_run_that_fails_says_why_and_releases_nothing(monkeypatch):
    monkeypatch.setattr(in_boxes, "stable_argmax", lambda *_: -1)
    release = OneCluster(t=1200, method=WIDE).run(CLOUD, PRIVACY, reproducible(1))
    assert release.value is None
    assert (
        "clearly fuller"
        in OneCluster(t=1200, method=WIDE).prepare(CLOUD, PRIVACY).located.run(reproducible(1)).why
    )


def test_a_cell_has_a_farthest_corner():
    box = in_boxes.ClusterRegion(np.array([1.0, 1.0]), np.array([1.0, 0.5]))
    assert in_boxes.farthest(np.array([0.0, 1.0]), box) == pytest.approx(math.hypot(2, 0.5))
    ball = in_boxes.ClusterRegion(np.array([0.0, 0.0]), 2.0)
    assert in_boxes.farthest(np.array([3.0, 4.0]), ball) == pytest.approx(7.0)


def test_slack_is_as_stated_for_two_dimensions():
    """2 G + the slack of the cells at level 16 for epsilon = 1, |X| = 2^16, beta = 0.1."""
    task = Task(DomainGrid(CLOUD.domain, 1 << 16), 1000, 300, PRIVACY, 0.1)
    slacks = OverlappingCells().slacks(task)
    assert 2 * slacks["scale"] == pytest.approx(2 * 2 / 0.25 * math.log(3 * 18 / 0.1))
    assert slacks["box"] == pytest.approx(2 / 0.35 * math.log(3 * (2**16 + 2) ** 2 / 0.1))


def test_letters_of_earlier_versions_are_accepted_and_become_names():
    for letter, name in FORMER_NAMES:
        assert OneCluster(method=letter) == OneCluster(method=name)
        asked = Specification("mechanism", "one-cluster").with_value(letter, "method")
        assert asked.values["method"] == name
    with pytest.raises(ParameterError, match="auto, overlapping-cells, wide-boxes"):
        OneCluster(method="d")
