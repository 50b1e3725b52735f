"""An isolation attack: balls in the unit of the data, the verdict in words, and a point to drag."""

import dataclasses

import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg

from app.model.theme import LIGHT
from app.plots.clustering.space_picture import lanes
from app.plots.figures import new_figure
from app.plots.histogram.isolation import IsolationMap
from engine.analysis.histogram_contents import CellsAlong
from engine.analysis.histogram_maps import QueryMap
from engine.analysis.isolation_attacks import IsolationTest
from engine.analysis.shared.projections import Direction
from engine.analysis.shared.shown_histograms import some_records
from engine.domain import Interval

UNIT = Interval(0, 1)
PLANE = (Direction("width", "cm", UNIT), Direction("height", "cm", UNIT))
CELLS = CellsAlong(np.array([(0, 0), (0.5, 0.0)]), np.array([(0.5, 1), (1, 1.0)]), np.array([30.0, 10]))
QUERY = np.array([0.3, 0.4])
INSIDE = np.array([[0.4, 0.4], [0.3, 0.55], [0.2, 0.3]])
NEAR = IsolationTest(2.0, 10, INSIDE[0], 0.1, INSIDE, True)


def view(**changes):
    values = np.random.default_rng(0).uniform(0, 1, (40, 2))
    made = QueryMap(
        directions=PLANE,
        window=(UNIT, UNIT),
        cells=CELLS,
        query=QUERY,
        c=2.0,
        t=10,
        records=some_records(values, (UNIT, UNIT)),
        verdict=NEAR,
    )
    return dataclasses.replace(made, **changes)


def flat(**changes):
    cells = dataclasses.replace(CELLS, lower=CELLS.lower[:, :1], upper=CELLS.upper[:, :1])
    records = some_records(view().records.dots[:, :1], (UNIT,))
    parts = {"directions": PLANE[:1], "axes": (0,), "window": (UNIT,), "cells": cells}
    return view(**(parts | {"records": records} | changes))


def picture(shown, palette=LIGHT, size=(7.4, 4.2), scale=1.0):
    figure = new_figure(palette, (size[0] / scale, size[1] / scale))
    figure.set_dpi(100 * scale)
    FigureCanvasAgg(figure)
    made = IsolationMap.draw(figure.add_subplot(), shown, palette)
    figure.canvas.draw()
    return made


def rim(line):
    points = line.get_xydata()
    return points[~np.isnan(points[:, 0])]


def test_balls_are_round_in_the_unit_of_the_data():
    other = (PLANE[0], Direction("weight", "kg", UNIT))
    for made in (picture(view()), picture(view(directions=other))):
        for line, radius in ((made._inner, 0.1), (made._outer, 0.2)):
            np.testing.assert_allclose(np.linalg.norm(rim(line) - QUERY, axis=1), radius)
        assert made._query.get_xydata().tolist() == [QUERY.tolist()]
        assert made._nearest_mark.get_xydata().tolist() == [[0.4, 0.4]]
        assert made._link.get_xydata().tolist() == [QUERY.tolist(), [0.4, 0.4]]
    assert picture(view()).axes.get_aspect() == 1
    assert made.axes.get_aspect() == "auto"
    assert made._inner.get_linestyle() != made._outer.get_linestyle()


def test_the_verdict_is_in_words():
    assert picture(view())._sentence.text.replace("\u00a0", " ") == (
        "The attacker isolates a record: only 3 lie in the dashed circle; the test asks for 10."
    )
    crowd = dataclasses.replace(NEAR, within=np.tile(INSIDE, (19, 1)), isolates=False)
    assert picture(view(verdict=crowd))._sentence.text.replace("\u00a0", " ") == (
        "The attacker isolates no record: 57 lie in the dashed circle; the test asks for 10."
    )


def test_a_single_record_in_the_circle_is_counted_as_one():
    alone = dataclasses.replace(NEAR, within=INSIDE[:1], isolates=True)
    assert "only 1 lies in the dashed circle;" in picture(view(verdict=alone)).alt_text()


