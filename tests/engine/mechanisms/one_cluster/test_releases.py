"""Releases, drawn from the operating system: on a public grid, of any size, with the law of simulations."""

import itertools

import numpy as np
import pytest
from discrete import number_of_draws
from scipy.stats import ks_2samp

from engine.aggregation.blocks import Partition
from engine.data.points import Points
from engine.domain import Box
from engine.errors import ParameterError
from engine.extras.finders.published import Constants, Published
from engine.mechanisms import Clusters, SampleAggregate
from engine.mechanisms.aggregators import OneClusterAggregator
from engine.mechanisms.one_cluster import InteriorPoint, KBalls, OneCluster, ScreenedMean, Task
from engine.mechanisms.one_cluster.grid import DomainGrid
from engine.mechanisms.one_cluster.overlapping_cells import CenterOnly
from engine.mechanisms.one_cluster.tight_boxes import projected
from engine.primitives import johnson_lindenstrauss, random_rotation
from engine.privacy import Privacy
from engine.randomness import reproducible, secure

AMPLE = Privacy(4.0, 1e-6)
LINE, SQUARE = Box.of([0], [1]), Box.of([0, 0], [1, 1])
UNEVEN = Box.of([-0.3, 5.0], [0.4, 5.3])
"""No power of two, and a side that is not a whole number of steps."""

BOXES = {
    "uneven": UNEVEN,
    "tiny": Box.of([0.0, 0.0], [1e-200, 1e-200]),
    "huge": Box.of([-1e200, -1e200], [1e200, 1e200]),
}
MECHANISMS = {
    "auto": OneCluster(t=900),
    "wide-boxes": OneCluster(t=900, method="wide-boxes"),
    "overlapping-cells": OneCluster(t=900, method="overlapping-cells"),
    "tight-boxes": OneCluster(t=900, method="tight-boxes"),
    "k-balls": KBalls(t=900, k=2),
    "screened-mean": ScreenedMean(t=900),
    "interior-point": InteriorPoint(),
    "reduction": InteriorPoint(way="reduction"),
}
ON_A_LINE = ("interior-point", "reduction")


def cloud(box, n=1500, t=1000):
    """Return points of a box, the first t of them in a small part of it."""
    rng = np.random.default_rng(1)
    shares = rng.uniform(0, 1, (n, box.dimension))
    shares[:t] = 0.3 + 0.01 * rng.uniform(-1, 1, (t, box.dimension))
    return Points(box.lower + shares * box.width, box)


def places(value):
    """Return all points that a release holds, whatever its form."""
    if isinstance(value, dict):
        return [value[name] for name in ("center", "mean") if name in value]
    if isinstance(value, list):
        return [place for ball in value if ball is not None for place in places(ball)]
    return [] if value is None else [[value]]


@pytest.mark.parametrize("box", BOXES)
@pytest.mark.parametrize("name", MECHANISMS)
def test_releases_lie_on_the_public_grid(name, box):
    """The same points for every database: those that bounds and grid tell, to the last bit."""
    mechanism, domain = MECHANISMS[name], BOXES[box]
    if name in ON_A_LINE:
        domain = Box.of([domain.lower[0]], [domain.upper[0]])
    data = cloud(domain)
    for one in (data, data.replaced(0, domain.upper.tolist())):
        release = mechanism.run(one, AMPLE)
        assert not release.simulated
        assert release.exact
        grid = DomainGrid(domain, mechanism.grid)
        parts = 8 if name == "reduction" else 1
        assert release.step == grid.step / parts
        found = np.array(places(release.value))
        indices = np.rint((found - domain.lower) / release.step) / parts
        assert np.array_equal(found, grid.points_at(indices))


@pytest.mark.parametrize(("k", "blocks"), [(2, 600), pytest.param(4, 2500, marks=pytest.mark.slow)])
def test_aggregates_lie_on_the_public_grid(k, blocks):
    """Four and eight numbers in an output: cells, and boxes in their place."""
    mechanism = Clusters(k=k, sampling=Partition(blocks=blocks), aggregator=OneClusterAggregator())
    domain = UNEVEN
    rng = np.random.default_rng(2)
    middles = np.array([[0.1, 0.2], [0.9, 0.3], [0.2, 0.8], [0.8, 0.9]])[:k]
    shares = middles[rng.integers(0, k, 40 * blocks)] + 0.01 * rng.standard_normal((40 * blocks, 2))
    release = mechanism.run(Points(domain.lower + shares * domain.width, domain), AMPLE)
    assert release.exact
    assert release.step == (domain.width * 2.0**-16).tolist()
    found = np.array(release.value)
    indices = np.rint((found - domain.lower) / release.step)
    assert np.array_equal(found, domain.lower + indices * 2.0**-16 * domain.width)


