"""The tree on cells beside the true one: both are drawn as they are, and their costs are said."""

import dataclasses

import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg

from app.model.theme import DARK, LIGHT
from app.plots.figures import new_figure
from app.plots.histogram.tree import HistogramTree, cost_words
from engine.analysis.histogram_contents import CellsAlong
from engine.analysis.histogram_maps import TreeMap
from engine.analysis.histogram_structures import (
    MAX_EDGES,
    FacilitiesAlong,
    HistogramTrees,
    MatchingAlong,
    TreeAlong,
)
from engine.analysis.shared.projections import Direction
from engine.analysis.shared.shown_histograms import some_records
from engine.domain import Interval

UNIT = Interval(0, 1)
PLANE = (Direction("width", "cm", UNIT), Direction("height", "cm", UNIT))
CELLS = CellsAlong(np.array([(0, 0), (0.5, 0.0)]), np.array([(0.5, 1), (1, 1.0)]), np.array([30.0, 10]))
POINTS = np.random.default_rng(0).uniform(0, 1, (40, 2))

TREES = HistogramTrees(
    TreeAlong(CELLS.centers[:1], CELLS.centers[1:], 30.0),
    TreeAlong(POINTS[:-2], POINTS[2:], 9.0),
    TreeAlong(POINTS[:-1], POINTS[1:], 6.0),
)


def view(**changes):
    made = TreeMap(
        directions=PLANE,
        window=(UNIT, UNIT),
        cells=CELLS,
        trees=TREES,
        records=some_records(POINTS, (UNIT, UNIT)),
    )
    return dataclasses.replace(made, **changes)


def flat():
    cells = dataclasses.replace(CELLS, lower=CELLS.lower[:, :1], upper=CELLS.upper[:, :1])
    order = np.sort(POINTS[:, :1], axis=0)
    return view(
        directions=PLANE[:1],
        window=(UNIT,),
        cells=cells,
        trees=HistogramTrees(
            TreeAlong(cells.centers[:1], cells.centers[1:], 30.0),
            TreeAlong(order[:-2], order[2:], 9.0),
            TreeAlong(order[:-1], order[1:], 6.0),
        ),
        records=some_records(order, (UNIT,)),
    )


def picture(shown, palette=LIGHT, size=(7.4, 4.2), scale=1.0):
    figure = new_figure(palette, (size[0] / scale, size[1] / scale))
    figure.set_dpi(100 * scale)
    FigureCanvasAgg(figure)
    made = HistogramTree.draw(figure.add_subplot(), shown, palette, "cm")
    figure.canvas.draw()
    figure.canvas.draw()
    return made


def pieces(line):
    points = line.get_xydata()
    parts = np.split(points, np.flatnonzero(np.isnan(points[:, 0])))
    return [piece[~np.isnan(piece[:, 0])] for piece in parts if len(piece) > 1]


def test_edges_are_drawn_from_end_to_end_each_tree_in_its_panel():
    made = picture(view())
    np.testing.assert_array_equal(pieces(made._guess), np.stack([POINTS[:-2], POINTS[2:]], axis=1))
    early = picture(view(trees=dataclasses.replace(TREES, resampled=None)))
    np.testing.assert_array_equal(pieces(early._guess), [CELLS.centers])
    edges = pieces(made._true)
    np.testing.assert_array_equal(edges, np.stack([POINTS[:-1], POINTS[1:]], axis=1))
    assert made._guess.axes is made.axes
    assert made._true.axes is made._records.axes is made.beside
    for title, line in ((made.axes._left_title, made._guess), (made.beside._left_title, made._true)):
        assert title.get_color() == line.get_color()  # the headings are the key


def test_costs_are_said_with_how_far_they_are_off():
    made = picture(view())
    assert made._sentence.text == (
        "The tree of points drawn in the cells is 9\u202fcm long, "
        "that of the records 6\u202fcm (50\u202f% off)."
    )
    rows = made.table()[1]
    assert [row[:2] for row in rows[:3]] == [
        ["tree on cells, upper estimate", 30.0],
        ["tree of points drawn in the cells", 9.0],
        ["true tree", 6.0],
    ]
    assert sum(row[0] == "true edge" for row in rows) == 39


