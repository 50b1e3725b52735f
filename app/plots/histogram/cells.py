"""Draws cells: shaded, with borders while they are few, and with numbers where these have room."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes
from matplotlib.backend_bases import RendererBase
from matplotlib.collections import PolyCollection
from matplotlib.colors import to_rgba_array
from matplotlib.patheffects import withStroke
from matplotlib.text import Text
from matplotlib.transforms import IdentityTransform

from app.model.theme import Palette
from app.model.wording.numbers import number
from app.plots.elements.artists import AxesArtist, set_polygons
from app.plots.histogram.style import SHADES, Shading, border, on_shade, ramp, shade, shaded
from engine.analysis.histogram_contents import CellsAlong
from engine.array_types import Floats

MAX_BORDERS = 5_000
"""Largest number of cells that are drawn with borders."""

MAX_NUMBERS = 150
"""Largest number of cells in which counts are written; the largest cells come first."""

_SIZE = 8.5  # of a number, in points
_HALO = 4.0  # around numbers, in points
_SHARE = 0.25  # of the cells in view: where fewer have room, numbers would look like an accident
_WIDTH, _HEIGHT = 0.62, 1.5  # room of a digit and of a line, in sizes
_FINE = 800  # cells: of more, the borders are finer


class CellLayer:
    """The cells as a part of the background.

    Parameters
    ----------
    axes : Axes
    palette : Palette
    strength : float
        Of the shades: less than 1 where something more important lies on the cells.
    """

    def __init__(self, axes: Axes, palette: Palette, strength: float = 1.0, zorder: float = 1.05) -> None:
        self._palette = palette
        self._strength = strength
        self._axes = axes
        self.patches = PolyCollection([], zorder=zorder, in_layout=False)
        axes.add_collection(self.patches, autolim=False)

    def draw(self, cells: CellsAlong, per_area: bool, lane: tuple[float, float] | None = None) -> None:
        """Shade all cells; of one direction, as boxes from one height to another."""
        set_polygons(self.patches, corners(cells, lane))
        shares = Shading.of(cells, per_area).shares(shaded(cells, per_area))
        colours = self._colours(shares)
        self.patches.set_facecolor(colours)  # type: ignore[arg-type]  # the stubs know no arrays of colours
        count = len(cells.counts)
        # a grid over which counts are spread is not made of cells
        bordered = count <= MAX_BORDERS and not cells.spread
        self.patches.set_edgecolor(border(self._palette) if bordered else "none")
        self.patches.set_linewidth((0.7 if count <= _FINE else 0.35) if bordered else 0.0)
        # without borders, smooth edges would leave seams
        self.patches.set_antialiased(bordered)

    def _colours(self, shares: Floats) -> Floats:
        known = to_rgba_array([*ramp(self._palette, self._strength), self._palette.card])
        places = np.where(np.isnan(shares), SHADES, np.round(np.nan_to_num(shares) * (SHADES - 1)))
        colours: Floats = known[places.astype(np.int64)]
        return colours


class FittingNumbers(AxesArtist):
    """Counts in the cells that have room, found anew at every drawing.

    Attributes
    ----------
    halo : bool
        Whether numbers have a rim in the shade of their cells, where something else is drawn on these.
    """

    def __init__(self, axes: Axes, palette: Palette) -> None:
        super().__init__(axes, 1.25)
        self._palette = palette
        self.halo = False
        self._cells: CellsAlong | None = None
        self._shares: Floats = np.empty(0)
        self.set_in_layout(False)
        self._text = Text(0, 0, "", fontsize=_SIZE, ha="center", va="center", transform=IdentityTransform())
        self._take(self._text)

    def set_cells(self, cells: CellsAlong | None, per_area: bool = True) -> None:
        """Replace the cells; None writes nothing."""
        self._cells = cells
        if cells is not None:
            self._shares = Shading.of(cells, per_area).shares(shaded(cells, per_area))

    def written(self) -> list[tuple[int, tuple[float, float], str]]:
        """Return the cells that have room for their count: place, middle in pixels, and text."""
        cells = self._cells
        if cells is None or cells.flat or not cells.counts.size:
            return []
        to_pixels = self.home.transData.transform
        low, high = to_pixels(cells.lower), to_pixels(cells.upper)
        middles, sides = to_pixels(cells.centers), high - low
        if cells.polygons is not None:
            sides = sides / 2  # within a convex cell about half of its box is free around the middle
        view = self.home.bbox
        size = self._pixels(_SIZE)
        inside = (low >= (view.x0 - 1, view.y0 - 1)).all(axis=1)
        inside &= (high <= (view.x1 + 1, view.y1 + 1)).all(axis=1)
        roomy = np.flatnonzero(inside & (sides[:, 1] >= _HEIGHT * size) & (sides[:, 0] >= 1.5 * size))
        largest = roomy[np.argsort(-sides[roomy].prod(axis=1), kind="stable")][:MAX_NUMBERS]
        texts = [(position, number(float(cells.counts[position]))) for position in largest.tolist()]
        written = [
            (position, (float(middles[position, 0]), float(middles[position, 1])), text)
            for position, text in texts
            if (len(text) + 1) * _WIDTH * size <= sides[position, 0]
        ]
        return written if len(written) >= _SHARE * inside.sum() else []

    def draw(self, renderer: RendererBase) -> None:
        """Write the counts."""
        if not self.get_visible():
            return
        for index, middle, text in self.written():
            fill = shade(self._palette, float(self._shares[index]))
            self._text.set(text=text, position=middle, color=on_shade(fill))
            # records do not cross it out
            self._text.set_path_effects([withStroke(linewidth=_HALO, foreground=fill)] if self.halo else [])
            self._text.draw(renderer)
        self.stale = False


def corners(cells: CellsAlong, lane: tuple[float, float] | None = None) -> list[Floats] | Floats:
    """Return the corners of all cells as they are drawn, shape (m, 4, 2) for boxes."""
    if cells.flat:
        bottom, top = lane or (0.0, 1.0)
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


def outline(cells: CellsAlong, index: int, lane: tuple[float, float] | None = None) -> Floats:
    """Return the corners of one cell."""
    alone = CellsAlong(
        cells.lower[index : index + 1],
        cells.upper[index : index + 1],
        cells.counts[index : index + 1],
        polygons=None if cells.polygons is None else cells.polygons[index : index + 1],
    )
    return corners(alone, lane)[0]


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
