"""Clouds of points: the data, the outputs of blocks, their center, and what is released."""

from __future__ import annotations

from collections.abc import Iterator
from types import MappingProxyType
from typing import Any

import numpy as np
from matplotlib.artist import Artist
from matplotlib.collections import PolyCollection
from matplotlib.patheffects import withStroke
from matplotlib.text import Text
from matplotlib.transforms import offset_copy

from app.model.theme import STROKES, THIN_STROKE, Palette
from app.model.wording.numbers import number, quantity
from app.plots.base import Table
from app.plots.clustering.space_picture import (
    MAX_LARGE_POINTS,
    SpacePicture,
    common_unit,
    join_outlines,
    outlines,
    place_points,
    place_words,
    point,
    record_rows,
    records_words,
    space_entries,
)
from app.plots.elements.labels import figure_of, set_polygons
from app.plots.elements.legend import SIZE, LegendEntry, in_lines
from engine.analysis.clouds import Cloud
from engine.analysis.cluster_scenes import SHARES
from engine.array_types import Floats
from engine.domain import Interval

_MAX_OUTPUTS = 20_000  # points; more could not be told apart
_MAX_MARKS = 60  # released points that have large marks
_ASIDE = (-13.0, 9.0)  # points from a true point to its number: outside a frame and its links
MAX_NUMBERED, MAX_LISTED = 20, 6  # true points with numbers, and points in words
ROUND = 1.1  # largest ratio of the half-axes of what counts as a circle


