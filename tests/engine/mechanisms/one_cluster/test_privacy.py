"""Privacy of whole searches: exact laws of the choices on tiny grids, and audits of the releases."""

import dataclasses
import itertools
import math
from collections import Counter

import numpy as np
import pytest
from scipy.stats import chi2

from engine.aggregation.blocks import Partition
from engine.audit import audit_mechanism
from engine.data.points import Points
from engine.domain import Box
from engine.mechanisms import SampleAggregate
from engine.mechanisms.aggregators import OneClusterAggregator
from engine.mechanisms.one_cluster import (
    InteriorPoint,
    KBalls,
    OneCluster,
    ScreenedMean,
    Task,
)
from engine.mechanisms.one_cluster import radius as reach_module
from engine.mechanisms.one_cluster.cells import number_of_cells
from engine.mechanisms.one_cluster.grid import DomainGrid
from engine.mechanisms.one_cluster.in_boxes import ShiftedBoxes, counted
from engine.mechanisms.one_cluster.overlapping_cells import OverlappingCells
from engine.primitives import SumCount, crossing_scores, selection_probabilities
from engine.privacy import Privacy
from engine.randomness import reproducible, secure

WIDE, CELLS, TIGHT = "wide-boxes", "overlapping-cells", "tight-boxes"
SQUARE = Box.of([0, 0], [1, 1])


def law(task, points):
    """Return the probability of every level and cell together, from scores alone."""
    finder = OverlappingCells()
    ready = finder.prepare(task, points)
    epsilon = {share.name: share.privacy.epsilon for share in finder.shares(task)}
    target = task.t - finder.slacks(task)["scale"]
    heights = ready.dyadic.heights
    levels = selection_probabilities(
        crossing_scores(heights, target), epsilon["scale"], sensitivity=task.changes
    )
    found = {}
    for level, chance in enumerate(levels):
        cells = ready.dyadic.cells(level)
        counts = dict(zip(map(tuple, cells.corners.tolist()), cells.counts.tolist(), strict=True))
        first = 0 if level == task.grid.bits + 1 else -1
        sizes = [range(first, first + int(size)) for size in number_of_cells(task.grid, level)]
        every = list(itertools.product(*sizes))
        weights = np.exp([epsilon["box"] / (2 * task.changes) * counts.get(v, 0) for v in every])
        for v, weight in zip(every, weights / weights.sum(), strict=True):
            found[level, v] = chance * weight
    return found


LINE = Task(DomainGrid(Box.of([0], [1]), 4), 3, 2, Privacy(2.0, 1e-6), 0.1)
SPENT = 2.0 * (0.25 + 0.35)


def worst_ratio(task, changes):
    """Return the largest log-ratio over all databases of three points that differ in so many of them."""
    everything = itertools.combinations_with_replacement(range(5), 3)
    laws = {data: law(task, np.array(data)[:, None]) for data in everything}
    assert all(math.isclose(math.fsum(one.values()), 1.0) for one in laws.values())
    pairs = [
        (laws[data], laws[other])
        for data, other in itertools.combinations(laws, 2)
        if sum((Counter(data) - Counter(other)).values()) <= changes
    ]
    return max(abs(math.log(one[at] / other[at])) for one, other in pairs for at in one)


@pytest.mark.parametrize("changes", [1, 2])
def test_level_and_cell_cost_their_shares(changes):
    found = worst_ratio(dataclasses.replace(LINE, changes=changes), changes)
    assert 0.5 * SPENT <= found <= SPENT * (1 + 1e-9)


def test_choices_made_for_one_change_do_not_bear_two():
    assert worst_ratio(LINE, 2) > SPENT


@pytest.mark.parametrize("rng", [reproducible(1), secure()], ids=["simulated", "released"])
def test_levels_and_cells_are_drawn_by_that_law(rng):
    """Cells of one score are drawn together, and empty ones too; chi-squared, p < 1e-6."""
    task = dataclasses.replace(LINE, privacy=Privacy(4.0, 1e-6))
    # as if two points were sought beyond the slack, so that no level is certain
    task = dataclasses.replace(task, t=2 + round(OverlappingCells().slacks(task)["scale"]))
    points = np.array([[1], [1], [4]])
    ready, exact = OverlappingCells().prepare(task, points), law(task, points)
    runs = 2000
    seen = dict.fromkeys(exact, 0)
    for _ in range(runs):
        found = ready.run(rng)
        seen[found.scale.chosen, tuple(found.tries[0].chosen.tolist())] += 1
    expected, counts = np.array([runs * exact[at] for at in seen]), np.array(list(seen.values()))
    assert expected.min() > 20
    assert chi2.sf(np.sum((counts - expected) ** 2 / expected), len(seen) - 1) > 1e-6


