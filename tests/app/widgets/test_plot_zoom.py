"""A picture in a window is looked at closely: by wheel, keys and the middle button."""

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QApplication

from app.plots.sensitivity.against_k import AgainstK
from app.widgets.plot_canvas import PlotCanvas
from engine.data.order_statistics import Sample
from engine.domain import Interval
from engine.queries import Median
from engine.queries.profile import sensitivity_profile

VALUES = np.linspace(1, 990, 101) ** 2 / 1000


def profile(beta: float = 0.2):
    return sensitivity_profile(Median(), Sample(VALUES, Interval(0, 1000)), beta)


@pytest.fixture
def canvas(qtbot):
    """A canvas on the screen that shows a profile."""
    made = PlotCanvas(AgainstK, "Sensitivity of the median")
    qtbot.addWidget(made)
    made.resize(640, 320)
    made.show()
    qtbot.waitExposed(made)
    made.show_result(profile())
    settle()
    return made


def settle():
    """Let the event loop turn until nothing is left to draw."""
    for _ in range(10):
        QApplication.processEvents()


def pixels(canvas):
    """Return what is seen."""
    image = canvas.grab().toImage().convertToFormat(canvas.grab().toImage().Format.Format_RGBA8888)
    return np.array(image.constBits()).copy()


def spot(canvas, x, y):
    """Return where a point of the data is on the surface, in Qt's coordinates."""
    right, up = canvas.picture.axes.transData.transform((x, y))
    ratio = canvas._surface.device_pixel_ratio
    return QPoint(round(right / ratio), round(canvas._surface.height() - up / ratio))


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
