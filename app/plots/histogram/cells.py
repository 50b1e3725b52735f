"""Cells of histograms: their shades, borders and numbers, their legend, and their tooltips."""

from __future__ import annotations

import dataclasses
import functools
import itertools
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.backend_bases import RendererBase
from matplotlib.collections import PolyCollection
from matplotlib.colors import to_rgba_array
from matplotlib.lines import Line2D
from matplotlib.patheffects import withStroke
from matplotlib.text import Text
from matplotlib.transforms import IdentityTransform

from app.model.theme import Palette, contrast
from app.model.wording.numbers import number, quantity, times
from app.plots.base import Picture
from app.plots.clustering.space_picture import MAX_LARGE_POINTS, DrawnSpace, count_words, point
from app.plots.elements.labels import AxesArtist, BeforeDrawing, set_polygons
from app.plots.elements.legend import LegendEntry
from app.plots.elements.scales import Limits
from engine.analysis.histogram_contents import CellsAlong
from engine.analysis.histogram_maps import MappedHistogram, ShiftPlanes
from engine.analysis.shared.projections import Direction, tile_counts
from engine.array_types import Bools, Floats

SHADES = 64  # number of shades from the faintest to the strongest
_STRONG = 0.88  # share of the accent colour in the strongest shade
_REACH = 1_000.0  # times the faintest density that is told apart is the strongest
_BRIGHT = 0.98  # of the points lie in cells that are no denser than what is drawn strongest
# records in a tile above which they are drawn smaller and fainter
_CROWDS = {2: {"markersize": 1.5, "alpha": 0.2}, 12: {"markersize": 1.5, "alpha": 0.05}}
_SMALL = 0.045  # of the sides of the window: cells that a crowd of records would hide


@dataclasses.dataclass(frozen=True)
class Shading:
    """Which shade a count, or a density against the average, is drawn in."""

    # low, top: from where to where shades are told apart; low is 0 for counts, which are drawn by their root,
    # and positive for densities, which are drawn by their logarithm
    low: float
    top: float

    @classmethod
    def of(cls, cells: CellsAlong, per_area: bool, noise: float = 0.0) -> Shading:
        """Look at cells, but not at counts below the noise, which have no shade."""
        values = shade_values(cells, per_area)
        positive = (values > 0) & (cells.counts >= noise)
        if not positive.any():
            return cls(0.0 if not per_area else 0.5, 1.0)
        order = np.argsort(values)
        held = np.cumsum(np.maximum(cells.counts[order], 0.0))
        top = float(values[order][np.searchsorted(held, _BRIGHT * held[-1])])
        if not per_area:
            return cls(0.0, float(values.max()))
        low = max(float(values[positive].min()), top / _REACH)
        return cls(min(low, top / 2), top)

    def shares(self, values: Floats) -> Floats:
        """Return places in the scale, 0 to 1; NaN for what holds nothing."""
        inside = np.clip(values, max(self.low, np.finfo(np.float64).tiny), self.top)
        ratio = inside / self.top
        result = 1 + np.log(ratio) / np.log(self.top / self.low) if self.low else np.sqrt(ratio)
        return np.where(values > 0, result, np.nan)

    def ends(self) -> list[float]:
        """Return the round values that the key shows: the smallest, and the largest if it is another."""
        if not self.low:
            return sorted({1.0, float(max(1, round(self.top)))})
        return [float(f"{end:.1g}") for end in (self.low, self.top)]


def shade_values(cells: CellsAlong, per_area: bool) -> Floats:
    """Return what decides the shade of each cell: its count, or its density against the average."""
    if not per_area or not cells.counts.size:
        return cells.counts
    sizes = cells.sizes
    average = max(float(np.maximum(cells.counts, 0.0).sum() / sizes.sum()), np.finfo(np.float64).tiny)
    densities: Floats = cells.counts / sizes / average
    return densities


@functools.lru_cache(maxsize=8)
def ramp(palette: Palette, strength: float = 1.0) -> tuple[str, ...]:
    """Return the shades, the faintest first: one hue, whose lightness tells more from less."""
    shares = np.linspace(palette.faintest, _STRONG, SHADES) * strength
    return tuple(palette.tint(palette.accent, share) for share in shares.tolist())


