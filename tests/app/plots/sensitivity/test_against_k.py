"""Sensitivity against distance: the curves are those of the profile, and k is steady."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from app.model.theme import DARK, STROKES
from app.plots.figures import new_figure
from app.plots.sensitivity.against_k import FALL, AgainstK


def line_at(picture: AgainstK, name: str):
    return getattr(picture, f"_{name}")


def test_the_curves_are_the_profile(make, cases):
    profile = make.profile(cases["salaries"])
    picture = AgainstK.draw(new_figure().add_subplot(), profile, unit="$")
    k, values = line_at(picture, "at_distance").get_data()
    np.testing.assert_array_equal(values, profile.at_distance[k])
    k, values = line_at(picture, "discounted").get_data()
    np.testing.assert_array_equal(values, profile.discounted[k])
    assert values.max() == pytest.approx(profile.smooth, rel=1e-12)
    assert list(line_at(picture, "peak").get_xydata()[0]) == [profile.argmax_k, profile.smooth]
    for name, level in (("local", profile.local), ("smooth", profile.smooth), ("global", profile.global_)):
        assert list(line_at(picture, name).get_ydata()) == [level, level]


def test_the_peak_is_always_in_view_and_drawn_however_long_the_profile(make, cases):
    profile = make.profile(cases["salaries"], beta=0.001)
    assert profile.at_distance.size > 1000
    picture = AgainstK.draw(new_figure().add_subplot(), profile)
    k, _ = line_at(picture, "discounted").get_data()
    assert profile.argmax_k in k
    assert k.size < 700
    assert profile.argmax_k <= picture.axes.get_xlim()[1]


def test_the_curves_reach_the_labels(make, cases):
    for beta in np.geomspace(0.005, 1, 20):
        picture = AgainstK.draw(new_figure().add_subplot(), make.profile(cases["salaries"], beta))
        assert line_at(picture, "at_distance").get_xdata()[-1] == picture.axes.get_xlim()[1]


def test_few_distances_are_dotted_where_they_are_in_view_and_the_dots_at_both_ends_are_whole(make, cases):
    picture = AgainstK(new_figure().add_subplot())
    picture.update(profile := make.profile(cases["salaries"], beta=1.0))
    last = picture.axes.get_xlim()[1]
    for name, values in (("at_distance", profile.at_distance), ("discounted", profile.discounted)):
        dots = line_at(picture, f"{name}_dots")
        seen = [k for k in range(int(last) + 1) if values[k] >= picture.axes.get_ylim()[0]]
        assert dots.get_xdata().tolist() == seen
        assert not dots.get_clip_on()
    assert line_at(picture, "at_distance_dots").get_xdata()[[0, -1]].tolist() == [0, last]
    assert line_at(picture, "discounted_dots").get_xdata().size <= last  # it falls below the axis
    assert picture.axes.get_ylim()[0] <= profile.local / FALL
    [label] = [label for label in picture.labels.shown if label.text == "discounted local"]
    assert label.note == "63\u202f% less per change"
    k, values = line_at(picture, "discounted").get_data()
    assert label.y == picture.axes.get_ylim()[0]  # its leader begins where the curve leaves
    assert np.exp(np.interp(label.x, k, np.log(values))) == pytest.approx(label.y)
    picture.update(make.profile(cases["salaries"], beta=0.005))
    assert not line_at(picture, "at_distance_dots").get_xdata().size
    [label] = [label for label in picture.labels.shown if label.text == "discounted local"]
    assert label.x is None


def test_a_moving_beta_seldom_moves_the_axis(make, cases):
    picture = AgainstK(new_figure().add_subplot(), unit="$")
    picture.update(make.profile(cases["salaries"], 0.02))
    seen = set()
    for beta in np.geomspace(0.02, 0.5, 40):
        picture.update(make.profile(cases["salaries"], beta))
        seen.add((picture.axes.get_xlim(), picture.axes.get_ylim()))
    assert len(seen) <= 8


def test_a_profile_of_one_distance_can_be_drawn(make, cases):
    profile = make.profile(cases["one record"], k_max=0)
    picture = AgainstK.draw(new_figure().add_subplot(), profile)
    assert picture.axes.get_xlim() == (0, 1)
    header, rows = picture.table()
    assert header == ["k", "at_distance", "discounted", "local", "smooth", "global"]
    assert len(rows) == 1


def test_the_axis_is_logarithmic_when_the_numbers_ask_for_it_or_a_person_does(make, cases):
    picture = AgainstK(new_figure().add_subplot())
    picture.update(make.profile(cases["salaries"]))
    assert picture.axes.get_yscale() == "log"
    picture.log_y = False
    assert picture.update(picture.result)
    assert picture.axes.get_yscale() == "linear"
    picture.log_y = None
    picture.update(make.profile(cases["one record"]))
    assert picture.axes.get_yscale() == "linear"


def test_a_local_sensitivity_of_zero_has_its_place(make, cases):
    profile = make.profile(cases["all equal"])
    assert profile.local == 0
    picture = AgainstK.draw(new_figure().add_subplot(), profile)
    assert picture.axes.get_ylim()[0] == 0
    assert "local  0" in " ".join(picture.labels.texts())


def test_words_name_the_nearest_k(make, cases):
    profile = dataclasses.replace(make.profile(cases["salaries"]), at_distance=np.array([1.0, 2.0, 4.0]))
    picture = AgainstK.draw(new_figure().add_subplot(), profile, unit="$")
    assert picture.tooltip(1.4).startswith("k = 1: A⁽ᵏ⁾ = 2")
    assert picture.tooltip(99).startswith("k = 2: A⁽ᵏ⁾ = 4")
    assert picture.tooltip(-99).startswith("k = 0: A⁽ᵏ⁾ = 1")


def test_each_meaning_has_its_colour_and_its_dash(make, cases):
    picture = AgainstK.draw(new_figure(DARK).add_subplot(), make.profile(cases["salaries"]), DARK)
    for name, role in (("smooth", "smooth"), ("at_distance", "local"), ("global", "global_")):
        line = line_at(picture, name)
        assert line.get_color() == getattr(DARK, role)
        assert line.get_linewidth() == STROKES[role].width
        assert line.is_dashed() == bool(STROKES[role].dashes)
    assert line_at(picture, "discounted").get_color() == DARK.smooth


def test_the_level_of_the_bound_is_the_thickest_line_and_labelled(make, cases):
    picture = AgainstK.draw(new_figure().add_subplot(), make.profile(cases["salaries"]))
    widths = {
        name: line_at(picture, name).get_linewidth()
        for name in ("smooth", "discounted", "local", "global", "at_distance")
    }
    assert max(widths, key=widths.__getitem__) == "smooth"
    assert widths["discounted"] < widths["at_distance"]
    words = " ".join(picture.labels.texts())
    assert "smooth S*" in words
    assert "discounted local" in words
    assert "9.5\u202f% less per change" in words


@pytest.mark.parametrize("beta", [0.05, 2.0])
def test_the_discounted_curve_is_led_to_its_label_from_where_it_leaves(make, cases, beta):
    profile = make.profile(cases["salaries"], beta=beta)
    picture = AgainstK.draw(new_figure().add_subplot(), profile, unit="$")
    (label,) = (label for label in picture.labels.shown if label.text == "discounted local")
    bottom = picture.axes.get_ylim()[0]
    if beta < 1:
        assert label.x is None
    else:
        assert profile.discounted[int(label.x) + 1] < bottom <= profile.discounted[int(label.x)]
        assert label.y == bottom