def test_blank_cells_have_a_place_in_the_key():
    cells = view().cells
    made = picture(view(cells=dataclasses.replace(cells, counts=0 * cells.counts)))
    assert f"{len(cells.counts)} cells; blank: 0 or less" in made._legend.texts()
    assert not any("0 or less" in text for text in picture(view())._legend.texts())


def test_every_record_that_is_counted_is_drawn():
    few = dataclasses.replace(view().records, dots=np.empty((0, 2)))
    made = picture(view(records=few))
    assert made._inside.get_xydata().tolist() == INSIDE.tolist()
    assert {"attacker's guess: drag it", f"c = 2 × as far: {len(INSIDE)} inside"} < set(made._legend.texts())
    crowd = dataclasses.replace(NEAR, within=np.tile(INSIDE, (19, 1)), isolates=False)
    made.update(view(verdict=crowd))
    assert made._inside.get_xydata().tolist() == [INSIDE[0].tolist()]


def test_what_is_released_shows_the_query_point_and_no_verdict():
    made = picture(view(records=None, verdict=None, released=True))
    assert not rim(made._inner).size
    assert not rim(made._outer).size
    assert not made._nearest_mark.get_xydata().size
    assert not made._fill.get_paths()
    assert {row[0] for row in made.table()[1]} == {"guess", "cell"}
    assert "depends on the data" in made._sentence.text
    assert not made._inside.get_xydata().size
    assert "record" not in " ".join(made._legend.texts())


def test_the_query_point_can_be_grabbed_and_moved_within_the_bounds():
    made = picture(view())
    assert made.grabs(*QUERY)
    assert made.grabs(0.31, 0.41)
    assert not made.grabs(0.6, 0.4)
    assert view().moved(0.7, 0.2).tolist() == [0.7, 0.2]
    assert view().moved(1.7, -0.2).tolist() == [1.0, 0.0]
    np.testing.assert_allclose(view().stepped(1, 0), [0.31, 0.4])
    np.testing.assert_allclose(view().stepped(0, -10), [0.3, 0.3])
    np.testing.assert_allclose(view().stepped(100, 0), [1.0, 0.4])
    assert flat().moved(0.7, 55.0).tolist() == [0.7]
    assert made.update(view(query=np.array([0.5, 0.5]), cells=CELLS, records=made.result.records)) is False


def test_along_one_direction_balls_are_intervals_in_a_lane():
    made = picture(flat())
    assert list(lanes(flat())) == ["records", "cells", "query"]
    assert rim(made._outer)[:, 0].min() == pytest.approx(0.1)
    assert rim(made._outer)[:, 0].max() == pytest.approx(0.5)
    assert set(made._query.get_ydata()) == {lanes(flat())["query"]}
    assert "lie in the dashed interval" in made._sentence.text
    assert made.tooltip(0.7, lanes(flat())["cells"]).startswith("10 records in the cell in width 0.5")


def test_the_pointer_is_told_what_lies_under_it():
    made = picture(view())
    assert made.tooltip(*QUERY) == "guess: width 0.3\u202fcm, height 0.4\u202fcm (drag it)"
    assert made.tooltip(0.4, 0.4).startswith("the nearest record")
    assert made.tooltip(0.8, 0.9).startswith("10 records in the cell")
    assert made.alt_text().startswith("Guess at width 0.3")
    assert "(balls of 5 dimensions)" in picture(view(query=np.append(QUERY, [0, 0, 0])))._legend.texts()


def test_balls_behind_the_picture_are_in_the_numbers():
    rows = picture(view()).table()[1]
    assert rows[0] == ["guess", "", 0.3, 0.3, 0.4, 0.4]
    assert rows[2][:2] == ["small circle", ""]
    assert rows[3][:2] == ["large circle", 3]
    assert rows[3][2:] == pytest.approx([0.1, 0.5, 0.2, 0.6])


@pytest.mark.parametrize("scale", [1.0, 1.5])
def test_a_long_verdict_stays_inside_the_figure(scale):
    made = picture(view(), size=(5.0, 4.2), scale=scale)
    box = made._sentence._text.get_window_extent()
    assert box.x0 >= 0
    assert box.x1 <= made.axes.figure.bbox.width
    assert box.y1 <= made.axes.figure.bbox.height
    assert box.y0 >= made.axes._left_title.get_window_extent().y1 - 1
