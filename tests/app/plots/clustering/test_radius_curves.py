"""Radii of outputs: the curves, t_0, the levels, and where the bound comes from."""

import numpy as np

from app.model.wording.numbers import quantity
from app.plots.clustering.radius_curves import RadiusCurves
from app.plots.figures import new_figure
from engine.aggregation.center_of_attention import Radii
from engine.analysis.radii import MAX_CURVES, RadiusProfile


def radii(m, s=1, seed=0):
    z = np.random.default_rng(seed).normal(50, 5, (m, 2))
    return Radii.of(np.linalg.norm(z[:, None] - z, axis=2), 100.0, s)


def picture(view):
    return RadiusCurves.draw(new_figure().add_subplot(), view, unit="cm")


def test_some_outputs_stand_for_many_and_the_center_is_always_there():
    known = radii(500)
    view = RadiusProfile.of(known, 0.1)
    assert len(view.curves) == MAX_CURVES
    np.testing.assert_array_equal(view.center, known.sorted_distances[known.center])
    rows = {tuple(row) for row in known.sorted_distances[:, view.t - 1]}
    assert {tuple(curve) for curve in view.curves} <= rows
    assert (np.diff(view.t) > 0).all()
    assert view.t[[0, -1]].tolist() == [1, 500]
    assert picture(view).axes.get_xlabel() == "t outputs inside the ball, of 500"
    few = RadiusProfile.of(radii(20), 0.1)
    assert len(few.curves) == 20


def test_curves_levels_and_the_decisive_k_are_marked():
    view = RadiusProfile.of(radii(41, 3), 0.1)
    made = picture(view)
    assert made._name.get_text() == "majority: 23"
    assert made._near.get_text() == quantity(view.radius(23), "cm")
    assert made._near.get_position() == (23, view.radius(23))
    assert any("after (t − 23) ÷ 3 changes" in text for text in made.labels.texts())
    (said,) = made.sentences
    assert said.text == (
        f"Most outputs lie within {quantity(view.radius(23), 'cm')} of the center, so "
        f"one record moves it at most {quantity(view.levels[0], 'cm')}."
    )
    assert made._peak.get_xydata().tolist() == [[view.at_levels[view.argmax_k], view.smooth]]
    right = made.axes.get_xlim()[1]
    assert made._smooth.get_xydata().tolist() == [[23, view.smooth], [right, view.smooth]]


def test_distances_say_what_they_are_of():
    assert picture(RadiusProfile.of(radii(9), 0.1)).axes.get_title(loc="left") == "distance"
    together = picture(RadiusProfile.of(radii(9), 0.1, "root sum of squares"))
    assert together.axes.get_title(loc="left") == "distance, root sum of squares"


def test_the_level_of_all_outputs_is_drawn_only_where_it_decides():
    known = radii(41)
    for beta, drawn in ((2.0, 0), (1e-4, 1)):
        view = RadiusProfile.of(known, beta)
        assert (view.argmax_k == view.levels.size - 1) == bool(drawn)
        assert len(picture(view)._levels.get_xdata()) == view.levels.size - 1 + drawn


def test_the_discounted_levels_are_named_where_they_can_be_seen():
    for beta in (2.0, 0.1, 1e-4):
        made = picture(RadiusProfile.of(radii(41), beta))
        x, y = made._discount.get_position()
        assert made.axes.get_xlim()[0] <= x <= made.axes.get_xlim()[1]
        assert made.axes.get_ylim()[0] <= y <= made.axes.get_ylim()[1]


def test_another_epsilon_leaves_the_curves_of_the_outputs():
    known = radii(60)
    view = RadiusProfile.of(known, 0.1)
    made = picture(view)
    made.axes.figure.draw_without_rendering()
    assert not made.update(RadiusProfile.of(known, 0.1001))
    assert made.update(RadiusProfile.of(radii(60, seed=1), 0.1))


def test_words_and_numbers():
    view = RadiusProfile.of(radii(41), 0.1)
    made = picture(view)
    assert made.tooltip(5).startswith("5 outputs within")
    assert "\n" not in made.tooltip(21)
    assert "after 2 other changes it moves by at most" in made.tooltip(24.2)
    assert made.alt_text().startswith(f"{made._sentence.text} Smooth bound")
    header, rows = made.table()
    assert header[:5] == ["t", "center", "k", "level", "discounted"]
    assert [row[1] for row in rows[:41]] == view.center.tolist()
    levels = [row for row in rows if row[2] != ""]
    assert [row[0] for row in levels] == [22 + k for k in range(view.levels.size)]
    assert [row[3] for row in levels] == view.levels.tolist()
