"""What simulated balls are worth."""

import numpy as np

from engine.data.points import Points
from engine.domain import Box
from engine.mechanisms import OneCluster
from engine.mechanisms.one_cluster import records_in, relative_radii, typical_quality


def test_records_are_counted_on_the_grid_where_the_mechanism_sees_them():
    data = Points([[0.1, 0.1], [0.26, 0.24], [0.9, 0.9]], Box.of([0, 0], [1, 1]))
    places = OneCluster(grid=4).search.domain(data.domain).round_points(data.values)
    assert places.tolist() == [[0.0, 0.0], [0.25, 0.25], [1.0, 1.0]]
    assert records_in([0.0, 0.0, 0.36], places) == 2
    assert np.isnan(records_in([np.nan, np.nan, np.nan], places))


def test_a_ball_of_radius_0_is_as_good_as_a_true_one_of_radius_0():
    assert relative_radii(np.array([0.0, 1.0]), 0.0).tolist() == [1.0, np.inf]
    assert relative_radii(np.array([1.0, 3.0]), 2.0).tolist() == [0.5, 1.5]


def test_runs_without_a_ball_do_not_count_in_what_is_typical():
    assert typical_quality(np.array([1.0, np.nan, 0.5]), np.array([2.0, np.nan, 4.0])) == (0.75, 3.0)
    assert np.isnan(typical_quality(np.array([np.nan]), np.array([np.nan]))).all()
