"""Diameters against radii: what is over the bound is seen and counted."""

import dataclasses

import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg

from app.model.theme import LIGHT
from app.plots.figures import new_figure
from app.plots.histogram.diameters import DiameterBound
from engine.analysis.histogram_diameters import DiametersByRadius
from engine.analysis.shared.records import MAX_DOTS
from engine.mechanisms import ShiftedHistogram

RADII = np.array([0.01, 0.02, 0.05, 0.1, 0.2])
CURVE = np.geomspace(1e-3, 1, 40)
DIAMETERS = np.array([0.1, 0.05, 0.1, 0.9, 0.3])
VIEW = DiametersByRadius(ShiftedHistogram(t=15), RADII, DIAMETERS, CURVE, 4 * CURVE, 20)


def picture(shown=VIEW):
    figure = new_figure(LIGHT, (7.4, 4.2))
    FigureCanvasAgg(figure)
    made = DiameterBound.draw(figure.add_subplot(), shown, unit="km")
    figure.canvas.draw()
    return made


def test_what_is_over_the_bound_has_a_mark_of_its_own():
    assert VIEW.above.tolist() == [True, False, False, True, False]
    made = picture()
    assert any(text.startswith("2 over the bound 40") for text in made.labels.texts())


def test_it_is_said_if_none_is_over_the_bound():
    made = picture(dataclasses.replace(VIEW, bound=100 * CURVE))
    assert "bound on E[Δ] t = 15; none over it" in made.labels.texts()
    assert made.alt_text().endswith("0 are over the bound.")


def test_both_axes_are_logarithmic_and_hold_everything():
    made = picture()
    assert (made.axes.get_xscale(), made.axes.get_yscale()) == ("log", "log")
    assert made.axes.get_xlim()[0] <= 0.01
    assert made.axes.get_xlim()[1] >= 0.2
    assert made.axes.get_ylim()[1] >= 0.9


def test_records_at_one_place_lie_at_the_left_edge_and_not_over_the_bound():
    shown = dataclasses.replace(VIEW, radii=np.append(RADII[:-1], 0.0))
    assert not shown.above[-1]
    made = picture(shown)
    assert made._dots.get_xdata()[-1] == made.axes.get_xlim()[0]


def test_of_many_records_some_are_drawn_and_all_are_counted():
    n = 3 * MAX_DOTS
    shown = dataclasses.replace(VIEW, radii=np.full(n, 0.1), diameters=np.full(n, 0.2))
    made = picture(shown)
    assert any(text.startswith("12\u202f000 records") for text in made.labels.texts())
    assert len(made.table()[1]) == n + len(CURVE)


def test_the_pointer_is_told_the_bound():
    assert picture().tooltip(0.1) == "2t-radius 0.1\u202fkm: E[Δ] is at most 0.4\u202fkm"
    assert picture().tooltip(-1.0) == ""


def test_it_is_said_if_all_records_lie_at_one_place():
    made = picture(dataclasses.replace(VIEW, radii=np.zeros(5), diameters=np.zeros(5)))
    assert made.axes.get_xlabel().endswith(": 0 for all records")
    assert not any("bound" in text for text in made.labels.texts())
    assert made.alt_text().endswith("The 2t-radii are 0 for all records.")
