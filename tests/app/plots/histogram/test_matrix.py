"""Heat maps and bars of categories: numbers are those of the release, and written where there is room."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.colors import to_hex

from app.model.theme import DARK, LEGIBLE, LIGHT, contrast
from app.plots.figures import new_figure
from app.plots.histogram.category_axes import shorten
from app.plots.histogram.category_bars import CategoryBars
from app.plots.histogram.cells import on_shade
from app.plots.histogram.matrix import ContingencyMap, MatrixMap
from engine.analysis.category_answers import ReleasedMatrix
from engine.mechanisms.categories.numbers import CategoryNumbers, CrossTable

COUNTS = np.array([[600.93, 331.2], [371.3, 217.1], [0.04, 1234.0]])


CELLS = ["601", "331", "932", "371", "217", "588", "0", "1\u202f234", "1\u202f234"]
CELLS += ["972", "1\u202f782", "2\u202f755"]  # as written, with the totals


TABLE = CrossTable(("department", "result"), (("A", "B", "C"), ("admitted", "rejected")), COUNTS)


TRUE = np.array([[601.0, 332], [370, 215], [0, 1236]])


SHARES = CategoryNumbers(
    "degree", ("none", "some", "doctor"), np.array([0.5, 0.52, -0.02]), "share", errors=np.full(3, 0.03)
)


def drawn(draw, view, palette=LIGHT, scale=1.0, size=(7.8, 3.7)):
    figure = new_figure(palette, (size[0] / scale, size[1] / scale))
    figure.set_dpi(100 * scale)
    FigureCanvasAgg(figure)
    picture = draw(figure.add_subplot(), view, palette)
    figure.canvas.draw()
    return picture


def test_cells_hold_their_counts_and_the_true_ones():
    assert drawn(ContingencyMap.draw, TABLE)._numbers.texts() == CELLS
    both = dataclasses.replace(TABLE, truth=TRUE)
    assert drawn(ContingencyMap.draw, both)._numbers.texts()[0] == "601\ntrue 601"
    low = drawn(ContingencyMap.draw, both, size=(7.8, 1.9))
    assert low._numbers.texts()[0] == "601  (true 601)"
    noisy = drawn(ContingencyMap.draw, dataclasses.replace(both, half_width=8.0))
    assert noisy._numbers.texts()[0] == "601 ± 8\ntrue 601"
    assert noisy.tooltip(0, 0) == "A, admitted: 601 ± 8 records, truly 601"
    narrow = drawn(ContingencyMap.draw, both, size=(1.9, 1.6))
    assert narrow._numbers.texts() in ([], CELLS)


def test_the_last_row_and_column_are_sums_and_their_noise_is_not_given():
    made = drawn(ContingencyMap.draw, dataclasses.replace(TABLE, half_width=8.0))
    noisy = [text.endswith(" ± 8") for text in made._numbers.texts()]
    assert noisy == 3 * [True, True, False] + 3 * [False]
    assert [label.get_text() for label in made.axes.get_xticklabels()] == ["admitted", "rejected", "total"]
    assert made.tooltip(2, 0) == made.tooltip(0, 3) == ""
    both = drawn(ContingencyMap.draw, dataclasses.replace(TABLE, truth=TRUE))
    assert both._numbers.texts()[-1] == "2\u202f755\ntrue 2\u202f754"
    assert len(made._fill.get_paths()) == 6


def test_the_columns_over_which_counts_are_summed_are_named():
    assert drawn(ContingencyMap.draw, TABLE).axes.get_title(loc="left") == "department ↓"
    summed = drawn(ContingencyMap.draw, dataclasses.replace(TABLE, summed=("sex", "age")))
    assert summed.axes.get_title(loc="left") == "department ↓ · records, summed over sex and age"


@pytest.mark.parametrize("palette", [LIGHT, DARK], ids=["light", "dark"])
def test_more_is_farther_from_the_card_and_numbers_are_legible(palette):
    picture = drawn(ContingencyMap.draw, TABLE, palette)
    to_hex = [
        "#{:02X}{:02X}{:02X}".format(*(round(255 * c) for c in rgb[:3]))
        for rgb in picture._fill.get_facecolors()
    ]
    order = [contrast(to_hex[place], palette.card) for place in np.argsort(COUNTS.ravel())]
    assert order == sorted(order)
    for fill, ink in zip(to_hex, np.reshape(picture._numbers._colours, (4, 3))[:3, :2].ravel(), strict=True):
        assert contrast(fill, ink) >= LEGIBLE


def test_words_about_cells():
    picture = drawn(ContingencyMap.draw, dataclasses.replace(TABLE, truth=TRUE))
    assert picture.tooltip(1.2, 1.9) == "C, rejected: 1\u202f234 records, truly 1\u202f236"
    assert picture.tooltip(1.6, 0) == picture.tooltip(0, -0.6) == ""
    assert picture.alt_text().startswith("3 by 2 released counts of department and result. Cells are off by ")
    assert picture.alt_text().endswith("by 2.1 at most (B, rejected); totals by up to 3.4.")
    assert picture.table()[1][3] == ["B", "rejected", 217.1, 215.0]
    assert "Most records, 1\u202f234: C, rejected." in drawn(ContingencyMap.draw, TABLE).alt_text()


def test_bars_begin_at_zero_and_end_at_their_values():
    picture = drawn(CategoryBars.draw, dataclasses.replace(SHARES, truth=np.array([0.51, 0.49, 0.0])))
    ends = [path.get_extents().intervalx.tolist() for path in picture._bars.get_paths()]
    assert ends == [[0, 0.5], [0, 0.52], [-0.02, 0]]
    whiskers = np.reshape(picture._whiskers.get_xdata(), (3, 3))[:, :2]
    np.testing.assert_allclose(whiskers, [[0.47, 0.53], [0.49, 0.55], [-0.05, 0.01]])
    np.testing.assert_allclose(picture._true.get_xydata(), [[0.51, 0], [0.49, 1], [0, 2]])
    texts = ["0.5 ± 0.03 (true 0.51)", "0.52 ± 0.03 (true 0.49)", "−0.02 ± 0.03 (true 0)"]
    assert picture._numbers.texts() == texts
    assert picture.tooltip(0.1, 1.1) == "some: 0.52 share (standard error 0.03), truly 0.49"
    assert picture.alt_text() == "degree: Off by 0.02 on average, by 0.03 at most (some)."


@pytest.mark.parametrize(("lowest", "note"), [(0.0, True), (-15.0, False)])
def test_intervals_of_counts_that_are_cut_say_so(lowest, note):
    ends = np.array([[lowest, 25.0], [60.0, 100.0]])
    view = CategoryNumbers("sex", ("f", "m"), np.array([5.0, 80.0]), intervals=ends)
    assert ("cut at 0 and n" in drawn(CategoryBars.draw, view).axes.get_xlabel()) == note


def test_few_bars_are_no_higher_than_those_of_five():
    pairs = CategoryNumbers("sex", ("f", "m"), np.array([3.0, 4.0]))
    low, high = drawn(CategoryBars.draw, pairs).axes.get_ylim()
    assert (low, high) == (3.0, -2.0)
    six = CategoryNumbers("day", tuple("abcdef"), np.arange(6.0))
    assert drawn(CategoryBars.draw, six).axes.get_ylim() == (5.5, -0.5)


def test_numbers_behind_bars_stay_in_the_figure():
    for scale in (1.0, 1.5):
        view = dataclasses.replace(SHARES, values=np.array([0.123, 0.456, 0.789]))
        picture = drawn(CategoryBars.draw, view, scale=scale)
        numbers = picture._numbers
        renderer = picture.axes.figure.canvas.get_renderer()
        numbers._text.set_fontsize(numbers.size(numbers.texts()))
        for text, place in zip(
            numbers.texts(), picture.axes.transData.transform(numbers._places), strict=True
        ):
            numbers._text.set(text=text, position=tuple(place))
            assert numbers._text.get_window_extent(renderer).x1 <= picture.axes.figure.bbox.x1


def test_the_mode_is_a_bar_and_no_other_is_known():
    labels, nothing = ("red", "green", "blue"), np.full(3, np.nan)
    view = CategoryNumbers("colour", labels, nothing, chosen=1)
    picture = drawn(CategoryBars.draw, view)
    lengths = [np.ptp(path.get_extents().intervalx) for path in picture._bars.get_paths()]
    assert lengths[1] == picture.axes.get_xlim()[1]
    assert (lengths[0], lengths[2]) == (0, 0)
    assert not picture.axes.xaxis.get_visible()
    assert picture._numbers.texts() == []
    assert picture.alt_text() == "colour: Released: green."
    known = dataclasses.replace(view, truth=np.array([9.0, 4.0, 2.0]))
    assert drawn(CategoryBars.draw, known).alt_text() == "colour: Released: green, 5 records short of red."


def test_many_names_are_thinned_and_long_ones_keep_both_ends():
    assert shorten("a short one", 11) == "a short one"
    assert shorten("occupation number 17", 12) == "occupat…r 17"
    labels = tuple(f"{place}." for place in range(1, 1001))
    picture = drawn(CategoryBars.draw, CategoryNumbers("rank", labels, np.linspace(90, 0, 1000)))
    written = [tick.label1.get_text() for tick in picture.axes.yaxis.get_major_ticks()]
    assert 3 < sum(map(bool, written)) < 30
    assert written[0] == "1."
    assert picture._numbers.texts() == []


def test_of_very_many_categories_the_first_are_drawn_and_that_is_said():
    labels = tuple(map(str, range(1000)))
    table = CrossTable(("a", "b"), (labels, labels), np.arange(1e6).reshape(1000, 1000))
    picture = drawn(ContingencyMap.draw, table)
    assert "first 100 of 1\u202f000" in picture.axes.get_title(loc="left")
    bars = drawn(CategoryBars.draw, CategoryNumbers("x", tuple(map(str, range(9000))), np.arange(9000.0)))
    assert len(bars.table()[1]) == 9000


TRUE_MATRIX = np.array([[4.0, -2, 0], [-2, 3, 1], [0, 1, 2]])


VIEW = ReleasedMatrix(("height", "weight", "age"), TRUE_MATRIX + np.eye(3), TRUE_MATRIX, simulated=True)


def picture(shown=VIEW, palette=LIGHT, size=(7.4, 4.2)):
    figure = new_figure(palette, size)
    FigureCanvasAgg(figure)
    made = MatrixMap.draw(figure.add_subplot(), shown, palette)
    figure.canvas.draw()
    figure.canvas.draw()
    return made


def test_numbers_are_those_of_the_matrices():
    made = picture()
    released, true = (entries for _, _, entries in made._panels)
    assert released.texts() == ["5", "−2", "0", "−2", "4", "1", "0", "1", "3"]
    assert true.texts() == ["4", "−2", "0", "−2", "3", "1", "0", "1", "2"]
    assert released.size(released.texts()) > 6
    assert made.axes.get_title(loc="left") == "simulated covariance"
    assert made.beside.get_title(loc="left") == "true covariance"
    assert [tick.get_text() for tick in made.axes.get_yticklabels()] == list(VIEW.names)


@pytest.mark.parametrize("palette", [LIGHT, DARK], ids=["light", "dark"])
def test_larger_entries_are_stronger_signs_differ_in_hue_and_numbers_are_legible(palette):
    made = picture(palette=palette)
    colours = np.array([to_hex(colour) for colour in made._panels[0][1].get_facecolors()]).reshape(3, 3)
    against = [contrast(colour, palette.card) for colour in (colours[0, 2], colours[1, 2], colours[0, 0])]
    assert against == sorted(set(against))
    faintest = palette.faintest - 0.06
    assert colours[0, 1] == palette.tint(palette.local, faintest + (0.85 - faintest) * 0.4).lower()
    assert min(contrast(on_shade(colour), colour) for colour in colours.ravel()) >= LEGIBLE
    assert not picture(dataclasses.replace(VIEW, released=np.zeros((3, 3)), truth=None)).beside.get_visible()


def test_rows_count_downwards():
    made = picture()
    y = [path.vertices[:, 1].mean() for path in made._panels[0][1].get_paths()]
    assert y[0] < y[-1]
    assert made.axes.get_ylim()[0] > made.axes.get_ylim()[1]
    assert made.tooltip(1.0, 0.0) == "height, weight: −2, truly −2"
    assert made.tooltip(0.1, 0.1) == "height, height: 5, truly 4"
    assert made.tooltip(7.0, 0.0) == ""


def test_without_room_numbers_and_most_names_are_left_out():
    d = 30
    names = tuple(f"a long name {place}" for place in range(d))
    made = picture(ReleasedMatrix(names, np.full((d, d), -1234.5)), size=(5.0, 3.2))
    assert not made._panels[0][2].texts()
    assert 0 < len(made.axes.get_xticks()) < d / 4
    assert made.table()[1][1] == ["a long name 0", "a long name 1", -1234.5]


def test_the_sentence_says_how_far_off_it_is():
    assert picture()._sentence.text == "Entries are off by 1 at most (height, height)."
    alone = picture(dataclasses.replace(VIEW, truth=None, simulated=False))
    assert alone._sentence.text == "The largest entry of the released covariance is 5."
    assert alone.update(VIEW)
