"""What every step of a run is given, and that all of them together are the budget.

Budgets, sensitivities and noise are those that the steps themselves see, not those of the shares
that a form shows; the two are compared.
"""

import dataclasses
import math

import numpy as np
import pytest
from spent import Spent, assert_mean_costs, assert_whole, stated

from engine.aggregation.spaces import Euclidean
from engine.data.points import Points
from engine.domain import Box
from engine.extras.finders.published import Constants, Published
from engine.mechanisms.aggregators import OneClusterAggregator
from engine.mechanisms.one_cluster import InteriorPoint, KBalls, OneCluster, ScreenedMean, Task
from engine.mechanisms.one_cluster.grid import DomainGrid
from engine.mechanisms.one_cluster.overlapping_cells import CenterOnly, OverlappingCells
from engine.primitives import advanced_composition, best_share, compose, gaussian_cost
from engine.privacy import Privacy

WIDE, CELLS, TIGHT = "wide-boxes", "overlapping-cells", "tight-boxes"
PRIVACY = Privacy(1.0, 1e-6)
SQUARE = Box.of([0, 0], [1, 1])

B = ["choose_crossing", "exponential_mechanism", "mean", "choose_crossing"]
A = ["choose_crossing", "above_threshold", "stable_argmax", "mean"]
C = [*A, "choose_crossing"]


def discs(*sizes, n=3000, d=2, radius=0.02):
    """Return points of the unit cube with some clusters, one in each of three corners."""
    rng = np.random.default_rng(1)
    values = rng.uniform(0, 1, (n, d))
    start = 0
    for place, size in zip((0.25, 0.75, 0.5), sizes, strict=False):
        values[start : start + size] = place + rng.uniform(-radius, radius, (size, d)) / math.sqrt(d)
        start += size
    return Points(values, Box.of([0] * d, [1] * d))


CLOUD = discs(1400)


def found_by(run, spent, complete=lambda found: found.ball is not None):
    """Return the first run that comes to its end, of which there are steps; a failed one takes fewer."""
    for seed in range(20):
        spent.steps.clear()
        found = run(spent.rng(seed))
        if complete(found):
            return found
    raise AssertionError("no run has found a ball")


def sensitivities(steps):
    return [step.given["sensitivity"] for step in steps if "sensitivity" in step.given]


@pytest.mark.parametrize(
    ("method", "names", "moves"),
    [(CELLS, B, [1, 1, 1]), (WIDE, A, [2]), (TIGHT, C, [2, 1])],
)
def test_the_steps_of_a_ball_are_given_the_budget(method, names, moves, monkeypatch):
    ready = OneCluster(t=1300, method=method).prepare(CLOUD, PRIVACY)
    spent = Spent(monkeypatch)
    found_by(ready.located.run, spent)
    assert spent.names == names
    assert sensitivities(spent.steps) == moves
    assert_whole(spent.steps, PRIVACY)


def test_many_axes_together_are_given_their_share(monkeypatch):
    """30 axes of a rotation: their Gaussian histogram by zCDP, with the delta of all of them."""
    d, privacy = 30, Privacy(8.0, 1e-6)
    mechanism = OneCluster(t=900, grid=1 << 10)
    data = discs(950, n=1000, d=d, radius=0.1)
    ready = mechanism.prepare(data, privacy)
    share = {one.name: one.privacy for one in mechanism.shares(data.domain, data.n, privacy)}
    spent = Spent(monkeypatch)
    found_by(ready.located.run, spent)
    axes = spent.by_name("stable_argmax_gaussian")
    assert spent.names == [*C[:3], *["stable_argmax_gaussian"] * d, *C[3:]]
    assert sensitivities(spent.steps) == [2, 1]
    cost = compose([gaussian_cost(step.given["sigma"], step.given["delta"]) for step in axes])
    assert 0.99 * share["axes"].epsilon <= cost.privacy(share["axes"].delta).epsilon
    assert cost.privacy(share["axes"].delta).epsilon <= share["axes"].epsilon * (1 + 1e-9)
    rest = Privacy(privacy.epsilon - share["axes"].epsilon, privacy.delta - share["axes"].delta)
    assert_whole(spent.steps, rest)