class PointCloud(SpacePicture[Cloud]):
    """Two directions of the space of centers; of one direction, a strip with a lane for each kind."""

    title = "Points and centers"
    answer_marks = "dots"  # or "lines", by the result
    still = ("records", "outputs")
    layer_fields = MappingProxyType(
        {mark: (mark,) for mark in ("outputs", "released", "baseline", "truth")}
        | {"records": ("records",), "center": ("center", "radius"), "noise": ("regions",)}
    )

    def build(self) -> None:
        super().build()
        self._outputs = self.still_line(
            "truth",
            color=attention(self.palette),
            marker="o",
            linestyle="none",
            markeredgewidth=0,
            zorder=1.4,
        )
        self._inner = self.add(PolyCollection([], facecolors=self.palette.released, alpha=FILL, zorder=2.2))
        self._inner_rim = self.line("released", linewidth=1.0, linestyle="solid", zorder=2.3)
        self._outer_rim = self.line("released", linewidth=1.3, zorder=2.3)
        self._circles = self.line("truth", color=attention(self.palette), linewidth=1.4, zorder=2.6)
        self._plumb = self.line("truth", linewidth=1.0, alpha=0.6, zorder=2.7)
        self._marks = {
            mark: self.line("truth", zorder=zorder, **mark_style(mark, self.palette))
            for mark, zorder in (("truth", 4.0), ("released", 4.1), ("baseline", 4.2), ("center", 4.3))
        }
        halo = withStroke(linewidth=3.5, foreground=self.palette.card)  # on the densest records, too
        self._marks["truth"].set_path_effects([halo])
        self._numbers: list[Text] = []
        regions = (self._inner, self._inner_rim, self._outer_rim, self._circles)
        self.enlarged = (self._outputs, *regions, *self._marks.values())

    def show(self, result: Cloud) -> None:
        super().show(result)
        self.answer_marks = "lines" if result.joined else "dots"
        for mark, line in self._marks.items():
            line.set(**mark_style(mark, self.palette, joined=result.joined))
            line.set_data(*place_points(result, mark, getattr(result, mark)).T)
        if result.released is not None and len(result.released) > _MAX_MARKS:
            self._marks["released"].set(markersize=4.0, markeredgewidth=0.0)
        bottom, top = self.axes.get_ylim()
        upright = [] if result.truth is None or not result.flat else result.truth[:, 0].tolist()
        self._plumb.set_data(*join_outlines([np.array([(x, bottom), (x, top)]) for x in upright]).T)
        radii = circle_radii(result)
        self._draw_regions(result, radii)
        self._draw_numbers(result)
        self._legend.set_entries(list(legend_entries(result, self.palette, radii)))

    def enlarged_part(self, r: Cloud) -> tuple[Interval, ...] | None:
        return None if r.flat else r.zoom

    def enlarged_words(self, r: Cloud) -> str:
        return ", ".join(filter(None, (enlarged_name(r), "enlarged")))

    # What can be asked of it.

    def tooltip_at(self, r: Cloud, x: float, y: float) -> str:
        """Say which marks are under the pointer, or else which output or record, or how many records."""
        marks = [self._said_at(r, kind, getattr(r, kind), x, y) for kind in MARKS]
        if any(marks):
            return "\n".join(filter(None, marks))
        return self._said_at(r, "outputs", r.outputs, x, y) or self._records_under(r, x, y)

    def _said_at(self, r: Cloud, kind: str, points: Floats | None, x: float, y: float) -> str:
        """Say which point of a kind is under the pointer, and where; "" for none."""
        nearest = self._nearest(place_points(r, kind, points), x, y)
        if nearest is None or points is None:
            return ""
        where = place_words(r, points.reshape(-1, len(r.directions))[nearest])
        return f"{name_words(r, kind, nearest)}: {where}"

    def answer_path(self, r: Cloud, answer: Cloud) -> Floats:
        return place_points(r, "released", answer.released)

    def summary(self) -> str:
        return "" if self.result is None else error_words(self.result)

    def alt_text_of(self, r: Cloud) -> str:
        texts = []
        if r.records is not None:
            texts.append(records_words(r).removesuffix(", by density"))
        if r.outputs is not None:
            texts.append(outputs_words(r))
        radii = circle_radii(r)
        if radii.size:
            texts.append(" ".join(circle_words(r, radii)))
        for mark in MARKS:
            points = getattr(r, mark)
            if points is not None:
                texts.append(f"{mark_words(r, mark)}: {places_words(r, points)}")
        names = " and ".join(direction.name for direction in r.directions)
        return f"Along {names}: {'; '.join(texts) or 'nothing to see yet'}."

    def table_of(self, r: Cloud) -> Table:
        header = ["mark", "record, block or count", "center"]
        header += [direction.name for direction in r.directions]
        rows: list[list[Any]] = []
        for mark in MARKS:
            points = getattr(r, mark)
            if points is not None:
                rows += [[mark_words(r, mark), "", j, *point] for j, point in enumerate(points.tolist(), 1)]
        if r.regions is not None:
            for share, sizes in zip(SHARES, r.regions.tolist(), strict=True):
                name = f"half-width of the {number(100 * share)} % region"
                rows += [[name, "", j, *size] for j, size in enumerate(sizes, 1)]
        for j, radius in enumerate(circle_radii(r).tolist(), 1):
            rows.append([f"radius of {number(r.majority)} outputs", "", j, *[radius] * len(r.directions)])
        if r.outputs is not None:
            for block, centers in enumerate(r.outputs.tolist(), 1):
                rows += [["output", block, j, *point] for j, point in enumerate(centers, 1)]
        return header, rows + record_rows(r)

    # How it is drawn.

    def _within_box(self) -> tuple[Artist, ...]:
        # outputs and releases are moved into the box, and so do not lie beyond it
        return self._circles, self._inner, self._inner_rim, self._outer_rim

    def _draw_still(self, r: Cloud) -> None:
        points = place_points(r, "outputs", r.outputs)[:_MAX_OUTPUTS]
        few = len(points) <= MAX_LARGE_POINTS
        self._outputs.set_data(*points.T)
        self._outputs.set(markersize=4.5 if few else 3.4, alpha=0.5 if few else 0.25)

    def _draw_numbers(self, r: Cloud) -> None:
        """Number the true points, by which a choice of one and the key name them."""
        self.clear(self._numbers)
        places = place_points(r, "truth", r.truth if 1 < true_points(r) <= MAX_NUMBERED else None)
        beside = offset_copy(self.axes.transData, figure_of(self.axes), *_ASIDE, units="points")
        halo = [withStroke(linewidth=3.0, foreground=self.palette.card)]
        for index, (x, y) in enumerate(places.tolist()):
            text = self.text(x, y, number(index + 1), transform=beside, color=self.palette.truth, zorder=4.4)
            text.set(fontsize=SIZE, fontweight="bold", path_effects=halo, ha="right")
            self._numbers.append(text)

    def _draw_regions(self, r: Cloud, radii: Floats) -> None:
        inner, outer, circles = list[Floats](), list[Floats](), list[Floats]()
        if r.center is not None and radii.size:
            circles = outlines(r, "center", r.center, np.tile(radii[:, None], r.center.shape[1]))
        self._circles.set_data(*join_outlines(circles).T)
        if r.regions is not None and r.middle is not None:
            inner, outer = (outlines(r, "released", r.middle, sizes) for sizes in r.regions)
        set_polygons(self._inner, inner)
        self._inner_rim.set_data(*join_outlines(inner).T)
        self._outer_rim.set_data(*join_outlines(outer).T)


