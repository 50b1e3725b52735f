"""Errors of histograms: the dots are the runs, and what is not private is said in words."""

import dataclasses
import itertools
import types

import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.lines import Line2D
from matplotlib.text import Text

from app.model.theme import LIGHT
from app.plots.elements.dot_rows import DOTS, quantile_dots
from app.plots.figures import new_figure
from app.plots.histogram.errors import HistogramErrorRows
from engine.analysis.histogram_accuracy import HistogramErrors, HistogramErrorSample
from engine.mechanisms.facts import Facts


def kind(label, private):
    summary = f"cells of {label}, with noise"
    return types.SimpleNamespace(name=label, label=label, summary=summary, facts=Facts(is_private=private))


def sample(label, counts, tree, private):
    rng = np.random.default_rng(len(label))
    errors = np.exp(0.3 * rng.standard_normal(200))
    return HistogramErrorSample(kind(label, private), counts * errors, tree * errors)


PLAIN, NOISY = sample("plain", 3, 2.0, False), sample("noisy", 20, 4.0, True)
TREE = sample("PrivTree", 9, 3.0, True)
NOTHING = HistogramErrorSample(kind("synthetic", True), np.empty(0), np.empty(0), "too many cells")
VIEW = HistogramErrors(NOISY.mechanism, (PLAIN, NOISY, TREE, NOTHING), 500)


def picture(shown=VIEW, scale=1.0):
    figure = new_figure(LIGHT, (7.4 / scale, 4.2 / scale))
    figure.set_dpi(100 * scale)
    FigureCanvasAgg(figure)
    made = HistogramErrorRows.draw(figure.add_subplot(), shown)
    figure.canvas.draw()
    figure.canvas.draw()
    return made


def test_dots_and_medians_are_those_of_the_runs():
    made = picture()
    for kind, times in (("counts", 1), ("tree", 100)):
        rows = made._rows[kind]._rows
        assert len(rows) == 3
        for row, errors in zip(rows, (TREE, NOISY, PLAIN), strict=True):
            np.testing.assert_allclose(row.x, quantile_dots(times * getattr(errors, kind)))
        medians = made._medians[kind].get_xdata()[::3]
        expected = [times * np.median(getattr(errors, kind)) for errors in (TREE, NOISY, PLAIN)]
        np.testing.assert_allclose(medians, expected)
    written = [text.get_text() for text in made._texts]
    assert f"{np.median(PLAIN.counts):.2g}" in written
    assert f"{100 * np.median(PLAIN.tree):.3g}" in written
    assert written.count("none") == 2


def test_without_trees_the_counts_have_all_the_room():
    bare = [dataclasses.replace(one, tree=np.empty(0)) for one in VIEW.samples]
    made = picture(VIEW)
    half = made.axes.bbox.width
    made.update(dataclasses.replace(VIEW, samples=tuple(bare)))
    made.axes.figure.canvas.draw()
    assert made.axes.bbox.width > 1.9 * half
    assert not made._rows["tree"]._rows
    assert [text.get_text() for text in made._texts].count("none") == 1
    right = made.axes.get_xlim()[1]
    assert "count error" in made.tooltip(right, made._rows["counts"]._rows[0].y)


def test_why_there_is_nothing_stands_beside_its_row_and_what_is_still_awaited_is_no_nothing():
    late = HistogramErrorSample(kind("late", False), np.empty(0), np.empty(0))
    early = picture(HistogramErrors(NOISY.mechanism, (NOISY, NOTHING, late), 500, 0.4))
    written = [text.get_text() for text in early._texts]
    assert (written.count("none"), written.count("…")) == (2, 2)
    assert [" ".join(text.split()) for text in early.labels.texts()] == [
        "Not DP",
        "Private",
        "noisy in use",
        "synthetic too many cells",
        "late cells of late",
    ]
    assert early.tooltip(1.0, -1.75) == "synthetic: too many cells"


@pytest.mark.parametrize("scale", [1.0, 1.5])
def test_a_heading_says_which_rows_are_not_private_at_any_size(scale):
    made = picture(scale=scale)
    words = [" ".join(text.split()) for text in made.labels.texts()]
    assert words[2:] == [
        "PrivTree cells of PrivTree",
        "noisy in use",
        "synthetic too many cells",
        "plain cells of plain",
    ]
    rows = made._rows["counts"]._rows
    heights = {label.text: label.y for label in made.labels.shown}
    assert heights["Private"] > rows[0].y > rows[1].y > heights["Not DP"] > rows[2].y
    assert [row.colour for row in rows] == [LIGHT.released, LIGHT.released, LIGHT.private]


def test_all_dots_of_a_row_are_drawn_even_if_they_coincide():
    made = picture(HistogramErrors(NOISY.mechanism, (*VIEW.samples, SAME), 500))
    drawn, original = [], Line2D.draw

    def draw(line, renderer):
        drawn.append(line)
        original(line, renderer)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Line2D, "draw", draw)
        made.axes.figure.canvas.draw()
    dots = [line for line in drawn if line.get_color() in (LIGHT.released, LIGHT.private)]
    assert [len(line.get_xdata()) for line in dots] == [DOTS] * 8
    for line in dots:
        assert len(np.unique(line.get_xydata(), axis=0)) == DOTS


