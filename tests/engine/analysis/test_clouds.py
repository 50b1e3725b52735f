"""Records and regions of noise: each record is counted once, each region holds its share."""

import numpy as np

from engine.analysis.cluster_scenes import SHARES, regions
from engine.analysis.shared.records import CELLS, MAX_DOTS, Records
from engine.domain import Interval

UNIT = Interval(0, 1)


def values(n):
    return np.random.default_rng(0).uniform(0, 1, (n, 2))


def test_few_records_are_dots_and_many_are_counted_in_cells():
    few = Records.of(values(MAX_DOTS), [UNIT] * 2)
    assert few.counts is None
    assert len(few.dots) == MAX_DOTS
    points = values(20_000)
    many = Records.of(points, [UNIT] * 2)
    expected, _, _ = np.histogram2d(*points.T, bins=CELLS, range=[(0, 1)] * 2)
    assert many.dots is None
    np.testing.assert_array_equal(many.counts, expected)
    assert many.counts.sum() == many.n == 20_000
    line = Records.of(points[:, :1], [UNIT])
    np.testing.assert_array_equal(line.counts, np.histogram(points[:, 0], CELLS, (0, 1))[0])


def test_records_of_a_closeup_are_dots_if_few_are_in_it():
    points, part = values(20_000), Interval(0.2, 0.3)
    near = Records.of(points, [part, part])
    inside = ((points >= 0.2) & (points <= 0.3)).all(axis=1)
    assert near.n == 20_000
    np.testing.assert_array_equal(near.dots, points[inside])
    half = Records.of(points, [Interval(0, 0.5), UNIT])
    assert half.dots is None
    assert half.counts.sum() == (points[:, 0] <= 0.5).sum()


def test_regions_hold_what_they_say():
    rng = np.random.default_rng(2)
    noise = rng.laplace(0, [[1.0, 5.0], [2.0, 2.0]], (4000, 2, 2))
    sizes = regions(noise)
    assert sizes.shape == (2, 2, 2)
    for share, level in zip(SHARES, sizes, strict=True):
        held = ((noise / level) ** 2).sum(axis=2) <= 1
        np.testing.assert_allclose(held.mean(axis=0), share, atol=1e-3)
    assert 4 < sizes[0, 0, 1] / sizes[0, 0, 0] < 6
    assert regions(np.zeros((9, 1, 2))).max() < 1e-100
