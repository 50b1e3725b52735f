"""The algorithms in print: what they need, that they refuse, and that they work where nothing forbids it."""

import math

import numpy as np
import pytest

from engine.data.points import Points
from engine.domain import Box
from engine.errors import ParameterError
from engine.extras.finders.published import Constants, Published, number_of_radii
from engine.mechanisms.one_cluster import OneCluster, Task
from engine.mechanisms.one_cluster.grid import DomainGrid
from engine.privacy import Privacy
from engine.randomness import reproducible

SQUARE = Box.of([0, 0], [1, 1])


def task(n=10**5, t=10**4, epsilon=1.0, steps=1 << 16):
    return Task(DomainGrid(SQUARE, steps), n, t, Privacy(epsilon, 1e-6), 0.1)


def test_the_constants_in_print_are_those_of_the_paper():
    published = Published()
    assert published.constants == Constants(46, 300, 100, 900, 1)
    # with the whole budget for GoodRadius, 4.9e8; it has half of epsilon and of delta
    whole = published.promise(task(epsilon=2.0))
    assert whole == pytest.approx(4.9e8, rel=0.06)
    assert published.axes(task(n=1000)) == 658
    assert published.axes(task()) == 963
    assert number_of_radii(DomainGrid(SQUARE, 1 << 16)) == 2 * 2 * 65536 + 1


def test_it_refuses_with_the_number_that_it_needs():
    for n, t in ((10**3, 300), (10**5, 10**5)):
        with pytest.raises(ParameterError, match=r"need a t of at least 4,\d{3},\d{3},\d{3}"):
            OneCluster(t=t, method="published").run(
                Points(np.random.default_rng(1).uniform(0, 1, (n, 2)), SQUARE), Privacy(1.0, 1e-6)
            )


def test_every_part_of_it_needs_more_than_data_have():
    losses = Published().losses(task(epsilon=2.0))
    assert losses["radius"] > 1.9e9
    assert losses["box"] == pytest.approx(4500, rel=0.1)
    assert losses["axes"] == pytest.approx(1.2e4, rel=0.1)
    assert losses["center"] > 4e6
    needed = [Published().guarantee(task(epsilon=epsilon)).needed for epsilon in (0.5, 1.0, 2.0)]
    assert needed == sorted(needed, reverse=True)


def test_with_small_constants_it_finds_the_cluster():
    """The same steps on a coarse grid, with constants that leave something to find."""
    small = Constants(axes=0.4, box=8.0, slack=1.0, interval=3.0, promise=1e-4)
    rng = np.random.default_rng(5)
    values = rng.uniform(0, 1, (4000, 2))
    values[:3600] = 0.4 + rng.uniform(-0.01, 0.01, (3600, 2))
    search = Task(DomainGrid(SQUARE, 64), 4000, 3500, Privacy(15.0, 1e-6), 0.1)
    found = Published(small)
    points = search.grid.index_points(values)
    ready = found.prepare(search, points)
    # the qualities that GoodRadius works with, by their definition
    assert ready.quality[0] <= ready.quality[-1] == search.t
    assert np.all(np.diff(ready.quality) >= 0)
    assert np.array_equal(ready.halves[::2], ready.quality[: len(ready.halves[::2])])
    score = np.minimum(search.t - ready.halves, ready.quality - search.t + 4 * found.promise(search)) / 2
    rise = np.diff(score)
    assert not np.any((rise[:-1] < 0) & (np.maximum.accumulate(rise[::-1])[::-1][1:] > 1e-9))
    near = 0
    for seed in range(10):
        run = ready.run(reproducible(seed))
        near += run.ball is not None and np.linalg.norm(np.array(run.ball.center) - 0.4) < 0.25
    assert near >= 7


def test_copies_have_radius_zero():
    small = Constants(axes=0.4, box=8.0, slack=1.0, interval=3.0, promise=1e-4)
    search = Task(DomainGrid(SQUARE, 64), 2000, 1800, Privacy(15.0, 1e-6), 0.1)
    points = np.full((2000, 2), 16)
    run = Published(small).prepare(search, points).run(reproducible(1))
    assert run.ball is not None
    assert (run.ball.center, run.ball.radius) == ((0.25, 0.25), 0.0)


def test_shares_are_those_of_the_lemmas():
    shares = {share.name: share.privacy for share in Published().shares(task())}
    assert shares["zero"] == Privacy(0.25)
    assert shares["scale"] == Privacy(0.25, 5e-7)
    assert math.fsum(share.epsilon for share in shares.values()) == 1.0
    assert math.fsum(share.delta for share in shares.values()) < 1e-6
    # the axes of the rotation: d calls, by advanced composition
    for d in (1, 2, 10, 1000):
        half, delta = 0.5, 5e-7
        each = half / (10 * math.sqrt(d * math.log(8 / delta)))
        total = 2 * d * each**2 + each * math.sqrt(2 * d * math.log(8 / delta))
        assert total <= shares["axes"].epsilon * 2
        assert total <= half / 4
