"""First attempts: the intervals that meet in nothing, and boxes that grow with the dimension."""

import numpy as np

from engine.analysis.first_attempts import attempt_all_dimensions, attempt_axis_by_axis


def test_the_intervals_are_the_fullest_of_their_axes_and_meet_where_nothing_is():
    shown = attempt_axis_by_axis(size=400)
    within = (shown.points >= shown.lower) & (shown.points < shown.upper)
    np.testing.assert_array_equal(within.sum(axis=0), shown.counts)
    assert within.all(axis=1).sum() == shown.inside == 0
    assert shown.held == 120
    # the cluster is no interval's, although half as many points more are there than in any box of its size
    assert ((shown.center < shown.lower) | (shown.center > shown.upper)).all()
    for column in shown.points.T:
        cells = np.histogram(column, np.arange(0, 1.001, 2 * shown.radius))[0]
        assert cells.max() <= max(shown.counts)


def test_boxes_grow_faster_than_the_dimension():
    shown = attempt_all_dimensions(largest=100)
    np.testing.assert_allclose((1 - 2 / shown.side) ** shown.d, 0.5)
    np.testing.assert_allclose(shown.diameter, shown.side * np.sqrt(shown.d))
