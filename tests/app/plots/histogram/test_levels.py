"""Levels as a table: all of them where there is room, the ends of it where not."""

import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg

from app.model.theme import LIGHT
from app.plots.figures import new_figure
from app.plots.histogram.levels import HEADER, LevelTable
from engine.analysis.histogram_contents import HistogramLevels


def view(count):
    level = np.arange(1, count + 1)
    return HistogramLevels(None, level, 3 * level, level, 10.0 * level, 2.0**-level)


def picture(count, size=(7.4, 4.2), scale=1.0):
    figure = new_figure(LIGHT, (size[0] / scale, size[1] / scale))
    figure.set_dpi(100 * scale)
    FigureCanvasAgg(figure)
    made = LevelTable.draw(figure.add_subplot(), view(count), unit="km")
    figure.canvas.draw()
    return made


def test_rows_are_the_levels_and_the_fullest_has_the_longest_bar():
    made = picture(4)
    assert [row[0] for row in made._rows._rows][1] == ("2", "6", "2", "20", "0.25\u202fkm")
    assert [row[1] for row in made._rows._rows] == [0.25, 0.5, 0.75, 1.0]
    assert made.table() == (
        list(HEADER),
        [[i, 3 * i, i, 10.0 * i, 2.0**-i] for i in range(1, 5)],
    )
    assert made.alt_text() == "20 cells on 4 levels hold 100 records; the fullest level is 4."


def test_without_room_the_middle_is_left_out_and_said_to_be():
    assert picture(8)._rows.visible() == list(range(8))
    for made in (picture(60), picture(60, scale=1.5), picture(9, size=(4.0, 1.4))):
        shown = made._rows.visible()
        assert shown.count(None) == 1
        assert shown[0] == 0
        assert shown[-1] == len(made._rows._rows) - 1
    assert len(picture(60).table()[1]) == 60
