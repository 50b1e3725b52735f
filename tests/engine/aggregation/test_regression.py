"""Linear regression on blocks, against numpy."""

import numpy as np
import pytest

from engine.aggregation.functions import LinearRegression
from engine.domain import Box

BOTH = LinearRegression(intercept="included")


@pytest.mark.parametrize("d", [2, 3, 6])
def test_coefficients_are_those_of_least_squares(d):
    rng = np.random.default_rng(d)
    blocks = rng.normal(size=(12, 20, d)) * 10.0 ** np.arange(d) + rng.normal(size=d)
    found = BOTH.apply(blocks, np.zeros(12, dtype=np.int64))
    for block, coefficients in zip(blocks, found, strict=True):
        table = np.column_stack([block[:, :-1], np.ones(20)])
        assert np.allclose(coefficients, np.linalg.lstsq(table, block[:, -1], rcond=None)[0], rtol=1e-8)
    assert np.array_equal(LinearRegression().apply(blocks, np.zeros(12, dtype=np.int64)), found[:, :-1])


def test_an_exact_line_is_found_in_any_unit():
    rng = np.random.default_rng(1)
    for unit in (1e-12, 1.0, 1e12):
        x = rng.random((1, 9, 1)) * unit
        block = np.concatenate([x, 3 * x / unit - 7], axis=2)
        slope, intercept = BOTH.apply(block, np.array([0]))[0]
        assert np.isclose(slope * unit, 3)
        assert np.isclose(intercept, -7)


def test_what_two_predictors_explain_as_well_is_shared():
    x = np.random.default_rng(2).random(10)
    block = np.column_stack([x, 2 * x, 4 * x])[None]
    assert np.allclose(LinearRegression().apply(block, np.array([0])), [[2, 1]])


@pytest.mark.parametrize("value", [0.1, 1 / 3, 1e6 + 0.1, -0.7])
def test_a_constant_predictor_has_no_slope(value):
    """Its mean is rounded: what is left of it must not be taken for variation."""
    rng = np.random.default_rng(3)
    for size in (3, 10, 1001):
        block = np.column_stack([np.full(size, value), rng.random(size), rng.random(size)])[None]
        slopes = LinearRegression().apply(block, np.array([0]))[0]
        expected = np.polyfit(block[0, :, 1], block[0, :, 2], 1)[0]
        assert slopes[0] == 0
        assert np.isclose(slopes[1], expected)


def test_bounds_are_in_widths_of_the_response_for_each_width_of_the_predictor():
    box = Box.of([0.0, -10.0, 5.0], [100.0, 10.0, 9.0])
    slopes = LinearRegression(bound=1.5).space(box).box
    assert slopes.upper == pytest.approx([1.5 * 4 / 100, 1.5 * 4 / 20])
    assert slopes.lower == pytest.approx(-slopes.upper)
    assert LinearRegression(bound=1.5).default(box).tolist() == [0, 0]


def test_the_range_of_the_intercept_holds_every_intercept_of_bounded_slopes():
    """All corners: lines with slopes within bounds through some point of the box."""
    rng = np.random.default_rng(4)
    box = Box.of([-3.0, 2.0, 5.0], [1.0, 10.0, 9.0])
    found = LinearRegression(bound=0.7, intercept="included").space(box).box
    slopes = rng.choice([found.lower[:2], found.upper[:2]], 1000)
    points = np.where(rng.random((1000, 3)) < 0.5, box.lower, box.upper)
    intercepts = points[:, 2] - (slopes * points[:, :2]).sum(axis=1)
    assert found.lower[2] <= intercepts.min()
    assert intercepts.max() <= found.upper[2]
    assert found.sides[2].width < 2 * np.ptp(intercepts)


def test_a_response_needs_a_predictor():
    field, words = LinearRegression().problem(Box.of([0.0], [1.0]))
    assert field == "columns"
    assert "two columns" in words
    assert LinearRegression().problem(Box.of([0.0, 0.0], [1.0, 1.0])) is None
    assert LinearRegression().smallest_block(Box.of([0.0] * 4, [1.0] * 4)) == 4
