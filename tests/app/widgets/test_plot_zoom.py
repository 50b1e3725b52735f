"""A picture in a window is looked at closely: by wheel, keys and the middle button."""

import numpy as np
import pytest
from canvases import pixels, profile, settle, shown_canvas, spot
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QApplication


@pytest.fixture
def canvas(qtbot):
    """A canvas on the screen that shows a profile."""
    return shown_canvas(qtbot)


def turn_wheel(canvas, notches, x, y, modifiers=Qt.KeyboardModifier.NoModifier):
    """Turn the wheel over a place of the axes."""
    place = QPointF(spot(canvas, x, y))
    there = QPointF(canvas._surface.mapToGlobal(place))
    event = QWheelEvent(
        place, there, QPoint(), QPoint(0, 120 * notches), Qt.MouseButton.NoButton, modifiers,
        Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    QApplication.sendEvent(canvas._surface, event)
    settle()


def test_the_wheel_looks_more_closely_and_a_double_click_at_the_whole(canvas, qtbot):
    axes = canvas.picture.axes
    whole, height = axes.get_xlim(), axes.get_ylim()
    before = pixels(canvas)
    turn_wheel(canvas, 2, 10.0, 1.0)
    assert np.ptp(axes.get_xlim()) == pytest.approx(np.ptp(whole) / 1.25**2)
    assert axes.get_xlim()[0] < 10.0 < axes.get_xlim()[1]
    assert axes.get_ylim() == height
    assert canvas.zoomed
    assert (pixels(canvas) != before).any()
    canvas.show_result(profile(0.21))
    settle()
    assert np.ptp(axes.get_xlim()) < np.ptp(whole)
    turn_wheel(canvas, 1, 10.0, 1.0, Qt.KeyboardModifier.ShiftModifier)
    assert axes.get_ylim() != height
    qtbot.mouseDClick(canvas._surface, Qt.MouseButton.LeftButton, pos=spot(canvas, 10.0, 1.0))
    settle()
    assert axes.get_xlim() == whole
    assert not canvas.zoomed


def test_keys_zoom_and_the_middle_button_moves(canvas, qtbot):
    axes = canvas.picture.axes
    whole = axes.get_xlim()
    qtbot.keyClick(canvas, Qt.Key.Key_Plus)
    qtbot.keyClick(canvas, Qt.Key.Key_Plus)
    low, high = axes.get_xlim()
    assert whole[0] < low < high < whole[1]
    middle = Qt.MouseButton.MiddleButton
    start, end = spot(canvas, (low + high) / 2, 1.0), spot(canvas, low + 0.4 * (high - low), 1.0)
    qtbot.mousePress(canvas._surface, middle, pos=start)
    qtbot.mouseMove(canvas._surface, end)
    qtbot.mouseRelease(canvas._surface, middle, pos=end)
    assert axes.get_xlim()[0] > low
    qtbot.keyClick(canvas, Qt.Key.Key_Minus)
    assert np.ptp(axes.get_xlim()) > high - low
    qtbot.keyClick(canvas, Qt.Key.Key_0)
    assert axes.get_xlim() == whole
