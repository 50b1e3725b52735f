"""The classical ways of finding a ball: counts by brute force, laws on tiny grids, promises, refusals."""

import itertools

import numpy as np
import pytest

from engine.audit import audit_run, worst_case_pairs
from engine.data.points import Points
from engine.domain import Box
from engine.extras.finders.baselines import (
    AllBalls,
    Thresholds,
    count_in_balls,
    levels_of,
    shortest,
    sums_before,
)
from engine.mechanisms.one_cluster import OneCluster, Task
from engine.mechanisms.one_cluster.grid import DomainGrid
from engine.mechanisms.one_cluster.radius import squares
from engine.primitives import crossing_scores, selection_probabilities
from engine.privacy import Privacy
from engine.randomness import reproducible, secure

LINE, SQUARE = Box.of([0.0], [1.0]), Box.of([0, 0], [1, 0.5])
PRIVACY = Privacy(1.0, 1e-6)


def counts_by_definition(grid, points):
    centers = list(itertools.product(*(range(int(last) + 1) for last in grid.last)))
    apart = ((np.array(centers)[:, None] - points) ** 2).sum(axis=2)
    return [(apart <= square).sum(axis=1).tolist() for square in squares(grid)]


@pytest.mark.parametrize(("box", "steps"), [(LINE, 16), (SQUARE, 8), (Box.of([0] * 3, [1] * 3), 4)])
def test_points_are_counted_in_all_balls(box, steps):
    grid, rng = DomainGrid(box, steps), np.random.default_rng(1)
    points = rng.integers(0, grid.last + 1, (50, grid.dimension))
    assert count_in_balls(grid, points).tolist() == counts_by_definition(grid, points)


def law(task, points):
    """Return the probability of every radius and center together, from scores alone."""
    finder = AllBalls()
    counts = np.array(counts_by_definition(task.grid, points), dtype=float)
    epsilon = {share.name: share.privacy.epsilon for share in finder.shares(task)}
    target = task.t - finder.slacks(task)["scale"] - 1
    radii = selection_probabilities(crossing_scores(counts.max(axis=1), target), epsilon["scale"])
    centers = [selection_probabilities(row, epsilon["center"]) for row in counts]
    return radii[:, None] * np.array(centers)


def test_every_ball_is_chosen_privately_and_by_its_law():
    """All databases of three points on five; shares of 4,000 draws within 5.5 standard deviations."""
    task = Task(DomainGrid(LINE, 4), 3, 2, Privacy(2.0), 0.1)
    laws = {x: law(task, np.array(x)[:, None]) for x in itertools.product(range(5), repeat=3)}
    worst = max(np.abs(np.log(laws[x] / laws[(other, *x[1:])])).max() for x in laws for other in range(5))
    assert 0.4 * 2.0 < worst <= 2.0 * (1 + 1e-9)
    ready, rng = AllBalls().prepare(task, np.array([[0], [0], [4]])), reproducible(1)
    drawn = np.zeros_like(laws[0, 0, 4])
    for _ in range(4000):
        found = ready.run(rng)
        drawn[found.scale.chosen, round(found.ball.center[0] * 4)] += 1 / 4000
    share = laws[0, 0, 4]
    assert (np.abs(drawn - share) <= 5.5 * np.sqrt(share * (1 - share) / 4000) + 1e-6).all()


class OneLevel(Thresholds):
    """Noise for one level of the tree, as if all others followed from it: a mistake."""

    def scale(self, task):
        return super().scale(task) / levels_of(task.grid)


def test_the_noise_of_the_tree_hides_two_counts_of_each_level_and_that_of_one_level_does_not():
    """The largest log-ratio of two databases is what their trees differ by, in scales of the noise."""
    grid = DomainGrid(LINE, 8)
    task = Task(grid, 4, 2, Privacy(1.0), 0.1)

    def tree(points):
        counts, nodes = np.bincount(points, minlength=1 << levels_of(grid)), []
        for _ in range(levels_of(grid)):
            nodes.append(counts)
            counts = counts.reshape(-1, 2).sum(axis=1)
        return np.concatenate(nodes)

    moved = max(np.abs(tree([a]) - tree([b])).sum() for a in range(9) for b in range(9))
    assert moved / Thresholds().scale(task) == pytest.approx(1.0)
    assert moved / Thresholds().scale(task) <= 1.0
    assert moved / OneLevel().scale(task) > 3.9