def test_the_axes_name_the_decades_at_both_ends():
    made = picture()
    for part in made.parts:
        ticks, (left, right) = part.get_xticks(), part.get_xlim()
        np.testing.assert_allclose(np.log10(ticks), np.round(np.log10(ticks)))
        assert left < ticks[0] < 2 * left
        assert ticks[-1] < right < ticks[-1] * (ticks[-1] / ticks[0]) ** 0.3
    assert made.parts[0].get_xlabel().endswith("; bar and number: median")


SAME = HistogramErrorSample(kind("same", True), np.full(200, 9.0), np.full(200, 3.0))


@pytest.mark.parametrize("scale", [1.0, 1.5])
def test_medians_stand_in_a_column_and_nothing_hides_anything(scale):
    made = picture(HistogramErrors(NOISY.mechanism, (*VIEW.samples, SAME), 500), scale)
    drawn, original = [], Text.draw

    def draw(text, renderer):
        if text.get_text().strip() and text.get_visible():
            drawn.append((text.get_text(), text.get_window_extent(renderer)))
        original(text, renderer)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Text, "draw", draw)
        made.axes.figure.canvas.draw()
    for (one, box), (other, beside) in itertools.combinations(drawn, 2):
        assert not box.overlaps(beside), (one, other)
    for part, rows in zip(made.parts, made._rows.values(), strict=True):
        boxes = [text.get_window_extent() for text in made._texts if text.axes is part]
        assert np.ptp([box.x1 for box in boxes]) < 1
        last = max(row.x.max() for row in rows._rows)
        assert min(box.x0 for box in boxes) > part.transData.transform((last, 0.0))[0]


def test_rows_stand_indented_below_the_heading_of_their_group_also_in_two_lines():
    long = kind("a histogram whose long name takes two lines", True)
    made = picture(HistogramErrors(NOISY.mechanism, (dataclasses.replace(TREE, mechanism=long), PLAIN), 500))
    texts = [text.get_text() for text, _ in made.labels._texts if text.get_text()]
    headings = [text for text in texts if text in ("Private", "Not DP")]
    assert len(headings) == 2
    names = [line for text in texts if text not in headings for line in text.split("\n")]
    assert len(names) > 2
    assert all(name.startswith("\u00a0") for name in names)


def test_the_sentence_says_who_counts_best():
    made = picture()
    text = made.alt_text()
    assert text.startswith("Best private counts of regions: PrivTree, 8")
    assert "\u202frecords off (2.9 without privacy). Spanning tree length: PrivTree, " in text
    assert text.startswith(made._sentence.text)
    alone = picture(HistogramErrors(NOISY.mechanism, (PLAIN,), 500))
    assert alone._sentence.text == "plain counts best, but none of these is DP."
    early = picture(HistogramErrors(NOISY.mechanism, (PLAIN, NOISY), 500, 0.16))
    assert early._sentence.text.startswith("Preliminary, 16\u202f% of the runs. Best private counts ")
    assert "tree" not in early._sentence.text  # so that it takes no more lines than the final one
    assert picture(HistogramErrors(NOISY.mechanism, (NOTHING,), 500))._sentence.text == (
        "No histogram has been made yet."
    )


def test_the_sentence_names_the_private_ones_that_are_worse_and_those_that_chance_may_explain():
    near = dataclasses.replace(TREE, mechanism=kind("near", True), counts=1.01 * TREE.counts)
    two = picture(HistogramErrors(NOISY.mechanism, (near, TREE), 500)).alt_text()
    assert ", not clearly better than near. Spanning tree length: PrivTree, " in two
    far = dataclasses.replace(TREE, mechanism=kind("far", True), tree=5 * TREE.tree)
    three = picture(HistogramErrors(NOISY.mechanism, (near, TREE, far), 500)).alt_text()
    assert ", not clearly better than near. Median errors: " in three


def test_names_stand_in_a_column_at_the_left_and_bars_behind_dots():
    made = picture()
    left = made.parts[0].bbox.x0
    boxes = made.labels.boxes(made.axes.figure.canvas.get_renderer())
    assert max(box.x1 for box in boxes) < left
    assert np.ptp([box.x0 for box in boxes]) < 2
    assert all(made._medians[kind].zorder < rows.zorder for kind, rows in made._rows.items())


def test_errors_of_zero_are_drawn_at_the_left_edge():
    exact = HistogramErrorSample(kind("exact", False), np.zeros(50), np.zeros(50))
    made = picture(HistogramErrors(NOISY.mechanism, (exact, NOISY), 500))
    assert made._rows["counts"]._rows[1].x[0] == made.parts[0].get_xlim()[0]
    assert "0" in [text.get_text() for text in made._texts]


def test_the_pointer_is_told_about_the_panel_it_is_in():
    made = picture()
    to_data = made.axes.transData.inverted().transform
    for part, words in zip(made.parts, ("count error", "tree cost error"), strict=True):
        x, y = to_data(part.transData.transform((part.get_xlim()[1], -1.75)))
        assert made.tooltip(float(x), float(y)).startswith(f"noisy, {words}")
        assert "100\u202f% of the runs" in made.tooltip(float(x), float(y))
    assert made.tooltip(1.0, -2.75) == "synthetic: too many cells"
    assert made.tooltip(1.0, -0.1) == ""  # the heading


def test_numbers_behind_the_picture():
    header, rows = picture().table()
    assert len(rows) == 8
    assert rows[6][:4] == ["plain", False, "counts, in records", 200]
    assert rows[6][header.index("quantile 0.5")] == pytest.approx(np.median(PLAIN.counts))
    assert rows[3][header.index("quantile 0.5")] == pytest.approx(100 * np.median(NOISY.tree))
