"""A canvas with a picture on the screen, and what is seen of it."""

import numpy as np
from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QApplication

from app.plots.sensitivity.against_k import AgainstK
from app.widgets.plot_canvas import PlotCanvas
from engine.data.order_statistics import Sample
from engine.domain import Interval
from engine.queries import Median
from engine.queries.profile import sensitivity_profile

DOMAIN = Interval(0, 1000)
VALUES = np.linspace(1, 990, 101) ** 2 / 1000


def profile(beta: float = 0.2):
    return sensitivity_profile(Median(), Sample(VALUES, DOMAIN), beta)


def shown_canvas(qtbot) -> PlotCanvas:
    """Return a canvas on the screen that shows a profile."""
    made = PlotCanvas(AgainstK, "Sensitivity of the median")
    qtbot.addWidget(made)
    made.resize(640, 320)
    made.show()
    qtbot.waitExposed(made)
    made.show_result(profile())
    settle()
    return made


def settle() -> None:
    for _ in range(20):
        QApplication.processEvents()


def pixels(canvas: PlotCanvas) -> np.ndarray:
    image = canvas.grab().toImage().convertToFormat(canvas.grab().toImage().Format.Format_RGBA8888)
    return np.array(image.constBits()).reshape(image.height(), image.width(), 4).copy()


def spot(canvas: PlotCanvas, x: float, y: float) -> QPoint:
    """Return where a point of the data is on the surface, in Qt's coordinates."""
    right, up = canvas.picture.axes.transData.transform((x, y))
    ratio = canvas._surface.device_pixel_ratio
    return QPoint(round(right / ratio), round(canvas._surface.height() - up / ratio))