def test_sums_of_nodes_are_those_of_leaves():
    rng = np.random.default_rng(2)
    leaves, nodes = rng.integers(0, 9, 32).astype(float), []
    counts = leaves
    while len(counts) > 1:
        nodes.append(counts)
        counts = counts.reshape(-1, 2).sum(axis=1)
    assert sums_before(nodes).tolist() == [0.0, *np.cumsum(leaves)]


def test_the_shortest_run_is_found():
    rng = np.random.default_rng(3)
    for _ in range(300):
        values = rng.integers(-3, 6, rng.integers(1, 12)).astype(float)
        before, wanted = np.concatenate([[0], np.cumsum(values)]), float(rng.integers(1, 12))
        runs = [
            (b - a, a)
            for a in range(len(values))
            for b in range(a, len(values))
            if before[b + 1] - before[a] >= wanted
        ]
        found = shortest(before, wanted)
        assert (found is None) == (not runs)
        assert found is None or (
            found[1] - found[0] == min(runs)[0] and before[found[1] + 1] - before[found[0]] >= wanted
        )


def planted(n, t, d):
    rng = np.random.default_rng(4)
    values = rng.uniform(0, 1, (n, d))
    values[:t] = 0.3 + rng.uniform(-0.02, 0.02, (t, d))
    return Points(values, Box.of([0] * d, [1] * d))


@pytest.mark.parametrize(
    ("mechanism", "d"),
    [
        (OneCluster(t=400, method="balls", grid=64), 2),
        (OneCluster(t=400, method="balls", grid=1 << 12), 1),
        (OneCluster(t=3000, method="thresholds", grid=1 << 8), 1),
    ],
    ids=["plane", "line", "thresholds"],
)
def test_the_promise_is_kept(mechanism, d):
    """With probability 1 - beta = 0.9 at least; of 40 runs 17 would break it with p < 1e-6."""
    data = planted(5000, mechanism.t, d)
    promise = mechanism.search.promise(data.domain, data.n, PRIVACY)
    assert promise.promised > 0
    assert not mechanism.guarantee.uses_delta
    ready, places = (
        mechanism.prepare(data, Privacy(1.0)),
        mechanism.search.domain(data.domain).round_points(data.values),
    )
    smallest = ready.diagnostics["true_value"][-1]
    rng, broken = reproducible(5), 0
    for _ in range(40):
        ball = ready.located.run(rng).ball
        kept = (
            ball is not None
            and np.count_nonzero(ball.contains(places)) >= promise.promised
            and ball.radius <= promise.factor * smallest * (1 + 1e-9)
        )
        broken += not kept
    assert broken < 17
    release = mechanism.run(data, PRIVACY, secure())
    assert (release.privacy.delta, release.exact) == (0.0, True)


def test_the_error_of_all_intervals_is_bounded():
    """In each of 30 trees it is exceeded with probability 1e-9 at most."""
    grid = DomainGrid(LINE, 64)
    task = Task(grid, 100, 50, Privacy(1.0), 1e-9)
    finder, rng = Thresholds(), np.random.default_rng(6)
    scale, bound = finder.scale(task), finder.error(task)
    worst = 0.0
    for _ in range(30):
        nodes = [rng.laplace(scale=scale, size=128 >> level) for level in range(levels_of(grid))]
        before = sums_before(nodes)[:66]
        worst = max(worst, float(np.ptp(before)))
    assert 0.2 * bound < worst <= bound


def test_what_is_too_much_is_refused():
    fine = OneCluster(t=600, method="balls")
    [problem] = fine.problems(PRIVACY, Box.of([0, 0], [1, 1]), 5000)
    assert (problem.field, "at most 128 grid steps" in problem.message) == ("method", True)
    assert not OneCluster(t=600, method="balls", grid=128).problems(PRIVACY, Box.of([0, 0], [1, 1]), 5000)
    [problem] = OneCluster(t=600, method="thresholds").problems(PRIVACY, SQUARE, 5000)
    assert (problem.field, "one column" in problem.message) == ("method", True)
    [problem] = OneCluster(t=600, method="thresholds").problems(PRIVACY, LINE, 5000)
    assert (problem.field, "at least 4,494" in problem.message) == ("t", True)


@pytest.mark.parametrize("method", ["balls", pytest.param("thresholds", marks=pytest.mark.slow)])
def test_an_audit_finds_nothing_wrong(method):
    """Each exceeds epsilon with probability 1e-8."""
    mechanism = OneCluster(t=600, method=method, grid=16)
    for pair in worst_case_pairs(mechanism, LINE, 2000, Privacy(1.0)):
        found = audit_run(mechanism, pair, Privacy(1.0), runs=1000, seed=1, confidence=1 - 1e-8).audit
        assert found.verdict == "consistent"
