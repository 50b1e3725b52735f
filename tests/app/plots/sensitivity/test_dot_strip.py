"""The data as dots: which are shown, where they are, which one is meant."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg

from app.plots.figures import new_figure
from app.plots.sensitivity.dot_strip import MAX_DOTS, DotStrip, StripView, jitter, shown_indices
from engine.domain import Interval

DOMAIN = Interval(0, 100)


def strip(values, **details):
    view = StripView.of(np.asarray(values, dtype=float), DOMAIN, 50.0, "median", **details)
    figure = new_figure(size=(7.8, 1.5))
    FigureCanvasAgg(figure)
    picture = DotStrip.draw(figure.add_subplot(), view, unit="g")
    figure.canvas.draw()
    return picture


def test_all_records_are_shown_while_they_are_few():
    assert list(shown_indices(5)) == [0, 1, 2, 3, 4]
    assert shown_indices(MAX_DOTS).size == MAX_DOTS


@pytest.mark.parametrize("n", [MAX_DOTS + 1, 1_000_000])
def test_of_many_records_the_same_ones_are_shown_whatever_they_hold(n: int):
    indices = shown_indices(n)
    assert indices.size == MAX_DOTS
    assert (np.diff(indices) > 0).all()
    assert indices[-1] < n
    values = np.random.default_rng(0).uniform(0, 100, n)
    view = StripView.of(values, DOMAIN, 50.0, "median")
    np.testing.assert_array_equal(view.indices, indices)
    np.testing.assert_array_equal(view.values, values[indices])


def test_it_says_how_many_are_shown_and_clamped():
    values = np.linspace(-1, 99, 10_000)
    picture = strip(values)
    label = picture._count.get_text().replace("\u202f", " ")
    assert "2 000 of 10 000 shown" in label
    assert f"{int((values < 0).sum())} clamped" in label
    assert "shown" not in strip([1, 2, 3])._count.get_text()
    label = strip([7.0] * 40 + [90.0])._count.get_text()  # so many that they look like a bar
    assert label.replace("\u202f", " ") == "40 records at 7 g"
    assert not strip([7.0] * 5)._count.get_text()


def test_heights_are_evenly_spread_and_fixed():
    heights = jitter(500)
    assert np.unique(heights).size == 500
    assert heights.min() > 0
    assert heights.max() < 1
    np.testing.assert_array_equal(heights, jitter(500))


def test_dots_are_found_where_they_are_drawn():
    picture = strip([10, 20, 30])
    for record, (value, height) in enumerate(zip([10, 20, 30], jitter(3), strict=True)):
        assert picture.nearest_dot(value + 0.5, height) == record
    assert picture.nearest_dot(60, 0.5) is None
    assert "record 2" in picture.tooltip(20, float(jitter(3)[1]))
    assert picture.tooltip(60, 0.5) == ""
    assert picture.tooltip(20, 0.9) == ""


def test_a_dot_of_many_has_the_index_of_its_record():
    values = np.linspace(0, 100, 50_000)
    picture = strip(values)
    view = picture.result
    found = picture.nearest_dot(float(view.values[700]), float(jitter(MAX_DOTS)[700]))
    assert abs(values[found] - view.values[700]) < 3


def test_clamped_records_are_piled_at_the_bounds_and_look_different():
    picture = strip([-5, 50, 105, 200])
    assert "clamped" in picture.tooltip(0, float(jitter(4)[0]))
    assert picture.table()[1][0] == [1, 0.0, True]


def test_bounds_and_truth_are_drawn():
    picture = strip([10, 20])
    assert picture._name.get_text().startswith("median 50")


def test_a_distance_is_drawn_between_its_ends_and_a_release_of_it_is_no_place():
    view = StripView.of([10.0, 20.0, 60.0], DOMAIN, 40.0, "interquartile range")
    picture = DotStrip.draw(
        new_figure().add_subplot(), dataclasses.replace(view, span=(20.0, 60.0), released=41.0)
    )
    assert (picture._name.get_text(), picture._name.get_position()[0]) == ("interquartile range 40", 40)


def test_dragging_moves_no_axis():
    picture = strip([10, 20, 30])
    for value in np.linspace(0, 100, 20):
        assert not picture.update(StripView.of([value, 20, 30], DOMAIN, value, "median", dragged=0))
