"""An isolation attack: a query point on the cells, and how many records lie around it."""

from __future__ import annotations

from collections.abc import Iterator
from types import MappingProxyType
from typing import Any

import numpy as np
from matplotlib.collections import PolyCollection

from app.model.wording.numbers import number, quantity
from app.plots.base import Table
from app.plots.clustering.space_picture import (
    DOTS,
    HALF_LANE,
    REACH,
    SpacePicture,
    common_unit,
    join_outlines,
    lanes,
    mark_fit,
    outlines,
    place_points,
    place_words,
    point,
    space_entries,
)
from app.plots.elements.labels import set_polygons
from app.plots.elements.legend import LegendEntry
from app.plots.histogram.cells import (
    CellLayer,
    border,
    caption_of,
    cell_rows,
    cells_words,
    draw_records,
    place_header,
    record_rows,
    shade,
)
from engine.analysis.histogram_maps import QueryMap
from engine.array_types import Floats

_LIGHT = 0.45  # strength of the shades: cells are only what the attacker looks at
_FILL = 0.13
_GRAB = 2.0  # the query point is hit from so many times as far as other marks
_FULL_SIZE, _MIN_SHARE = 0.16, 0.55  # share of the window where a ball has room for marks; their least share
_QUERY: dict[str, Any] = {"marker": "x", "markersize": 12, "markeredgewidth": 3.0}
_NEAREST: dict[str, Any] = {"marker": "o", "markersize": 9, "markerfacecolor": "none", "markeredgewidth": 1.8}
_INNER: dict[str, Any] = {"linewidth": 1.6, "linestyle": "solid"}
_OUTER: dict[str, Any] = {"linewidth": 2.2, "linestyle": (0, (5.0, 2.2))}


