"""Names of vertices and weights of edges, written where there is room for them."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.backend_bases import RendererBase
from matplotlib.patheffects import AbstractPathEffect, withStroke
from matplotlib.text import Text
from matplotlib.transforms import Bbox, IdentityTransform
from scipy.spatial import cKDTree

from app.model.theme import Palette
from app.model.wording.numbers import number, plain
from app.plots.elements.labels import AxesArtist, figure_of
from app.plots.sensitivity.graph_view import DecidingCut, GraphView
from engine.array_types import Bools, Floats, Ints

MAX_NAMES = 150  # vertices whose names are written
SIZE, WEIGHT_SIZE = 9.5, 8.5

MAX_WEIGHTS = 60  # edges that all have their weights written on them
_MAX_MARKED = 12  # weights written on the edges that decide
_SMALLEST = 6.5  # points, of a name inside its vertex
_EM = 0.6  # width of a digit
_DIRECTIONS = np.exp(1j * np.pi / 4 * np.arange(8))
_MAX_CROSSED = 24  # points of edges behind a name, of 19 on each
_ALONG = (0.5, 0.38, 0.62, 0.28, 0.72)  # where on an edge its weight may stand
_SHORT = 2.0  # lengths of a weight, below which it stands beside its edge


@dataclasses.dataclass(frozen=True)
class EdgeLabel:
    """A weight that is to be written on an edge, the most important ones first."""

    edge: int
    text: str
    colour: str
    bold: bool = False


@dataclasses.dataclass(frozen=True)
class Spacing:
    """The space between vertices, in points."""

    diameter: float  # of a vertex
    name_size: float  # of names inside the vertices; 0 if they have to stand beside them
    strokes: float = 1.0  # width of all lines relative to the ordinary

    @classmethod
    def of(cls, pixels: Floats, points_per_pixel: float, names: Sequence[str]) -> Spacing:
        """Return the room between vertices at these places, for these names."""
        spacing = 60.0
        if len(pixels) > 1:
            nearest = np.asarray(cKDTree(pixels).query(pixels, k=2)[0])
            # the closest few may touch: the others would become too small to be seen
            spacing = float(np.quantile(nearest[:, 1], 0.1)) * points_per_pixel
        longest = max(map(len, names), default=0)
        strokes = float(np.clip(spacing / 16.0, 0.45, 1.0))
        diameter = float(np.clip(0.8 * spacing, 3.0, 19.0))
        size = min(SIZE, 0.8 * diameter / (_EM * max(longest, 1.6)))
        if longest <= 3 and len(names) <= MAX_NAMES and size >= _SMALLEST:
            return cls(diameter, size, strokes)
        return cls(float(np.clip(0.45 * spacing, 2.6, 9.0)), 0.0, strokes)


class GraphLabels(AxesArtist):
    """Names and weights; places are found when the picture is drawn, in pixels."""

    def __init__(self, axes: Axes, palette: Palette) -> None:
        super().__init__(axes, 6)
        self._palette = palette
        self._names: list[Text] = []
        self._weights: list[Text] = []
        self._taken: list[Bbox] = []
        self.set_clip_on(False)
        self.set_in_layout(False)
        self._halo: list[AbstractPathEffect] = [
            withStroke(linewidth=3.5, foreground=palette.card)
        ]  # over edges

    def texts(self) -> list[str]:
        return [text.get_text() for text in (*self._names, *self._weights)]

    def boxes(self, renderer: RendererBase) -> list[Bbox]:
        """Return the boxes of all names and weights that have found a place."""
        return [text.get_window_extent(renderer) for text in (*self._names, *self._weights)]

    def name_vertices(
        self, renderer: RendererBase, names: Sequence[str], pixels: Floats, ends: Ints, space: Spacing
    ) -> None:
        """Write names into the vertices or beside them, away from edges and from each other."""
        self._names, self._taken = [], []
        if not len(names) or len(names) > MAX_NAMES:
            return
        if space.name_size:
            for name, (x, y) in zip(names, pixels, strict=True):
                self._names.append(self._text(x, y, name, space.name_size, self._palette.ink))
            return
        reach = self._pixels(space.diameter / 2 + 2)
        dots = np.concatenate([pixels - reach, pixels + reach], axis=1)
        crowd = _samples(pixels, ends)
        frame = figure_of(self.home).bbox
        taken = np.empty((0, 4))
        order = np.argsort(-np.bincount(ends.ravel(), minlength=len(names)), kind="stable")
        for vertex in order.tolist():
            text = self._text(0, 0, names[vertex], SIZE, self._palette.ink)
            extent = text.get_window_extent(renderer)
            centres, boxes = _around(pixels[vertex], reach, extent.width, extent.height)
            others = np.delete(dots, vertex, axis=0)
            free = ~(_overlaps(boxes, taken).any(axis=1) | _overlaps(boxes, others).any(axis=1))
            free &= (boxes[:, 0] >= frame.x0) & (boxes[:, 2] <= frame.x1)
            free &= (boxes[:, 1] >= frame.y0) & (boxes[:, 3] <= frame.y1)
            crossed = np.where(free, _inside(boxes, crowd), np.inf)
            best = int(crossed.argmin())
            if crossed[best] <= _MAX_CROSSED:
                text.set_position(tuple(centres[best]))
                taken = np.concatenate([taken, boxes[[best]]])
                if crossed[best]:
                    text.set_path_effects(self._halo)
                self._names.append(text)
        self._taken = [Bbox.from_extents(*box) for box in taken]

    def weigh_edges(
        self,
        renderer: RendererBase,
        labels: Sequence[EdgeLabel],
        lines: Sequence[tuple[Floats, Floats, Floats]],
        pixels: Floats,
        space: Spacing,
    ) -> None:
        """Write weights where nothing is in the way, on lines from start over middle to stop (pixels)."""
        self._weights = []
        reach = self._pixels(space.diameter / 2)
        dots = np.concatenate([pixels - reach, pixels + reach], axis=1)
        taken = np.array([box.extents for box in self._taken]).reshape(-1, 4)
        pad = self._pixels(1.5)
        for label, (start, middle, stop) in zip(labels, lines, strict=True):
            text = self._text(0, 0, label.text, WEIGHT_SIZE, label.colour)
            text.set_fontweight("bold" if label.bold else "normal")
            extent = text.get_window_extent(renderer)
            half = np.array([extent.width / 2 + pad, extent.height / 2 + pad])
            bulge = middle - (start + stop) / 2
            shares = np.array(_ALONG)[:, None]
            centres = start * (1 - shares) + stop * shares + bulge * 4 * shares * (1 - shares)
            boxes = np.concatenate([centres - half, centres + half], axis=1)
            length = float(np.linalg.norm(stop - start))
            if length < _SHORT * 2 * half.max():
                # on a short edge nothing would be left of it to be seen
                centres, boxes = _around(middle, length / 2 + reach + pad, extent.width, extent.height)
            busy = _overlaps(boxes, taken).any(axis=1)
            met = _overlaps(boxes, dots).sum(axis=1)
            if not label.bold:
                busy |= met > 0
            if not busy.all():
                best = int(np.where(busy, np.inf, met).argmin())
                text.set(position=tuple(centres[best]), path_effects=self._halo)
                taken = np.concatenate([taken, boxes[[best]]])
                self._weights.append(text)

    def draw(self, renderer: RendererBase) -> None:
        space = self.home.bbox.padded(self._pixels(SIZE))
        for text in (*self._names, *self._weights):
            if space.contains(*text.get_position()):
                text.draw(renderer)
        self.stale = False

    def _text(self, x: float, y: float, label: str, size: float, colour: str) -> Text:
        text = Text(x, y, plain(label), fontsize=size, color=colour, transform=IdentityTransform())
        text.set(ha="center", va="center_baseline")
        self._take(text)
        return text


def _around(centre: Floats, reach: float, width: float, height: float) -> tuple[Floats, Floats]:
    """Return eight places for a text around a vertex: centres and boxes."""
    directions = np.column_stack([_DIRECTIONS.real, _DIRECTIONS.imag])
    centres = centre + directions * (reach + np.array([width, height]) / 2)
    half = np.array([width, height]) / 2
    return centres, np.concatenate([centres - half, centres + half], axis=1)


def _overlaps(boxes: Floats, others: Floats) -> Bools:
    """Return whether box i meets other box j, shape (i, j)."""
    apart = (boxes[:, None, :2] >= others[None, :, 2:]) | (others[None, :, :2] >= boxes[:, None, 2:])
    return np.asarray(~apart.any(axis=2))


def _samples(pixels: Floats, ends: Ints) -> Floats:
    shares = np.linspace(0.05, 0.95, 19)[:, None, None]
    return np.asarray((pixels[ends[:, 0]] * (1 - shares) + pixels[ends[:, 1]] * shares).reshape(-1, 2))


def _inside(boxes: Floats, points: Floats) -> Floats:
    within = (points[None] > boxes[:, None, :2]) & (points[None] < boxes[:, None, 2:])
    return np.asarray(within.all(axis=2).sum(axis=1), dtype=np.float64)


def edge_labels(r: GraphView, palette: Palette) -> list[EdgeLabel]:
    if r.weights is None:
        return []
    deciding = r.decision.lightest if isinstance(r.decision, DecidingCut) else ()
    wanted = [] if r.chosen_index is None else [r.chosen_index]
    wanted += deciding[:_MAX_MARKED]
    if len(r.edges) <= MAX_WEIGHTS:
        wanted += [*np.flatnonzero(r.tree).tolist(), *range(len(r.edges))]
    colours = {edge: palette.text(palette.local) for edge in deciding}
    if r.chosen_index is not None:
        colours[r.chosen_index] = palette.text(palette.accent)
    return [
        EdgeLabel(
            edge,
            number(r.weights[edge], 3),
            colours.get(edge, palette.ink if r.tree[edge] else palette.muted),
            bold=edge in colours,
        )
        for edge in dict.fromkeys(wanted)
    ]
