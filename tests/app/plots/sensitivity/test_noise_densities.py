"""Densities of noise: stretched tables are the densities themselves."""

from __future__ import annotations

import math

import numpy as np
import pytest
from matplotlib.text import Text

from app.model.theme import STROKES
from app.plots.figures import new_figure
from app.plots.sensitivity.noise_densities import NoiseDensities
from engine.analysis.noise import NoiseCurve, NoiseCurves
from engine.noise import NOISES, Laplace, LaplacePareto, StudentT
from engine.noise.base import tabulate


def drawn(*curves: NoiseCurve) -> NoiseCurves:
    return NoiseCurves(curves, public=False)


@pytest.mark.parametrize("name", NOISES)
@pytest.mark.parametrize("scale", [1e-9, 3.0, 1e12])
def test_curves_are_densities_relative_to_the_highest(name: str, scale: float):
    noise = NOISES[name]()
    picture = NoiseDensities.draw(new_figure().add_subplot(), drawn(NoiseCurve(noise, scale, True)))
    x, y = picture._lines[0].get_data()
    inside = abs(x) <= picture.axes.get_xlim()[1]
    expected = noise.density(x / scale) / noise.density(0.0)
    np.testing.assert_allclose(y[inside], expected[inside], rtol=1e-9)
    assert y.max() == pytest.approx(1)
    assert x[0] < picture.axes.get_xlim()[0]
    assert x[-1] > picture.axes.get_xlim()[1]


def test_the_label_tells_what_holds_95_percent():
    curve = NoiseCurve(Laplace(), 100.0, True)
    assert curve.half_width == pytest.approx(100 * math.log(20))
    picture = NoiseDensities.draw(new_figure().add_subplot(), drawn(curve), unit="$")
    (label,) = picture.labels.texts()
    assert "± 300\u202f$" in label
    assert label.endswith("in use")
    assert any("95 % of each noise" in text.get_text() for text in picture.axes.findobj(Text))


def test_the_sentence_compares_the_noise_in_use_with_the_next_best():
    used, narrower, wider = NoiseCurve(Laplace(), 100.0, True), *(NoiseCurve(Laplace(), s) for s in (50, 300))

    def said(*curves):
        figure = new_figure()
        return NoiseDensities.draw(figure.add_subplot(), drawn(*curves), unit="$").sentences[0].text

    assert (
        said(used)
        == "Run adds Laplace noise: half of it within ±\xa069.3\u202f$, 95 % within ±\xa0300\u202f$."
    )
    assert (
        said(wider, used)
        == "Run adds Laplace noise: 95 % of it within ±\xa0300\u202f$, of the next best ±\xa0899\u202f$."
    )
    assert said(used, narrower, wider).endswith(", of Laplace only ±\xa0150\u202f$.")
    assert said() == ""


def test_without_the_data_the_noise_is_said_in_multiples_of_their_sensitivity():
    def said(chosen):
        curves = NoiseCurves((NoiseCurve(Laplace(), 1.0, chosen),), public=True, beta=0.5)
        picture = NoiseDensities.draw(new_figure().add_subplot(), curves, unit="× S*")
        assert picture.axes.get_xlabel() == "added noise, in multiples of S*, not shown in this view"
        return picture.sentences[0].text

    noise = "Laplace noise: half of it within ±\xa00.693, 95 % within ±\xa03 times S*"
    assert said(True) == f"Run adds {noise}, the smooth sensitivity of the data."
    assert said(False) == f"{noise}, the smooth sensitivity of the data."


def test_what_holds_95_percent_is_in_view_and_marked_unless_far_wider_than_the_chosen_noise():
    widths = {"in": 5.0, "out": 50.0}
    curves = [NoiseCurve(Laplace(), 1.0, True), *(NoiseCurve(Laplace(), width) for width in widths.values())]
    picture = NoiseDensities.draw(new_figure().add_subplot(), drawn(*curves))
    edge = picture.axes.get_xlim()[1]
    assert curves[1].half_width <= edge < curves[2].half_width
    marked = [line.get_xdata()[line.get_markevery()].tolist() for line in picture._lines]
    assert marked == [[-curve.half_width, curve.half_width] for curve in curves[:2]] + [[]]
    assert ["outside" in text for text in picture.labels.texts()] == [False, False, True]


