"""The map of a histogram: what is meant at a border, records, margins, numbers, and the legend."""

import dataclasses

import numpy as np
import pytest
from histogram_maps import CELLS, PLANE, UNIT, picture, values, view

from app.plots.figure_panel import FigurePanel, figure
from app.plots.histogram.cells import cell_at
from app.plots.histogram.map import HistogramMap
from engine import PrivTree
from engine.analysis.shared.projections import Direction
from engine.analysis.shared.shown_histograms import MAX_RECORDS, some_records
from engine.domain import Interval
from engine.mechanisms import ShiftedHistogram


def wide_view(**changes):
    """Cells of a map that is more than twice as wide as high."""
    wide = Interval(0, 2.25)
    cells = dataclasses.replace(CELLS, lower=CELLS.lower * (2.25, 1), upper=CELLS.upper * (2.25, 1))
    sides = (Direction("width", "cm", wide), PLANE[1])
    return view(directions=sides, window=(wide, UNIT), cells=cells, shift=None, **changes)


def test_at_a_border_the_cell_that_begins_there_is_meant():
    assert cell_at(CELLS, 0.5, 0.2) == 1
    assert cell_at(CELLS, 1.0, 1.0) == 4
    assert cell_at(CELLS, 1.1, 1.0) is None


def test_of_many_records_some_are_drawn_and_which_says_nothing():
    window = (UNIT, UNIT)
    many = some_records(values(3 * MAX_RECORDS), window)
    assert many.n == 3 * MAX_RECORDS
    assert len(many.dots) == MAX_RECORDS
    moved = some_records(values(3 * MAX_RECORDS) + 1, window)
    np.testing.assert_allclose(many.dots + 1, moved.dots)
    assert "2\u202f000 of 6\u202f000 records" in picture(view(records=many))._legend.texts()


def test_counts_that_are_spread_over_a_grid_are_said_to_be():
    spread = dataclasses.replace(CELLS, spread=True)
    assert "spread over a grid" in picture(view(cells=spread, chosen=None))._legend.texts()[2]


def test_numbers_behind_the_picture():
    header, rows = picture(view()).table()
    assert header == ["mark", "count", "width from", "width to", "height from", "height to"]
    assert rows[3] == ["cell (chosen)", 40.0, 0.5, 0.75, 0.5, 1.0]
    assert ["inflated cube", "", -0.6, 1.4, -0.3, 1.7] in rows
    assert ["dropped plane", "", "", "", 0.95, 0.95] in rows
    assert sum(row[0] == "record" for row in rows) == 300
    public = picture(view(records=None, shift=None))
    assert {row[0] for row in public.table()[1]} == {"cell", "cell (chosen)"}
    assert public.alt_text() == (
        "Along width and height: 5 cells (4 not empty) with 60 records; the emptiest holds "
        "0 records, the fullest 40 records; chosen: 40 records."
    )


def test_only_another_background_is_drawn_anew():
    shown = view()
    made = picture(shown)
    assert made.update(dataclasses.replace(shown, chosen=2)) is False
    assert made.update(dataclasses.replace(shown, chosen=2, per_area=False))
    assert made.update(dataclasses.replace(shown, cells=dataclasses.replace(CELLS)))


@pytest.mark.parametrize("scale", [1.0, 1.5])
def test_the_key_stands_where_it_leaves_a_map_that_is_drawn_to_scale_larger(scale):
    below = picture(wide_view(), size=(7.2, 5.1), scale=scale)
    assert below.axes.bbox.width > 0.8 * below.axes.figure.bbox.width
    beside = picture(wide_view(), size=(12.0, 3.6), scale=scale)
    assert beside.axes.bbox.height > 0.6 * beside.axes.figure.bbox.height
    for made in (below, beside):
        texts = [after for _, after in made._legend._texts if after.get_text()]
        boxes = [text.get_window_extent() for text in texts]
        assert not any(made.axes.bbox.overlaps(box) for box in boxes)
        assert min(box.y0 for box in boxes) >= 0
        assert max(box.x1 for box in boxes) <= made.axes.figure.bbox.width
        assert made.update(made.result) is False
    assert max(text.get_window_extent().y1 for _, text in below._legend._texts) < below.axes.bbox.y0


def test_a_saved_picture_of_exact_counts_says_so_below():
    def below(shown):
        return figure(FigurePanel("Cells", HistogramMap, shown, private=False)).get_supxlabel()

    words = "Shifted histogram, t = 8: exact counts, not differentially private"
    assert below(view(mechanism=ShiftedHistogram(t=8))) == words
    assert not below(view(mechanism=PrivTree()))
