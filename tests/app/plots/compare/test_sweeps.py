"""Sensitivity against epsilon and along a path."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from app.plots.figures import new_figure
from app.plots.sensitivity.against_epsilon import AgainstEpsilon
from app.plots.sensitivity.along_path import AlongPath
from engine.analysis.sensitivity import EpsilonSweep
from engine.queries.profile import SensitivitySweep


def test_the_chosen_epsilon_is_read_off_the_curve(make, cases):
    sweep = make.sweep(cases["salaries"])
    place = int(np.argmin(abs(sweep.epsilons - 1)))
    at_a_point = dataclasses.replace(sweep, current_epsilon=float(sweep.epsilons[place]))
    assert at_a_point.current_smooth == pytest.approx(sweep.sweep.smooth[place])
    between = dataclasses.replace(
        sweep, current_epsilon=float(np.sqrt(sweep.epsilons[3] * sweep.epsilons[4]))
    )
    assert sweep.sweep.smooth[4] <= between.current_smooth <= sweep.sweep.smooth[3]


def test_an_epsilon_beyond_the_sweep_has_no_value(make, cases):
    sweep = dataclasses.replace(make.sweep(cases["salaries"]), current_epsilon=50.0)
    assert np.isnan(sweep.current_smooth)
    AgainstEpsilon.draw(new_figure().add_subplot(), sweep)


def test_betas_that_no_noise_reaches_leave_a_gap():
    epsilons = np.array([0.1, 1.0, 10.0])
    sweep = SensitivitySweep(epsilons / 5, 1.0, np.array([np.nan, 4.0, 2.0]), 100.0)
    picture = AgainstEpsilon.draw(new_figure().add_subplot(), EpsilonSweep(epsilons, sweep, 1.0))
    assert picture.result.current_smooth == pytest.approx(4)
    assert "4" in picture.tooltip(1.0)
    assert picture.tooltip(20.0) == ""


def test_the_sweep_is_in_the_table(make, cases):
    sweep = make.sweep(cases["salaries"])
    header, rows = AgainstEpsilon.draw(new_figure().add_subplot(), sweep).table()
    assert header == ["epsilon", "beta", "local", "smooth", "global"]
    np.testing.assert_array_equal([row[3] for row in rows], sweep.sweep.smooth)


def test_moving_epsilon_within_the_sweep_moves_no_axis(make, cases):
    picture = AgainstEpsilon.draw(new_figure().add_subplot(), make.sweep(cases["salaries"]))
    before = (picture.axes.get_xlim(), picture.axes.get_ylim())
    for epsilon in np.geomspace(0.02, 9, 20):
        picture.update(dataclasses.replace(picture.result, current_epsilon=float(epsilon)))
        assert (picture.axes.get_xlim(), picture.axes.get_ylim()) == before


@pytest.mark.parametrize("height", [1.2, 1.6, 4.0])
def test_a_path_shows_the_answer_above_and_sensitivities_below(make, cases, height):
    path = make.path(cases["smooth is global"])
    figure = new_figure(size=(7.0, height))
    picture = AlongPath.draw(figure.add_subplot(), path)
    np.testing.assert_array_equal(picture._value.get_ydata(), path.value)
    assert picture._value.axes is picture.above
    np.testing.assert_array_equal(picture._local.get_ydata(), path.local)
    np.testing.assert_array_equal(picture._smooth.get_ydata(), path.smooth)
    assert picture.above.get_xlim() == picture.axes.get_xlim() == (0, path.length)
    figure.draw_without_rendering()
    above, below = picture.above.bbox, picture.axes.bbox
    assert above.y0 > below.y1
    assert above.height > 0
    if height > 1.5:
        assert picture.axes._left_title.get_window_extent().y1 <= above.y0


def test_the_cursor_crosses_both_parts_of_a_path(make, cases):
    picture = AlongPath.draw(new_figure().add_subplot(), make.path(cases["salaries"]), unit="$")
    assert "$" in picture.point_at(500.0, 1.0)
    assert picture.cursor.get_visible()
    assert picture._cursor_above.get_visible()
    picture.point_away()
    assert not picture._cursor_above.get_visible()