FILL = 0.16  # opacity of the inner region around a center
_ATTENTION, _BASELINE, _PUBLISHED = 7, 5, 2  # places in the series, far from each other for every reader


def attention(palette: Palette) -> str:
    """Return the colour of block outputs, and of the one among them that is their center."""
    return palette.series[_ATTENTION]


def baseline(palette: Palette) -> str:
    """Return the colour of what another mechanism releases."""
    return palette.series[_BASELINE]


def published(palette: Palette) -> str:
    """Return the colour of the bound that is printed in the paper, and is not private."""
    return palette.series[_PUBLISHED]


def mark_style(mark: str, palette: Palette, *, joined: bool = False) -> dict[str, Any]:
    """Return the look of the points of a mark, or of the line that joins them."""
    if joined:
        color, stroke = getattr(palette, mark, palette.ink), STROKES.get(mark, THIN_STROKE)
        return {"marker": "", "color": color, "linestyle": stroke.linestyle, "linewidth": stroke.width}
    rim = {"markeredgecolor": palette.card, "markeredgewidth": 1.0}
    return {"linestyle": "none"} | {
        "truth": {"marker": "+", "markersize": 17, "markeredgewidth": 1.5, "color": palette.truth},
        "released": {"marker": "v", "markersize": 12, "color": palette.released, **rim},
        "baseline": {
            "marker": "s",
            "markersize": 8.5,
            "markerfacecolor": "none",
            "markeredgewidth": 1.8,
            "color": baseline(palette),
        },
        "center": {"marker": "D", "markersize": 5.5, "color": attention(palette), **rim},
    }[mark]


def legend_entries(r: Cloud, palette: Palette, radii: Floats) -> Iterator[LegendEntry]:
    """Explain what is drawn; `radii`: of the circles around the centers."""
    p = palette
    outer = {"color": p.released, "linewidth": 1.3, "linestyle": STROKES["released"].linestyle}
    yield from space_entries(r, p)
    if r.outputs is not None:
        yield LegendEntry((point("o", attention(p), 4.5, alpha=0.6),), outputs_words(r))
    for mark in ("center", "truth", "baseline", "released"):
        if getattr(r, mark) is not None:
            style = mark_style(mark, p, joined=r.joined)
            size = min(style.get("markersize", 0.0), 11)
            yield LegendEntry(({**style, "markersize": size},), mark_words(r, mark))
        if mark == "center" and radii.size:
            ring = {"markerfacecolor": "none", "markeredgewidth": 1.4}
            sample = point("s" if r.flat else "o", attention(p), 9.0, **ring)
            yield from in_lines((sample,), circle_words(r, radii))
    if r.regions is not None and r.middle is not None:
        inner = point("s" if r.flat else "o", p.tint(p.released, 2 * FILL), 9.0, markeredgecolor=p.released)
        yield from in_lines((inner, outer), region_words(r))


MARKS = ("released", "baseline", "center", "truth")
"""The sets of points that a view may have beside records and outputs, the most important first."""


def true_points(view: Cloud) -> int:
    """Return the number of true points; 0 where there is none, or they are the ends of a line."""
    return 0 if view.truth is None or view.joined else len(view.truth)


