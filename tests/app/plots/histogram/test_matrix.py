"""Matrices as heat maps: sign by hue, size by strength, and the numbers themselves."""

import dataclasses

import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.colors import to_hex

from app.model.theme import DARK, LEGIBLE, LIGHT, contrast
from app.plots.figures import new_figure
from app.plots.histogram.cells import on_shade
from app.plots.histogram.matrix import MatrixMap
from engine.analysis.category_answers import ReleasedMatrix

TRUE = np.array([[4.0, -2, 0], [-2, 3, 1], [0, 1, 2]])
VIEW = ReleasedMatrix(("height", "weight", "age"), TRUE + np.eye(3), TRUE, simulated=True)


def picture(shown=VIEW, palette=LIGHT, size=(7.4, 4.2)):
    figure = new_figure(palette, size)
    FigureCanvasAgg(figure)
    made = MatrixMap.draw(figure.add_subplot(), shown, palette)
    figure.canvas.draw()
    figure.canvas.draw()
    return made


def test_numbers_are_those_of_the_matrices():
    made = picture()
    released, true = made._entries
    assert released.texts() == ["5", "−2", "0", "−2", "4", "1", "0", "1", "3"]
    assert true.texts() == ["4", "−2", "0", "−2", "3", "1", "0", "1", "2"]
    assert released.size(released.texts()) > 6
    assert made.axes.get_title(loc="left") == "simulated covariance"
    assert made.beside.get_title(loc="left") == "true covariance"
    assert [tick.get_text() for tick in made.axes.get_yticklabels()] == list(VIEW.names)


@pytest.mark.parametrize("palette", [LIGHT, DARK], ids=["light", "dark"])
def test_larger_entries_are_stronger_signs_differ_in_hue_and_numbers_are_legible(palette):
    made = picture(palette=palette)
    colours = np.array([to_hex(colour) for colour in made._fills[0].get_facecolors()]).reshape(3, 3)
    against = [contrast(colour, palette.card) for colour in (colours[0, 2], colours[1, 2], colours[0, 0])]
    assert against == sorted(set(against))
    assert colours[0, 1] == palette.tint(palette.local, 0.04 + 0.81 * 0.4).lower()
    assert min(contrast(on_shade(colour), colour) for colour in colours.ravel()) >= LEGIBLE
    assert not picture(dataclasses.replace(VIEW, released=np.zeros((3, 3)), truth=None)).beside.get_visible()


def test_rows_count_downwards():
    made = picture()
    y = [path.vertices[:, 1].mean() for path in made._fills[0].get_paths()]
    assert y[0] < y[-1]
    assert made.axes.get_ylim()[0] > made.axes.get_ylim()[1]
    assert made.tooltip(1.0, 0.0) == "height, weight: −2, truly −2"
    assert made.tooltip(0.1, 0.1) == "height, height: 5, truly 4"
    assert made.tooltip(7.0, 0.0) == ""


def test_without_room_numbers_and_most_names_are_left_out():
    d = 30
    names = tuple(f"a long name {place}" for place in range(d))
    made = picture(ReleasedMatrix(names, np.full((d, d), -1234.5)), size=(5.0, 3.2))
    assert not made._entries[0].texts()
    assert 0 < len(made.axes.get_xticks()) < d / 4
    assert made.table()[1][1] == ["a long name 0", "a long name 1", -1234.5]


def test_the_sentence_says_how_far_off_it_is():
    assert picture()._sentence.text == "Entries are off by 1 at most (height, height)."
    alone = picture(dataclasses.replace(VIEW, truth=None, simulated=False))
    assert alone._sentence.text == "The largest entry of the released covariance is 5."
    assert alone.update(VIEW)
