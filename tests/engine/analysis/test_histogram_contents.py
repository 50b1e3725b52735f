"""Cells along coordinates, their outlines, close-ups, planes and levels, against independent definitions."""

import numpy as np
import pytest

from engine.analysis.histogram_contents import (
    FINEST,
    MAX_BEHIND,
    CellsAlong,
    cell_outlines,
    cells_behind,
    deepest_level,
    histogram_cells,
    histogram_levels,
)
from engine.analysis.histogram_maps import closeup, shift_planes
from engine.analysis.prepared_histograms import released_histogram, simulated_histogram
from engine.data.points import Points
from engine.domain import Box
from engine.histograms.histogram import BoxHistogram
from engine.mechanisms import MECHANISMS, BallHistogram, NetHistogram, RecursiveHistogram, ShiftedHistogram
from engine.mechanisms.histograms import HistogramMechanism
from engine.privacy import Privacy

PRIVACY = Privacy(1.0)
HISTOGRAMS = [name for name, kind in MECHANISMS.items() if issubclass(kind, HistogramMechanism)]


def points(n=300, d=2, seed=0):
    return Points(np.random.default_rng(seed).beta(2, 5, (n, d)), Box.of([0] * d, [1] * d))


def shoelace(corners):
    x, y = corners.T
    return abs(np.dot(x, np.roll(y, -1)) - np.dot(y, np.roll(x, -1))) / 2


@pytest.mark.parametrize("name", ["histogram-shifted", "histogram-recursive", "privtree", "histogram-noisy"])
def test_cells_of_the_plane_tile_the_box_and_hold_all_points(name):
    data = points()
    histogram = simulated_histogram(MECHANISMS[name](), data, PRIVACY, seed=3)
    cells = histogram_cells(histogram, data.domain)
    assert cells.sizes.sum() == pytest.approx(1.0)
    assert cells.counts.sum() == pytest.approx(histogram.counts.sum())


@pytest.mark.parametrize("mechanism", [NetHistogram(), BallHistogram()], ids=lambda made: made.name)
def test_outlines_tile_the_box_and_hold_their_own_points(mechanism):
    data = points(120)
    histogram = simulated_histogram(mechanism, data, PRIVACY, seed=3)
    outlines = cell_outlines(histogram, data.domain)
    cells = histogram_cells(histogram, data.domain)
    np.testing.assert_allclose(cells.sizes, [shoelace(one) for one in outlines if len(one) > 2])
    if isinstance(mechanism, NetHistogram):  # of others, cells without points are not listed
        for place, (corners, held) in enumerate(zip(outlines, histogram.counts, strict=True)):
            inside = (histogram.places(data.values) == place).sum()
            assert inside == held
            assert len(corners) > 2


def test_of_more_dimensions_margins_are_exact_where_cells_lie_behind_each_other():
    grid = np.stack(np.meshgrid(*[np.arange(4)] * 3, indexing="ij"), -1).reshape(-1, 3) / 4
    counts = np.arange(64.0)
    cells = CellsAlong.of(grid, grid + 0.25, counts, (0, 2))
    assert not cells.spread
    expected = counts.reshape(4, 4, 4).sum(axis=1)
    for low, count in zip(cells.lower, cells.counts, strict=True):
        assert count == expected[tuple((low * 4).astype(int))]


def test_of_more_dimensions_counts_are_spread_evenly_where_cells_overlap():
    low = np.array([(0, 0, 0), (0.5, 0, 0), (0, 0, 0.5)])
    high = np.array([(0.5, 1, 0.5), (1, 1, 0.5), (1, 1, 1)])
    cells = CellsAlong.of(low, high, [10.0, 20, 8], (0, 1))
    assert cells.spread
    assert cells.counts.tolist() == [14, 24]
    one = CellsAlong.of(low, high, [10.0, 20, 8], (0,))
    assert one.counts.tolist() == [14, 24]
    rng = np.random.default_rng(1)
    low = rng.uniform(0, 0.9, (3000, 3))
    many = CellsAlong.of(low, low + 0.1, np.ones(3000), (0, 1))
    assert len(many.counts) == FINEST**2
    assert many.counts.sum() == pytest.approx(3000)


