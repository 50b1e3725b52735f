"""Balls on the data: what is released, the true ones, and the boxes from which they came."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any

import numpy as np
from matplotlib.artist import Artist
from matplotlib.collections import PolyCollection

from app.model.theme import STROKES, Palette
from app.model.wording.numbers import listed, number, quantity
from app.plots.base import Table
from app.plots.clustering.space_picture import (
    HALF_LANE,
    SpacePicture,
    common_unit,
    count_words,
    join_outlines,
    lanes,
    mark_fit,
    outlines,
    place_points,
    place_words,
    point,
    record_rows,
    records_words,
    space_entries,
)
from app.plots.elements.labels import set_polygons
from app.plots.elements.legend import LegendEntry, in_lines
from engine.analysis.ball_scenes import BallCloud, Boxes, Disc
from engine.analysis.shared.records import Records
from engine.array_types import Floats
from engine.domain import Interval

_MARKS = ("mean", "true_mean", "balls", "truth")  # the most important first
_SMALL = 0.2  # of the window: a chosen box that is narrower is also shown enlarged, with its neighbours
_FULL_SIZE, _MIN_SHARE = (0.06, 0.6)  # share of the window where a ball has room for marks; their least share


class BallMap(SpacePicture[BallCloud]):
    """Two directions of the data with balls and boxes; of one direction, a strip of lanes."""

    title = "Balls"
    answer_marks = "lines"
    still = ("records", "boxes")
    layer_fields = MappingProxyType(
        {
            "records": ("records", "whole"),
            "boxes": ("boxes",),
            "truth": ("truth", "true_mean"),
            "released": ("balls", "mean"),
        }
    )

    def build(self) -> None:
        super().build()
        # below the records, the fullest one on top: cells may overlap
        self._boxes = PolyCollection([], edgecolors=box_rim(self.palette), linewidths=0.7, zorder=1.05)
        self.axes.add_collection(self._boxes, autolim=False)
        self._winner = self.still_line("accent", linewidth=3.0, zorder=1.6)
        self._fill = self.add(PolyCollection([], facecolors=self.palette.released, alpha=FILL, zorder=2.2))
        self._rims = {
            "truth": self.line("truth", **RIMS["truth"], zorder=2.6),
            "balls": self.line("released", **RIMS["balls"], zorder=2.8),
        }
        self._marks = {
            mark: self.line("truth", linestyle="none", zorder=zorder, **centre_style(mark, self.palette))
            for mark, zorder in (("balls", 4.0), ("truth", 4.1), ("mean", 4.2), ("true_mean", 4.3))
        }
        self.enlarged = (self._boxes, self._winner, self._fill, *self._rims.values(), *self._marks.values())

    def show(self, result: BallCloud) -> None:
        super().show(result)
        set_polygons(self._fill, _circles(result, "balls", result.balls))
        fit = _fit(result)
        for kind, rim in self._rims.items():
            rim.set_data(*join_outlines(_circles(result, kind, getattr(result, kind))).T)
            rim.set_linestyle(_rim_style(result, kind)["linestyle"])
        for mark, line in self._marks.items():
            line.set_data(*_places(result, mark).T)
            line.set_markersize(fit * centre_style(mark, self.palette)["markersize"])
        self._legend.set_entries(list(legend_entries(result, self.palette)))

    def whole_of(self, r: BallCloud) -> Records | None:
        return r.whole

    def enlarged_part(self, r: BallCloud) -> tuple[Interval, ...] | None:
        """Return a small chosen box and its neighbours."""
        if r.flat or r.is_closeup or r.boxes is None or r.boxes.chosen is None:
            return None
        low, high = r.boxes.lower[r.boxes.chosen], r.boxes.upper[r.boxes.chosen]
        sides = high - low
        if (sides >= _SMALL * np.array([side.width for side in r.window])).any():
            return None
        return tuple(map(Interval, (low - sides).tolist(), (high + sides).tolist()))

    # What can be asked of it.

    def tooltip_at(self, r: BallCloud, x: float, y: float) -> str:
        for mark in _MARKS:
            nearest = self._nearest(_places(r, mark), x, y)
            if nearest is not None and mark in self._rims:
                return ball_words(r, mark, nearest)
            if nearest is not None:
                return f"{mean_words(r, mark)}: {place_words(r, getattr(r, mark))}"
        for kind in self._rims:
            for index, rim in enumerate(_circles(r, kind, getattr(r, kind))):
                inside = (rim.min(axis=0) <= (x, y)).all() and (rim.max(axis=0) >= (x, y)).all()
                if inside if r.flat else self._nearest(rim, x, y) is not None:
                    return ball_words(r, kind, index)
        return self._box_under(r, x, y) or self._records_under(r, x, y)

    def answer_path(self, r: BallCloud, answer: BallCloud) -> Floats:
        return join_outlines(_circles(r, "balls", answer.balls))

    def summary(self) -> str:
        r = self.result
        held = r.balls[0].held if r is not None and len(r.balls) == 1 else None
        if r is None or held is None:
            return ""
        some = f"{number(held)} of the {number(r.target)} wanted" if r.target else count_words(held)
        which = "This run's" if r.simulated else "This"
        return f"{which} ball holds {some}"

    def alt_text_of(self, r: BallCloud) -> str:
        texts = []
        if r.records is not None:
            texts.append(records_words(r).removesuffix(", by density"))
        for kind, discs in (("balls", r.balls), ("truth", r.truth)):
            texts += [ball_words(r, kind, index) for index in range(len(discs))]
        for mark in ("mean", "true_mean"):
            mean = getattr(r, mark)
            if mean is not None:
                texts.append(f"{mean_words(r, mark)}: {place_words(r, mean)}")
        if r.boxes is not None:
            texts.append(" ".join(boxes_words(r)))
            if r.boxes.chosen is not None:
                texts.append(box_words(r, r.boxes.chosen))
        names = " and ".join(direction.name for direction in r.directions)
        return f"Along {names}: {'; '.join(texts) or 'nothing to see yet'}."

    def table_of(self, r: BallCloud) -> Table:
        header = ["mark", "number or count", "radius"]
        header += [direction.name for direction in r.directions]
        rows: list[list[Any]] = []
        released = f"{'simulated' if r.simulated else 'released'} ball"
        for name, discs in ((released, r.balls), ("true ball", r.truth)):
            rows += [[name, i, float(disc.radius), *disc.center.tolist()] for i, disc in enumerate(discs, 1)]
        for mark in ("mean", "true_mean"):
            mean = getattr(r, mark)
            if mean is not None:
                rows.append([mean_words(r, mark), "", "", *mean.tolist()])
        return header, rows + self._box_rows(r) + [[mark, i, "", *at] for mark, i, _, *at in record_rows(r)]

    def _box_rows(self, r: BallCloud) -> list[list[Any]]:
        boxes = r.boxes
        if boxes is None:
            return []
        rows: list[list[Any]] = []
        for position in boxes.shown[::-1].tolist():
            name, count = f"cell{' (chosen)' * (position == boxes.chosen)}", int(boxes.counts[position])
            rows += [[f"{name}, lower corner", count, "", *boxes.lower[position].tolist()]]
            rows += [[f"{name}, upper corner", count, "", *boxes.upper[position].tolist()]]
        return rows

    def _box_under(self, r: BallCloud, x: float, y: float) -> str:
        if r.boxes is None:
            return ""
        low, high = _corners(r, r.boxes)
        order = r.boxes.shown[::-1]
        if r.boxes.chosen is not None:
            order = np.concatenate([[r.boxes.chosen], order])
        at = np.array([x, y])
        under = np.asarray(((low <= at) & (high >= at)).all(axis=1))
        here = order[under[order]]
        return box_words(r, int(here[0])) if here.size else ""

    # How it is drawn.

    def _within_box(self) -> tuple[Artist, ...]:
        return self._boxes, self._fill, *self._rims.values()

    def _draw_still(self, r: BallCloud) -> None:
        self._winner.set_data([], [])
        set_polygons(self._boxes, [])
        if r.boxes is not None and len(r.boxes.counts):
            self._draw_boxes(r, r.boxes)
        if r.boxes is not None and r.boxes.chosen is not None:
            low, high = (corner[r.boxes.chosen] for corner in _corners(r, r.boxes))
            self._winner.set_data(*join_outlines([_rectangle(low, high)]).T)

    def _draw_boxes(self, r: BallCloud, boxes: Boxes) -> None:
        low, high = _corners(r, boxes)
        set_polygons(self._boxes, [_rectangle(low[i], high[i]) for i in boxes.shown])
        shares = FAINT + (DENSE - FAINT) * np.sqrt(
            boxes.counts[boxes.shown] / max(int(boxes.counts.max()), 1)
        )
        p = self.palette
        self._boxes.set_facecolor([p.tint(p.accent, share) for share in shares.tolist()])


def _circles(r: BallCloud, kind: str, discs: Any) -> list[Floats]:
    if not len(discs):
        return []
    a = len(r.directions)
    radii = np.array([[disc.radius] * a for disc in discs])
    return outlines(r, kind, np.array([disc.center for disc in discs]), radii)


def _fit(r: BallCloud) -> float:
    """Return how large the marks of centers may be beside the balls, as a share of their size."""
    sizes = [disc.radius for disc in (*r.balls, *r.truth) if disc.radius > 0]
    if r.flat or not sizes:
        return 1.0
    return mark_fit(r, min(sizes), _FULL_SIZE, _MIN_SHARE)


def _rim_style(r: BallCloud, kind: str) -> dict[str, Any]:
    """Return the line around balls; around small ones there is no room for dashes."""
    return {**RIMS[kind]} if _fit(r) > _MIN_SHARE else {**RIMS[kind], "linestyle": "solid"}


def _places(r: BallCloud, mark: str) -> Floats:
    """Return where centers or a mean are drawn, shape (size, 2)."""
    known = getattr(r, mark)
    if mark in ("balls", "truth"):
        return place_points(r, mark, np.array([disc.center for disc in known]) if known else None)
    return place_points(r, "balls" if mark == "mean" else "truth", known)


def _corners(r: BallCloud, boxes: Boxes) -> tuple[Floats, Floats]:
    """Return the corners of boxes as they are drawn, two arrays of shape (m, 2)."""
    if not r.flat:
        return boxes.lower, boxes.upper
    lane = np.full((len(boxes.counts), 1), float(lanes(r)["boxes"]))
    return np.hstack([boxes.lower, lane - HALF_LANE]), np.hstack([boxes.upper, lane + HALF_LANE])


def _rectangle(low: Floats, high: Floats) -> Floats:
    return np.array([low, (high[0], low[1]), high, (low[0], high[1])])


FILL = 0.14  # opacity of a ball
DENSE, FAINT = 0.55, 0.06
"""Shares of the accent colour where a box is fullest, and where it holds almost no points."""

RIMS: Mapping[str, Mapping[str, Any]] = {
    "truth": {"linewidth": 1.6, "linestyle": "solid"},
    "balls": {"linewidth": 2.0, "linestyle": STROKES["released"].linestyle},
}


def centre_style(mark: str, palette: Palette) -> dict[str, Any]:
    rim = {"markeredgecolor": palette.card, "markeredgewidth": 1.0}
    return {
        "truth": {"marker": "+", "markersize": 12, "markeredgewidth": 1.5, "color": palette.truth},
        "balls": {"marker": "o", "markersize": 7.0, "color": palette.released, **rim},
        "true_mean": {"marker": "x", "markersize": 9, "markeredgewidth": 1.8, "color": palette.truth},
        "mean": {"marker": "v", "markersize": 11, "color": palette.released, **rim},
    }[mark]


def box_rim(palette: Palette) -> str:
    return palette.tint(palette.accent, 0.6)


def legend_entries(r: BallCloud, palette: Palette) -> Iterator[LegendEntry]:
    p = palette
    yield from space_entries(r, p)
    if r.boxes is not None:
        fills = (p.tint(p.accent, share) for share in (2 * FAINT, DENSE))
        samples = tuple(point("s", fill, 9.0, markeredgecolor=box_rim(p)) for fill in fills)
        yield from in_lines(samples, boxes_words(r))
        if r.boxes.chosen is not None:
            winner = point("s", p.accent, 10.0, markerfacecolor="none", markeredgewidth=2.4)
            yield LegendEntry((winner,), f"chosen: {count_words(int(r.boxes.counts[r.boxes.chosen]))}")
    for kind, role, text in (("truth", "truth", truth_words), ("balls", "released", balls_words)):
        if getattr(r, kind):
            rim = {"color": getattr(p, role), **_rim_style(r, kind)}
            yield from in_lines((rim, centre_style(kind, p)), text(r))
    for mark in ("true_mean", "mean"):
        if getattr(r, mark) is not None:
            yield LegendEntry((centre_style(mark, p),), mean_words(r, mark))


def balls_words(view: BallCloud) -> list[str]:
    if len(view.balls) != 1:
        return [f"{number(len(view.balls))} {'simulated' if view.simulated else 'released'} balls"]
    if view.boxes is not None and view.balls[0].held is None:  # the tab of the ball says more
        return ["ball of this simulated run"]
    name, ball = "this simulated run:" if view.simulated else "released ball:", view.balls[0]
    center = listed(number(value, 4) for value in ball.center.tolist())
    return [name, size_words(view, ball), f"center ({center})"]


def truth_words(view: BallCloud) -> list[str]:
    """Say in lines what the balls are that they are compared with."""
    if len(view.truth) != 1:
        return [f"{number(len(view.truth))} true balls"]
    return ["true ball:", size_words(view, view.truth[0])]


def size_words(view: BallCloud, disc: Disc) -> str:
    if disc.radius == 0:
        return "a single point" if disc.held is None else f"{count_words(disc.held)} at one point"
    radius = quantity(disc.radius, common_unit(view))
    return f"radius {radius}" if disc.held is None else f"{count_words(disc.held)} within {radius}"


def mean_words(view: BallCloud, mark: str) -> str:
    if mark == "true_mean":
        return "true mean inside"
    return f"{'simulated' if view.simulated else 'released'} mean inside"


def boxes_words(view: BallCloud) -> list[str]:
    boxes = view.boxes
    assert boxes is not None
    of_several = f"try {boxes.partition + 1} of {boxes.partitions}: " if boxes.partitions > 1 else ""
    shown = len(boxes.shown)
    which = f"fullest {number(shown)} of " * (shown < len(boxes.counts))
    more = ["stronger = more records"]
    if boxes.chosen is not None:
        near = np.abs(boxes.lower - boxes.lower[boxes.chosen]) < 0.99 * boxes.side  # others only touch
        more += ["(cells overlap)"] * (int(near.all(axis=1).sum()) > 1)
    return [f"{of_several}{which}{number(boxes.held)} cells;", *more]


def ball_words(view: BallCloud, kind: str, index: int) -> str:
    discs = view.balls if kind == "balls" else view.truth
    if kind == "truth":
        name = f"true ball (the smallest around a record that holds {number(view.target)})"
    else:
        name = f"{'simulated' if view.simulated else 'released'} ball"
    which = f" {number(index + 1)} of {number(len(discs))}" if len(discs) > 1 else ""
    disc = discs[index]
    return f"{name}{which}: {size_words(view, disc)}, center {place_words(view, disc.center)}"


def box_words(view: BallCloud, index: int) -> str:
    assert view.boxes is not None
    sides = ", ".join(
        f"{direction.name} {quantity(low, direction.unit)} to {quantity(high, direction.unit)}"
        for direction, low, high in zip(
            view.directions, view.boxes.lower[index].tolist(), view.boxes.upper[index].tolist(), strict=True
        )
    )
    chosen = " (chosen)" * (index == view.boxes.chosen)
    return f"{count_words(int(view.boxes.counts[index]))} in the cell {sides}{chosen}"