@pytest.mark.parametrize(("finder", "names"), [(OverlappingCells(), B), (CenterOnly(), B[:3])])
def test_every_step_knows_how_many_points_a_person_changes(finder, names, monkeypatch):
    task = Task(DomainGrid(SQUARE, 256), CLOUD.n, 1300, PRIVACY, 0.1, changes=3)
    located = finder.prepare(task, task.grid.index_points(CLOUD.values))
    spent = Spent(monkeypatch)
    found = found_by(located.run, spent)
    assert spent.names == names
    assert set(sensitivities(spent.steps)) == {3}
    assert_whole(spent.steps, PRIVACY, changes=3)
    # all cells of one count are weighed together, each of them as by itself
    choice = spent.by_name("exponential_mechanism")[0].given
    heights, how_many = np.unique(found.tries[0].cells.counts, return_counts=True)
    assert np.array_equal(choice["scores"], heights)
    assert np.array_equal(choice["weights"], how_many)


def test_an_aggregate_is_given_the_budget_for_all_outputs_that_a_person_changes(monkeypatch):
    outputs = discs(2700).values * [4.0, 1.0]
    space = Euclidean(Box.of([0, 0], [4, 1]))
    ready = OneClusterAggregator().prepare(outputs, space, 2, PRIVACY)
    spent = Spent(monkeypatch)
    ready.draw(spent.rng(1), 1)
    assert spent.names == B[:3]
    assert set(sensitivities(spent.steps)) == {2}
    assert_whole(spent.steps, PRIVACY, changes=2)


def test_each_of_several_balls_is_given_its_share_of_what_is_left(monkeypatch):
    data = discs(900, 850, 800)
    mechanism = KBalls(t=700, k=3)
    ready = mechanism.prepare(data, Privacy(3.0, 3e-6))
    sought, prepare = [], OverlappingCells.prepare

    def noting(finder, task, points, *more):
        sought.append(points)
        return prepare(finder, task, points, *more)

    monkeypatch.setattr(OverlappingCells, "prepare", noting)
    spent = Spent(monkeypatch)
    balls = [found.ball for found in ready.run(spent.rng(1)).searches]
    assert spent.names == 3 * B
    for start in (0, 4, 8):
        assert_whole(spent.steps[start : start + 4], Privacy(1.0, 1e-6))
    # the second is sought in what the first has left, the third in what both have left
    grid = DomainGrid(data.domain, mechanism.grid)
    left = grid.index_points(data.values)
    for ball, points in zip(balls, sought, strict=False):
        apart = np.linalg.norm(left - (np.array(ball.center) - grid.box.lower) / grid.step, axis=1)
        left = left[apart > ball.radius / grid.step * (1 + 1e-9)]
        assert np.array_equal(points, left)
    assert len(sought) == 2
    assert len(sought[1]) < len(sought[0]) < data.n - 500


def test_very_many_balls_share_by_advanced_composition(monkeypatch):
    privacy = Privacy(4.0, 1e-3)
    share = best_share(privacy, 32)
    assert share.epsilon > privacy.epsilon / 32
    ready = KBalls(t=2400, k=32).prepare(discs(2500), privacy)
    spent = Spent(monkeypatch)
    ready.located.run(spent.rng(1))
    assert_whole(spent.steps, share)
    whole = advanced_composition(share, 32, privacy.delta / 2)
    assert whole.epsilon <= privacy.epsilon * (1 + 1e-9)
    assert whole.delta <= privacy.delta * (1 + 1e-9)


def test_a_screened_mean_is_given_what_its_ball_leaves(monkeypatch):
    ready = ScreenedMean(t=1300, share=0.6).prepare(CLOUD, PRIVACY)
    spent = Spent(monkeypatch)
    [found] = ready.run(spent.rng(1)).searches
    assert spent.names == [*B, "mean"]
    assert_whole(spent.steps[:4], Privacy(0.6, 0.6e-6))
    assert_mean_costs(spent.steps[4], Privacy(0.4, 0.4e-6))
    assert spent.steps[4].given["reach"] == pytest.approx(found.ball.radius * 2**16)


LINE = Points(np.random.default_rng(3).normal(0.3, 0.01, (500, 1)), Box.of([0], [1]))


