"""A graph: its edges by weight, its spanning tree, and what decides the sensitivity."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.artist import Artist
from matplotlib.backend_bases import RendererBase
from matplotlib.collections import LineCollection, PathCollection
from matplotlib.colors import to_rgba_array
from matplotlib.lines import Line2D
from matplotlib.transforms import Bbox, Transform

from app.model.dataset import PointedRecord
from app.model.theme import STROKES, Palette
from app.model.wording.numbers import number, quantity
from app.plots.base import Picture, Position, Table, rows_of
from app.plots.elements.answers import stacked
from app.plots.elements.labels import BeforeDrawing, figure_of
from app.plots.elements.legend import Legend, LegendEntry
from app.plots.elements.scales import TICK_SIZE
from app.plots.sensitivity.graph_labels import GraphLabels, Spacing, edge_labels
from app.plots.sensitivity.graph_view import (
    DecidingCut,
    DecidingPair,
    GraphView,
    edge_words,
    kinds_of_vertices,
    vertex_words,
)
from engine.array_types import Bools, Floats, Ints

_REACH = 9.0  # pixels at 100 dpi within which an edge is hit
_MARGIN = 11.0  # around the vertices, in points
_FAINT = 0.2  # of the edges across a cut that decide nothing, where there are many
_SMALL_SIDE, _SEEN = 12, 7.5  # so few vertices of one side are drawn at least that large, in points
_LARGEST = 26.0  # diameter of a group, in points
_ANSWER, _LINE = 0.03, 40.0  # width of a possible answer as a share; points that a dot plot needs below a key
TREES = "lightest edges up to an answer"
_STRETCH = 2.4  # of one direction against the other, at most


class GraphPicture(Picture[GraphView]):
    """Vertices and edges: the heavier, the stronger; those of the tree are black."""

    title = "Graph"
    answer_marks = "dot and lines"
    answers_beside = True
    answer_zorder = 2.15  # below vertices and what decides
    in_units = frozenset({"weight"})
    has_log_y = has_cursor = False
    good_width = 300
    x_ticks_vary = False
    export_size = (7.8, 6.0)

    def build(self) -> None:
        self.axes.set_axis_off()
        self.axes.set_axes_locator(self._locate)
        self.zoom.plane = True
        self._lines: EdgeLines | None = None
        self._segments: list[Floats] = []
        self._ordered: tuple[GraphView, Floats, Ints, Floats] | None = None  # for possible answers
        self._spacing = Spacing(6.0, 0.0)
        self._fitted: tuple[Any, ...] = ()
        self._weighed: GraphView | None = None
        self._widths: dict[Line2D, float] = {}
        self._halo = self._edges(self.palette.accent, 9.0, 2.2, alpha=0.4)
        # thousands of lines, which seldom change: not drawn again with all the rest
        self._others = LineCollection([], zorder=2.0, in_layout=False, capstyle="round")
        self._tree = LineCollection(
            [], zorder=2.1, in_layout=False, capstyle="round", colors=self.palette.ink
        )
        for lines in (self._others, self._tree):
            self.axes.add_collection(lines, autolim=False)
        self._levels = np.empty(0, dtype=np.int64)
        self._absent = self._edges(self.palette.muted, 1.4, 2.1, linestyle=(0, (1.0, 2.4)))
        self._rim = self._edges(self.palette.ink, 5.2, 2.4)
        self._crossing = self._edges(self.palette.local, STROKES["local"].width, 2.5, dash_capstyle="butt")
        self._deciding = self._edges(self.palette.local, 3.0, 2.6)
        self._link = self._edges(
            self.palette.local, 3.4, 2.7, linestyle=(0, (0.8, 0.8)), dash_capstyle="butt"
        )
        self._rings = self._points("o", "none", self.palette.accent, 2.0, 2.8)
        self._plain = self._points(
            "o", self.palette.tint(self.palette.ink, 0.12), self.palette.muted, 1.1, 3.0
        )
        self._side = self._points(
            "s", self.palette.tint(self.palette.local, 0.35), self.palette.local, 1.5, 3.1
        )
        self._common = self._points(
            "D", self.palette.tint(self.palette.local, 0.15), self.palette.local, 1.5, 3.1
        )
        self._sentence = self.sentence_above(0.0)
        self._legend = self.add(Legend(self.axes, self.palette))
        self._names = self.add(GraphLabels(self.axes, self.palette))
        self._scale = self.line("truth", color=self.palette.muted, linewidth=1.0, linestyle="solid")
        self._ends = [
            self.text(fontsize=TICK_SIZE, color=self.palette.muted, ha=side, va="bottom")
            for side in ("left", "right", "left")
        ]
        self._ends[-1].set_color(self.palette.text(self.palette.released))
        for artist in (self._scale, *self._ends):
            artist.set(transform=None, clip_on=False, visible=False, zorder=self.answer_zorder)
        BeforeDrawing(self.axes, self.fit)
        self.add(BeforeDrawing(self.axes, self.fit))

    def show(self, result: GraphView) -> None:
        if self._lines is None or not self._lines.serves(result.positions, result.ends):
            self._lines = EdgeLines(result.positions, result.ends)
            self._segments = self._lines.segments()
            self._others.set_segments(self._segments)
            self._levels = np.empty(0, dtype=np.int64)
        self._strengthen(result)
        decision = result.decision
        crossing = result.emphasised
        chosen, deciding = np.zeros((2, len(result.edges)), dtype=bool)
        if isinstance(decision, DecidingCut):
            deciding[list(decision.lightest)] = True
        self._draw(self._absent, result.absent)
        self._draw(self._rim, result.tree & crossing)
        self._crossing.set_linestyle(crossing_style(result))
        self._crossing.set_alpha(_FAINT if is_dense(result) else 1.0)
        self._draw(self._crossing, crossing & ~deciding & ~result.absent)
        self._draw(self._deciding, deciding)
        if result.chosen_index is not None:
            chosen[result.chosen_index] = True
        self._draw(self._halo, chosen)
        pair = decision.pair if isinstance(decision, DecidingPair) else ()
        self._link.set_data(*result.positions[list(pair)].T)
        self._place_vertices(result)
        self._sentence.set_text(result.sentence(self.unit))
        self._legend.set_entries(legend_entries(result, self.palette, self.unit))

    # What can be asked of it.

    def nearest_edge(self, x: float, y: float) -> int | None:
        """Return the number of the edge at a point of the axes, if there is any."""
        index = self._edge_at(x, y)
        return None if index is None or self.result is None else int(self.result.edges[index])

    def record_at(self, r: GraphView, x: float, y: float) -> PointedRecord | None:
        edge = self.nearest_edge(x, y)
        return None if edge is None else PointedRecord(edge)

    def place_of(self, r: GraphView, pointed: PointedRecord) -> Position | None:
        drawn = np.flatnonzero(r.edges == pointed.record)
        if self._lines is None or not drawn.size:
            return None
        x, y = self._lines.middles[drawn[0]].tolist()
        return x, y

    def tooltip_at(self, r: GraphView, x: float, y: float) -> str:
        vertex = self.nearest(r.positions, x, y, (self._spacing.diameter / 2 + 1) * 100 / 72)
        if vertex is not None:
            return vertex_words(r, vertex)
        edge = self._edge_at(x, y)
        return "" if edge is None else edge_words(r, edge, self.unit)

    def answer_path(self, r: GraphView, answer: float) -> Floats:
        """Return the answer, and the lightest edges that together weigh so much, those of the tree first."""
        dot = np.array([[answer, 0.0]])
        if r.weights is None or len(r.edges) < r.m:
            return dot
        if self._ordered is None or self._ordered[0] is not r:
            order = np.lexsort((r.weights, ~r.tree))
            lines = [np.concatenate([self._segments[edge], [[np.nan, np.nan]]]) for edge in order]
            ends = np.cumsum([0, *map(len, lines)])
            self._ordered = r, np.cumsum(r.weights[order]), ends, np.concatenate(lines)
        _, totals, ends, path = self._ordered
        return np.concatenate([dot, path[: ends[np.searchsorted(totals, answer, side="right")]]])

    def arrange_answers(self, paths: list[Floats]) -> list[Floats]:
        """Stack the answers as dots over a line from 0 to about twice the middle one, below the key."""
        trees, room = max(map(len, paths), default=0) > 1, self._room_below_key()
        only_trees = trees and room is None
        for artist in (self._scale, *self._ends):
            artist.set_visible(bool(paths) and not only_trees)
        if not paths:
            return []
        if only_trees:
            return [np.concatenate([[[np.nan, np.nan]], path[1:]]) for path in paths]
        values = np.array([path[0, 0] for path in paths])
        high = float(f"{2 * max(float(np.median(values)), 0.5):.1g}")
        point, box = figure_of(self.axes).dpi / 72, self.axes.bbox
        (left, low), (right, top) = room or ((box.x0, box.y0 + 12 * point), (box.x1, box.y1))
        self._scale.set_data([left, right], [low, low])
        key = TREES if trees else ""
        ends = ((left, low + 2, number(0)), (right, low + 2, number(high)), (left, low - 26 * point, key))
        for text, (x, y, label) in zip(self._ends, ends, strict=True):
            text.set(position=(x, y), text=label)
        places = left + (right - left) * np.clip(values / high, 0.0, 1.0)
        dots = stacked(places, low, top, _ANSWER * (right - left), 6.0 * point)
        places = self.axes.transData.inverted().transform(dots)
        return [np.concatenate([[dot], path[1:]]) for dot, path in zip(places, paths, strict=True)]

    def _room_below_key(self) -> tuple[Position, Position] | None:
        """Return lower left and upper right corner of the room below the key, in pixels; None for none."""
        box, figure = self.axes.bbox, figure_of(self.axes)
        point, foot = figure.dpi / 72, self._legend.foot
        if foot is None or foot - box.y0 < _LINE * point:
            return None
        right = figure.bbox.width - 3 * _MARGIN * point
        return (box.x1 + 2 * _MARGIN * point, box.y0 + 28 * point), (right, foot - 8 * point)

    def alt_text_of(self, r: GraphView) -> str:
        texts = [f"A graph of {number(r.n)} vertices and {number(r.m)} edges", r.left_out()]
        return ". ".join([part for part in texts if part] + [r.sentence(self.unit)]).strip()

    def table_of(self, r: GraphView) -> Table:
        header = ["edge", "source", "target"]
        columns: list[list[Any]] = [(r.edges + 1).tolist()]
        columns += [[r.names[vertex] for vertex in side] for side in r.ends.T.tolist()]
        if r.weights is not None:
            header += ["weight", "in the tree"]
            columns += [r.weights.tolist(), r.tree.tolist()]
        if isinstance(r.decision, DecidingCut):
            header.append("across the cut")
            columns.append(r.decision.crossing.tolist())
        elif isinstance(r.decision, DecidingPair):
            header += ["joined", "to a common neighbor"]
            columns += [(~r.absent).tolist(), r.decision.spokes.tolist()]
        return header, rows_of(*columns)

    # How it is drawn.

    def fit(self, renderer: RendererBase) -> None:
        """Give vertices and labels the room that there is now, in pixels."""
        r = self.result
        if r is None or self._lines is None:
            return
        position = (self.axes.bbox.bounds, self.axes.get_xlim(), self.axes.get_ylim())
        key = (renderer, *position, figure_of(self.axes).dpi, id(r.positions), id(r.names))
        pixels = self.axes.transData.transform(r.positions)
        if key != self._fitted:
            self._fitted, self._weighed = key, None
            self._spacing = Spacing.of(pixels, 72 / figure_of(self.axes).dpi, r.names)
            self._names.name_vertices(renderer, r.names, pixels, r.ends, self._spacing)
            self._scale_lines()
        self._size_vertices(r)
        if self._weighed is not r:
            self._weighed = r
            labels = edge_labels(r, self.palette)
            chosen = [label.edge for label in labels]
            to_pixels = self.axes.transData.transform
            middles = to_pixels(self._lines.middles[chosen]) if chosen else np.empty((0, 2))
            lines = [
                (pixels[r.ends[edge, 0]], middle, pixels[r.ends[edge, 1]])
                for edge, middle in zip(chosen, middles, strict=True)
            ]
            self._names.weigh_edges(renderer, labels, lines, pixels, self._spacing)

    def _edges(self, colour: str, width: float, height: float, **properties: Any) -> Line2D:
        settings: dict[str, Any] = {
            "color": colour,
            "linewidth": width,
            "zorder": height,
            "linestyle": "solid",
        }
        line = self.line("truth", **(settings | properties))
        self._widths[line] = width
        return line

    def _points(self, marker: str, fill: str, rim: str, width: float, height: float) -> PathCollection:
        points = self.axes.scatter([], [], marker=marker, linewidths=width, zorder=height)
        # without places matplotlib would draw one in the corner
        points.set(facecolor=fill, edgecolor=rim, in_layout=False, clip_on=False, visible=False)
        return self.add(points)

    def _strengthen(self, r: GraphView) -> None:
        """Give every line the strength of its weight, or of the tree; none to those taken away."""
        levels = levels_of(r)
        if np.array_equal(levels, self._levels):
            return
        self._levels = self.behind = levels
        colours, _ = zip(*strengths(self.palette, is_dense(r)), strict=True)
        each = to_rgba_array([*colours, "none", "none"])[levels]
        self._others.set_color(each)  # type: ignore[arg-type]  # the stubs know no arrays of colours
        self._tree.set_segments([self._segments[edge] for edge in np.flatnonzero(r.tree)])
        self._scale_lines()

    def _scale_lines(self) -> None:
        dense = self.result is not None and is_dense(self.result)
        _, widths = zip(*strengths(self.palette, dense), strict=True)
        self._others.set_linewidth(
            (self._spacing.strokes * np.array([*widths, 0.0, 0.0])[self._levels]).tolist()
        )
        self._tree.set_linewidth(self._spacing.strokes * TREE_WIDTH)
        for line, width in self._widths.items():
            # what decides must be found at once, also where all else is fine
            marks = line in (self._halo, self._rim, self._deciding, self._link)
            line.set_linewidth(width * self._spacing.strokes ** (0.3 if marks else 1.0))

    def _draw(self, line: Line2D, edges: Bools) -> None:
        assert self._lines is not None
        line.set_data(*self._lines.of(edges).T)

    def _locate(self, _: Artist, renderer: RendererBase) -> Bbox:
        """Fill the room that the axes has, stretched where that helps (called before drawing).

        Places mean nothing but who is near whom, and in a room that is not square the names
        need them apart.  The aspects of matplotlib widen limits, but do not take them back
        when the room grows.
        """
        axes = self.axes
        box: Bbox = axes.get_position(original=True)
        if self.result is not None:
            low, high = self.result.positions.min(axis=0), self.result.positions.max(axis=0)
            pixels = np.array(figure_of(axes).bbox.size) * box.size
            space = np.maximum(pixels - 2 * _MARGIN * figure_of(axes).dpi / 72, 1.0)
            scale = np.maximum((high - low) / space, 1e-2 / float(pixels.min()))
            middle, half = (low + high) / 2, np.maximum(scale, scale.max() / _STRETCH) * pixels / 2
            self.zoom.leave()
            axes.set_xlim(middle[0] - half[0], middle[0] + half[0])
            axes.set_ylim(middle[1] - half[1], middle[1] + half[1])
            self.zoom.enter()
        return box

    def _place_vertices(self, r: GraphView) -> None:
        side, common = kinds_of_vertices(r)
        for points, mask in ((self._plain, ~side & ~common), (self._side, side), (self._common, common)):
            points.set_visible(bool(mask.any()))
            points.set_offsets(r.positions[mask])
        self._rings.set_visible(r.chosen_index is not None)
        if r.chosen_index is not None:
            self._rings.set_offsets(r.positions[r.ends[r.chosen_index]])

    def _size_vertices(self, r: GraphView) -> None:
        side, common = kinds_of_vertices(r)
        diameters = np.minimum(self._spacing.diameter * r.sizes**0.3, max(_LARGEST, self._spacing.diameter))
        if side.sum() <= _SMALL_SIDE:
            diameters[side] = np.maximum(diameters[side], _SEEN)
        for points, mask, share in (
            (self._plain, ~side & ~common, 1.0),
            (self._side, side, 0.92),
            (self._common, common, 0.85),
        ):
            # one size for all is drawn ten times as fast
            different = np.unique(diameters[mask]).size > 1
            points.set_sizes((share * (diameters[mask] if different else diameters[mask][:1])) ** 2)
            points.set_linewidth(min(1.5, 0.2 * self._spacing.diameter))
        if r.chosen_index is not None:
            self._rings.set_sizes((diameters[r.ends[r.chosen_index]] + 6) ** 2)

    # What is where.

    def _edge_at(self, x: float, y: float) -> int | None:
        if self.result is None or self._lines is None or not len(self.result.edges):
            return None
        gaps = self._lines.distances(x, y, self.axes.transData)
        nearest = int(gaps.argmin())
        reach = _REACH * figure_of(self.axes).dpi / 100
        return nearest if gaps[nearest] <= reach else None


_BEND = 0.16  # sideways distance of parallel edges in the middle, as a share of their length
_WIDEST = 0.9
_BENDS = np.linspace(0.0, 1.0, 13)


class EdgeLines:
    """One line per edge, from vertex to vertex.

    `positions`: shape (v, 2), places of the vertices. `ends`: shape (e, 2), the two vertices of each edge.
    `middles`: shape (e, 2), the point half way along each line.
    """

    def __init__(self, positions: Floats, ends: Ints) -> None:
        self.positions, self.ends = positions, ends
        start, stop = positions[ends[:, 0]], positions[ends[:, 1]]
        bow = bows(ends)
        straight, bent = np.flatnonzero(bow == 0), np.flatnonzero(bow != 0)
        # a gap after each line: all of them can be drawn as one
        plain = np.stack([start, stop, np.full_like(start, np.nan)], axis=1)[straight]
        along = np.sort(ends[bent], axis=1)
        base, tip = positions[along[:, 0]], positions[along[:, 1]]
        sideways = np.column_stack([base[:, 1] - tip[:, 1], tip[:, 0] - base[:, 0]]) * bow[bent, None]
        arch = 4 * _BENDS * (1 - _BENDS)
        curves = (
            base[:, None] * (1 - _BENDS)[:, None]
            + tip[:, None] * _BENDS[:, None]
            + sideways[:, None] * arch[:, None]
        )
        curves = np.concatenate([curves, np.full((len(bent), 1, 2), np.nan)], axis=1)
        self._points = np.concatenate([plain.reshape(-1, 2), curves.reshape(-1, 2)])
        self._owner = np.concatenate([np.repeat(straight, 3), np.repeat(bent, len(_BENDS) + 1)])
        self.middles = (start + stop) / 2
        self.middles[bent] = curves[:, len(_BENDS) // 2]

    def serves(self, positions: Floats, ends: Ints) -> bool:
        """Tell whether these are the lines of that drawing."""
        return positions is self.positions and (ends is self.ends or np.array_equal(ends, self.ends))

    def segments(self) -> list[Floats]:
        starts = np.flatnonzero(np.isnan(self._points[:, 0]))[:-1] + 1
        lines = np.split(self._points, starts)
        if not len(self.ends):
            return []
        order = np.argsort(self._owner[np.concatenate([[0], starts])])
        return [lines[position][:-1] for position in order]

    def of(self, edges: Bools) -> Floats:
        """Return the points of the chosen edges, with gaps between them, shape (p, 2)."""
        chosen: Floats = self._points[edges[self._owner]]
        return chosen

    def distances(self, x: float, y: float, to_pixels: Transform) -> Floats:
        """Return how many pixels each edge is away from a point in data coordinates, shape (e,)."""
        points = to_pixels.transform(self._points) - to_pixels.transform((x, y))
        start, stop = points[:-1], points[1:]
        step = stop - start
        length = np.maximum((step**2).sum(axis=1), 1e-12)
        share = np.clip(-(start * step).sum(axis=1) / length, 0.0, 1.0)
        gaps = np.linalg.norm(start + share[:, None] * step, axis=1)
        result = np.full(len(self.ends), np.inf)
        np.fmin.at(result, self._owner[:-1], gaps)  # a gap in the line is NaN, and passed over
        return result


def bows(ends: Ints) -> Floats:
    """Return how far each edge is bowed, as a share of its length: 0 unless it has parallels."""
    pairs = np.sort(ends, axis=1)
    _, group, counts = np.unique(pairs, axis=0, return_inverse=True, return_counts=True)
    order = np.argsort(group, kind="stable")
    starts = np.cumsum(counts) - counts
    rank = np.empty(len(ends))
    rank[order] = np.arange(len(ends)) - np.repeat(starts, counts)
    many = counts[group]
    spacing = np.minimum(_BEND, _WIDEST / np.maximum(many - 1, 1))
    return np.asarray((rank - (many - 1) / 2) * spacing)


LEVELS = 5  # strengths in which edges are drawn, the heaviest edges most strongly
TREE, ABSENT = LEVELS, LEVELS + 1  # further levels: what is drawn as the tree, and what was taken away
TREE_WIDTH = 2.8
_DENSE = 6  # edges for each vertex
_MAX_DASHED = 250  # edges; dashes on more could not be seen, and take long to draw


def is_dense(view: GraphView) -> bool:
    """Tell whether there are so many edges that only the tree and what decides can be seen among them."""
    return len(view.edges) > _DENSE * len(view.positions)


def strengths(palette: Palette, dense: bool = False) -> list[tuple[str, float]]:
    """Return colour and width of each level, for the lightest edges first; of a dense graph all are faint."""
    shares = np.linspace(0.0, 1.0, LEVELS)
    if dense:
        return [(palette.tint(palette.ink, 0.06 + 0.06 * share), 0.5 + 0.3 * share) for share in shares]
    return [(palette.tint(palette.ink, 0.18 + 0.44 * share), 0.7 + 1.2 * share) for share in shares.tolist()]


def crossing_style(view: GraphView) -> str | tuple[int, tuple[float, ...]]:
    """Return how edges across the cut, or to common neighbours, are drawn."""
    few = view.emphasised.sum() <= _MAX_DASHED
    return STROKES["local"].linestyle if few else "solid"


def weight_levels(view: GraphView) -> Ints:
    """Return the level of each drawn edge: 0 for the lightest; the middle one without weights."""
    if view.weights is None:
        return np.full(len(view.edges), LEVELS // 2)
    low, high = view.ramp
    share = (view.weights - low) / (high - low) if high > low else np.zeros(len(view.edges))
    return np.clip((share * LEVELS).astype(np.int64), 0, LEVELS - 1)


def levels_of(view: GraphView) -> Ints:
    """Return how each drawn edge is drawn: by the level of its weight, as tree, or not at all."""
    return np.where(view.tree, TREE, np.where(view.absent, ABSENT, weight_levels(view)))


def legend_entries(r: GraphView, palette: Palette, unit: str) -> list[LegendEntry]:
    entries = []
    if r.weights is not None:
        levels = strengths(palette, is_dense(r))
        even = {"solid_capstyle": "butt", "snap": False}  # neither overlapping nor at whole pixels
        samples = tuple({"color": colour, "linewidth": width, **even} for colour, width in levels)
        entries.append(LegendEntry(samples, f"weight {number(r.ramp[0])} to {quantity(r.ramp[1], unit)}"))
        total = quantity(float(r.weights[r.tree].sum()), unit)
        tree = f"spanning tree, cost {total}" if len(r.edges) == r.m else "minimum spanning tree"
        black = {"color": palette.ink, "linewidth": TREE_WIDTH}
        entries.append(LegendEntry((black,), tree))
    square = _sample("s", palette.tint(palette.local, 0.35), palette.local)
    if isinstance(r.decision, DecidingCut):
        crossing = {"color": palette.local, "linewidth": STROKES["local"].width}
        crossing |= {"linestyle": crossing_style(r), "dash_capstyle": "butt"}
        bold = {"color": palette.local, "linewidth": 3.0}
        circle = _sample("o", palette.tint(palette.ink, 0.12), palette.muted)
        entries.append(LegendEntry((square, circle), "sides of the cut"))
        if r.decision.crossing.sum() > len(r.decision.lightest):
            entries.append(LegendEntry((crossing,), "across the cut"))
        entries.append(LegendEntry((bold,), "marked edge"))
    elif isinstance(r.decision, DecidingPair):
        dots = {"color": palette.local, "linewidth": 3.4, "linestyle": (0, (0.8, 0.8))}
        entries.append(LegendEntry((square, dots, square), "the pair, joined or not"))
        entries.append(
            LegendEntry((_sample("D", palette.tint(palette.local, 0.15), palette.local),), "common neighbors")
        )
    if r.absent.any():
        dots = {"color": palette.muted, "linewidth": 1.4, "linestyle": (0, (1.0, 2.4))}
        entries.append(LegendEntry((dots,), "taken away"))
    if r.left_out():
        entries.append(LegendEntry((), r.left_out()))
    return entries


def _sample(marker: str, fill: str, rim: str) -> dict[str, object]:
    return {
        "marker": marker,
        "markersize": 6.5,
        "markeredgewidth": 1.3,
        "markeredgecolor": rim,
        "markerfacecolor": fill,
    }
