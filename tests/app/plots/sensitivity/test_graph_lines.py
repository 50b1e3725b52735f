"""Edges as lines: parallel ones apart, and the right one under the pointer."""

import numpy as np
import pytest
from matplotlib.transforms import Affine2D, IdentityTransform

from app.plots.sensitivity.graph_picture import EdgeLines, bows

SQUARE = np.array([[0.0, 0.0], [4.0, 0.0], [4.0, 4.0], [0.0, 4.0]])


def test_single_edges_are_straight_and_parallel_ones_are_not():
    found = bows(np.array([(0, 1), (1, 2), (1, 0), (2, 3), (0, 1)]))
    assert found[1] == found[3] == 0
    assert len({*found[[0, 2, 4]]}) == 3
    assert found[[0, 2, 4]].sum() == pytest.approx(0)
    many = bows(np.tile([0, 1], (200, 1)))
    assert np.unique(many).size == 200
    assert np.ptp(many) < 1


def test_lines_join_the_vertices_and_gaps_divide_them():
    ends = np.array([(0, 1), (1, 0), (1, 2)])
    lines = EdgeLines(SQUARE, ends)
    for edge, points in enumerate(lines.segments()):
        assert {tuple(points[0]), tuple(points[-1])} == {tuple(SQUARE[end]) for end in ends[edge]}
        assert np.isfinite(points).all()
    only = lines.of(np.array([False, False, True]))
    assert np.isnan(only[-1]).all()
    assert only[:-1].tolist() == [[4, 0], [4, 4]]
    assert lines.of(np.zeros(3, dtype=bool)).shape == (0, 2)
    first, second = lines.middles[:2]
    assert first[1] == -second[1] != 0


def test_parallel_edges_bow_the_same_way_whichever_end_is_named_first():
    there, back = (EdgeLines(SQUARE, np.array(ends)) for ends in ([(0, 1), (0, 1)], [(1, 0), (0, 1)]))
    assert np.allclose(there.middles, back.middles)


def test_distances_are_those_of_the_nearest_points_in_pixels():
    ends = np.array([(0, 1), (1, 2), (2, 3), (0, 2)])
    lines = EdgeLines(SQUARE, ends)
    assert lines.distances(1, 0.5, IdentityTransform()) == pytest.approx([0.5, 3, 3.5, 0.5 / np.sqrt(2)])
    assert lines.distances(-3, -4, IdentityTransform())[0] == pytest.approx(5)
    wide = Affine2D().scale(10, 1)
    assert lines.distances(1, 0.5, wide)[1] == pytest.approx(30)


def test_a_graph_without_edges_has_no_lines():
    lines = EdgeLines(SQUARE, np.empty((0, 2), dtype=np.int64))
    assert lines.segments() == []
    assert lines.distances(0, 0, IdentityTransform()).size == 0
