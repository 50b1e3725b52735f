"""Limits hold the data and move seldom; ticks are round."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from matplotlib.backends.backend_agg import FigureCanvasAgg

from app.plots.elements.scales import around, from_zero, log_ticks, logarithmic, scale_from_zero
from app.plots.figures import new_figure

positive = st.floats(1e-300, 1e300)


@given(positive)
def test_limits_from_zero_hold_and_keep(high: float):
    limits = from_zero(None, high)
    assert limits[0] == 0
    assert high < limits[1] <= 1.6 * high
    assert from_zero(limits, high) == limits
    assert from_zero(limits, 0.8 * high) == limits


def test_limits_from_zero_exist_without_data():
    assert from_zero(None, 0.0) == (0.0, 1.0)


@given(st.floats(-1e12, 1e12), st.floats(1e-3, 1e12))
def test_limits_around_hold_and_keep(low: float, width: float):
    limits = around(None, low, low + width)
    assert limits[0] < low
    assert limits[1] > low + width
    if width > 1e-6 * abs(low):
        assert around(limits, low, low + width) == limits


@pytest.mark.parametrize("value", [0.0, 5.0, -3e12, 1e-9])
def test_limits_around_a_single_value_are_no_point(value: float):
    low, high = around(None, value, value)
    assert low < value < high


@given(st.floats(1e-200, 1e200), st.floats(1, 1e50))
def test_logarithmic_limits_hold_and_keep(low: float, factor: float):
    limits = logarithmic(None, low, low * factor)
    assert 0 < limits[0] < low
    assert limits[1] > low * factor
    assert logarithmic(limits, low, low * factor) == limits


def test_limits_follow_when_the_data_have_become_small():
    assert from_zero((0.0, 100.0), 20.0) == (0.0, 25.0)
    assert from_zero((0.0, 100.0), 101.0)[1] > 101
    assert logarithmic((1.0, 1e9), 10.0, 100.0)[1] < 1e4


@given(st.floats(1e-100, 1e100), st.floats(1.5, 1e60), st.integers(2, 9))
def test_log_ticks_are_few_ordered_and_in_view(low: float, factor: float, most: int):
    ticks = log_ticks(low, low * factor, most)
    assert (np.diff(ticks) > 0).all()
    assert len(ticks) <= most + 2
    assert ((ticks >= low * (1 - 1e-6)) & (ticks <= low * factor * (1 + 1e-6))).all()


@pytest.mark.parametrize(
    ("values", "log", "scale", "bottom"),
    [
        ([10, 100], None, "linear", 0),
        ([1, 100], None, "log", 0.5),
        ([0, 1, 100], None, "symlog", 0),
        ([0, 100], None, "linear", 0),
        ([0, 100], True, "symlog", 0),
        ([0, 0], True, "linear", 0),
        ([1, 100], False, "linear", 0),
        ([5e-324, 1, 100], None, "symlog", 0),
        ([1e-20, 1, 100], None, "symlog", 0),
        ([1, 100, math.inf, math.nan], None, "log", 0.5),
    ],
)
def test_the_scale_follows_the_numbers_unless_told(values, log, scale, bottom):
    axes = new_figure().add_subplot()
    scale_from_zero(axes, values, "$", log)
    assert axes.get_yscale() == scale
    assert axes.get_ylim()[0] == bottom
    finite = [value for value in values if math.isfinite(value)]
    assert axes.get_ylim()[1] >= max(finite)


def test_the_scale_may_go_back_and_forth():
    figure = new_figure()
    FigureCanvasAgg(figure)
    axes = figure.add_subplot()
    for log in (True, False, True, None, False):
        scale_from_zero(axes, [1, 1000], "$", log)
        figure.canvas.draw()
        shown = [text for text in axes.get_yticklabels() if text.get_text()]
        assert len(shown) >= 3
        assert all(text.get_text().endswith("$") for text in shown)


@pytest.mark.parametrize("log", [False, True])
def test_a_long_unit_takes_no_room_from_the_curves(log: bool):
    for unit, written in (("min", True), ("occasions", False)):
        figure = new_figure()
        FigureCanvasAgg(figure)
        axes = figure.add_subplot()
        scale_from_zero(axes, [1, 1000], unit, log)
        figure.canvas.draw()
        texts = [label.get_text() for label in axes.get_yticklabels()]
        assert texts
        assert all((unit in text) == written for text in texts)