def shade(palette: Palette, share: float, strength: float = 1.0) -> str:
    if np.isnan(share):
        return palette.card
    return ramp(palette, strength)[round(share * (SHADES - 1))]


def on_shade(colour: str) -> str:
    """Return the colour in which a number is read on a shade."""
    # of grey in the middle, the theme's own ink and card are both too near
    return max(("#000000", "#FFFFFF"), key=lambda text: contrast(text, colour))


def border(palette: Palette) -> str:
    return palette.tint(palette.accent, 0.75 if palette.dark else 0.45)


def record_style(dots: Floats | None, palette: Palette, *, strip: bool = False) -> dict[str, Any]:
    """Return how records are drawn on cells, or in a strip: small, so that what is behind stays in sight."""
    few = dots is None or len(dots) <= MAX_LARGE_POINTS
    size, alpha = (3.0, 0.45) if few else (1.5, 0.3) if strip else (2.0, 0.45)
    return {"color": palette.truth, "markersize": size, "alpha": alpha}


def draw_records(
    lines: Sequence[Line2D], dots: Floats, palette: Palette, *, strip: bool, on: MappedHistogram | None = None
) -> bool:
    """Draw records on cells by the first line, and those in crowds by others, smaller and fainter.

    Where crowds would hide small cells that they lie `on`, no records are drawn in small cells; return
    whether there are such.
    """
    many = len(dots) > MAX_LARGE_POINTS and not strip
    held = tile_counts(dots) if many else np.zeros(len(dots))
    crowd = np.digitize(held, [*_CROWDS], right=True)
    hidden = _in_small_cells(dots, on) if many and on else np.zeros(len(dots), dtype=bool)
    hidden &= (hidden & (crowd > 0)).any()
    for index, (line, faint) in enumerate(zip(lines, ({}, *_CROWDS.values()), strict=True)):
        line.set_data(*dots[(crowd == index) & ~hidden].T)
        line.set(**record_style(dots, palette, strip=strip) | faint)
    return bool(hidden.any())


def small_cells(view: MappedHistogram) -> Bools:
    """Return which cells are small in the window; none of more than `MAX_BORDERS`."""
    cells, window = view.cells, np.array([side.width for side in view.window])
    few = len(cells.counts) <= MAX_BORDERS
    return np.asarray(((cells.upper - cells.lower) < _SMALL * window).any(axis=1) & few, dtype=bool)


def _in_small_cells(dots: Floats, view: MappedHistogram) -> Bools:
    """Return which points of a map lie in small cells."""
    small, order = small_cells(view), np.argsort(dots[:, 0])
    lower, upper = view.cells.lower[small], view.cells.upper[small]
    across, up = dots[order].T
    held = np.zeros(len(dots), dtype=bool)
    ranges = np.searchsorted(across, np.column_stack([lower[:, 0], upper[:, 0]])).tolist()
    for (begin, end), low, high in zip(ranges, lower[:, 1].tolist(), upper[:, 1].tolist(), strict=True):
        held[begin:end] |= (low <= up[begin:end]) & (up[begin:end] < high)
    result = np.empty_like(held)
    result[order] = held
    return result


def shading_entries(cells: CellsAlong, per_area: bool, palette: Palette, noise: float) -> list[LegendEntry]:
    """Return samples of what has no shade, and of the faintest and the strongest, with what they mean."""
    scale = Shading.of(cells, per_area, noise)
    values = scale.ends()
    shares = scale.shares(np.array(values)).tolist()
    texts = [f"{count_words(value)} in a cell" for value in values]
    if per_area:
        texts = [f"density {sign} {number(end)} × average" for sign, end in zip("≤≥", values, strict=True)]
    if noise:
        shares, texts = [np.nan, *shares], [f"under {number(noise)}: mostly noise", *texts]
    return [
        LegendEntry((point("s", shade(palette, one), 9.0, markeredgecolor=border(palette)),), text)
        for one, text in zip(shares, texts, strict=True)
    ]


MAX_BORDERS = 5_000  # cells that are drawn with borders
MAX_NUMBERS = 150  # cells in which counts are written; the largest cells come first
_SIZE = 8.5  # of a number, in points
_SHARE = 0.25  # of the area in view: where less has room, numbers would look like an accident
_WIDTH, _HEIGHT, _BESIDE = 0.62, 1.5, 0.5  # room of a digit and a line, in sizes; of a gap, in digits
_NARROW = 1.5  # width of a number, in sizes
_FINE = 800  # cells: of more, the borders are finer