def test_a_closeup_holds_nearly_all_points_and_little_else():
    box = Box.of([0, 0], [1, 1])
    low = np.array([(0.30, 0.5), (0.31, 0.5), (0.9, 0.9)])
    histogram = BoxHistogram(low, low + 0.01, np.array([500.0, 495, 5]), np.ones(3, dtype=np.int64))
    across, up = closeup(histogram, box)
    assert (across.lower, across.upper) == pytest.approx((0.295, 0.325))
    assert (up.lower, up.upper) == pytest.approx((0.4975, 0.5125))
    assert closeup(histogram, box, near=False) is None
    spread = BoxHistogram(low, low + 0.01, np.array([475.0, 480, 45]), np.ones(3, dtype=np.int64))
    assert closeup(spread, box) is None
    assert closeup(spread, box, near=True)[0].upper == pytest.approx(0.325)  # one that is chosen shows less
    even = simulated_histogram(RecursiveHistogram(), points(), PRIVACY)
    assert closeup(even, box) is None
    assert closeup(even, box, near=True) is not None


def test_planes_are_those_that_cells_end_at():
    data = points()
    histogram = simulated_histogram(ShiftedHistogram(t=8), data, PRIVACY, seed=4)
    planes = shift_planes(histogram, level=2)
    cut = histogram.at_level(2)
    finest = cut.level == 2
    for axis, kept in enumerate(planes.kept):
        inside = cut.lower[finest, axis][cut.lower[finest, axis] > 0]
        assert set(np.round(inside, 9)) <= set(np.round(kept, 9))
    np.testing.assert_allclose(planes.upper - planes.lower, 2.0)  # twice the sides of the box
    np.testing.assert_allclose((planes.upper + planes.lower) / 2, planes.middle)
    assert shift_planes(simulated_histogram(RecursiveHistogram(), data, PRIVACY), level=1) is None


def test_so_many_cells_lie_behind_something_else():
    data = Points(np.random.default_rng(2).random((20_000, 2)), Box.of([0, 0], [1, 1]))
    histogram = simulated_histogram(RecursiveHistogram(t=2), data, PRIVACY)
    assert histogram.size > MAX_BEHIND
    behind = cells_behind(histogram, data.domain)
    assert 100 < len(behind.counts) < histogram.size
    assert behind.counts.sum() == 20_000


@pytest.mark.parametrize("name", HISTOGRAMS)
def test_levels_hold_all_cells_and_points(name):
    mechanism, data = MECHANISMS[name](), points()
    histogram = simulated_histogram(mechanism, data, PRIVACY, seed=2)
    levels = histogram_levels(mechanism, data, PRIVACY, seed=2)
    assert (levels.cells - levels.cut).sum() == histogram.size
    assert levels.points.sum() == pytest.approx(histogram.counts.sum())
    for level in levels.level:
        held = histogram.level == level
        assert levels.points[level] == pytest.approx(histogram.counts[held].sum())
        assert levels.diameter[level] >= histogram.diameters[held].max(initial=0.0)


def test_cells_that_are_cut_leave_children_on_the_next_level():
    mechanism, data = RecursiveHistogram(t=8), points()
    histogram = simulated_histogram(mechanism, data, PRIVACY)
    levels = histogram_levels(mechanism, data, PRIVACY)
    assert deepest_level(histogram) == levels.level[-1]
    assert (levels.cells[0], levels.cut[0]) == (1, 1)
    assert (levels.cells[1:] <= 4 * levels.cut[:-1]).all()
    np.testing.assert_allclose(levels.diameter, np.sqrt(2) / 2.0**levels.level)


def test_a_histogram_is_made_once_for_a_seed_and_found_again_in_a_release():
    data, mechanism = points(), ShiftedHistogram(t=8)
    one = simulated_histogram(mechanism, data, PRIVACY, seed=1)
    assert simulated_histogram(mechanism, data, Privacy(2.0), seed=1) is one  # it has no noise
    assert simulated_histogram(mechanism, data, PRIVACY, seed=2) is not one
    release = mechanism.run(data, PRIVACY)
    assert released_histogram(release) is release.histogram