def test_an_interior_point_is_given_the_budget(monkeypatch):
    ready = InteriorPoint().prepare(LINE, PRIVACY)
    spent = Spent(monkeypatch)
    ready.draw(spent.rng(1), 1)
    assert spent.names == ["exponential_mechanism"]
    assert sensitivities(spent.steps) == [1]
    assert stated(spent.steps) == Privacy(1.0)


def test_an_interior_point_by_a_ball_is_given_the_budget(monkeypatch):
    ready = InteriorPoint(way="reduction").prepare(LINE, Privacy(2.0, 1e-6))
    spent = Spent(monkeypatch)
    ready.draw(spent.rng(1), 1)
    assert spent.names == ["choose_crossing", "exponential_mechanism", "mean", "exponential_mechanism"]
    assert sensitivities(spent.steps) == [1, 1, 1]
    assert_whole(spent.steps, Privacy(2.0, 1e-6))
    assert spent.steps[-1].budget == Privacy(0.5)


SMALL = Constants(axes=0.4, box=8.0, slack=1.0, interval=3.0, promise=1e-4)
LARGE = Privacy(15.0, 1e-6)


def in_print(points, t, constants=SMALL):
    """Return the published algorithms with small constants on a coarse grid, ready, and their task."""
    task = Task(DomainGrid(SQUARE, 64), len(points), t, LARGE, 0.1)
    return Published(constants).prepare(task, task.grid.index_points(points)), task


def test_the_published_steps_are_given_what_the_lemmas_say(monkeypatch):
    """Lemmas 4.5 and 4.11, with half of epsilon and of delta for either algorithm."""
    ready, task = in_print(discs(3600, n=4000, radius=0.03).values, 3500)
    spent = Spent(monkeypatch)
    found = found_by(ready.run, spent)
    d, epsilon, delta = 2, LARGE.epsilon / 2, LARGE.delta / 2
    assert spent.names == [
        "laplace",
        "rec_concave",
        "above_threshold",
        "stable_argmax",
        *["stable_argmax"] * d,
        "noisy_average",
    ]
    zero, scale, threshold, box, *axes, center = spent.steps
    assert 2 / zero.given[1] == pytest.approx(epsilon / 2)  # L has sensitivity 2
    assert scale.budget == Privacy(epsilon / 2, delta)
    assert threshold.budget == Privacy(epsilon / 4)
    assert box.budget == Privacy(epsilon / 4, delta / 4)
    together = advanced_composition(axes[0].budget, d, delta / 8)
    assert {step.budget for step in axes} == {axes[0].budget}
    assert together.epsilon <= epsilon / 4
    assert together.delta == pytest.approx(delta / 4)
    assert center.budget == Privacy(epsilon / 4, delta / 4)
    # and this is what is said of them
    shares = {share.name: share.privacy for share in ready.finder.shares(task)}
    assert shares == {
        "zero": Privacy(epsilon / 2),
        "scale": scale.budget,
        "threshold": threshold.budget,
        "box": box.budget,
        "axes": Privacy(epsilon / 4, delta / 4),
        "center": center.budget,
    }
    # 451 r sqrt(k)
    assert found.ball.radius == pytest.approx(
        451 * found.scale.radii[found.scale.chosen] * math.sqrt(ready.finder.axes(task))
    )


@pytest.mark.slow
def test_the_published_score_moves_by_one(monkeypatch):
    """Where one person moves L by 2 - 2/t: of t points on two grid points, one leaves."""
    t = 3000
    points = np.full((3200, 2), 0.5)
    points[: t // 2, 0] += 1 / 64
    points[t:] = np.random.default_rng(2).uniform(0, 1, (200, 2))
    fewer = points.copy()
    fewer[0] = [0.0, 1.0]
    spent, scores = Spent(monkeypatch), []
    for data in (points, fewer):
        # any box is full enough, so that GoodCenter ends with the first
        ready, _ = in_print(data, t, dataclasses.replace(SMALL, slack=1e4))
        ready.run(spent.rng(1))
        scores.append(spent.by_name("rec_concave")[-1].given["quality"])
    assert 0.9 < np.abs(scores[0] - scores[1]).max() <= 1
