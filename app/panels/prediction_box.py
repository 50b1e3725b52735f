"""Predictions in a lesson: a scale for a number or a bet, and a line drawn over a picture."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, cast

import numpy as np
from PySide6.QtCore import QEvent, QObject, QPointF, Qt, Signal
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QLabel, QPushButton, QSlider, QWidget

from app.lessons.lesson import Prediction
from app.model.wording.numbers import quantity, share
from app.widgets.layouts import line_up, stack

if TYPE_CHECKING:
    from matplotlib.lines import Line2D

    from app.widgets.plot_canvas import PlotCanvas
    from engine.array_types import Floats

DRAW = "Draw the line in the picture with the mouse, from left to right."
NEAR = 0.1
"""Distance, as a share of the scale, up to which a prediction counts as right."""
POSITIONS = 200
"""Positions of the slider."""
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
        self.reveal = QPushButton("&Reveal")
        self.reveal.setToolTip("Fix your prediction, and show the answer")
        self.reveal.clicked.connect(self._on_reveal)
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
    """A line that is drawn with the mouse over a picture, to predict one of its layers."""

    finished = Signal(float)  # the mean distance from the layer, as a share of the height

    def __init__(self) -> None:
        super().__init__()
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._canvas: PlotCanvas | None = None
        self._layer = ""
        self._points: list[tuple[float, float]] = []  # from left to right
        self._last = 0.0  # position of the newest point
        self._open = False  # whether the line is being drawn
        self.hide()

    def cover(self, canvas: PlotCanvas | None, layer: str, *, drawn: bool) -> None:
        """Lie over another picture, or none; `drawn`: the line is complete already."""
        if canvas is self._canvas and layer == self._layer:
            return
        if self._canvas is not None:
            self._canvas.removeEventFilter(self)
            self._canvas.pressed.disconnect(self._add)
            self._canvas.moved.disconnect(self._add)
            self._canvas.released.disconnect(self._end)
        self._canvas, self._layer, self._points, self._open = canvas, layer, [], not drawn
        self.setParent(canvas)
        self.setVisible(canvas is not None)
        if canvas is not None:
            canvas.installEventFilter(self)
            canvas.pressed.connect(self._add)
            canvas.moved.connect(self._add)
            canvas.released.connect(self._end)
            self.resize(canvas.size())

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

    def _end(self, x: float, y: float) -> None:
        canvas = self._canvas
        if not self._open or canvas is None or len(self._points) < 2:
            return
        left, right = canvas.picture.axes.get_xlim()
        if self._points[-1][0] - self._points[0][0] >= WHOLE * (right - left):
            self.finished.emit(self.distance())

    def distance(self) -> float:
        """Return the mean distance of the line from the layer, as a share of the height."""
        assert self._canvas is not None
        picture = self._canvas.picture
        line = cast("Line2D", picture.layered[self._layer][0])
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
        if event.type() == QEvent.Type.Resize and self._canvas is not None:
            self.resize(self._canvas.size())
        return False

    def paintEvent(self, event: QPaintEvent) -> None:
        canvas = self._canvas
        if canvas is None or canvas.surface is None or len(self._points) < 2:
            return
        surface, ratio = canvas.surface, canvas.surface.device_pixel_ratio
        pixels = canvas.picture.axes.transData.transform(np.array(self._points)) / ratio
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(QColor(canvas.theme.muted), 4, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
        painter.drawPolyline(
            [QPointF(surface.x() + x, surface.y() + surface.height() - y) for x, y in pixels]
        )