def test_what_is_released_has_all_the_room():
    both, alone = (
        picture(shown, size=(5.0, 4.2))
        for shown in (view(), view(trees=dataclasses.replace(TREES, truth=None), records=None))
    )
    assert alone.axes.bbox.height > both.axes.bbox.height
    assert not alone.beside.get_visible()
    assert alone._sentence.text.endswith("drawn in the cells is 9\u202fcm long.")
    assert alone.axes.get_title("left").startswith("points drawn in cells")
    assert {row[0] for row in alone.table()[1]} == {
        "tree on cells, upper estimate",
        "tree of points drawn in the cells",
        "edge of drawn points",
        "cell",
    }
    again = both.update(view(trees=dataclasses.replace(TREES, truth=None), records=None))
    assert again
    assert both.parts == (both.axes,)


@pytest.mark.parametrize("size", [(7.4, 4.2), (4.0, 6.5)])
def test_both_panels_have_the_same_shape_and_do_not_overlap(size):
    made = picture(view(), DARK, size)
    one, other = made.axes.bbox, made.beside.bbox
    assert one.width == pytest.approx(other.width, rel=0.02)
    assert one.height == pytest.approx(other.height, rel=0.02)
    assert not one.overlaps(other)
    beside = size[0] > size[1]
    assert (other.x0 > one.x1) if beside else (other.y1 < one.y0)
    assert made.axes.get_xlim() == made.beside.get_xlim()
    assert made.axes.get_ylim() == made.beside.get_ylim()


@pytest.mark.parametrize("scale", [1.0, 1.5])
@pytest.mark.parametrize("size", [(7.0, 4.2), (4.5, 6.5)])
def test_words_stay_inside_and_apart(scale, size):
    made = picture(view(), size=size, scale=scale)
    words = [made._sentence._text, made.axes._left_title, made.beside._left_title]
    boxes = [text.get_window_extent() for text in words]
    for box in boxes:
        assert box.x0 >= 0
        assert box.x1 <= made.axes.figure.bbox.width
        assert box.y1 <= made.axes.figure.bbox.height
    assert not boxes[0].overlaps(boxes[1])
    assert not boxes[1].overlaps(boxes[2])


def test_along_one_direction_edges_are_arcs_higher_the_longer_they_are():
    made = picture(flat())
    arcs = pieces(made._true)
    ends = np.sort(POINTS[:, 0])
    np.testing.assert_allclose([arc[-1, 0] for arc in arcs], ends[:-1])
    np.testing.assert_allclose([arc[0, 0] for arc in arcs], ends[1:])
    order = np.argsort(np.diff(ends))
    heights = np.array([arc[:, 1].max() for arc in arcs])[order]
    assert (np.diff(heights) >= 0).all()
    assert heights[-1] == pytest.approx(1.0)
    assert made.beside.bbox.y1 < made.axes.bbox.y0


def test_the_pointer_is_told_what_the_cell_holds():
    made = picture(view())
    assert made.tooltip(0.2, 0.2).startswith("30 records in the cell in width 0")
    assert made.tooltip(1.5, 0.2) == ""
    assert made.alt_text().startswith("On 2 cells: The tree of points drawn in the cells is 9")


def test_panels_of_wide_data_lie_one_above_the_other_where_they_are_larger():
    wide = Interval(0, 2.25)
    made = picture(
        view(directions=(Direction("width", "cm", wide), PLANE[1]), window=(wide, UNIT)), size=(7, 7)
    )
    assert made.beside.bbox.y1 < made.axes.bbox.y0
    assert made.axes.bbox.width > 0.55 * made.axes.figure.bbox.width
    low = picture(made.result, size=(9.0, 3.6))
    assert 0 < low.beside.bbox.x0 - low.axes.bbox.x1 < 0.1 * low.axes.figure.bbox.width


