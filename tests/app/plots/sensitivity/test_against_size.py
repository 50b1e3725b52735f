"""Errors against n: both curves, the crossing, words."""

import dataclasses

import numpy as np

from app.model.theme import LIGHT
from app.plots.figures import new_figure
from app.plots.sensitivity.against_size import AgainstSize, DensityRate
from engine.analysis.expected_error import ErrorAgainstSize

SIZES = np.array([10, 100, 1000])
FOUND = ErrorAgainstSize(SIZES, np.array([10.0, 1.0, 0.1]), np.array([3.0, 1.1, 0.3]), 500)


def test_the_curves_are_the_errors_and_the_dot_is_the_crossing():
    picture = AgainstSize.draw(new_figure().add_subplot(), FOUND, unit="$")
    low, high = picture.axes.get_ylim()
    assert low < 0.1 < 10 < high
    assert picture.axes.get_yscale() == picture.axes.get_xscale() == "log"


def test_words_and_table_say_where_noise_ceases_to_matter():
    picture = AgainstSize.draw(new_figure().add_subplot(), FOUND, unit="$")
    assert "below sampling from n = 100 on" in picture.alt_text_of(FOUND)
    assert picture._crossing.get_xdata() == [100]
    assert "noise below sampling from n = 100 on (dot)" in picture.labels.texts()
    assert "n = 100: noise 1" in picture.tooltip_at(FOUND, 90, 1)
    header, rows = picture.table_of(FOUND)
    assert (header, rows[1]) == (["n", "noise", "sampling"], [100, 1.0, 1.1])


def test_the_error_on_these_data_is_marked_and_named():
    present = dataclasses.replace(FOUND, present=0.7)
    picture = AgainstSize.draw(new_figure().add_subplot(), present, unit="$")
    assert [*picture._present.get_xdata(), *picture._present.get_ydata()] == [500, 0.7]
    assert picture._name.get_visible()
    assert "0.7" in picture._name.get_text()
    picture.update(FOUND)
    assert not picture._name.get_visible()


def test_nothing_is_marked_where_noise_always_matters():
    never = ErrorAgainstSize(SIZES, np.full(3, np.nan), np.full(3, 1.0), 500)
    picture = AgainstSize.draw(new_figure().add_subplot(), never)
    assert "not below sampling" in picture.alt_text_of(never)


def test_an_error_of_zero_stands_at_the_bottom_and_the_label_says_so():
    none = ErrorAgainstSize(SIZES, np.array([0.0, 72.0, 0.0]), np.array([50.0, 50.0, 0.0]), 500)
    picture = AgainstSize.draw(new_figure().add_subplot(), none)
    low, _ = picture.axes.get_ylim()
    assert 0 < low < 50
    assert picture._noise.get_ydata().tolist() == [low, 72.0, low]
    assert picture._sampling.get_ydata().tolist() == [50.0, 50.0, low]
    assert "0: at the bottom" in picture.axes.get_title(loc="left")
    assert picture.table_of(none)[1][0] == [10, 0.0, 50.0]


def test_noise_that_never_matters_has_no_crossing_at_the_edge():
    always = ErrorAgainstSize(SIZES, np.full(3, 0.5), np.full(3, 1.0), 500)
    picture = AgainstSize.draw(new_figure().add_subplot(), always)
    assert "noise always below sampling here" in picture.labels.texts()
    assert not len(picture._crossing.get_xdata())


def test_the_density_of_synthetic_records_has_no_unit():
    picture = DensityRate.draw(new_figure().add_subplot(), FOUND, unit="$")
    assert "$" not in picture.tooltip_at(FOUND, 90, 1)


def test_the_number_of_records_of_the_user_is_marked_among_synthetic_ones():
    picture = DensityRate.draw(new_figure().add_subplot(), FOUND)
    assert picture._records.get_xdata() == [500, 500]
    assert picture._name.get_text() == "your n = 500"
    left, right = picture.axes.transData.transform([(10, 1), (500, 1)])[:, 0]
    box = picture._name.get_window_extent()
    assert left < box.x0 < box.x1 < right
    picture.update(dataclasses.replace(FOUND, records=5))
    assert not picture._name.get_visible()


def test_the_sentence_compares_noise_and_sampling_at_the_number_of_records():
    picture = DensityRate.draw(new_figure().add_subplot(), dataclasses.replace(FOUND, records=1000))
    assert picture._sentence.text == ("At your n = 1\u202f000, sampling adds 3 times as much error as noise.")
    picture.update(dataclasses.replace(FOUND, records=5))
    assert picture._sentence.text == "At n = 10, noise adds 3.3 times as much error as sampling."
    rounded = dataclasses.replace(FOUND, records=5, noise=0.0 * FOUND.noise)  # a large ε leaves none
    picture.update(rounded)
    assert picture._sentence.text == "At n = 10, noise adds no error."


def test_sampling_has_no_colour_of_a_sensitivity():
    picture = AgainstSize.draw(new_figure().add_subplot(), FOUND)
    sampling = picture._sampling.get_color()
    assert sampling not in {LIGHT.local, LIGHT.smooth}
    assert picture._noise.get_color() == LIGHT.smooth