class IsolationMap(SpacePicture[QueryMap]):
    """A guess, the circles to the nearest record and c times as far, and the verdict in words."""

    title = "Isolation attack"
    caption = caption_of
    still = ("records", "cells")
    layer_fields = MappingProxyType({"records": ("records",), "attack": ("verdict",)})

    def build(self) -> None:
        super().build()
        self._records = self._dots, *(self.still_line("truth", **DOTS) for _ in range(2))
        self._layer = CellLayer(self.axes, self.palette, _LIGHT)
        self._fill = self.add(PolyCollection([], facecolors=self.palette.local, alpha=_FILL, zorder=2.2))
        self._outer = self.line("local", **_OUTER, zorder=2.6)
        self._inner = self.line("local", **_INNER, zorder=2.6)
        self._link = self.line("truth", linewidth=1.2, zorder=2.8)
        # the records that are counted where they are few, else the nearest one: others are a sample
        self._inside = self.line("truth", **DOTS | {"zorder": 2.9, "markersize": 3.5})
        self._nearest_mark = self.line("truth", linestyle="none", zorder=4.0, **_NEAREST)
        self._query = self.line("local", linestyle="none", zorder=4.5, **_QUERY)
        self._sentence = self.sentence_above()

    def show(self, result: QueryMap) -> None:
        super().show(result)
        self._query.set_data(*place_points(result, "query", result.position).T)
        inner, outer = self._rims(result)
        self._inner.set_data(*join_outlines(inner).T)
        self._outer.set_data(*join_outlines(outer).T)
        set_polygons(self._fill, outer)
        near = result.nearest
        self._nearest_mark.set_data(*place_points(result, "query", near).T)
        v = result.verdict
        counted = None if v is None else (v.within if v.isolates else v.nearest[None])[:, list(result.axes)]
        self._inside.set_data(*place_points(result, "query", counted).T)
        ends = None if near is None else np.stack([result.position, near])
        self._link.set_data(*place_points(result, "query", ends).T)
        reach = np.inf if v is None else result.c * v.distance
        fit = mark_fit(result, reach, _FULL_SIZE, _MIN_SHARE)
        self._query.set_markersize(fit * _QUERY["markersize"])
        self._nearest_mark.set_markersize(fit * _NEAREST["markersize"])
        self._sentence.set_text(verdict_words(result))
        self._legend.set_entries(list(self._entries(result)))

    # What can be asked of it.

    def grabs(self, x: float, y: float) -> bool:
        """Tell whether the query point is at a place of the axes, so that it can be dragged."""
        if self.result is None:
            return False
        at = place_points(self.result, "query", self.result.position)
        return self.nearest(at, x, y, _GRAB * REACH) is not None

    def tooltip_at(self, r: QueryMap, x: float, y: float) -> str:
        if self.grabs(x, y):
            return f"guess: {place_words(r, r.position)} (drag it)"
        near = r.nearest
        if near is not None and self._nearest(place_points(r, "query", near), x, y) is not None:
            return f"the nearest record: {place_words(r, near)}"
        if r.flat and abs(y - lanes(r)["cells"]) > HALF_LANE:
            return ""
        return self._layer.words_at(r.directions, x, y)

    def alt_text_of(self, r: QueryMap) -> str:
        return f"Guess at {place_words(r, r.position)} on {cells_words(r.cells)}. {verdict_words(r)}"

    def table_of(self, r: QueryMap) -> Table:
        rows: list[list[Any]] = [["guess", "", *np.repeat(r.position, 2).tolist()]]
        v, near = r.verdict, r.nearest
        if v is not None and near is not None:
            rows.append(["nearest record", 1, *np.repeat(near, 2).tolist()])
            circles = ("small circle", 1.0, ""), ("large circle", r.c, len(v.within))
            for name, factor, held in circles:
                radius = factor * v.distance
                ends = np.stack([r.position - radius, r.position + radius], axis=1).ravel()
                rows.append([name, held, *ends.tolist()])
        return ["mark", "count", *place_header(r.directions)], rows + cell_rows(r.cells) + record_rows(r)

    # How it is drawn.

    def _draw_records(self, r: QueryMap) -> None:
        super()._draw_records(r)
        dots = place_points(r, "records", None if r.records is None else r.records.dots)
        draw_records(self._records, dots, self.palette, strip=r.flat)

    def _draw_still(self, r: QueryMap) -> None:
        lane = float(lanes(r).get("cells", 0.0))
        self._layer.draw(r.cells, per_area=True, lane=(lane - HALF_LANE, lane + HALF_LANE))

    def _rims(self, r: QueryMap) -> tuple[list[Floats], list[Floats]]:
        """Return the outlines of both balls; they are circles in the unit of the data."""
        if r.verdict is None:
            return [], []
        center = r.position[None]
        inner, outer = (
            outlines(r, "query", center, np.full(center.shape, radius))
            for radius in (r.verdict.distance, r.c * r.verdict.distance)
        )
        return inner, outer

    def _entries(self, r: QueryMap) -> Iterator[LegendEntry]:
        p = self.palette
        yield from space_entries(r, p, p.truth)
        cell = point("s", shade(p, 0.6, _LIGHT), 9.0, markeredgecolor=border(p))
        blank = "; blank: 0 or less" * bool((r.cells.counts <= 0).any() and not r.cells.spread)
        yield LegendEntry((cell,), cells_words(r.cells).split(" (")[0] + blank)
        yield LegendEntry(({**_QUERY, "color": p.local, "markersize": 9},), "attacker's guess: drag it")
        if r.verdict is not None:
            inner = quantity(r.verdict.distance, common_unit(r))
            nearest = {"color": p.local, **_INNER}, {**_NEAREST, "color": p.truth}
            yield LegendEntry(nearest, f"nearest record at {inner}")
            held = number(len(r.verdict.within))
            yield LegendEntry(({"color": p.local, **_OUTER},), f"c = {number(r.c)} × as far: {held} inside")
            if len(r.query) > len(r.directions):
                yield LegendEntry((), f"(balls of {number(len(r.query))} dimensions)")


def verdict_words(view: QueryMap) -> str:
    """Say whether the guess isolates the nearest record, and why."""
    v = view.verdict
    if v is None:
        return "Whether this guess isolates a record depends on the data, which are not shown here."
    count = len(v.within)
    held = f"{number(count)} lie{'s' * (count == 1)} in the dashed {'interval' if view.flat else 'circle'}"
    isolated = "a record: only" if v.isolates else "no record:"
    return f"The attacker isolates {isolated} {held}; the test asks for {number(view.t)}."