@pytest.mark.parametrize("d", [1, 2])
def test_facilities_have_marks_and_their_costs_are_said(d):
    side = (Direction("x", "m", Interval(0, 4)), Direction("y", "m", Interval(0, 4)))[:d]
    cells = CellsAlong(np.zeros((1, d)), np.full((1, d), 4.0), np.array([3.0]))
    ends = np.array([[1.0, 2.0], [3.0, 2.0]])[:, :d]
    guess = FacilitiesAlong(ends, ends[[0, 0]], 9.0, ends[:1], 2.0, in_truth=6.0)
    true = FacilitiesAlong(ends, ends, 4.0, ends, 2.0)
    window = tuple(direction.side for direction in side)
    picture = HistogramTree.draw(
        new_figure().add_subplot(),
        TreeMap(directions=side, window=window, cells=cells, trees=HistogramTrees(guess, None, true)),
    )
    words = (
        "1 facility on the cells costs 9 by their distances, in truth 6 (1.5 times as much as on the "
        "records); 2 facilities on the records cost 4."
    )
    assert words in picture.alt_text()
    header, rows = picture.table()
    assert [row[0] for row in rows].count("facility on records") == 2
    assert all(len(row) == len(header) for row in rows)
    picture.update(
        TreeMap(directions=side, window=window, cells=cells, trees=HistogramTrees(TreeAlong(ends, ends, 0.0)))
    )


def test_panels_name_their_axes_once():
    wide, beside = picture(view(), size=(4.2, 7.4)), picture(view())
    assert wide.axes.bbox.y0 > wide.beside.bbox.y1
    assert wide.beside.yaxis.get_visible()
    assert beside.axes.bbox.x1 < beside.beside.bbox.x0
    for made in (wide, beside):
        assert made.axes.get_title(loc="left").endswith("\nheight ↑   width →")
        assert [part.get_xlabel() for part in made.parts[:2]] == ["", ""]
    assert not beside.beside.yaxis.get_visible()


def test_lengths_have_equal_decimals_and_headings_say_that_edges_are_left_out():
    cut = TreeAlong(np.zeros((MAX_EDGES, 2)), np.ones((MAX_EDGES, 2)), 19.001)
    made = picture(view(trees=dataclasses.replace(TREES, truth=cut)))
    assert made._sentence.text.endswith("9\u202fcm long, that of the records 19\u202fcm (53\u202f% off).")
    made.update(
        view(trees=dataclasses.replace(TREES, resampled=dataclasses.replace(cut, cost=18.41), truth=cut))
    )
    assert "18.4\u202fcm long, that of the records 19.0\u202fcm" in made._sentence.text
    for part in made.parts:
        assert ", 5\u202f000 longest edges" in part.get_title(loc="left")


def test_a_matching_is_said_with_both_of_its_bounds():
    ends = POINTS[::2], POINTS[1::2]
    trees = HistogramTrees(
        MatchingAlong(CELLS.centers[:1], CELLS.centers[1:], 30.0, 0.0),
        MatchingAlong(*ends, 9.0, 9.0),
        MatchingAlong(*ends, 6.0, 5.0),
    )
    made = picture(view(trees=trees))
    words = "The matching of points drawn in the cells is 9 cm long, that of the records at most "
    more = "6 cm and at least 5 cm."
    assert " ".join(cost_words(trees, "cm").split()) == words + more
    known = dataclasses.replace(trees, truth=MatchingAlong(*ends, 6.0, 6.0))
    assert cost_words(known, "cm").endswith(", that of the records 6\u202fcm (50\u202f% off).")
    _, rows = made.table_of(view(trees=trees))
    assert [row[:2] for row in rows[:4]] == [
        ["matching on cells, upper estimate", 30.0],
        ["matching on cells, lower bound", 0.0],
        ["matching of points drawn in the cells", 9.0],
        ["true matching", 6.0],
    ]