def mark_words(view: Cloud, mark: str) -> str:
    simulated = ", simulated" if view.simulated else ""
    return {
        "released": "one simulated release" if view.simulated else "released",
        "baseline": f"{view.baseline_name}{simulated or ', released'}",
        "center": view.center_name,
        "truth": f"true {view.noun}{'s' * (true_points(view) > 1)}",
    }[mark]


def error_words(view: Cloud) -> str:
    """Say how far a release, or else the result without noise, is from the truth; "" without either."""
    if view.error is None or np.isnan(view.error):
        return ""
    points, error = true_points(view), quantity(view.error, common_unit(view))
    subject, kind = ("The result", ", without noise") if view.released is None else ("This release", "")
    if points <= 1:
        return f"{subject} is {error} from the truth{kind}"
    return f"The {number(points)} {view.noun}s are {error} off (root sum of squares){kind}"


def places_words(view: Cloud, points: Floats, *, numbered: bool = False) -> str:
    """Say where points lie, with or without their numbers; of many, the first ones."""
    shown = enumerate(points[:MAX_LISTED], 1)
    places = (f"{f'{j} ' * numbered}({place_words(view, point, 4)})" for j, point in shown)
    more = f" and {number(len(points) - MAX_LISTED)} more" * (len(points) > MAX_LISTED)
    return f"{', '.join(places)}{more}"


def circle_radii(view: Cloud) -> Floats:
    """Return how far the nearest outputs that are a majority reach from each center, as they are drawn.

    There are none where centers or outputs are not drawn.
    """
    if view.radius is None or view.center is None or view.outputs is None:
        return np.empty(0)
    away = np.linalg.norm(view.outputs[:, :, None] - view.center, axis=3).min(axis=1)
    radii: Floats = np.sort(away, axis=0)[view.majority - 1]
    return radii


def circle_words(view: Cloud, radii: Floats) -> list[str]:
    """Say in lines how many outputs are in a circle; also how large that of one center, or a close-up, is."""
    most = f"majority: {number(view.majority)}"
    if len(radii) > 1 and view.enlarged is None:
        return [f"{most} of each {view.noun}"]
    radius = quantity(float(radii[view.enlarged or 0]), common_unit(view))
    name = enlarged_name(view)
    return [*[f"{name} alone:"] * bool(name), f"{most} within {radius}"]


def enlarged_name(view: Cloud) -> str:
    """Return the name of the enlarged point; "" where it is the only one."""
    if view.enlarged is None or true_points(view) < 2:
        return ""
    return f"{view.noun} {number(view.enlarged + 1)}"


def region_words(view: Cloud) -> list[str]:
    """Say in lines what the regions hold; of an enlarged one also how large it is, if it is round."""
    inner, outer = (f"{number(100 * share)} %" for share in SHARES)
    noise = "releases" if view.released is None else "its noise"
    sizes = enlarged_sizes(view)
    if sizes is None or view.enlarged is None:
        return [f"{inner} and {outer} of {noise}"]
    near, far = (quantity(float(size), common_unit(view), 2) for size in sizes)
    name = enlarged_name(view)
    return [f"{name} alone:" if name else f"{view.noun}:", f"{inner} within {near},", f"{outer} within {far}"]


def enlarged_sizes(view: Cloud) -> Floats | None:
    """Return the radii of the regions of the enlarged point; None if there are none, or no circles."""
    if view.zoom is None or view.middle is None or view.regions is None:
        return None
    here = np.array([(side.lower + side.upper) / 2 for side in view.zoom])
    sizes = view.regions[:, np.linalg.norm(view.middle - here, axis=1).argmin()]
    is_round = (sizes.max(axis=1) <= ROUND * sizes.min(axis=1)).all()
    alike = len({one.unit for one in view.directions}) == 1
    return sizes.mean(axis=1) if is_round and alike else None


def outputs_words(view: Cloud) -> str:
    assert view.outputs is not None
    return f"outputs of {number(len(view.outputs))} blocks"


def name_words(view: Cloud, kind: str, index: int) -> str:
    if kind != "outputs":
        return mark_words(view, kind)
    assert view.outputs is not None
    k = view.outputs.shape[1]
    text = f"output of block {number(index // k + 1)}"
    return text if k == 1 else f"{text}, {view.noun} {number(index % k + 1)}"