def test_boxes_count_every_point_once_wherever_they_are():
    rng = np.random.default_rng(2)
    positions = rng.integers(0, 50, (300, 3)).astype(float)
    for seed in range(5):
        box = ShiftedBoxes.drawn(positions, 7.3, reproducible(seed))
        assert box.cells.counts.sum() == 300
        indices = np.floor((positions - box.shift) / box.side).astype(int)
        rows, counts = np.unique(indices, axis=0, return_counts=True)
        assert dict(zip(map(tuple, box.cells.corners.tolist()), box.cells.counts, strict=True)) == dict(
            zip(map(tuple, rows.tolist()), counts, strict=True)
        )
    assert len(counted(np.zeros((0, 2), dtype=np.int64)).counts) == 0


def pair(n=400, t=300):
    """A cluster at (1/4, 1/4), all other records in the far corner; one leaves the cluster for it."""
    values = np.full((n, 2), 1.0)
    values[:t] = 0.25 + 0.01 * np.random.default_rng(3).uniform(-1, 1, (t, 2))
    before = Points(values, SQUARE)
    return before, before.replaced(0, [1.0, 1.0])


def line(n=300):
    values = np.linspace(0.2, 0.4, n)[:, None]
    values[: n // 2] = 0.0
    before = Points(values, Box.of([0], [1]))
    return before, before.replaced(n - 1, [0.0])


LOOSE = Privacy(2.0, 1e-3)
AUDITED = {
    CELLS: (OneCluster(t=280), pair),
    WIDE: (OneCluster(t=280, method=WIDE), pair),
    TIGHT: (OneCluster(t=280, method=TIGHT), pair),
    "k-balls": (KBalls(t=260, k=1), pair),
    "screened-mean": (ScreenedMean(t=280), pair),
    "interior-point": (InteriorPoint(grid=64), line),
    "reduction": (InteriorPoint(grid=64, way="reduction"), line),
}


@pytest.mark.parametrize(
    "name",
    [pytest.param(CELLS, marks=pytest.mark.slow), TIGHT, "interior-point", "reduction"],
)
def test_releases_keep_their_promise(name):
    """The bound exceeds epsilon with probability 1e-3 at most, if it is kept; the seed is fixed."""
    mechanism, databases = AUDITED[name]
    found = audit_mechanism(mechanism, *databases(), LOOSE, runs=1000, seed=7)
    assert found.verdict == "consistent", found


@pytest.mark.slow
@pytest.mark.parametrize("name", AUDITED)
def test_many_releases_keep_their_promise(name):
    """As above, with a confidence of 1 - 1e-7 each."""
    mechanism, databases = AUDITED[name]
    found = audit_mechanism(mechanism, *databases(), LOOSE, runs=40_000, seed=8, confidence=1 - 1e-7)
    assert found.verdict == "consistent", found


def without_noise(this, points, reach, rng):
    return points.sum(axis=0) / max(1, len(points))


def tight_noise(this, points, reach, rng):
    return without_noise(this, points, reach, rng) + 1e-6 * this.sigma_sum * rng.standard_normal(2)


def sharp(counts, target, epsilon, rng, **_):
    """Choose the best radius, always: no privacy at all."""
    return int(np.argmax(crossing_scores(counts, target)))


@pytest.mark.parametrize(
    "name",
    [
        CELLS,
        *(pytest.param(name, marks=pytest.mark.slow) for name in ("k-balls", "screened-mean")),
    ],
)
@pytest.mark.parametrize("bug", ["mean", "reach"])
def test_planted_bugs_are_caught(bug, name, monkeypatch):
    if bug == "mean":
        monkeypatch.setattr(SumCount, "release", tight_noise)
    else:
        monkeypatch.setattr(reach_module, "choose_crossing", sharp)
        monkeypatch.setattr(SumCount, "release", without_noise)
    found = audit_mechanism(AUDITED[name][0], *pair(), LOOSE, runs=1000, seed=7)
    assert found.verdict == "violated"


def test_a_ball_of_outputs_without_noise_is_caught(monkeypatch):
    """Each record is an output of its own: those of `pair`, with the same center of their ball."""
    blocks = SampleAggregate(sampling=Partition(blocks=400), aggregator=OneClusterAggregator(held=0.7))
    monkeypatch.setattr(SumCount, "release", tight_noise)
    assert audit_mechanism(blocks, *pair(), LOOSE, runs=1000, seed=7).verdict == "violated"
