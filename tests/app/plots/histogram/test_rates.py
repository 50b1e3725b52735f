"""Success of attacks: rates with their intervals, each attack told apart by more than colour."""

import dataclasses

import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg

from app.model.theme import LIGHT
from app.plots.figures import new_figure
from app.plots.histogram.rates import IsolationRates
from engine import PrivTree
from engine.analysis.isolation_attacks import AttackRates, AttackSweep
from engine.mechanisms import ShiftedHistogram

C = np.array([2.0, 3, 4])
GUESS = AttackRates("uniform", np.array([0.4, 0.2, 0.1]), np.full(3, 0.05), np.full(3, 0.45))
CELL = AttackRates("occupied", np.array([0.8, 0.4, np.nan]), np.full(3, 0.3), np.full(3, 0.9))
POINT = AttackRates("weighted", np.array([0.5, 0.3, 0.2]), np.full(3, 0.1), np.full(3, 0.6))
VIEW = AttackSweep(PrivTree(), "c", C, (GUESS, CELL, POINT), 3.0)


def picture(shown=VIEW):
    figure = new_figure(LIGHT, (7.4, 4.2))
    FigureCanvasAgg(figure)
    made = IsolationRates.draw(figure.add_subplot(), shown)
    figure.canvas.draw()
    return made


def test_rates_and_intervals_are_drawn_as_they_are():
    made = picture()
    for attack, (curve, bars) in zip(VIEW.attacks, made._lines, strict=True):
        np.testing.assert_array_equal(curve.get_xdata(), C)
        np.testing.assert_array_equal(curve.get_ydata(), 100 * attack.rates)
        if attack is not GUESS:
            np.testing.assert_array_equal(bars.get_ydata()[::3], 100 * attack.lower)
            np.testing.assert_array_equal(bars.get_ydata()[1::3], 100 * attack.upper)
    [band] = made._band.get_paths()
    assert {(2.0, 5.0), (4.0, 5.0), (4.0, 45.0), (2.0, 45.0)} <= set(map(tuple, band.vertices.tolist()))
    low, high = made.axes.get_ylim()
    assert low == 0
    assert 90 <= high <= 103


def test_attacks_differ_by_dash_and_marker_and_the_baseline_is_named():
    made = picture()
    curves = [curve for curve, _ in made._lines]
    assert len({str(curve._unscaled_dash_pattern) for curve in curves}) == 3
    assert len({curve.get_marker() for curve in curves}) == 3
    assert [label.marker for label in made.labels._labels] == [curve.get_marker() for curve in curves]
    assert made.labels.texts() == [
        "blind guess 20\u202f% at c = 3, without the cells",
        "middle of any cell 40\u202f% at c = 3, no clear gain",
        "point drawn in the cells 30\u202f% at c = 3, no clear gain",
    ]
    sure = dataclasses.replace(CELL, lower=np.full(3, 0.46))
    better = picture(dataclasses.replace(VIEW, attacks=(GUESS, sure)))
    assert better.labels.texts()[1] == "middle of any cell 40\u202f% at c = 3"


def test_the_sentence_compares_with_a_blind_guess_and_tells_where_attacks_gain_most():
    text = "At c = 3, 40\u202f% of the best guesses isolate a record, 20\u202f% of blind guesses."
    assert picture()._sentence.text == f"{text} No attack clearly gains."
    sure = dataclasses.replace(CELL, lower=np.array([0.46, 0.46, np.nan]))
    better = dataclasses.replace(VIEW, attacks=(GUESS, sure, POINT))
    assert picture(better)._sentence.text == f"{text} The gap, largest at c = 2, is what the cells give away."
    boxes = picture(dataclasses.replace(better, swept="predicates"))
    assert "of the best boxes single out a record, 20\u202f% of blind boxes." in boxes._sentence.text
    assert boxes.axes.get_title("left") == "boxes that single out a record (no other inside)"
    assert not picture(dataclasses.replace(VIEW, attacks=(GUESS,)))._sentence.text


def test_the_axis_says_when_a_guess_succeeds():
    rest = "in its circle)"
    for swept, t in (("c", "50"), ("t", "t")):
        made = picture(dataclasses.replace(VIEW, swept=swept))
        assert made.axes.get_title("left").endswith(f"isolate a record (under {t} {rest}")
    exact = dataclasses.replace(VIEW, mechanism=ShiftedHistogram(t=8))
    assert f"under 8 {rest}" in picture(exact).axes.get_title("left")


def test_intervals_of_different_attacks_do_not_hide_each_other():
    made = picture()
    places = [bars.get_transform().transform((3.0, 0.0))[0] for _, bars in made._lines]
    assert (np.diff(places) > 1).all()
    for curve, _ in made._lines:  # which tell where they cross the line of the chosen value
        assert curve.get_transform() == made.axes.transData


def test_the_chosen_value_has_a_line():
    assert picture()._chosen.get_xdata() == [3.0, 3.0]


@pytest.mark.parametrize(
    ("swept", "words"),
    [
        ("c", "nearest record"),
        ("t", "hide one"),
        ("d", "dimensions"),
        ("known", "attackers know"),
        ("predicates", "evenly spread"),
    ],
)
def test_the_axis_says_what_is_swept(swept, words):
    made = picture(dataclasses.replace(VIEW, swept=swept))
    assert words in made.axes.get_xlabel()
    assert made.table()[0][1] == swept


def test_fewer_attacks_leave_no_line_behind():
    made = picture()
    made.update(dataclasses.replace(VIEW, attacks=(GUESS,)))
    assert not made._lines[1][0].get_xydata().size
    assert not made._lines[2][1].get_xydata().size


def test_words_and_numbers():
    made = picture()
    assert made.tooltip(3.2).startswith(
        "c = 3: blind guess 20\u202f% (5\u202f% to 45\u202f%); middle of any cell"
    )
    assert "middle" not in made.tooltip(4.0)
    rows = made.table()[1]
    assert rows[5] == ["middle of any cell", 4.0, "", 0.3, 0.9]
    assert len(rows) == 9


def test_ticks_are_the_values_that_were_tried():
    c = np.array([1.0, 2, 4, 4.5, 8])
    attack = AttackRates("uniform", 0.4 / c, 0.3 / c, 0.5 / c)
    assert picture(AttackSweep(PrivTree(), "c", c, (attack,), 4.0)).axes.get_xticks() == [1, 2, 4, 8]
    many = np.arange(1.0, 201.0)
    crowded = picture(AttackSweep(PrivTree(), "d", many, (AttackRates("weighted", *[0.5 / many] * 3),), 2.0))
    ticks = crowded.axes.get_xticks()
    assert set(ticks) <= set(many)
    assert 3 < len(ticks) < 40


def test_what_was_counted_exactly_is_said_on_a_saved_picture():
    assert picture().caption() == ""
    exact = dataclasses.replace(VIEW, mechanism=ShiftedHistogram(t=8))
    assert picture(exact).caption() == "Shifted histogram, t = 8: exact counts, not differentially private"
