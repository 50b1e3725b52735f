"""Sensitivity against epsilon and along a path."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from app.model.wording.numbers import number, quantity
from app.plots.figures import new_figure
from app.plots.sensitivity.against_epsilon import AgainstEpsilon
from app.plots.sensitivity.along_path import AlongPath
from engine.analysis.sensitivity import EpsilonSweep
from engine.queries import Median
from engine.queries.profile import SensitivityPath, SensitivitySweep


def test_the_chosen_epsilon_has_the_exact_value(make, cases):
    case = cases["salaries"]
    sweep = make.sweep(case, 2.0)
    smooth = Median().smooth_sensitivity(case.sample, 2.0 / 8).value
    assert sweep.current_smooth == smooth
    picture = AgainstEpsilon.draw(new_figure().add_subplot(), sweep)
    assert f"ε = 2: smooth {quantity(smooth, '')}" in picture.tooltip(2.05)


@pytest.mark.parametrize(("epsilon", "side"), [(0.1, "left"), (2.0, "left"), (9.0, "right")])
def test_the_amount_stands_at_the_dot_and_the_name_at_the_end(make, cases, epsilon, side):
    sweep = make.sweep(cases["salaries"], epsilon)
    picture = AgainstEpsilon.draw(new_figure().add_subplot(), sweep)
    assert picture._amount.get_text() == quantity(sweep.current_smooth, "")
    assert picture._amount.get_position() == (epsilon, sweep.current_smooth)
    assert picture._amount.get_horizontalalignment() == side
    assert "smooth S*" in picture.labels.texts()


def test_betas_that_no_noise_reaches_leave_a_gap():
    epsilons = np.array([0.1, 1.0, 10.0])
    sweep = SensitivitySweep(epsilons / 5, 1.0, np.array([np.nan, 4.0, 2.0]), 100.0)
    picture = AgainstEpsilon.draw(new_figure().add_subplot(), EpsilonSweep(epsilons, sweep, 1.0))
    assert picture.result.current_smooth == pytest.approx(4)
    assert "4" in picture.tooltip(1.0)
    assert picture.tooltip(20.0) == ""


def test_the_tooltip_says_how_smooth_and_global_compare():
    epsilons = np.array([0.1, 1.0, 10.0])
    sweep = SensitivitySweep(epsilons / 5, 0.0, np.array([8.0, 2.0, 0.0]), 8.0)
    picture = AgainstEpsilon.draw(new_figure().add_subplot(), EpsilonSweep(epsilons, sweep, 1.0))
    assert picture.tooltip(0.1) == "ε = 0.1: smooth 8, as large as global"
    assert picture.tooltip(1.0) == "ε = 1: smooth 2, 4 times below global"
    assert picture.tooltip(10.0) == "ε = 10: smooth 0"


def test_the_sweep_is_in_the_table(make, cases):
    sweep = make.sweep(cases["salaries"])
    header, rows = AgainstEpsilon.draw(new_figure().add_subplot(), sweep).table()
    assert header == ["epsilon", "beta", "local", "smooth", "global"]
    np.testing.assert_array_equal([row[3] for row in rows], sweep.sweep.smooth)


def test_moving_epsilon_within_the_sweep_moves_no_axis(make, cases):
    picture = AgainstEpsilon.draw(new_figure().add_subplot(), make.sweep(cases["salaries"]))
    before = (picture.axes.get_xlim(), picture.axes.get_ylim())
    for epsilon in np.geomspace(0.02, 9, 20):
        picture.update(make.sweep(cases["salaries"], float(epsilon)))
        assert (picture.axes.get_xlim(), picture.axes.get_ylim()) == before


@pytest.mark.parametrize("height", [1.2, 1.6, 4.0])
def test_a_path_shows_the_answer_above_and_sensitivities_below(make, cases, height):
    path = make.path(cases["smooth is global"])
    figure = new_figure(size=(7.0, height))
    picture = AlongPath.draw(figure.add_subplot(), path)
    assert picture._value.axes is picture.above
    assert picture.above.get_xlim() == picture.axes.get_xlim() == (0, path.length)
    figure.draw_without_rendering()
    above, below = picture.above.bbox, picture.axes.bbox
    assert above.y0 > below.y1
    assert above.height > 0
    if height > 1.5:
        assert picture.axes._left_title.get_window_extent().y1 <= above.y0


def test_the_local_sensitivity_is_seen_where_it_equals_the_smooth_one(make, cases):
    sweep = AgainstEpsilon.draw(new_figure().add_subplot(), make.sweep(cases["salaries"], 1.0))
    path = AlongPath.draw(new_figure().add_subplot(), make.path(cases["salaries"]))
    for picture in (sweep, path):
        drawn = sorted(picture.axes.lines, key=lambda line: line.get_zorder())
        assert drawn.index(picture._local) > drawn.index(picture._smooth)


def test_a_path_that_ends_at_zero_keeps_its_height_for_local_sensitivities(make, cases):
    path = make.path(cases["salaries"])
    zero = path.local == 0
    assert zero.any()
    assert 0 < path.smooth[path.smooth > 0].min() < path.local[~zero].min() / 1e3
    picture = AlongPath.draw(new_figure().add_subplot(), path)
    assert picture.axes.get_ylim()[0] == 0.0
    assert picture.axes.yaxis.get_transform().linthresh > path.local[~zero].min() / 100
    assert picture.axes.get_title(loc="left").endswith("(log scale)")


def test_the_title_of_the_axis_says_whether_it_is_logarithmic(make, cases):
    for log in (True, False):
        picture = AgainstEpsilon(new_figure().add_subplot())
        picture.log_y = log
        picture.update(make.sweep(cases["salaries"], 2.0))
        assert picture.axes.get_title(loc="left").endswith("(log scale)") is log


def test_a_sentence_says_how_far_one_step_moves_each_sensitivity():
    levels = np.array([1.0, 2.0, 3.0])
    path = SensitivityPath(2, np.arange(3), levels, np.array([0.0, 2.5, 3.0]), levels, 3.0)
    picture = AlongPath.draw(new_figure().add_subplot(), path, unit="$")
    (sentence,) = picture.sentences
    jump = "In one step local sensitivity moves between 0 and 2.5\u202f$"
    assert sentence.text == f"{jump}, the smooth one at most 2-fold."
    picture.update(dataclasses.replace(path, local=np.array([1.0, 2.5, 3.0])))
    jump = "In one step local sensitivity changes up to 2.5-fold"
    assert sentence.text == f"{jump}, the smooth one at most 2-fold."
    for same in (0.0, 2.0):
        picture.update(dataclasses.replace(path, local=np.full(3, same)))
        no_jump = "In none of these steps local sensitivity changes"
        assert sentence.text == f"{no_jump}, the smooth one at most 2-fold."
    picture.update(dataclasses.replace(path, length=4, changed=np.array([0, 2, 4])))
    assert sentence.text.endswith("local sensitivity may jump, the smooth one changes slowly.")
    picture.choose_layers(frozenset({"local"}))
    picture.update(path)
    assert sentence.text == ""


def test_a_sentence_says_how_smooth_sensitivity_falls_with_epsilon(make, cases):
    sweep = make.sweep(cases["salaries"], 2.0)
    picture = AgainstEpsilon.draw(new_figure().add_subplot(), sweep, unit="$")
    first, here = (quantity(float(one), "$") for one in (sweep.sweep.smooth[0], sweep.current_smooth))
    start = f"From ε = {number(float(sweep.epsilons[0]))} to ε = 2 (in use)"
    assert picture.sentences[0].text == f"{start} smooth sensitivity falls from {first} to {here}."
    flat = dataclasses.replace(sweep.sweep, smooth=np.full_like(sweep.sweep.smooth, 3.0))
    picture.update(dataclasses.replace(sweep, sweep=flat))
    assert picture.sentences[0].text.endswith("smooth sensitivity stays 3\u202f$.")


def test_a_path_marks_where_it_begins():
    levels = np.array([472.0, 800.0, 1000.0])
    path = SensitivityPath(2, np.arange(3), levels, levels, levels, 1000.0)
    picture = AlongPath.draw(new_figure().add_subplot(), path, unit="$")
    assert picture._first.get_xydata().tolist() == [[0.0, 472.0]]
    assert picture._at_first.get_text() == picture.amount(472.0)
    assert picture._at_first in picture.layered["smooth"]
    part = dataclasses.replace(path, length=4000, changed=np.arange(7, 10))
    picture.update(part)
    assert picture._first.get_xydata().size == 0
    assert picture._at_first.get_text() == ""


def test_the_cursor_crosses_both_parts_of_a_path(make, cases):
    picture = AlongPath.draw(new_figure().add_subplot(), make.path(cases["salaries"]), unit="$")
    assert "$" in picture.point_at(500.0, 1.0)
    assert picture.cursor.get_visible()
    assert picture._cursor_above.get_visible()
    picture.point_away()
    assert not picture._cursor_above.get_visible()
