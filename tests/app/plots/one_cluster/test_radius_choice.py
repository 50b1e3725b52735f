"""The choice of a radius: the counts are drawn as they are, and names hide neither them nor each other."""

import dataclasses

import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg

from app.model.theme import DARK, LIGHT
from app.plots.figures import new_figure
from app.plots.one_cluster.radius_choice import RadiusChoice, thin_curve
from engine.analysis.radii import ChosenRadius

RADII = np.append(1 / 2.0 ** np.arange(17), 0.0)
COUNTS = np.array([9000, 9000, 5000, 2000, 900, 420, 380, 120, 30, 8, 3, 2, 1, 1, 1, 1, 1, 1], dtype=float)
VIEW = ChosenRadius(RADII, COUNTS, 350.0, 400, 6, "cells", 0.02)


def picture(shown=VIEW, palette=LIGHT, scale=1.0):
    figure = new_figure(palette, (7.4 / scale, 3.8 / scale))
    figure.set_dpi(100 * scale)
    FigureCanvasAgg(figure)
    made = RadiusChoice.draw(figure.add_subplot(), shown, palette, "km")
    figure.canvas.draw()
    return made


def test_the_curve_is_the_counts_and_the_choice_lies_on_it():
    made = picture()
    radii, counts = made._curve.get_data()
    np.testing.assert_array_equal(radii, RADII[::-1])
    np.testing.assert_array_equal(counts, COUNTS[::-1])
    assert made.labels.texts() == ["at least 350 400 less a margin for noise"]
    assert made._choice_name.get_text() == "size estimate 0.0156\u202fkm"
    assert made._truth_name.get_text() == "true radius 0.02\u202fkm"
    assert made.axes.get_xlabel() == "radius; dots: the radii tried"
    unknown = picture(dataclasses.replace(VIEW, truth=None))
    assert not unknown._truth_name.get_text()


def test_the_sentence_says_what_was_chosen_and_what_noise_did():
    true = "True radius 0.02\u202fkm: the smallest ball, not cell, around a record that holds 400."
    aim = "the smallest tried whose fullest cell holds at least 350 records."
    assert picture().alt_text() == f"Size estimate 0.0156\u202fkm: {aim} {true}"
    noisy = dataclasses.replace(VIEW, chosen=5, truth=None)
    assert picture(noisy).alt_text() == f"Size estimate 0.0312\u202fkm: without noise 0.0156\u202fkm, {aim}"
    center = dataclasses.replace(VIEW, counted="center", target=349.2, truth=None)
    assert picture(center).alt_text() == (
        "Radius 0.0156\u202fkm: the smallest tried around the released center "
        "that holds at least 350 records."
    )
    unreached = dataclasses.replace(VIEW, target=10_000.0, chosen=0, truth=None)
    assert picture(unreached).alt_text() == "Size estimate 1\u202fkm."


def test_the_smaller_radius_is_named_above_the_curve_and_the_larger_one_below_it():
    for truth in (0.001, 0.02):
        made = picture(dataclasses.replace(VIEW, truth=truth))
        names = [made._choice_name, made._truth_name][:: 1 if truth > 0.0156 else -1]
        boxes = [name.get_window_extent() for name in names]
        lines = made.axes.transData.transform([(name.get_position()[0], 0) for name in names])[:, 0]
        assert boxes[0].y0 > boxes[1].y1
        assert boxes[1].x0 > lines[1]
        assert (boxes[0].x1 < lines[0]) == (truth > 0.0156)  # no room beside the axis


def test_what_is_public_differs_from_the_curve_by_more_than_colour():
    made = picture(palette=DARK)
    strokes = [line._unscaled_dash_pattern for line in (made._curve, made._target, made._choice)]
    assert len({str(stroke) for stroke in strokes}) == 3


def test_the_crossing_is_in_view_however_large_the_counts():
    made = picture()
    assert 400 < made.axes.get_ylim()[1] < 1000
    assert made.axes.get_ylim()[0] == 0
    assert picture(dataclasses.replace(VIEW, chosen=4)).axes.get_ylim()[1] >= 900
    made.log_y = True
    made.update(VIEW)
    assert made.axes.get_ylim()[1] >= 9000


def test_zero_has_its_place_at_the_left_end_and_only_where_it_is_chosen():
    made = picture(dataclasses.replace(VIEW, chosen=17))
    assert made.axes.get_xlim()[0] == 0
    assert made._choice_name.get_text() == "size estimate 0\u202fkm"
    places = made.axes.transData.transform([(0, 0), (RADII[9], 0), (RADII[0], 0)])[:, 0]
    assert places[0] < places[1] < places[2]
    assert picture().axes.get_xlim()[0] > 0
    assert (
        picture(dataclasses.replace(VIEW, counted="center"))._choice_name.get_text().startswith("radius 0.0")
    )


def test_long_curves_are_thinned_evenly_and_keep_the_choice():
    radii = np.linspace(1, 0, 185_001)
    shown = ChosenRadius(radii, np.minimum(400, 4e4 * radii), 380, 400, 183_123, "capped")
    assert picture(shown).axes.get_xlabel() == "radius"
    across, counts = thin_curve(shown)
    assert across.size <= 2_001
    assert radii[183_123] in across
    np.testing.assert_allclose(counts, np.minimum(400, 4e4 * across))
    assert (across < 1e-3).sum() > 100
    assert (across > 0.5).sum() > 100
    assert (np.diff(across) > 0).all()


def test_words_name_the_nearest_radius_and_the_choice():
    made = picture()
    assert made.tooltip(0.0157) == "radius 0.0156\u202fkm: 380 (chosen)"
    assert made.tooltip(0.9) == "radius 1\u202fkm: 9\u202f000"
    assert made.tooltip(-3.0) == "radius 0\u202fkm: 1"
    rows = made.table()[1]
    assert rows[6] == [RADII[6], 380.0, "chosen", 350.0, 400]
    assert [row[2] for row in rows].count("chosen") == 1