def test_labels_are_in_the_order_of_what_holds_95_percent():
    curves = [NoiseCurve(StudentT(), 50.0, True), NoiseCurve(Laplace(), 60.0), NoiseCurve(Laplace(), 40.0)]
    labels = NoiseDensities.draw(new_figure().add_subplot(), drawn(*curves)).labels.shown
    heights = [label.y for label in labels]
    order = np.argsort([curve.half_width for curve in curves])
    assert [heights[index] for index in order] == sorted(heights, reverse=True)


def test_words_give_tail_mass_and_quantile():
    curves = drawn(NoiseCurve(StudentT(), 50.0), NoiseCurve(Laplace(), 100.0, True))
    picture = NoiseDensities.draw(new_figure().add_subplot(), curves)
    first, chosen, other = picture.tooltip(100 * math.log(20)).splitlines()
    assert "300" in first
    assert chosen.replace("\u202f", " ") == f"{Laplace().label}: 5 % beyond, quantile 98 %"
    assert other.startswith(StudentT().label)


def test_one_table_serves_every_scale():
    noise = LaplacePareto()
    assert tabulate(noise) is tabulate(LaplacePareto())


def test_families_without_a_scale_are_left_out():
    curves = drawn(*(NoiseCurve(Laplace(), scale) for scale in (math.inf, math.nan, 0.0, -1.0, 2.0)))
    picture = NoiseDensities.draw(new_figure().add_subplot(), curves)
    assert len(picture.labels.texts()) == 1
    picture.update(drawn())
    assert picture.labels.texts() == []
    assert all(len(line.get_xdata()) == 0 for line in picture._lines)


def test_a_family_keeps_its_look_when_another_is_chosen():
    picture = NoiseDensities(new_figure().add_subplot())
    families = [family() for family in NOISES.values()]
    looks = set()
    for chosen in (0, 1, 2):
        picture.update(drawn(*(NoiseCurve(n, 1.0, i == chosen) for i, n in enumerate(families))))
        looks.add((picture._lines[5].get_color(), picture._lines[5].get_linestyle()))
    assert len(looks) == 1
    lines = picture._lines[: len(families)]
    meanings = {getattr(picture.palette, role) for role in STROKES if role != "smooth"}
    assert not meanings & {line.get_color() for line in lines}
    assert len({(line.get_color(), line._unscaled_dash_pattern) for line in lines}) == len(families)


def test_a_slowly_moving_scale_keeps_the_axis():
    picture = NoiseDensities(new_figure().add_subplot())
    limits = set()
    for scale in np.linspace(100, 150, 20):
        picture.update(drawn(NoiseCurve(Laplace(), scale, True)))
        limits.add(picture.axes.get_xlim())
    assert len(limits) <= 2


def test_a_logarithmic_axis_on_demand():
    curves = drawn(NoiseCurve(Laplace(), 1.0, True))
    assert NoiseDensities.draw(new_figure().add_subplot(), curves).axes.get_yscale() == "linear"
    picture = NoiseDensities.draw(new_figure().add_subplot(), curves, log_y=True)
    assert picture.axes.get_yscale() == "log"
    assert picture.axes.get_ylim()[0] > 0


@pytest.mark.parametrize(("unit", "words", "tick"), [("$", "added noise", "$"), ("days", ", in days", "")])
def test_a_unit_is_said_once(make, cases, unit, words, tick):
    picture = NoiseDensities.draw(new_figure().add_subplot(), make.curves(cases["salaries"]), unit=unit)
    assert picture.axes.get_xlabel().endswith(words)
    assert picture.axes.xaxis.get_major_formatter().unit == tick
