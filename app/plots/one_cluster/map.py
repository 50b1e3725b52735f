"""Balls on the data: what is released, the true ones, and the boxes from which they came."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.collections import PolyCollection
from matplotlib.transforms import offset_copy

from app.model.theme import LIGHT, Palette
from app.model.wording.numbers import number
from app.plots.base import Table
from app.plots.clustering.cloud_places import HALF_LANE, joined, lanes, limits, outlines, placed
from app.plots.clustering.cloud_words import cell_words, place_words
from app.plots.clustering.space_picture import SpacePicture
from app.plots.elements.artists import figure_of, set_polygons
from app.plots.one_cluster.style import DENSE, FAINT, FILL, RIMS, box_rim, centre_style, legend_entries
from app.plots.one_cluster.words import ball_table, ball_words, box_words, mean_words, summary_words
from engine.analysis.ball_scenes import BallCloud, Boxes
from engine.array_types import Floats

_MARKS = ("mean", "true_mean", "balls", "truth")  # the most important first
_SMALL = 0.03  # of the window: a box that is narrower has a mark of its own
_ROOMY, _MIN_SHARE = (
    0.06,
    0.6,
)  # share of the window where a ball has room for marks; their least share
_OFF, _EDGE, _HIGH = 5, 0.05, 0.92  # of the count beside the box: how far off, and where it has room


class BallMap(SpacePicture[BallCloud]):
    """Two directions of the data with balls and boxes; of one direction, a strip of lanes."""

    title = "Balls"
    still = ("records", "boxes")

    def __init__(self, axes: Axes, palette: Palette = LIGHT, unit: str = "") -> None:
        super().__init__(axes, palette, unit)
        # below the records, the fullest one on top: cells may overlap
        self._boxes = PolyCollection([], edgecolors=box_rim(palette), linewidths=0.7, zorder=1.05)
        axes.add_collection(self._boxes, autolim=False)
        self._winner = self.still_line("accent", linewidth=3.0, zorder=1.6)
        self._spot = self.still_line("accent", marker="s", markersize=12, markerfacecolor="none", zorder=1.6)
        self._spot.set(markeredgewidth=2.4, linestyle="none")
        self._held = axes.text(0, 0, "", fontsize=9.5, fontweight="bold", ha="center", zorder=5)
        self._held.set(color=palette.text(palette.accent), in_layout=False)
        self._held.set_bbox({"facecolor": palette.card, "edgecolor": "none", "pad": 1.5, "alpha": 0.85})
        self._fill = self.add(PolyCollection([], facecolors=palette.released, alpha=FILL, zorder=2.2))
        self._rims = {
            "truth": self.line("truth", **RIMS["truth"], zorder=2.6),
            "balls": self.line("released", **RIMS["balls"], zorder=2.8),
        }
        self._marks = {
            mark: self.line("truth", linestyle="none", zorder=zorder, **centre_style(mark, palette))
            for mark, zorder in (("truth", 4.0), ("balls", 4.1), ("true_mean", 4.2), ("mean", 4.3))
        }

    def show(self, result: BallCloud) -> None:
        super().show(result)
        set_polygons(self._fill, _circles(result, "balls", result.balls))
        for kind, rim in self._rims.items():
            rim.set_data(*joined(_circles(result, kind, getattr(result, kind))).T)
        fit = _fit(result)
        for mark, line in self._marks.items():
            line.set_data(*_places(result, mark).T)
            line.set_markersize(fit * centre_style(mark, self.palette)["markersize"])
        self._legend.set_entries(list(legend_entries(result, self.palette)))

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

    def alt_text_of(self, r: BallCloud) -> str:
        return summary_words(r)

    def table_of(self, r: BallCloud) -> Table:
        return ball_table(r)

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

    def _records_under(self, r: BallCloud, x: float, y: float) -> str:
        if r.records is not None and r.records.dots is not None:
            nearest = self._nearest(placed(r, "records", r.records.dots), x, y)
            if nearest is not None:
                return f"record {number(nearest + 1)}: {place_words(r, r.records.dots[nearest])}"
        if r.flat and abs(y - lanes(r).get("records", np.inf)) > HALF_LANE:
            return ""
        return cell_words(r, np.array([x, y])[: len(r.directions)])

    # How it is drawn.

    def _within_box(self) -> tuple[Artist, ...]:
        return self._boxes, self._fill, *self._rims.values()

    def _draw_still(self, r: BallCloud) -> None:
        for line in (self._winner, self._spot):
            line.set_data([], [])
        self._held.set_text("")
        set_polygons(self._boxes, [])
        if r.boxes is not None and len(r.boxes.counts):
            self._draw_boxes(r, r.boxes)
        if r.boxes is not None and r.boxes.chosen is not None:
            self._draw_winner(r, r.boxes, r.boxes.chosen)

    def _draw_boxes(self, r: BallCloud, boxes: Boxes) -> None:
        low, high = _corners(r, boxes)
        set_polygons(self._boxes, [_rectangle(low[i], high[i]) for i in boxes.shown])
        shares = FAINT + (DENSE - FAINT) * np.sqrt(
            boxes.counts[boxes.shown] / max(int(boxes.counts.max()), 1)
        )
        p = self.palette
        self._boxes.set_facecolor([p.tint(p.accent, share) for share in shares.tolist()])

    def _draw_winner(self, r: BallCloud, boxes: Boxes, chosen: int) -> None:
        low, high = (corner[chosen] for corner in _corners(r, boxes))
        self._winner.set_data(*joined([_rectangle(low, high)]).T)
        sizes = np.array([side.width for side in r.window])
        if ((boxes.upper - boxes.lower)[chosen] < _SMALL * sizes).all():
            self._spot.set_data(*((low + high) / 2)[:, None])
        (left, right), (bottom, top) = limits(r)
        if (high < (left, bottom)).any() or (low > (right, top)).any():
            return
        above = high[1] < bottom + _HIGH * (top - bottom)
        x = np.clip((low[0] + high[0]) / 2, left + _EDGE * (right - left), right - _EDGE * (right - left))
        y = high[1] if above else max(low[1], bottom + (1 - _HIGH) * (top - bottom))
        self._held.set(text=number(int(boxes.counts[chosen])), x=x, y=y, va="bottom" if above else "top")
        figure, points = figure_of(self.axes), _OFF if above else -_OFF
        self._held.set_transform(offset_copy(self.axes.transData, figure, y=points, units="points"))


def _circles(r: BallCloud, kind: str, discs: Any) -> list[Floats]:
    """Return the outlines of balls; of one direction, bars in a lane."""
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
    return float(np.clip(2 * min(sizes) / (_ROOMY * max(side.width for side in r.window)), _MIN_SHARE, 1.0))


def _places(r: BallCloud, mark: str) -> Floats:
    """Return where centers or a mean are drawn, shape (size, 2)."""
    known = getattr(r, mark)
    if mark in ("balls", "truth"):
        return placed(r, mark, np.array([disc.center for disc in known]) if known else None)
    return placed(r, "balls" if mark == "mean" else "truth", known)


def _corners(r: BallCloud, boxes: Boxes) -> tuple[Floats, Floats]:
    """Return the corners of boxes as they are drawn, shape (m, 2)."""
    if not r.flat:
        return boxes.lower, boxes.upper
    lane = np.full((len(boxes.counts), 1), float(lanes(r)["boxes"]))
    return np.hstack([boxes.lower, lane - HALF_LANE]), np.hstack([boxes.upper, lane + HALF_LANE])


def _rectangle(low: Floats, high: Floats) -> Floats:
    """Return the corners of a box one after the other, shape (4, 2)."""
    return np.array([low, (high[0], low[1]), high, (low[0], high[1])])