class CellLayer:
    """The cells as a part of the background.

    `strength`: of the shades: less than 1 where something more important lies on the cells.
    """

    def __init__(self, axes: Axes, palette: Palette, strength: float = 1.0, zorder: float = 1.05) -> None:
        self._palette = palette
        self._strength = strength
        self._axes = axes
        self.patches = PolyCollection([], zorder=zorder, in_layout=False)
        axes.add_collection(self.patches, autolim=False)
        self._cells: CellsAlong | None = None

    def draw(self, cells: CellsAlong, per_area: bool, lane: Limits = (0.0, 1.0), noise: float = 0.0) -> None:
        """Shade all cells from the noise on; of one direction, as boxes from one height to another."""
        self._cells, self._dense = cells, shade_values(cells, per_area=True)
        set_polygons(self.patches, corners(cells, lane))
        shares = Shading.of(cells, per_area, noise).shares(shade_values(cells, per_area))
        shares = np.where(cells.counts < noise, np.nan, shares)
        places = np.where(np.isnan(shares), SHADES, np.round(np.nan_to_num(shares) * (SHADES - 1)))
        known: Any = to_rgba_array([*ramp(self._palette, self._strength), self._palette.card])
        self.patches.set_facecolor(known[places.astype(np.int64)])
        count = len(cells.counts)
        # a grid over which counts are spread is not made of cells
        bordered = count <= MAX_BORDERS and not cells.spread
        self.patches.set_edgecolor(border(self._palette) if bordered else "none")
        self.patches.set_linewidth((0.7 if count <= _FINE else 0.35) if bordered else 0.0)
        # without borders, smooth edges would leave seams
        self.patches.set_antialiased(bordered)

    def words_at(self, directions: tuple[Direction, ...], x: float, y: float) -> str:
        """Say what the cell at a place holds, where it lies, and how dense it is against the average."""
        cells = self._cells
        index = None if cells is None else cell_at(cells, x, y)
        if cells is None or index is None:
            return ""
        around = "around" if cells.polygons is not None else "in"
        ends = zip(directions, cells.lower[index].tolist(), cells.upper[index].tolist(), strict=True)
        sides = (f"{d.name} {quantity(low, d.unit)} to {quantity(high, d.unit)}" for d, low, high in ends)
        spread = " (spread evenly)" * cells.spread
        text = f"{count_words(float(cells.counts[index]))}{spread} in the cell {around} {', '.join(sides)}"
        return f"{text}; {times(float(self._dense[index]), 'the average density', digits=2)}"


class CellNumber(NamedTuple):
    """The count of a cell, or the sum of several, and where it is written."""

    cells: list[int]
    middle: Floats  # in pixels
    text: str


