"""Histograms to be drawn as maps."""

import dataclasses

import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg

from app.model.theme import LIGHT
from app.plots.figures import new_figure
from app.plots.histogram.map import HistogramMap
from engine.analysis.histogram_contents import CellsAlong
from engine.analysis.histogram_maps import CellMap, ShiftPlanes
from engine.analysis.shared.projections import Direction
from engine.analysis.shared.shown_histograms import some_records
from engine.domain import Interval

UNIT = Interval(0, 1)
PLANE = (Direction("width", "cm", UNIT), Direction("height", "cm", UNIT))
CELLS = CellsAlong(
    np.array([(0, 0), (0.5, 0), (0, 0.5), (0.5, 0.5), (0.75, 0.5)], dtype=float),
    np.array([(0.5, 0.5), (1, 0.5), (0.5, 1), (0.75, 1), (1, 1)], dtype=float),
    np.array([10.0, 0, 3, 40, 7]),
)
SHIFT = ShiftPlanes(
    np.array([-0.6, -0.3]),
    np.array([1.4, 1.7]),
    np.array([0.4, 0.7]),
    (np.array([0.4, 0.65]), np.array([0.45])),
    (np.array([0.15, 0.9]), np.array([0.2, 0.95])),
)


def values(n=300):
    return np.random.default_rng(0).uniform(0, 1, (n, 2))


def view(**changes):
    made = CellMap(
        directions=PLANE,
        window=(UNIT, UNIT),
        cells=CELLS,
        records=some_records(values(), (UNIT, UNIT)),
        shift=SHIFT,
        before=True,
        chosen=3,
    )
    return dataclasses.replace(made, **changes)


def picture(shown, palette=LIGHT, size=(7.4, 4.6), scale=1.0):
    figure = new_figure(palette, (size[0] / scale, size[1] / scale))
    figure.set_dpi(100 * scale)
    FigureCanvasAgg(figure)
    made = HistogramMap.draw(figure.add_subplot(), shown, palette)
    figure.canvas.draw()
    return made
