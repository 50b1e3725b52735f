"""Synthetic points: whole counts in proportion, and points in the cells that they come from."""

from __future__ import annotations

import numpy as np
import pytest
from cancellable import Impatient
from hypothesis import given, settings
from hypothesis import strategies as st
from tilings import tiling

from engine.data.points import Points
from engine.domain import Box
from engine.errors import ParameterError
from engine.histograms.synthetic import synthetic_points, whole_counts
from engine.mechanisms.histograms import NetHistogram
from engine.privacy import NO_PROMISE
from engine.progress import Cancelled
from engine.randomness import reproducible


class TestWholeCounts:
    @given(
        st.lists(st.floats(-50, 1000), min_size=1, max_size=30).filter(lambda x: max(x) > 0.1),
        st.integers(0, 500),
    )
    @settings(deadline=None)
    def test_sum_to_n_and_are_less_than_one_from_their_shares(self, counts: list[float], n: int) -> None:
        found = whole_counts(counts, n)
        clipped = np.clip(counts, 0, None)
        assert found.sum() == n
        assert (found >= 0).all()
        assert (found[clipped == 0] == 0).all()
        assert (np.abs(found - clipped * (n / clipped.sum())) < 1 + 1e-9).all()

    def test_whole_numbers_stay(self) -> None:
        assert whole_counts([3.0, 0.0, 5.0]).tolist() == [3, 0, 5]

    def test_nothing_to_draw_from(self) -> None:
        assert whole_counts([-1.0, 0.0]).tolist() == [0, 0]
        assert whole_counts([], 0).tolist() == []
        with pytest.raises(ParameterError, match="no cell has a count above 0, so 5 points cannot be drawn"):
            whole_counts([-1.0, 0.0], 5)

    @pytest.mark.parametrize("n", [-1, 10_000_001])
    def test_impossible_numbers(self, n: int) -> None:
        with pytest.raises(ParameterError, match="it must be 0 to 10,000,000"):
            whole_counts([1.0], n)


@pytest.mark.parametrize("d", [1, 2, 4])
def test_points_lie_in_their_cells_in_random_order(d: int) -> None:
    rng = np.random.default_rng(d)
    histogram = tiling(30, d, rng)
    points = synthetic_points(histogram, rng)
    places = histogram.places(points)
    np.testing.assert_array_equal(np.bincount(places, minlength=30), histogram.counts)
    assert (np.diff(places) < 0).any()
    assert len(synthetic_points(histogram, rng, 7)) == 7


@pytest.mark.parametrize("scale", [5e-324, 1e-310, 1e-200, 1.0, 1e300])
def test_counts_of_any_size_are_shared_out(scale):
    assert whole_counts(np.array([1.0, 2.0, 0.0, 1.0]) * scale, 8).tolist() == [2, 4, 0, 2]


def test_totals_that_overflow_or_are_not_finite_are_refused():
    assert whole_counts([1e308, 1e308], 3).tolist() == [2, 1]
    with pytest.raises(ParameterError, match="points cannot be drawn"):
        whole_counts([1e308, 1e308])
    for bad in (np.inf, np.nan):
        with pytest.raises(ParameterError, match="not finite"):
            whole_counts([1.0, bad], 3)


def test_drawing_from_cells_that_are_no_boxes_is_heard_of():
    data = Points(np.random.default_rng(1).random((50, 2)), Box.of([0, 0], [1, 1]))
    histogram = NetHistogram(t=5).run(data, NO_PROMISE, reproducible(1)).histogram
    with pytest.raises(Cancelled):
        synthetic_points(histogram, reproducible(1), progress=Impatient(calls=2))
