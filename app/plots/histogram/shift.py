"""The random shift: the inflated cube, the planes of a level, and the cells that are disbanded."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import PolyCollection
from matplotlib.lines import Line2D

from app.model.theme import Palette
from app.plots.clustering.cloud_places import AIR, joined
from app.plots.clustering.cloud_style import point
from app.plots.elements.artists import set_polygons
from app.plots.elements.legend import LegendEntry, in_lines
from engine.analysis.histogram_maps import CellMap
from engine.array_types import Floats


class ShiftLayer:
    """The shift as a part of the background, over the cells.

    Attributes
    ----------
    cube, kept, dropped, middle : Line2D
    hatched : PolyCollection
        The cells along the perimeter, before they are disbanded.
    """

    def __init__(self, axes: Axes, palette: Palette) -> None:
        self._axes = axes
        self._palette = palette
        self.hatched = PolyCollection([], facecolors="none", edgecolors=palette.local, zorder=1.3)
        self.hatched.set(hatch="///", linewidth=0, in_layout=False, alpha=0.55)
        axes.add_collection(self.hatched, autolim=False)
        self.kept = self._line(1.6, **self._style("kept"))
        self.dropped = self._line(1.65, **self._style("dropped"))
        self.cube = self._line(1.7, **self._style("cube"))
        rim = {"markeredgecolor": palette.card, "markeredgewidth": 1.2}
        self.middle = self._line(
            4.4, color=palette.accent, marker="P", markersize=11, linestyle="none", **rim
        )

    def draw(self, r: CellMap) -> None:
        """Draw the shift of a view within the limits that the axes has; nothing where there is none."""
        for line in (self.cube, self.kept, self.dropped, self.middle):
            line.set_data([], [])
        set_polygons(self.hatched, [])
        if r.shift is None:
            return
        top = self._axes.get_ylim()[1]
        sides = [(direction.side.lower, direction.side.upper) for direction in r.directions]
        reach = np.array([*sides, (0.0, top)][:2], dtype=np.float64)
        self.kept.set_data(*_lines(reach, r.shift.kept).T)
        if r.before:
            self.dropped.set_data(*_lines(reach, r.shift.dropped).T)
            set_polygons(self.hatched, _slabs(reach, r.shift.dropped))
        low, high = np.append(r.shift.lower, 0.0)[:2], np.append(r.shift.upper, top * (1 - AIR))[:2]
        self.cube.set_data(*joined([_box(np.stack([low, high], axis=1))]).T)
        self.middle.set_data(*np.append(r.shift.middle, 0.0)[:2, None])

    def entries(self, r: CellMap) -> Iterator[LegendEntry]:
        """Return what has to be explained about it."""
        shift = r.shift
        if shift is None:
            return
        mark = point("P", self._palette.accent, 9.0, markeredgecolor=self._palette.card)
        name = "interval" if len(shift.lower) == 1 else "cube"
        yield LegendEntry((self._style("cube"), mark), f"shifted {name} around u")
        if any(len(planes) for planes in shift.kept):
            yield LegendEntry((self._style("kept"),), "planes of the level")
        if r.before and any(len(planes) for planes in shift.dropped):
            yield from in_lines(
                (self._style("dropped"),), ["dropped planes, whose", "hatched cells are disbanded"]
            )

    def _style(self, kind: str) -> dict[str, Any]:
        p = self._palette
        return {
            "cube": {"color": p.accent, "linewidth": 1.8, "linestyle": (0, (7.0, 2.5))},
            "kept": {"color": p.truth, "linewidth": 1.0, "linestyle": "solid"},
            "dropped": {"color": p.local, "linewidth": 1.8, "linestyle": (0, (3.0, 1.8))},
        }[kind]

    def _line(self, height: float, **properties: Any) -> Line2D:
        (line,) = self._axes.plot([], [], zorder=height, in_layout=False, **properties)
        return line


def _lines(reach: Floats, planes: tuple[Floats, ...]) -> Floats:
    """Return planes as one line with gaps."""
    parts = [np.full((1, 2), np.nan)]
    for axis, places in enumerate(planes):
        for position in places.tolist():
            ends = reach.T.copy()
            ends[:, axis] = position
            parts += [ends, parts[0]]
    return np.concatenate(parts)


def _slabs(reach: Floats, dropped: tuple[Floats, ...]) -> list[Floats]:
    """Return all that lies beyond the dropped planes."""
    slabs = []
    for axis, places in enumerate(dropped):
        if len(places):
            for ends in ((reach[axis, 0], places.min()), (places.max(), reach[axis, 1])):
                slab = reach.copy()
                slab[axis] = ends
                slabs.append(_box(slab))
    return slabs


def _box(sides: Floats) -> Floats:
    """Return the corners of a box from its sides, shape (2, 2)."""
    (left, right), (bottom, top) = sides
    return np.array([(left, bottom), (right, bottom), (right, top), (left, top)])
