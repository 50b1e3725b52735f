"""Possible answers: a lens over a cloud that is too small to be seen."""

import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg

from app.plots.elements.answers import LENS
from app.plots.figures import new_figure
from app.plots.sensitivity.dot_strip import DotStrip, StripView
from engine.domain import Interval


def lens_of(spread):
    """Return lens, dots in it and its factor of answers with a spread in a strip from 0 to 1000."""
    figure = new_figure(size=(7.0, 1.5))
    FigureCanvasAgg(figure)
    values = np.linspace(100, 900, 50)
    view = StripView.of(values, Interval(0, 1000), true_value=400.0, label="median")
    picture = DotStrip.draw(figure.add_subplot(), view)
    off = np.linspace(-2, 2, 21) * spread
    picture.cloud.show([np.array([[400 + one, 0.0]]) for one in off], handle=True)
    figure.canvas.draw()
    artists = picture.cloud._artists
    return artists.lens.get_xydata(), artists.seen.get_xydata(), artists.factor.get_text(), picture.axes


def test_a_small_cloud_is_magnified_beside_itself():
    lens, seen, factor, axes = lens_of(0.5)
    assert factor.startswith("× ")
    times = float(factor[2:])
    middle = axes.transData.transform((400.0, 0.0))
    assert lens[0] == pytest.approx(middle)
    assert lens[1, 0] - middle[0] > 2 * LENS
    per_unit = axes.transData.transform((401.0, 0.0))[0] - middle[0]
    assert len(seen) == 21
    # a column of the dot plot stands in the middle of its dots
    assert np.ptp(seen[:, 0]) == pytest.approx(2.0 * per_unit * times, abs=0.11 * LENS * 2)
    assert (np.linalg.norm(seen - lens[1], axis=1) < LENS).all()


def test_a_cloud_that_is_seen_needs_no_lens():
    lens, seen, factor, _ = lens_of(50.0)
    assert (len(lens), len(seen), factor) == (0, 0, "")