def test_an_aggregate_of_overlapping_blocks_is_released():
    data = cloud(LINE, n=40_000, t=40_000)
    mechanism = SampleAggregate(sampling=Partition(blocks=400), aggregator=OneClusterAggregator())
    assert mechanism.run(data, AMPLE).value == pytest.approx(0.3, abs=0.1)
    task = Task(DomainGrid(SQUARE, 256), 2000, 1500, AMPLE, 0.1, changes=3)
    points = task.grid.index_points(cloud(task.grid.box, 2000, 1600).values)
    assert CenterOnly().prepare(task, points).run(secure()).ball is not None


def test_the_published_steps_are_released():
    """With small constants, as those in print need more points than datasets have."""
    small = Constants(axes=0.4, box=8.0, slack=1.0, interval=3.0, promise=1e-4)
    task = Task(DomainGrid(SQUARE, 64), 4000, 3500, Privacy(15.0, 1e-6), 0.1)
    points = task.grid.index_points(cloud(task.grid.box, 4000, 3600).values)
    ready, rng = Published(small).prepare(task, points), secure()
    balls = [ready.run(rng).ball for _ in range(12)]
    # of 300 runs all were near; were it 7 in 10 only, none of 12 would be with probability 1e-6
    assert any(ball and np.linalg.norm(np.array(ball.center) - 0.3) < 0.25 for ball in balls)
    copies = Published(small).prepare(task, np.full((4000, 2), 16)).run(secure()).ball
    assert copies is None or copies.center == (0.25, 0.25)


@pytest.mark.parametrize("name", MECHANISMS)
def test_records_that_are_all_the_same_are_released(name):
    mechanism = MECHANISMS[name]
    one = name in ON_A_LINE
    domain = LINE if one else SQUARE
    value = mechanism.run(Points(np.full((1500, domain.dimension), 0.25), domain), AMPLE).value
    # each may miss it with probability 0.1 at most, and stays in the domain then, too
    assert np.all((np.array(places(value)) >= 0) & (np.array(places(value)) <= 1))


@pytest.mark.parametrize("epsilon", [1e-9, 1e-3, 100.0])
@pytest.mark.parametrize("n", [1, 40, 1500])
@pytest.mark.parametrize("name", MECHANISMS)
def test_every_budget_is_released_with_or_refused(name, n, epsilon):
    """Whether there are records enough is public; a refusal says so before any of them is read."""
    mechanism, privacy = MECHANISMS[name], Privacy(epsilon, min(1e-6, epsilon / 4))
    one = name in ON_A_LINE
    data = cloud(LINE if one else SQUARE, n, n)
    settings = {} if one else {"t": max(1, n // 2)}
    mechanism = type(mechanism)(**{**mechanism.settings(), **settings})
    if mechanism.problems(privacy, data.domain, n):
        with pytest.raises(ParameterError):
            mechanism.run(data, privacy)
        assert epsilon < 1 or n == 1
    else:
        assert mechanism.run(data, privacy).exact
        assert epsilon > 1


DRAWN = {
    "overlapping-cells": (OneCluster(t=900, method="overlapping-cells"), 80),
    "tight-boxes": (OneCluster(t=900, method="tight-boxes"), 40),
    "screened-mean": (ScreenedMean(t=900), 80),
    "interior-point": (InteriorPoint(), 500),
    "reduction": (InteriorPoint(way="reduction"), 140),
}


@number_of_draws(1, 3)
@pytest.mark.parametrize("name", DRAWN)
def test_releases_have_the_law_of_simulations(name, runs):
    """Two samples of each released number, Kolmogorov-Smirnov at 1e-6."""
    mechanism, each = DRAWN[name]
    data = cloud(LINE, 600, 500) if name in ON_A_LINE else cloud(SQUARE)
    ready = mechanism.prepare(data, Privacy(2.0, 1e-6))
    columns = [ready.draw(rng, runs * each).T for rng in (reproducible(3), secure())]
    for simulated, released in zip(*columns, strict=True):
        pair = (np.nan_to_num(drawn, nan=-1.0) for drawn in (simulated, released))
        assert ks_2samp(*pair, method="asymp").pvalue > 1e-6


def test_a_record_is_projected_alike_whoever_is_beside_it():
    """Else its last digits could move it to another box when another record changes."""
    rng = np.random.default_rng(5)
    for d, k in itertools.product((2, 7, 30, 64), (1, 3, 25)):
        points = rng.integers(0, 1 << 16, (501, d))
        for axes in (johnson_lindenstrauss(d, k, secure()), random_rotation(d, secure())):
            together = projected(points, axes)
            for some in (slice(0, 1), slice(3, 5), slice(7, 500), slice(None, None, 3)):
                assert np.array_equal(projected(points[some], axes), together[some])
