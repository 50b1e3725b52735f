"""The picture of points on the screen: room for the legend, close-ups, and how fast it is drawn."""

import dataclasses
import itertools
import time

import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from point_clouds import MIDDLES, UNIT, flat, picture, values, view

from app.plots.clustering.point_cloud import PointCloud
from app.plots.figures import new_figure
from engine.aggregation.blocks import Partition
from engine.analysis.shared.records import Records
from engine.data.points import Points
from engine.domain import Box, Interval
from engine.mechanisms.sample_aggregate import Clusters
from engine.privacy import Privacy


@pytest.mark.parametrize("scale", [1.0, 1.5], ids=["window", "projector"])
@pytest.mark.parametrize(
    ("shown", "size"),
    [
        *((view, (7.4, 3.8)), (flat, (4.6, 5.6)), (view, (12.0, 5.0))),
        *(
            pytest.param(*case, marks=pytest.mark.slow)
            for case in ((flat, (7.4, 3.8)), (view, (4.6, 5.6)), (flat, (12.0, 5.0)))
        ),
    ],
)
def test_the_key_stands_clear_of_everything(shown, size, scale):
    made = picture(shown(), size=size, scale=scale)
    figure = made.axes.figure
    renderer = figure.canvas.get_renderer()
    width, height = figure.canvas.get_width_height()
    texts = [after for _, after in made._legend._texts]
    boxes = [text.get_window_extent(renderer) for text in texts if text.get_text()]
    assert len(boxes) == 10
    for one, other in itertools.combinations(boxes, 2):
        assert (np.minimum(one.max, other.max) - np.maximum(one.min, other.min)).min() <= 1
    others = [tick.label1 for tick in made.axes.xaxis.get_major_ticks()] + [made.axes.xaxis.label]
    taken = [made.axes.bbox, *(text.get_window_extent(renderer) for text in others)]
    for box in boxes:
        assert box.x0 >= 0
        assert box.y0 >= 0
        assert box.x1 <= width
        assert box.y1 <= height
        for other in taken:
            assert (np.minimum(box.max, other.max) - np.maximum(box.min, other.min)).min() <= 1


def test_only_another_background_is_drawn_anew():
    shown = view()
    made = picture(shown)
    assert made.update(dataclasses.replace(shown, released=MIDDLES, regions=shown.regions * 2)) is False
    assert made.update(dataclasses.replace(shown, outputs=shown.outputs + 0.01))
    assert made.update(dataclasses.replace(shown, zoom=(Interval(0.1, 0.4), Interval(0.2, 0.4))))
    assert made.axes.get_xlim()[0] > 0.05


def test_a_closeup_shows_the_outputs_around_one_center_and_keeps_the_scale():
    shown = view(records=Records.of(values(5000), [UNIT] * 2))
    near = shown.closeup(1)
    across, up = near.window
    assert across.width == pytest.approx(up.width)
    assert across.width < 0.2
    around = shown.outputs[:, 1]
    inside = (around >= (across.lower, up.lower)) & (around <= (across.upper, up.upper))
    assert inside.all(axis=1).mean() >= 0.95
    made = picture(near)
    assert not made._image.get_visible()
    assert made.axes.get_xlim()[0] == pytest.approx(across.lower, abs=0.05 * across.width)
    assert view(outputs=None).closeup(1).zoom is None
    assert flat().closeup(0).window[0].width < 0.2


def test_outputs_of_the_engine_lie_in_their_circles():
    box = Box.of([0, 0], [1, 1])
    mechanism = Clusters(k=3, sampling=Partition(30))
    prepared = mechanism.prepare(Points(values(3000), box), Privacy(1.0, 1e-6))
    known = prepared.diagnostics
    outputs, center = known["outputs"].reshape(-1, 3, 2), known["center"].reshape(3, 2)
    away = np.linalg.norm(outputs[:, :, None] - center, axis=3).min(axis=1).max(axis=1)
    assert (away <= known["radius"]).sum() >= known["majority"]


@pytest.mark.parametrize("n", [100_000, 1_000_000])
def test_a_release_is_redrawn_within_50_ms(n):
    figure = new_figure(size=(7.4, 3.8))
    figure.set_dpi(100)
    canvas = FigureCanvasAgg(figure)
    shown = view(
        records=Records.of(values(n), [UNIT] * 2),
        outputs=np.clip(np.random.default_rng(3).normal(0.5, 0.1, (3000, 3, 2)), 0, 1),
    )
    made = PointCloud.draw(figure.add_subplot(), shown)
    made.animate()
    canvas.draw()
    renderer = canvas.get_renderer()
    spent = []
    for step in range(9):
        start = time.thread_time()
        made.update(dataclasses.replace(shown, released=MIDDLES + step / 100))
        for artist in sorted(made.artists, key=lambda artist: artist.get_zorder()):
            artist.draw(renderer)
        spent.append(time.thread_time() - start)
    assert sorted(spent)[4] < 0.05