class FittingNumbers(AxesArtist):
    """Counts in the cells that have room, and sums over small ones, found anew at every drawing.

    Records that would touch a count are left out: `records` are the lines that draw them.
    """

    def __init__(self, axes: Axes, palette: Palette, records: Sequence[Line2D]) -> None:
        super().__init__(axes, 1.25)
        self._palette = palette
        self._cells: CellsAlong | None = None
        self._shares: Floats = np.empty(0)  # of the scale of shades; NaN below the noise
        self.set_in_layout(False)
        self._text = Text(0, 0, "", fontsize=_SIZE, ha="center", va="center", transform=IdentityTransform())
        self._take(self._text)
        self._records = records
        BeforeDrawing(axes, self._leave_out_records)

    def set_cells(self, cells: CellsAlong | None, per_area: bool = True, noise: float = 0.0) -> None:
        """Replace the cells; None writes nothing. Counts below the noise are grey."""
        self._cells = cells
        if cells is not None:
            shares = Shading.of(cells, per_area, noise).shares(shade_values(cells, per_area))
            self._shares = np.where(cells.counts < noise, np.nan, shares)

    def fit_numbers(self) -> tuple[list[CellNumber], list[CellNumber]]:
        """Return the counts of cells that have room for them, and the sums of groups of others."""
        cells = self._cells
        if cells is None or cells.flat or not cells.counts.size:
            return [], []
        to_pixels = self.home.transData.transform
        low, high = to_pixels(cells.lower), to_pixels(cells.upper)
        middles, sides = to_pixels(cells.centers), high - low
        if cells.polygons is not None:
            sides = sides / 2  # within a convex cell about half of its box is free around the middle
        view = self.home.bbox
        inside = (low >= (view.x0 - 1, view.y0 - 1)).all(axis=1)
        inside &= (high <= (view.x1 + 1, view.y1 + 1)).all(axis=1)
        areas, rest, written = sides.prod(axis=1), np.array(inside), list[CellNumber]()
        fitting = np.flatnonzero(inside & (sides >= self._room("")).all(axis=1))
        for index in fitting[np.argsort(-areas[fitting], kind="stable")].tolist():
            one = CellNumber([index], middles[index], number(float(cells.counts[index])))
            if (self._room(one.text) <= sides[index]).all():
                rest[index] = False
                written.append(one)
        if areas[rest].sum() > (1 - _SHARE) * areas[inside].sum():
            return [], []
        sums = []
        for group in self._groups(middles, np.flatnonzero(rest).tolist()):
            counts = cells.counts[group]
            middle = np.average(middles[group], axis=0, weights=np.maximum(counts, 1e-9))
            if not np.isnan(self._shares[group]).all():
                sums.append(CellNumber(group, middle, number(float(counts.sum()))))
        return written[:MAX_NUMBERS], sums

    def _room(self, text: str) -> Floats:
        """Return the width and height that a number takes, in pixels."""
        return np.array([max((len(text) + _BESIDE) * _WIDTH, _NARROW), _HEIGHT]) * self._pixels(_SIZE)

    def _groups(self, middles: Floats, left: list[int]) -> Iterator[list[int]]:
        """Yield the cells that lie beside each other, as tiles of the height of a number tell it."""
        tiles = np.floor(middles[left] / self._pixels(_HEIGHT * _SIZE)).astype(np.int64).tolist()
        held: dict[tuple[int, int], list[int]] = {}
        for index, (x, y) in zip(left, tiles, strict=True):
            held.setdefault((x, y), []).append(index)
        while held:
            group, edge = list[int](), [next(iter(held))]
            while edge:
                x, y = edge.pop()
                group += held.pop((x, y), [])
                edge += held.keys() & set(itertools.product((x - 1, x, x + 1), (y - 1, y, y + 1)))
            yield group

    def _leave_out_records(self, renderer: RendererBase) -> None:
        single, _ = self.fit_numbers()
        middles = np.reshape([one.middle for one in single], (-1, 2))
        reach = np.reshape([self._room(one.text) / 2 for one in single], (-1, 2))
        for line in self._records:
            dots = self.home.transData.transform(line.get_xydata())
            line.set_markevery((np.abs(dots[:, None] - middles) > reach).any(axis=2).all(axis=1))

    def draw(self, renderer: RendererBase) -> None:
        if not self.get_visible():
            return
        single, sums = self.fit_numbers()
        p = self._palette
        fills = [shade(p, float(self._shares[one.cells[0]])) for one in single]
        for one, fill in itertools.zip_longest(single + sums, fills):
            # around a sum, borders of small cells would look like a minus
            halo, weight = (2.5, "normal") if fill else (6.0, "bold")
            self._text.set(text=one.text, position=one.middle, fontweight=weight)
            self._text.set_path_effects([withStroke(linewidth=halo, foreground=fill or p.card)])
            self._text.set_color(p.muted if fill == p.card else on_shade(fill) if fill else p.ink)
            self._text.draw(renderer)
        self.stale = False


def corners(cells: CellsAlong, lane: tuple[float, float | Floats] = (0.0, 1.0)) -> list[Floats] | Floats:
    """Return the corners of all cells as they are drawn, shape (m, 4, 2) for boxes.

    `lane`: from where to where those of one direction reach.
    """
    if cells.flat:
        bottom, top = lane
        return boxes(cells.lower[:, 0], cells.upper[:, 0], bottom, top)
    if cells.polygons is not None:
        return list(cells.polygons)
    return boxes(cells.lower[:, 0], cells.upper[:, 0], cells.lower[:, 1], cells.upper[:, 1])


