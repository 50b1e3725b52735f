"""A part of a picture: the same shares of every result, on any scale, never beyond the whole."""

import numpy as np
import pytest
from matplotlib.figure import Figure
from matplotlib.text import Text

from app.plots.elements.zoom import MIN_SHARE, Zoom


class Axed:
    """A picture with one axes, whose limits are set as pictures set them."""

    def __init__(self, scale: str = "linear") -> None:
        axes = Figure().add_subplot()
        axes.set_xscale(scale)
        self.parts, self.artists = (axes,), [axes.text(1, 1, "a word")]
        self.zoom = Zoom(self)
        self.show(1, 100)

    @property
    def axes(self):
        return self.parts[0]

    def show(self, low, high):
        """Show another result."""
        self.zoom.leave()
        self.axes.set(xlim=(low, high), ylim=(0, 10))
        self.zoom.enter()


def test_what_is_under_the_pointer_stays_there():
    picture = Axed()
    picture.zoom.scale(0.5, picture.axes, (25.75, 5.0), ("x",))
    assert picture.axes.get_xlim() == pytest.approx((13.375, 62.875))
    assert picture.axes.get_ylim() == (0, 10)
    assert picture.zoom.active
    assert isinstance(picture.artists[0], Text)
    assert picture.artists[0].get_clip_on()


def test_a_logarithmic_axis_is_cut_where_it_is_seen():
    picture = Axed("log")
    picture.zoom.scale(0.5, picture.axes, (10.0, 5.0), ("x",))
    assert picture.axes.get_xlim() == pytest.approx((10**0.5, 10**1.5))


def test_another_result_is_seen_as_closely():
    picture = Axed()
    picture.zoom.scale(0.5, picture.axes, (50.5, 5.0), ("x", "y"))
    picture.show(0, 1000)
    assert picture.axes.get_xlim() == pytest.approx((250, 750))
    assert picture.axes.get_ylim() == pytest.approx((2.5, 7.5))


def test_nothing_is_seen_beyond_the_whole_and_nothing_is_too_near():
    picture = Axed()
    picture.zoom.scale(0.1, picture.axes, (1.0, 5.0), ("x",))
    picture.zoom.move(picture.axes, (1.0, 5.0), (50.0, 5.0))
    assert picture.axes.get_xlim() == pytest.approx((1, 10.9))
    picture.zoom.move(picture.axes, (10.9, 5.0), (1.0, 5.0))
    assert picture.axes.get_xlim() == pytest.approx((10.9, 20.8))
    for _ in range(200):
        picture.zoom.scale(0.5, picture.axes, (15.0, 5.0), ("x",))
    assert np.ptp(picture.axes.get_xlim()) == pytest.approx(99 * MIN_SHARE)
    for _ in range(200):
        picture.zoom.scale(2.0, picture.axes, (15.0, 5.0), ("x",))
    assert picture.axes.get_xlim() == (1, 100)
    assert not picture.zoom.active
    assert not picture.artists[0].get_clip_on()


def test_both_directions_stay_to_one_scale_at_an_edge():
    picture = Axed()
    picture.zoom.scale(0.25, picture.axes, (1.0, 5.0), ("x", "y"))
    picture.zoom.scale(2.0, picture.axes, (20.0, 5.0), ("x", "y"))
    assert picture.axes.get_xlim() == pytest.approx((1, 50.5))
    assert picture.axes.get_ylim() == pytest.approx((2.5, 7.5))


def test_the_whole_comes_back():
    picture = Axed()
    picture.zoom.scale(0.5, picture.axes, (20.0, 5.0), ("x", "y"))
    picture.zoom.reset()
    assert (picture.axes.get_xlim(), picture.axes.get_ylim()) == ((1, 100), (0, 10))
