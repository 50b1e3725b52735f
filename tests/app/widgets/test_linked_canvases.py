"""Two pictures on the screen that are linked: what is pointed at in one is seen in the other."""

import pytest
from canvases import profile, settle, shown_canvas, spot
from PySide6.QtCore import QEvent, QObject, QPoint, QPointF, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QApplication

from app.widgets.linked_canvases import CanvasLink


def point(qtbot, canvas, place):
    """Move over a place of a canvas; the pointer of the system stays where it is."""
    nothing = Qt.MouseButton.NoButton, Qt.MouseButton.NoButton, Qt.KeyboardModifier.NoModifier
    there = QPointF(canvas.surface.mapToGlobal(place))
    with qtbot.waitSignal(canvas.pointed) as signal:
        move = QMouseEvent(QEvent.Type.MouseMove, QPointF(place), there, *nothing)
        QApplication.sendEvent(canvas.surface, move)
    return signal.args[0]


def cursors(pair):
    return [canvas.picture.cursor.get_visible() for canvas in pair]


def test_the_upright_line_stands_at_the_same_place_in_both_until_the_pointer_leaves(qtbot):
    parent, pair = QObject(), (shown_canvas(qtbot), shown_canvas(qtbot))
    pair[1].show_result(profile(0.3))
    link = CanvasLink(*pair, parent)
    settle()
    inside = spot(pair[0], 3.0, pair[0].result.smooth)
    point(qtbot, pair[0], inside)
    assert cursors(pair) == [True, True]
    first, second = (canvas.picture.cursor.get_xdata()[0] for canvas in pair)
    assert first == second == pytest.approx(3.0, abs=0.2)

    assert point(qtbot, pair[0], QPoint(3, 3)) is None  # beside the axes no record is marked either
    assert cursors(pair) == [False, False]

    point(qtbot, pair[0], inside)
    assert cursors(pair) == [True, True]
    QApplication.sendEvent(pair[0].surface, QEvent(QEvent.Type.Leave))
    assert cursors(pair) == [False, False]
    link.end()
