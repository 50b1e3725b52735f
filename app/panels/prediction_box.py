"""Predictions in a lesson: a scale for a number or a bet, and a line drawn over a picture."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QEvent, QObject, QPointF, Qt, Signal, SignalInstance
from PySide6.QtGui import QColor, QKeyEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QLabel, QSlider, QWidget

from app.lessons.lesson import Prediction
from app.model.wording.numbers import quantity, share
from app.widgets.buttons import push_button
from app.widgets.layouts import line_up, stack

if TYPE_CHECKING:
    from app.widgets.plot_canvas import PlotCanvas
    from engine.array_types import Floats

DRAW = "Draw the line from left to right: with the mouse, or with Tab, arrow keys and Enter."
NEAR = 0.1
"""Distance, as a share of the scale, up to which a prediction counts as right."""
RADIUS = 6
"""Radius of the point of the keyboard, in pixels."""
POSITIONS = 200
"""Positions of the slider."""
KEY_STEP = 0.01
"""How far an arrow key moves a point, as a share of the picture."""
WHOLE = 0.8
"""Share of the width of the picture after which a drawn line is complete."""


class PredictionBox(QWidget):
    """Takes a prediction; the answer is shown only afterwards."""

    predicted = Signal(float)  # a number on the scale; NaN for a line that was not drawn

    def __init__(self) -> None:
        super().__init__()
        self._prediction = Prediction()
        self.value = QLabel()
        self.low, self.high = QLabel(), QLabel()
        for label in (self.value, self.low, self.high):
            label.setTextFormat(Qt.TextFormat.PlainText)
            label.setWordWrap(True)
        self.high.setAlignment(Qt.AlignmentFlag.AlignRight)
        self.slider = QSlider(Qt.Orientation.Horizontal)
        self.slider.setRange(0, POSITIONS)
        self.slider.setAccessibleName("Your prediction")
        self.slider.valueChanged.connect(self._show_value)
        tip = "Fix your prediction, and show the answer"
        self.reveal = push_button("&Reveal", tip, self._on_reveal)
        self._scale = QWidget()
        stack(self._scale, self.slider, line_up(None, (self.low, 1), (self.high, 1), spacing=12), spacing=2)
        foot = line_up(None, (self.value, 1), self.reveal, spacing=6)
        stack(self, self._scale, foot, spacing=4)

    @property
    def number(self) -> float:
        """The number at the position of the slider."""
        return self._prediction.number(self.slider.value() / POSITIONS)

    def show_prediction(self, prediction: Prediction, given: float | None) -> None:
        """Show the scale of a prediction, with an earlier one."""
        self._prediction = prediction
        for label, text in zip((self.low, self.high), prediction.scale, strict=True):
            label.setText(text)
        drawn = given is None or math.isnan(given) or prediction.layer
        position = POSITIONS // 2 if drawn else round(POSITIONS * prediction.share(given or 0.0))
        self.slider.setValue(position)
        self._scale.setVisible(not prediction.layer)
        for widget in (self.slider, self.reveal):
            widget.setEnabled(given is None)
        self._show_value()

    def _show_value(self, _: int = 0) -> None:
        prediction = self._prediction
        if prediction.layer:
            self.value.setText(DRAW)
        elif prediction.ends:
            sure, favourite = self.number / 100, prediction.ends[self.number > 50]
            self.value.setText(f"{share(max(sure, 1 - sure))}: {favourite}")
        else:
            self.value.setText(quantity(self.number, prediction.unit))

    def _on_reveal(self) -> None:
        self.predicted.emit(math.nan if self._prediction.layer else self.number)


def verdict_of(prediction: Prediction, given: float) -> tuple[bool | None, str]:
    """Return whether a prediction is near the answer, and a sentence about its distance."""
    if prediction.layer:
        if math.isnan(given):
            return None, ""
        return given <= NEAR, f"On average, your line is off by {share(given)} of the height."
    distance = prediction.distance(given)
    if prediction.ends:
        right = prediction.ends[prediction.answer > 50]
        return distance < 0.5, f"You gave {share(1 - distance)} to “{right}”, which is right."
    said, answer = (quantity(number, prediction.unit) for number in (given, prediction.answer))
    return distance <= NEAR, f"You said {said}; it is {answer}. Distance: {share(distance)} of the scale."


class DrawnLine(QWidget):
    """A line that is drawn over a picture by mouse or keyboard, to predict one of its layers."""

    finished = Signal(float)  # the mean distance from the layer, as a share of the height

    def __init__(self) -> None:
        super().__init__()
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._canvas: PlotCanvas | None = None
        self._layer = ""
        self._points: list[tuple[float, float]] = []  # from left to right
        self._last = 0.0  # position of the newest point
        self._point = (0.0, 0.5)  # that of the keyboard, as shares of the picture
        self._open = False  # whether the line is being drawn
        self.hide()

    def cover(self, canvas: PlotCanvas | None, layer: str, *, drawn: bool) -> None:
        """Lie over another picture, or none; `drawn`: the line is complete already."""
        if canvas is self._canvas and layer == self._layer:
            return
        if self._canvas is not None:
            self._canvas.removeEventFilter(self)
            for signal, slot in self._slots(self._canvas):
                signal.disconnect(slot)
        self._canvas, self._layer, self._points, self._open = canvas, layer, [], not drawn
        self._point = (0.0, 0.5)
        self.setParent(canvas)
        self.setVisible(canvas is not None)
        if canvas is not None:
            canvas.installEventFilter(self)
            for signal, slot in self._slots(canvas):
                signal.connect(slot)
            self.resize(canvas.size())

    def _slots(self, canvas: PlotCanvas) -> tuple[tuple[SignalInstance, Callable[..., None]], ...]:
        return (
            (canvas.pressed, self._add),
            (canvas.moved, self._add),
            (canvas.released, self._end),
            (canvas.nudged, self._move),
        )

    def close_line(self) -> None:
        """Keep the line as it is, below the layer that appears now."""
        self._open = False

    def _add(self, x: float, y: float) -> None:
        """Add a point; the line has one height at each position."""
        if not self._open:
            return
        low, high = sorted((self._last if self._points else x, x))
        kept = (point for point in self._points if not low < point[0] < high and point[0] != x)
        self._points, self._last = sorted([*kept, (x, y)]), x
        self.raise_()  # its surface may have been made anew
        self.update()

    def _move(self, right: int, up: int) -> None:
        """Move the point that Enter adds."""
        x, y = self._point
        self._point = min(max(x + KEY_STEP * right, 0), 1), min(max(y + KEY_STEP * up, 0), 1)
        self.raise_()
        self.update()

    def _end(self, x: float, y: float) -> None:
        canvas = self._canvas
        if not self._open or canvas is None or len(self._points) < 2:
            return
        left, right = canvas.picture.axes.get_xlim()
        if self._points[-1][0] - self._points[0][0] >= WHOLE * (right - left):
            self.finished.emit(self.distance())

    def distance(self) -> float:
        """Return the mean distance of the line from the layer, as a share of the height."""
        from matplotlib.lines import Line2D

        assert self._canvas is not None
        picture = self._canvas.picture
        line = next((one for one in picture.layered.get(self._layer, ()) if isinstance(one, Line2D)), None)
        if line is None:
            return math.nan
        true: Floats = np.asarray(line.get_xydata(), dtype=np.float64)
        drawn = np.array(self._points)
        xs = np.linspace(max(drawn[0, 0], true[0, 0]), min(drawn[-1, 0], true[-1, 0]), POSITIONS)
        if str(line.get_drawstyle()).startswith("steps"):
            heights = true[np.abs(xs[:, None] - true[:, 0]).argmin(axis=1), 1]
        else:
            heights = np.interp(xs, true[:, 0], true[:, 1])
        axes = picture.axes
        shares = [
            axes.transAxes.inverted().transform(axes.transData.transform(np.column_stack((xs, ys))))[:, 1]
            for ys in (heights, np.interp(xs, drawn[:, 0], drawn[:, 1]))
        ]
        return float(np.abs(np.clip(shares[0], 0, 1) - np.clip(shares[1], 0, 1)).mean())

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        canvas = self._canvas
        if event.type() == QEvent.Type.Resize and canvas is not None:
            self.resize(canvas.size())
        if not isinstance(event, QKeyEvent) or event.type() != QEvent.Type.KeyPress or canvas is None:
            return False
        if (
            not self._open
            or canvas.surface is None
            or event.key() not in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        ):
            return False
        axes = canvas.picture.axes
        x, y = axes.transData.inverted().transform(axes.transAxes.transform(self._point)).tolist()
        self._add(x, y)
        self._end(x, y)
        return True

    def paintEvent(self, event: QPaintEvent) -> None:
        canvas = self._canvas
        if canvas is None or canvas.surface is None:
            return
        surface, axes = canvas.surface, canvas.picture.axes
        points = axes.transData.transform(np.reshape(self._points, (-1, 2)))
        if self._open and canvas.hasFocus():
            points = np.vstack([points, axes.transAxes.transform(self._point)])
        pixels = [
            QPointF(surface.x() + x, surface.y() + surface.height() - y)
            for x, y in points / surface.device_pixel_ratio
        ]
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(QColor(canvas.theme.muted), 4, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
        painter.drawPolyline(pixels[: len(self._points)])
        for pixel in pixels[len(self._points) :]:
            painter.drawEllipse(pixel, RADIUS, RADIUS)
