"""Clouds of points to be drawn."""

import dataclasses

import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg

from app.model.theme import LIGHT
from app.plots.clustering.point_cloud import PointCloud
from app.plots.figures import new_figure
from engine.analysis.clouds import Cloud
from engine.analysis.shared.projections import Direction
from engine.analysis.shared.records import Records
from engine.domain import Interval

UNIT = Interval(0, 1)
PLANE = (Direction("width", "cm", UNIT), Direction("height", "cm", UNIT))
MIDDLES = np.array([(0.2, 0.25), (0.75, 0.3), (0.5, 0.8)])


def values(n=300):
    rng = np.random.default_rng(0)
    return np.clip(MIDDLES[rng.integers(0, 3, n)] + rng.normal(0, 0.03, (n, 2)), 0, 1)


def view(**changes):
    rng = np.random.default_rng(1)
    outputs = MIDDLES + rng.normal(0, 0.01, (40, 3, 2))
    made = Cloud(
        directions=PLANE,
        records=Records.of(values(), [UNIT] * 2),
        outputs=outputs,
        center=outputs[4],
        radius=0.05,
        majority=21,
        released=np.array([(0.1, 0.3), (0.7, 1.0), (0.5, 0.6)]),
        regions=np.array([np.full((3, 2), 0.1), np.full((3, 2), 0.3)]),
        baseline=MIDDLES + 0.1,
        truth=MIDDLES,
    )
    return dataclasses.replace(made, **changes)


def flat(**changes):
    one = view()
    parts = {name: getattr(one, name)[..., :1] for name in ("outputs", "center", "released", "regions")}
    parts |= {"baseline": one.baseline[:, :1], "truth": one.truth[:, :1]}
    parts["records"] = Records.of(values()[:, :1], [UNIT])
    return dataclasses.replace(one, directions=PLANE[:1], **(parts | changes))


def picture(shown, palette=LIGHT, size=(7.4, 3.8), scale=1.0):
    figure = new_figure(palette, (size[0] / scale, size[1] / scale))
    figure.set_dpi(100 * scale)
    FigureCanvasAgg(figure)
    made = PointCloud.draw(figure.add_subplot(), shown, palette)
    figure.canvas.draw()
    figure.canvas.draw()
    return made