def boxes(left: Floats, right: Floats, bottom: Floats | float, top: Floats | float) -> Floats:
    """Return the corners of boxes, shape (m, 4, 2)."""
    low, high = np.broadcast_to(bottom, left.shape), np.broadcast_to(top, left.shape)
    return np.stack(
        [np.stack(pair, axis=-1) for pair in ((left, low), (right, low), (right, high), (left, high))], axis=1
    )


def cell_at(cells: CellsAlong, x: float, y: float) -> int | None:
    """Return which cell is at a place; at a border, the one that begins there."""
    at = np.array([x, y])[: cells.lower.shape[1]]
    above = (cells.lower <= at).all(axis=1)
    if cells.polygons is not None and not cells.flat:
        around = np.flatnonzero(above & (at <= cells.upper).all(axis=1)).tolist()
        return next((index for index in around if _inside(cells.polygons[index], x, y)), None)
    for ends in (at < cells.upper, at <= cells.upper):
        here = np.flatnonzero(above & ends.all(axis=1))
        if here.size:
            return int(here[0])
    return None


def _inside(corners: Floats, x: float, y: float) -> bool:
    """Tell whether a place is in a convex polygon."""
    edges = np.roll(corners, -1, axis=0) - corners
    turns: Floats = edges[:, 0] * (y - corners[:, 1]) - edges[:, 1] * (x - corners[:, 0])
    return bool((turns >= 0).all() or (turns <= 0).all())


_KINDS = {"boxes": "boxes around cells", "voronoi": "Voronoi cells"}


def cells_words(cells: CellsAlong) -> str:
    """Count the cells by their kind."""
    one = len(cells.counts) == 1 and not cells.spread
    kind = _KINDS.get(cells.kind, ("bin" if cells.flat else "cell") + "s" * (not one))
    if cells.spread:
        return f"{kind}, spread over a grid"
    text, held = f"{number(len(cells.counts))} {kind}", int((cells.counts > 0).sum())
    return text if held == len(cells.counts) else f"{text} ({number(held)} above 0)"


def caption_of(picture: Picture[Any]) -> str:
    """Say of a histogram with exact counts of what kind it is, and that it is not private."""
    made = None if picture.result is None else picture.result.mechanism
    if made is None or made.facts.is_private:
        return ""
    named = made.label if getattr(made, "t", None) is None else f"{made.label}, t = {number(made.t)}"
    return f"{named}: exact counts, not differentially private"


def place_header(directions: tuple[Direction, ...]) -> list[str]:
    """Return the names of the columns that say where something lies."""
    return [f"{direction.name} {end}" for direction in directions for end in ("from", "to")]


def cell_rows(cells: CellsAlong, chosen: int | None = None) -> list[list[Any]]:
    corners = np.stack([cells.lower, cells.upper], axis=2).reshape(-1, 2 * cells.lower.shape[1])
    rows = zip(cells.counts.tolist(), corners.tolist(), strict=True)
    return [
        ["cell" + " (chosen)" * (index == chosen), count, *sides] for index, (count, sides) in enumerate(rows)
    ]


def record_rows(view: DrawnSpace) -> list[list[Any]]:
    """Return the records that are drawn, each from where it is to there."""
    if view.records is None or view.records.dots is None:
        return []
    return [["record", 1, *row] for row in np.repeat(view.records.dots, 2, axis=1).tolist()]


def shift_rows(shift: ShiftPlanes | None) -> list[list[Any]]:
    if shift is None:
        return []
    ends = np.stack([shift.lower, shift.upper], axis=1).ravel().tolist()
    rows: list[list[Any]] = [
        ["inflated cube", "", *ends],
        ["shift", "", *np.repeat(shift.middle, 2).tolist()],
    ]
    for name, planes in (("plane", shift.kept), ("dropped plane", shift.dropped)):
        for axis, places in enumerate(planes):
            blank = [""] * len(ends)
            rows += [
                [name, "", *blank[: 2 * axis], position, position, *blank[2 * axis + 2 :]]
                for position in places.tolist()
            ]
    return rows


def swept_words(swept: str, value: float) -> str:
    """Say at which value of what is swept attacks are."""
    if swept == "known":
        return f"{number(value)} known columns"
    return f"{'d' if swept == 'predicates' else swept} = {number(value)}"
