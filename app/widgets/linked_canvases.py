"""Two pictures beside each other: the same axes where they measure the same, one zoom, one pointer."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from weakref import WeakSet

import numpy as np
from PySide6.QtCore import QObject

from app.plots.base import Picture
from app.plots.elements.zoom import Direction, to_scale
from app.widgets.deferred import deferred_call
from app.widgets.plot_canvas import PlotCanvas, PlotSurface

Limits = Mapping[Direction, tuple[float, float]]

PROBES = 9
"""Places at which two scales are compared."""

DIRECTIONS: tuple[Direction, Direction] = ("x", "y")


class CanvasLink(QObject):
    """Keeps two canvases alike, as long as it lives and both are seen."""

    def __init__(self, first: PlotCanvas, second: PlotCanvas, parent: QObject) -> None:
        super().__init__(parent)
        self._pair = first, second
        self._followed: WeakSet[PlotSurface] = WeakSet()
        self._later = deferred_call(self, self._match)
        for canvas in self._pair:
            canvas.updated.connect(self._on_updated)
        self._later.start()

    def end(self) -> None:
        """Let each have its own axes again."""
        for canvas in self._pair:
            _share(canvas, {})
        self.deleteLater()

    def _on_updated(self) -> None:
        """Wait for the other one: both show something new in the same moment."""
        self._later.start()

    def _match(self) -> None:
        """Give both the same limits where they have the same axis."""
        for canvas in self._pair:
            self._follow(canvas.surface)
        first, second = (canvas.picture if canvas.has_picture else None for canvas in self._pair)
        if first is None or second is None:
            return
        common = {
            direction: _union(first.zoom.own_limits(direction), second.zoom.own_limits(direction))
            for direction in DIRECTIONS
            if is_same_axis(first, second, direction)
        }
        for canvas in self._pair:
            _share(canvas, common)

    def _follow(self, surface: PlotSurface | None) -> None:
        """Hear of the zoom and the pointer of a surface: a canvas has another one in another theme."""
        if surface is not None and surface not in self._followed:
            self._followed.add(surface)
            surface.zoomed.connect(self._on_zoomed)
            surface.hovered.connect(self._on_hovered)
            surface.left.connect(self._on_left)

    def _sides(self) -> tuple[PlotSurface, PlotSurface] | None:
        """Return the surface that has said something, and the other one, if both show something."""
        surface = self.sender()
        others = [canvas.surface for canvas in self._pair if canvas.surface is not surface]
        if not isinstance(surface, PlotSurface) or len(others) != 1 or others[0] is None:
            return None
        return (surface, others[0]) if others[0].picture.result is not None else None

    def _on_zoomed(self) -> None:
        sides = self._sides()
        if sides is None:
            return
        here, there = (one.picture for one in sides)
        same = [one for one in DIRECTIONS if is_same_axis(here, there, one)]
        shares = {one: share for one, share in here.zoom.shares.items() if one in same}
        own = {one: share for one, share in there.zoom.shares.items() if one not in same}
        if there.zoom.show_shares({**own, **shares}):
            sides[1].look_again()

    def _on_hovered(self, x: float, y: float) -> None:
        """Let the line of the other picture stand at the same place of the same axis."""
        sides = self._sides()
        if sides is not None and is_same_axis(sides[0].picture, sides[1].picture, "x"):
            sides[1].picture.point_at(x, y)
            sides[1].draw_over()

    def _on_left(self) -> None:
        sides = self._sides()
        if sides is not None and sides[1].picture.cursor.get_visible():
            sides[1].picture.point_away()
            sides[1].draw_over()


def is_same_axis(first: Picture[Any], second: Picture[Any], direction: Direction) -> bool:
    """Tell whether two pictures measure the same along a direction, on the same scale."""
    names = [_axis_name(picture, direction) for picture in (first, second)]
    limits = [one.zoom.own_limits(direction) for one in (first, second)]
    if not names[0][0].strip() or names[0] != names[1] or not all(low < high for low, high in limits):
        return False
    low, high = _union(*limits)
    # scales with a linear part near zero may have it elsewhere
    places = np.linspace(low, high, PROBES)
    here, there = (to_scale(one.axes, direction, places) for one in (first, second))
    return bool(np.allclose(here, there, equal_nan=True))


def _axis_name(picture: Picture[Any], direction: Direction) -> tuple[str, str, str]:
    axes = picture.axes
    if direction == "x":
        return axes.get_xlabel(), axes.get_xscale(), picture.unit
    return axes.get_title(loc="left"), axes.get_yscale(), picture.unit


def _union(one: tuple[float, float], other: tuple[float, float]) -> tuple[float, float]:
    return min(one[0], other[0]), max(one[1], other[1])


def _share(canvas: PlotCanvas, common: Limits) -> None:
    if canvas.surface is not None and canvas.has_result and canvas.picture.zoom.share_limits(common):
        canvas.surface.look_again(other_room=True)
