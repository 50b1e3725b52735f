"""The space where points live: records as dots or as density, the public box, scales and a key."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, TypeAlias, TypeVar

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.image import AxesImage
from matplotlib.patches import Polygon
from matplotlib.transforms import Bbox
from numpy.typing import NDArray

from app.model.dataset import PointedRecord
from app.model.theme import STROKES, Palette
from app.model.wording.numbers import number, quantity
from app.plots.base import Picture, Position, names_of_map, set_x_label, set_y_label
from app.plots.clustering.inset import Inset
from app.plots.elements.labels import BeforeDrawing
from app.plots.elements.legend import Legend, LegendEntry
from app.plots.elements.scales import EndsLocator, SameStepLocator, linear_ticks
from app.plots.sensitivity.dot_strip import jitter
from engine.analysis.shared.records import Records
from engine.array_types import Floats, Ints
from engine.domain import Interval

if TYPE_CHECKING:
    from engine.analysis.ball_scenes import BallCloud
    from engine.analysis.clouds import Cloud
    from engine.analysis.histogram_maps import MappedHistogram

DOTS: dict[str, Any] = {"marker": "o", "linestyle": "none", "markeredgewidth": 0, "zorder": 1.2}
MAX_LARGE_POINTS = 300  # of so many points, each is drawn larger
_ALIKE = 3.0  # sides of the window in the same unit are drawn to scale if their ratio is at most this
REACH = 9.0  # pixels at 100 dpi within which a mark is hit
_WITH_INSET = 0.6  # so small a map is better than one with an enlarged part in its corner
_STRONG = 1.5  # times as much ink on a small map, where little is drawn over the records
_BRIGHT = 0.98  # of the records lie in cells that are no denser than what is drawn as densest


DrawnSpace: TypeAlias = "Cloud | BallCloud | MappedHistogram"
"""Results along one or two `directions`, with a `window`, `records`, and `kinds` of points."""
ViewT = TypeVar("ViewT", bound="DrawnSpace")


class SpacePicture(Picture[ViewT]):
    """One or two directions of a space of points, and what lies in it.

    `still`: attributes of the view that are drawn in the background, with the records. `enlarged`: what is
    seen in an enlarged part; `overview`: in a small map of the whole, with the records.
    """

    has_log_y = has_cursor = False
    is_map = True
    good_width = 400
    export_size = (7.8, 4.6)
    still: ClassVar[tuple[str, ...]] = ("records",)
    enlarged: tuple[Artist, ...] = ()
    overview: tuple[Artist, ...] = ()

    def build(self) -> None:
        self.axes.grid(False)
        self.axes.spines["bottom"].set_visible(False)
        self.axes.set_anchor("NW")
        # thousands of points, which do not change from release to release: not drawn again with the rest
        self._drawn: ViewT | None = None
        self._image = AxesImage(self.axes, origin="lower", interpolation="nearest", zorder=1.1, visible=False)
        self._image.set_in_layout(False)
        self.axes.add_image(self._image)
        self._dots = self.still_line("global_", **DOTS)
        self._box = Polygon(np.zeros((1, 2)), facecolor="none", edgecolor="none", in_layout=False)
        self.axes.add_patch(self._box)
        self._border = self.line("global_", linewidth=1.2, zorder=1.8)
        self._legend = self.add(Legend(self.axes, self.palette))
        self._whole = AxesImage(self.axes, origin="lower", interpolation="nearest")
        self._inset = self.add(Inset(self.axes, self.palette, self._legend))
        self.add(BeforeDrawing(self.axes, self._inset.draw_links))

    def units_of(self, r: ViewT) -> Mapping[str, str]:
        """Return the units of both directions; radii have one if these do not differ."""
        ends = {f"{one.name} {end}": one.unit for one in r.directions for end in ("from", "to")}
        shared = {one.unit for one in r.directions}
        radius = {"radius": shared.pop()} if len(shared) == 1 else {}
        return {one.name: one.unit for one in r.directions} | ends | radius

    def show(self, result: ViewT) -> None:
        if self._drawn is None or not self._alike(self._drawn, result):
            self._drawn = self.behind = result
            self._scale(result)
            self._draw_records(result)
            self._draw_still(result)
        self._draw_inset(result)

    def whole_of(self, r: ViewT) -> Records | None:
        """Return all records, where the result is a close-up that knows them."""
        return None

    def enlarged_part(self, r: ViewT) -> tuple[Interval, ...] | None:
        """Return the part of the space that is also shown enlarged, beside the whole."""
        return None

    def enlarged_words(self, r: ViewT) -> str:
        """Name the enlarged part."""
        return "enlarged"

    def record_at(self, r: ViewT, x: float, y: float) -> PointedRecord | None:
        """Return the record whose dot is there: its values along both directions."""
        dots = None if r.records is None else r.records.dots
        nearest = None if dots is None else self._nearest(place_points(r, "records", dots), x, y)
        if dots is None or nearest is None:
            return None
        result = zip(r.directions, dots[nearest].tolist(), strict=True)
        return PointedRecord(None, {direction.name: value for direction, value in result})

    def place_of(self, r: ViewT, pointed: PointedRecord) -> Position | None:
        known = [pointed.values[one.name] for one in r.directions if one.name in pointed.values]
        if r.records is None or len(known) < len(r.directions):
            return None
        height = lanes(r).get("records") if r.flat else known[1]
        return None if height is None else (known[0], float(height))

    # What pictures of the space are put together from.

    def _records_under(self, r: ViewT, x: float, y: float) -> str:
        """Say which record is under the pointer, by number if all are drawn, or how many are in the cell."""
        if r.records is not None and r.records.dots is not None:
            nearest = self._nearest(place_points(r, "records", r.records.dots), x, y)
            if nearest is not None:
                all_drawn = len(r.records.dots) == r.records.n
                name = f"record {number(nearest + 1)}" if all_drawn else "a record"
                return f"{name}: {place_words(r, r.records.dots[nearest])}"
        if r.flat and abs(y - lanes(r).get("records", np.inf)) > HALF_LANE:
            return ""
        return cell_words(r, np.array([x, y])[: len(r.directions)])

    def _draw_still(self, r: ViewT) -> None:
        """Draw what lies behind beside the records."""

    def _within_box(self) -> tuple[Artist, ...]:
        """Return what is cut off at the public box."""
        return ()

    def _alike(self, one: ViewT, other: ViewT) -> bool:
        same = all(getattr(one, kind) is getattr(other, kind) for kind in self.still)
        alike = one.directions == other.directions and one.window == other.window
        return same and alike and lanes(one) == lanes(other)

    def _scale(self, r: ViewT) -> None:
        draw_to_scale(self.axes, r)
        across, up = limits(r)
        self.axes.set_xlim(across)
        self.axes.set_ylim(up)
        # a close-up has an edge of its own: what lies beyond is cut off
        for spine in self.axes.spines.values():
            spine.set(visible=is_closeup(r), edgecolor=self.palette.muted)
        for axis, direction in zip((self.axes.xaxis, self.axes.yaxis), r.directions, strict=False):
            linear_ticks(axis, direction.unit)
        side = r.directions[0].side
        if r.flat and not r.directions[0].private:
            self.axes.xaxis.set_major_locator(EndsLocator((side.lower, side.upper)))
        self._legend.below = r.flat  # beside them, little width would be left
        if self.axes.get_aspect() != "auto":
            self.axes.yaxis.set_major_locator(SameStepLocator(self.axes.xaxis))
        names = [f"{d.name}{' (found in the data)' * d.private}" for d in r.directions]
        set_x_label(self.axes, names[0] if r.flat else "")
        set_y_label(self.axes, self.palette, " " if r.flat else names_of_map(*names))
        self.axes.yaxis.set_visible(not r.flat)
        self._box.set_xy(frame(r) if len(frame(r)) else np.zeros((1, 2)))
        self._border.set_data(*join_outlines([frame(r)] if len(frame(r)) else []).T)
        for artist in self._within_box():
            artist.set_clip_path(self._box if len(frame(r)) else self.axes.patch)

    def _draw_records(self, r: ViewT) -> None:
        dots, counts = (None, None) if r.records is None else (r.records.dots, r.records.counts)
        self._dots.set_data(*place_points(r, "records", dots).T)
        few = dots is None or len(dots) <= MAX_LARGE_POINTS
        alpha = (0.6 if few else 0.4) + 0.3 * self.palette.dark  # under the fill of a region, too
        self._dots.set(markersize=5.0 if few else 3.2, alpha=alpha)
        self._image.set_visible(counts is not None)
        if counts is None or r.records is None:
            return
        (left, right), (low, high) = ((side.lower, side.upper) for side in (r.records.window * 2)[:2])
        if r.flat:
            low, high = lanes(r)["records"] - HALF_LANE, lanes(r)["records"] + HALF_LANE
        self._image.set_data(shades(np.atleast_2d(counts.T), self.palette))
        self._image.set_extent((left, right, low, high))

    def _draw_inset(self, r: ViewT) -> None:
        """Show a part enlarged beside the whole, or the whole beside a close-up."""
        part, large = self.enlarged_part(r), bounds_of(r.window)
        self.named = part is not None  # it stands below the key, which else may have another place
        self._legend.least = 1.0 if part is None else _WITH_INSET
        if part is not None:
            self._inset.show(
                bounds_of(part), large, self.enlarged, self.enlarged_words(r), r.directions[0].unit
            )
        elif is_closeup(r):
            whole, (across, up) = self.whole_of(r), (direction.side for direction in r.directions)
            self._whole.set_visible(whole is not None)
            if whole is not None:
                self._whole.set_data(shades(whole.coarse_counts().T, self.palette, _STRONG))
                self._whole.set_extent((across.lower, across.upper, up.lower, up.upper))
            self._inset.show(bounds_of((across, up)), large, [self._whole, *self.overview], range_words(r))
        else:
            self._inset.show(None, large)

    def _nearest(self, points: Floats, x: float, y: float) -> int | None:
        return self.nearest(points, x, y, REACH)


def shades(counts: Ints, palette: Palette, strength: float = 1.0) -> NDArray[np.uint8]:
    """Return an image, shape (h, w, 4): nothing where nothing is, more of ink where there is more."""
    ink = [int(palette.ink[i : i + 2], 16) for i in (1, 3, 5)]
    filled = np.sort(counts[counts > 0])
    records = np.cumsum(filled)
    top = filled[np.searchsorted(records, _BRIGHT * records[-1])] if filled.size else 1
    share = np.where(counts > 0, FAINT + (DENSE - FAINT) * np.sqrt(np.minimum(counts / top, 1.0)), 0.0)
    image = np.empty((*counts.shape, 4), dtype=np.uint8)
    image[..., :3] = ink
    image[..., 3] = np.round(255 * strength * share)
    return image


WINDOW_MARGIN = 0.01  # around the window, as a share of it
_CROWDS = ("records", "outputs")
HALF_LANE = 0.34
_TURN = np.linspace(0, 2 * np.pi, 72, endpoint=False)
_CIRCLE = np.column_stack([np.cos(_TURN), np.sin(_TURN)])
_BAR = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)])


def is_closeup(r: DrawnSpace) -> bool:
    """Tell whether a map shows only a part of the space."""
    return r.is_closeup and not r.flat


def bounds_of(sides: Sequence[Interval]) -> Bbox:
    """Return intervals of both directions as a rectangle; of one direction, as a line."""
    return Bbox(np.array([(side.lower, side.upper) for side in (*sides, *sides)[:2]]).T)


def range_words(r: DrawnSpace) -> str:
    """Name a small map of the whole and its frame, with its range where that is one for both directions."""
    ranges = {
        f": {quantity(one.side.lower, one.unit)} to {quantity(one.side.upper, one.unit)}"
        for one in r.directions
    }
    return f"whole range{ranges.pop() if len(ranges) == 1 else ''}; frame: close-up"


def draw_to_scale(axes: Axes, r: DrawnSpace) -> None:
    """Give both directions one scale where they have one unit and are about as long."""
    widths = [side.width for side in r.window]
    alike = not r.flat and len({direction.unit for direction in r.directions}) == 1
    to_scale = alike and max(widths) <= _ALIKE * min(widths)
    axes.set_aspect("equal" if to_scale else "auto", adjustable="box")


def lanes(view: DrawnSpace) -> dict[str, int]:
    """Return the height of the lane of each kind that there is."""
    return {kind: -lane for lane, kind in enumerate(view.kinds)}


def limits(view: DrawnSpace) -> tuple[tuple[float, float], tuple[float, float]]:
    sides = [
        (side.lower - WINDOW_MARGIN * side.width, side.upper + WINDOW_MARGIN * side.width)
        for side in (view.window * 2)[:2]
    ]
    if view.flat:
        sides[1] = (0.4 - max(len(lanes(view)), 1), 0.6)
    return sides[0], sides[1]


def mark_fit(view: DrawnSpace, radius: float, full: float, least: float) -> float:
    """Return how large marks may be beside a ball, as a share of their size; `full`: of the window."""
    return float(np.clip(2 * radius / (full * max(side.width for side in view.window)), least, 1.0))


def place_points(view: DrawnSpace, kind: str, points: Floats | None) -> Floats:
    """Return points as they are drawn, shape (size, 2)."""
    if points is None:
        return np.empty((0, 2))
    rows = points.reshape(-1, len(view.directions))
    if not view.flat:
        return rows
    heights = np.full(len(rows), float(lanes(view)[kind]))
    if kind in _CROWDS:
        heights += 2 * HALF_LANE * (jitter(len(rows)) - 0.5)
    return np.column_stack([rows[:, 0], heights])


def outlines(view: DrawnSpace, kind: str, middles: Floats, sizes: Floats) -> list[Floats]:
    """Return ellipses with half-axes `sizes` around points; of one direction, bars in a lane."""
    shape, height = (_BAR, HALF_LANE) if view.flat else (_CIRCLE, None)
    return [
        at + shape * (size if height is None else (size[0], height))
        for at, size in zip(place_points(view, kind, middles), sizes, strict=True)
    ]


def frame(view: DrawnSpace) -> Floats:
    """Return the corners of the public box; directions found in the data have none."""
    if any(direction.private for direction in view.directions):
        return np.empty((0, 2))
    low, high = view.directions[0].side.lower, view.directions[0].side.upper
    bottom, top = -1.0 - len(lanes(view)), 2.0  # out of view
    if not view.flat:
        bottom, top = view.directions[1].side.lower, view.directions[1].side.upper
    return np.array([(low, bottom), (high, bottom), (high, top), (low, top)])


def join_outlines(shapes: list[Floats] | Floats) -> Floats:
    """Return closed outlines as one line with gaps."""
    if isinstance(shapes, np.ndarray):  # all with as many corners
        gaps = np.full((len(shapes), 1, 2), np.nan)
        return np.concatenate([shapes, shapes[:, :1], gaps], axis=1).reshape(-1, 2)
    gap = np.full((1, 2), np.nan)
    return np.concatenate([part for shape in shapes for part in (shape, shape[:1], gap)] or [gap])


DENSE, FAINT = 0.6, 0.08  # shares of ink where records are densest, and where there is one


def space_entries(r: DrawnSpace, palette: Palette, dots: str = "") -> Iterator[LegendEntry]:
    """Explain the line around the public box if any of its sides is in view, and the records, as `dots`."""
    p, pairs = palette, zip(r.directions, r.window, strict=True)
    seen = any(view.lower <= one.side.lower or one.side.upper <= view.upper for one, view in pairs)
    if seen and not any(direction.private for direction in r.directions):
        line = {"color": p.global_, "linewidth": 1.2, "linestyle": STROKES["global_"].linestyle}
        yield LegendEntry((line,), "declared bounds")
    if r.records is not None and r.records.counts is None:
        yield LegendEntry((point("o", dots or p.global_, 5.0, alpha=0.6),), records_words(r))
    elif r.records is not None:
        yield LegendEntry((point("s", p.tint(p.ink, 0.4), 9.0),), records_words(r))


def point(marker: Any, colour: str, size: float, **properties: Any) -> dict[str, object]:
    """Return the sample of a mark."""
    return {"marker": marker, "color": colour, "markersize": size, "markeredgewidth": 1.0, **properties}


def count_words(count: float) -> str:
    """Say how many records there are; with noise there may be parts of one."""
    return f"{number(count)} record{'s' * (count != 1)}"


def records_words(view: DrawnSpace) -> str:
    """Say how many records there are, and how they are shown."""
    assert view.records is not None
    dots, text = view.records.dots, count_words(view.records.n)
    if view.records.counts is not None:
        return f"{text}, by density"
    if dots is None:
        return text
    low, high = np.array([(side.lower, side.upper) for side in view.window]).T
    inside = ((dots >= low) & (dots <= high)).all(axis=1) if is_closeup(view) else np.ones(len(dots))
    return text if inside.sum() == view.records.n else f"{number(int(inside.sum()))} of {text}"


def common_unit(view: DrawnSpace) -> str:
    """Return the unit of all directions, "" where they differ."""
    units = {direction.unit for direction in view.directions}
    return units.pop() if len(units) == 1 else ""


def place_words(view: DrawnSpace, point: Floats, digits: int = 3) -> str:
    return ", ".join(
        f"{direction.name} {quantity(float(value), direction.unit, digits)}"
        for direction, value in zip(view.directions, point, strict=True)
    )


def cell_words(view: DrawnSpace, point: Floats) -> str:
    """Say how many records are in the cell around a point of the window."""
    if view.records is None or view.records.counts is None:
        return ""
    counts = view.records.counts
    share = [(x - side.lower) / side.width for x, side in zip(point, view.records.window, strict=True)]
    if not all(0 <= s <= 1 for s in share):
        return ""
    count = int(
        counts[tuple(min(int(s * size), size - 1) for s, size in zip(share, counts.shape, strict=True))]
    )
    return f"{count_words(count)} in the cell at {place_words(view, point)}"


def record_rows(view: DrawnSpace) -> list[list[Any]]:
    """Return the records, or the cells that hold some: mark, record or count, nothing, and where."""
    if view.records is None:
        return []
    if view.records.dots is not None:
        return [["record", i, "", *point] for i, point in enumerate(view.records.dots.tolist(), 1)]
    counts = view.records.counts
    assert counts is not None
    filled = np.argwhere(counts)
    lower = np.array([side.lower for side in view.records.window])
    width = np.array([side.width for side in view.records.window])
    middles = lower + (filled + 0.5) * width / counts.shape
    held = counts[tuple(filled.T)].tolist()
    return [
        ["records in a cell", c, "", *position] for c, position in zip(held, middles.tolist(), strict=True)
    ]
