"""Figures of matplotlib drawn by Qt: lines and letters of a PDF stay lines, however large they are seen."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from matplotlib.backend_bases import FigureCanvasBase, GraphicsContextBase, RendererBase
from matplotlib.figure import Figure
from matplotlib.path import Path
from matplotlib.transforms import Affine2D, Transform
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPainterPath, QPen

_CAPS = {
    "butt": Qt.PenCapStyle.FlatCap,
    "round": Qt.PenCapStyle.RoundCap,
    "projecting": Qt.PenCapStyle.SquareCap,
}
_JOINS = {
    "miter": Qt.PenJoinStyle.MiterJoin,
    "round": Qt.PenJoinStyle.RoundJoin,
    "bevel": Qt.PenJoinStyle.BevelJoin,
}
_HATCH = 72.0
"""Side of a tile of hatching, in points."""


def paint_figure(
    figure: Figure, painter: QPainter, target: QRectF, step: Callable[[], None] = lambda: None
) -> None:
    """Draw a figure in a rectangle, which has its shape; `step` is called before each line of it."""
    if figure.canvas is None:
        FigureCanvasBase(figure)
    width, height = figure.bbox.width, figure.bbox.height
    painter.save()
    renderer = QtRenderer(painter, width, height, figure.dpi, step)
    try:
        painter.translate(target.topLeft())
        painter.scale(target.width() / width, target.height() / height)
        figure.draw(renderer)
    finally:  # whoever cancels in the middle leaves a painter that can be ended
        painter.restore()


class QtRenderer(RendererBase):
    """Draws with a painter; one unit is a pixel of the figure.

    Letters are drawn as outlines, so that they look the same wherever the file is read.
    """

    def __init__(
        self, painter: QPainter, width: float, height: float, dpi: float, step: Callable[[], None]
    ) -> None:
        super().__init__()
        self._step = step
        self._painter = painter
        self._width, self._height, self._dpi = width, height, dpi
        self._down = Affine2D().scale(1, -1).translate(0, height)

    def get_canvas_width_height(self) -> tuple[float, float]:
        """Return the size of the figure."""
        return self._width, self._height

    def points_to_pixels(self, points: Any) -> Any:
        """Return a length in pixels of the figure."""
        return points * self._dpi / 72

    def draw_path(
        self, gc: GraphicsContextBase, path: Path, transform: Transform, rgbFace: Any = None
    ) -> None:
        """Fill and stroke a path."""
        self._step()
        painter = self._painter
        painter.save()
        self._clip(gc)
        outline = self._outline(path, transform)
        if rgbFace is not None:
            painter.fillPath(outline, _colour(rgbFace, gc))
        if gc.get_hatch() is not None:
            self._hatch(gc, outline)
        if gc.get_linewidth() > 0:
            painter.strokePath(outline, self._pen(gc))
        painter.restore()

    def draw_image(self, gc: GraphicsContextBase, x: float, y: float, im: Any, transform: Any = None) -> None:
        """Draw an image, of which the first row is the lowest."""
        pixels = np.ascontiguousarray(np.asarray(im)[::-1])
        height, width = pixels.shape[:2]
        image = QImage(pixels.data, width, height, 4 * width, QImage.Format.Format_RGBA8888)
        self._painter.save()
        self._clip(gc)
        self._painter.drawImage(QPointF(x, self._height - y - height), image.copy())
        self._painter.restore()

    def _outline(self, path: Path, transform: Transform) -> QPainterPath:
        outline = QPainterPath()
        corners: Any
        for corners, code in path.iter_segments(transform + self._down, simplify=None):
            if code == Path.MOVETO:
                outline.moveTo(*corners)
            elif code == Path.LINETO:
                outline.lineTo(*corners)
            elif code == Path.CURVE3:
                outline.quadTo(*corners)
            elif code == Path.CURVE4:
                outline.cubicTo(*corners)
            elif code == Path.CLOSEPOLY:
                outline.closeSubpath()
        return outline

    def _clip(self, gc: GraphicsContextBase) -> None:
        box = gc.get_clip_rectangle()
        if box is not None:
            rectangle = QRectF(box.x0, self._height - box.y1, box.width, box.height)
            self._painter.setClipRect(rectangle, Qt.ClipOperation.IntersectClip)
        path, transform = gc.get_clip_path()
        if path is not None and transform is not None:
            # a `Path`, whatever the stub says
            outline = self._outline(path, transform)  # type: ignore[arg-type]
            self._painter.setClipPath(outline, Qt.ClipOperation.IntersectClip)

    def _pen(self, gc: GraphicsContextBase) -> QPen:
        width = self.points_to_pixels(gc.get_linewidth())
        pen = QPen(_colour(gc.get_rgb(), gc), width)
        pen.setCapStyle(_CAPS[gc.get_capstyle()])
        pen.setJoinStyle(_JOINS[gc.get_joinstyle()])
        offset, dashes = gc.get_dashes()
        if dashes is not None:
            # Qt measures dashes in widths of the pen
            scale = self.points_to_pixels(1.0) / width
            pen.setDashPattern([float(dash) * scale for dash in np.ravel(dashes)])
            pen.setDashOffset(float(offset) * scale)
        return pen

    def _hatch(self, gc: GraphicsContextBase, outline: QPainterPath) -> None:
        """Lay tiles of hatching on what is inside."""
        painter, tile = self._painter, self.points_to_pixels(_HATCH)
        pattern = self._outline(gc.get_hatch_path(), Affine2D().scale(tile))
        pen = QPen(_colour(gc.get_hatch_color(), gc), self.points_to_pixels(gc.get_hatch_linewidth()))
        painter.save()
        painter.setClipPath(outline, Qt.ClipOperation.IntersectClip)
        around = outline.boundingRect()
        pattern.translate(0, tile - self._height)
        for x in np.arange(np.floor(around.left() / tile), np.ceil(around.right() / tile)) * tile:
            for y in np.arange(np.floor(around.top() / tile), np.ceil(around.bottom() / tile)) * tile:
                painter.strokePath(pattern.translated(float(x), float(y)), pen)
        painter.restore()


def _colour(rgba: Any, gc: GraphicsContextBase) -> QColor:
    """Return a colour, with the transparency of the artist where that counts."""
    own = rgba[3] if len(rgba) > 3 else 1.0
    red, green, blue = map(float, rgba[:3])
    return QColor.fromRgbF(red, green, blue, float(gc.get_alpha() if gc.get_forced_alpha() else own))
