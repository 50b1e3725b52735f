"""Graphs to be drawn."""

import dataclasses

import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg

from app.model.theme import LIGHT
from app.plots.figures import new_figure
from app.plots.sensitivity.graph_layout import layout
from app.plots.sensitivity.graph_picture import GraphPicture
from app.plots.sensitivity.graph_view import DecidingCut, GraphView
from engine.domain import Interval

# a square with a diagonal, a tail, and one edge that stands twice
ENDS = np.array([(0, 1), (1, 2), (2, 3), (3, 0), (0, 2), (3, 4), (1, 0)])
WEIGHTS = np.array([1.0, 2, 3, 4, 5, 6, 7])
NAMES = ("Ada", "Bo", "Cy", "Dee", "Eve")


def mask(*chosen, size=7):
    return np.isin(np.arange(size), chosen)


def view(**changes):
    made = GraphView(
        positions=layout(ENDS, 5),
        names=NAMES,
        sizes=np.ones(5, dtype=np.int64),
        ends=ENDS,
        edges=np.arange(10, 17),
        weights=WEIGHTS,
        ramp=(1.0, 7.0),
        tree=mask(0, 1, 2, 5),
        bridges=mask(5),
        absent=mask(),
        domain=Interval(0, 10),
        n=5,
        m=7,
    )
    return dataclasses.replace(made, **changes)


def cut(k=1, rising=True, lightest=(1, 2, 3), count=4, weights=(2.0, 3.0, 4.0), sensitivity=2.0):
    side = np.array([False, False, True, False, False])
    return DecidingCut(k, side, mask(1, 2, 3, 4), lightest, weights, count, sensitivity, rising)


def picture(shown, palette=LIGHT, unit="km", size=(7.4, 4.2), scale=1.0):
    figure = new_figure(palette, (size[0] / scale, size[1] / scale))
    figure.set_dpi(100 * scale)
    FigureCanvasAgg(figure)
    made = GraphPicture.draw(figure.add_subplot(), shown, palette, unit)
    figure.canvas.draw()
    return made


def large(width=50, height=40):
    """A map of 2,000 places and nearly 4,000 roads."""
    rng = np.random.default_rng(3)
    at = np.arange(width * height).reshape(height, width)
    steps = [(at[:, :-1], at[:, 1:]), (at[:-1, 0], at[1:, 0]), (at[:-1, 1:], at[1:, 1:])]
    ends = np.concatenate([np.column_stack([one.ravel(), other.ravel()]) for one, other in steps])
    n, m = width * height, len(ends)
    places = np.column_stack([np.arange(n) % width, np.arange(n) // width]) + rng.normal(0, 0.2, (n, 2))
    side = places[:, 0] < 10
    crossing = side[ends[:, 0]] != side[ends[:, 1]]
    return GraphView(
        positions=places,
        names=tuple(map(str, range(n))),
        sizes=np.ones(n, dtype=np.int64),
        ends=ends,
        edges=np.arange(m),
        weights=rng.random(m) * 10,
        ramp=(0.0, 10.0),
        tree=np.arange(m) < n - 1,
        bridges=np.zeros(m, dtype=bool),
        absent=np.zeros(m, dtype=bool),
        domain=Interval(0, 10),
        n=n,
        m=m,
        decision=DecidingCut(1, side, crossing, (5,), (1.0, 2.0, 3.0), int(crossing.sum()), 2.0, False),
    )
