"""Intervals and boxes: bounds that make sense, clamping."""

import math

import pytest

from engine.domain import Box, Interval
from engine.errors import ParameterError


@pytest.mark.parametrize(
    ("lower", "upper", "field"),
    [
        (1, 1, "upper"),
        (2, 1, "upper"),
        (math.nan, 1, "lower"),
        (0, math.inf, "upper"),
        (-1.7e308, 1, "lower"),
        (0, 5e-324, "upper"),
        (1, 1 + 1e-300, "upper"),
    ],
)
def test_bounds_that_make_no_sense(lower, upper, field):
    with pytest.raises(ParameterError) as caught:
        Interval(lower, upper)
    assert caught.value.field == field


def test_clamping_counts():
    interval = Interval(0.0, 10.0, resolution=0.5)
    assert interval.clamp([-1.0, 3.0, 11.0]).tolist() == [0.0, 3.0, 10.0]
    assert interval.outside([-1.0, 0.0, 10.0, 11.0]) == 2


@pytest.mark.parametrize("resolution", [0.0, -1.0, 11.0, math.nan])
def test_a_resolution_that_makes_no_sense(resolution):
    with pytest.raises(ParameterError, match="resolution"):
        Interval(0.0, 10.0, resolution)


def test_boxes():
    box = Box.of([0, 0], [3, 4])
    assert (box.dimension, box.diameter) == (2, 5.0)
    assert box.clamp([[-1, 5], [1, 1]]).tolist() == [[0, 4], [1, 1]]
    with pytest.raises(ParameterError, match="one pair per column"):
        Box.of([0], [1, 2])
    with pytest.raises(ParameterError, match="column"):
        Box.of([], [])
    with pytest.raises(ParameterError, match=r"\(n, 2\)"):
        box.clamp([1.0, 2.0])
