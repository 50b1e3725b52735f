"""The spanning tree or the facilities on cells, and the true ones beside them."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
from matplotlib.axes import Axes

from app.model.theme import LIGHT, Palette
from app.model.wording.numbers import number, quantity, share, tick_texts, times
from app.plots.base import Picture, Table, names_of_map, set_x_label, set_y_label
from app.plots.clustering.space_picture import draw_to_scale, frame, join_outlines, limits
from app.plots.elements.scales import SplitAxes, linear_ticks
from app.plots.histogram.cells import (
    CellLayer,
    caption_of,
    cell_rows,
    cells_words,
    place_header,
    record_rows,
    record_style,
)
from engine.analysis.histogram_maps import TreeMap
from engine.analysis.histogram_structures import (
    MAX_EDGES,
    MAX_WAYS,
    FacilitiesAlong,
    HistogramTrees,
    MatchingAlong,
    TreeAlong,
)
from engine.array_types import Floats

_LIGHT = 0.4  # strength of the shades below the tree
_BAND = (-0.3, -0.06)  # where cells and records lie below the arcs of one direction
_TWO_LINES = 33.0  # height of a y label, in points
_MANY = 150  # edges: of more, lines are finer
_ARC_LIMITS = (-0.36, 1.05)
_ARC = np.linspace(0.0, np.pi, 17)


class HistogramTree(Picture[TreeMap]):
    """Two panels with the same axes: the tree by the cells, and the true tree on the records.

    The axes that is given is divided; `axes` is then the panel of the cells.  Where there is no
    true tree to be seen, that panel has all the room.  Along one direction edges are arcs.
    Facilities have marks, and edges lead to them.
    """

    title = "Spanning tree on cells"
    answer_marks = "lines"
    caption = caption_of
    is_map = True
    has_log_y = has_cursor = False
    export_size = (7.8, 4.4)

    def __init__(self, axes: Axes, palette: Palette = LIGHT, unit: str = "") -> None:
        panels = SplitAxes(axes, palette, self._stacked, turned=self._turn)
        self._is_stacked = False
        super().__init__(panels.first, palette, unit)
        self.beside = panels.second
        for part in (self.axes, self.beside):
            part.grid(False)
            part.spines["bottom"].set_visible(False)
        self._drawn: tuple[Any, ...] = ()
        self._layer = CellLayer(self.axes, palette, _LIGHT)
        self._frames = [
            self.still_line("global_", part, linewidth=1.2, zorder=1.8) for part in (self.axes, self.beside)
        ]
        self._records = self.still_line("truth", self.beside, marker="o", linestyle="none", zorder=1.5)
        self._records.set_markeredgewidth(0)
        self._guess = self.line("released", linestyle="solid", zorder=2.5)
        self._nodes = self.line(
            "released", marker="o", markersize=4.0, linestyle="none", zorder=2.6, markeredgewidth=0
        )
        self._true = self.line("truth", self.beside, layer="truth", zorder=2.5)
        self._open = [
            self.line(role, part, layer=role, marker="s", markersize=9.0, linestyle="none", zorder=3.0)
            for role, part in (("released", self.axes), ("truth", self.beside))
        ]
        for marks in self._open:
            marks.set(markeredgecolor=palette.card, markeredgewidth=1.4)
        self._sentence = self.sentence_above(_TWO_LINES)

    def show(self, result: TreeMap) -> None:
        trees = result.trees
        named = trees.truth is None, trees.resampled is None, bool(_cut_edges(trees.estimate))
        behind = (result.cells, result.records, result.directions, result.window, *named)
        if any(a is not b for a, b in itertools.zip_longest(behind, self._drawn)):
            self._drawn = self.behind = behind
            self._draw_still(result)
        estimate = result.trees.estimate
        self._guess.set_data(*_edges(result, estimate).T)
        few = len(estimate.starts) <= _MANY
        self._guess.set_linewidth(2.2 if few else 1.2)
        nodes = np.concatenate([estimate.starts, estimate.ends])
        self._nodes.set_data(*_node_positions(result, nodes if few else nodes[:0]).T)
        self._true.set_data([], [])
        if result.trees.truth is not None:
            self._true.set_data(*_edges(result, result.trees.truth).T)
            self._true.set_linewidth(1.4 if len(result.trees.truth.starts) <= _MANY else 0.9)
        for marks, drawn in zip(self._open, (result.trees.tree, result.trees.truth), strict=True):
            places = drawn.open if isinstance(drawn, FacilitiesAlong) else nodes[:0]
            marks.set_data(*_node_positions(result, places).T)
        self._sentence.set_text(cost_words(result.trees, self.unit))

    # What can be asked of it.

    def tooltip_at(self, r: TreeMap, x: float, y: float) -> str:
        return self._layer.words_at(r.directions, x, y)

    def answer_path(self, r: TreeMap, answer: TreeMap) -> Floats:
        return _edges(r, answer.trees.estimate)

    def alt_text_of(self, r: TreeMap) -> str:
        return f"On {cells_words(r.cells)}: {cost_words(r.trees, self.unit)}"

    def table_of(self, r: TreeMap) -> Table:
        blank = [""] * 2 * len(r.directions)
        placed = isinstance(r.trees.tree, FacilitiesAlong)
        built = "matching" if isinstance(r.trees.tree, MatchingAlong) else "tree"
        by_distances = "facilities on cells, by the distances of cells"
        named = by_distances if placed else f"{built} on cells, upper estimate"
        rows: list[list[Any]] = [[named, r.trees.tree.cost, *blank]]
        if isinstance(r.trees.tree, MatchingAlong):
            rows.append(["matching on cells, lower bound", r.trees.tree.lower, *blank])
        if r.trees.resampled is not None:
            rows.append([f"{built} of points drawn in the cells", r.trees.resampled.cost, *blank])
        if r.trees.truth is not None:
            true = "facilities on records" if placed else f"true {built}"
            rows.append([true, r.trees.truth.cost, *blank])
        estimated = "edge on cells" if r.trees.resampled is None else "edge of drawn points"
        for name, tree in ((estimated, r.trees.estimate), ("true edge", r.trees.truth)):
            if isinstance(tree, FacilitiesAlong):
                if tree.in_truth is not None:
                    rows.append(["facilities on cells, in truth", tree.in_truth, *blank])
                where = "facility on cells" if tree is r.trees.tree else "facility on records"
                rows += [[where, tree.price, *row] for row in np.repeat(tree.open, 2, axis=1).tolist()]
            if tree is not None:
                ends = np.stack([tree.starts, tree.ends], axis=2).reshape(-1, 2 * len(r.directions))
                rows += [[name, "", *row] for row in ends.tolist()]
        header = ["mark", "cost or count", *place_header(r.directions)]
        return header, rows + cell_rows(r.cells) + record_rows(r)

    # How it is drawn.

    def _draw_still(self, r: TreeMap) -> None:
        known = r.trees.truth is not None
        self.parts = (self.axes, self.beside) if known else (self.axes,)
        self.beside.set_visible(known)
        self._layer.draw(r.cells, per_area=True, lane=_BAND)
        dots = np.empty((0, 2)) if r.records is None or r.records.dots is None else r.records.dots
        if r.flat:
            dots = np.column_stack([dots[:, 0], np.full(len(dots), sum(_BAND) / 2)])
        self._records.set_data(*dots.T)
        self._records.set(**record_style(dots, self.palette) | {"alpha": 0.8})
        for part, line in zip((self.axes, self.beside), self._frames, strict=True):
            self._scale(r, part)
            line.set_data(*join_outlines([frame(r)] if len(frame(r)) else []).T)
        self._name(r)

    def _turn(self, stacked: bool) -> None:
        """Name axes where they are needed once the layout has put one panel beside or above the other."""
        self._is_stacked = stacked
        if self.result is not None:
            self._name(self.result)

    def _name(self, r: TreeMap) -> None:
        stacked = self._is_stacked and r.trees.truth is not None
        across, *up = (direction.name for direction in r.directions)
        upward = "" if r.flat else f"\n{names_of_map(across, *up)}"
        blank = "\n " if upward and not stacked else ""  # as high as the y label beside it
        drawn = "cell centers" if r.trees.resampled is None else "points drawn in cells"
        drawn, true = (
            drawn + _cut_edges(r.trees.estimate),
            "true records" + _cut_edges(r.trees.truth),
        )
        set_y_label(self.axes, self.palette, f"{drawn}{upward}", self.palette.released)
        set_y_label(self.beside, self.palette, f"{true}{blank}", self.palette.truth)
        anchors = ("N", "N") if stacked or r.trees.truth is None else ("NE", "NW")  # near each other
        self.axes.set_anchor(anchors[0])
        self.beside.set_anchor(anchors[1])
        # panels above each other have the horizontal axis in common
        set_x_label(self.axes, across if r.flat and not stacked else "")
        set_x_label(self.beside, across if r.flat else "")
        self.axes.yaxis.set_visible(not r.flat)
        self.beside.yaxis.set_visible(not r.flat and stacked)

    def _scale(self, r: TreeMap, part: Axes) -> None:
        across, up = limits(r)
        draw_to_scale(part, r)
        part.set_xlim(across)
        part.set_ylim(_ARC_LIMITS if r.flat else up)
        linear_ticks(part.xaxis, r.directions[0].unit)
        if not r.flat:
            linear_ticks(part.yaxis, r.directions[1].unit)

    def _stacked(self, width: float, height: float) -> bool:
        return self.result is not None and (self.result.flat or height > width)


def _cut_edges(tree: TreeAlong | None) -> str:
    """Say how many edges of a tree are drawn, if not all of them."""
    ways = isinstance(tree, FacilitiesAlong)
    most, kind = (MAX_WAYS, "connections") if ways else (MAX_EDGES, "longest edges")
    return f", {number(most)} {kind}" * (tree is not None and len(tree.starts) >= most)


def cost_words(trees: HistogramTrees, unit: str) -> str:
    """Say what the trees cost, and how far the estimates are off; or the facilities."""
    if isinstance(trees.tree, FacilitiesAlong):
        return _facility_words(trees.tree, trees.truth, unit)
    built = "matching" if isinstance(trees.tree, MatchingAlong) else "tree"
    truth = None if trees.truth is None else _bounds(trees.truth, trees.truth.cost, unit)
    true = "" if truth is None else f", that of the records {truth}"
    if trees.resampled is None:
        return f"By the cells, the {built} is {_bounds(trees.tree, 0.0, unit)} long{true}."
    cost, drawn = trees.resampled.cost, quantity(trees.resampled.cost, unit)
    if trees.truth is not None and truth == quantity(trees.truth.cost, unit) and trees.truth.cost > 0:
        both = [float(f"{one:.3g}") for one in (cost, trees.truth.cost)]
        drawn, truth = tick_texts(both, unit)
        true = f", that of the records {truth} ({share(abs(cost / trees.truth.cost - 1))} off)"
    return f"The {built} of points drawn in the cells is {drawn} long{true}."


def _bounds(drawn: TreeAlong, lower: float, unit: str) -> str:
    """Say between which bounds the lowest cost lies; a matching knows its own lower bound."""
    lower = drawn.lower if isinstance(drawn, MatchingAlong) else lower
    if lower >= drawn.cost * (1 - 1e-9):
        return quantity(drawn.cost, unit)
    most = f"at most {quantity(drawn.cost, unit)}"
    return f"{most} and at least {quantity(lower, unit)}" if lower > 0 else most


def _facility_words(guess: FacilitiesAlong, truth: TreeAlong | None, unit: str) -> str:
    upper = f"{_facilities(guess, 'cells', unit)} by their distances"
    best = truth if isinstance(truth, FacilitiesAlong) else None
    if guess.in_truth is not None:
        upper = f"{upper}, in truth {quantity(guess.in_truth, unit)}"
        if best is not None and best.cost > 0:
            ratio = times(guess.in_truth / best.cost, "as much as on the records", digits=2)
            upper = f"{upper} ({ratio})"
    if best is None:
        return f"{upper}."
    return f"{upper}; {_facilities(best, 'records', unit)}."


def _facilities(drawn: FacilitiesAlong, on: str, unit: str) -> str:
    many, cost = len(drawn.open), quantity(drawn.cost, unit)
    if many == 1:
        return f"1 facility on the {on} costs {cost}"
    return f"{number(many)} facilities on the {on} cost {cost}"


def _edges(r: TreeMap, tree: TreeAlong) -> Floats:
    """Return all edges as one line with gaps; of one direction, arcs that are higher the longer they are."""
    gap = np.full((len(tree.starts), 1, 2), np.nan)
    if not r.flat:
        return np.concatenate([tree.starts[:, None], tree.ends[:, None], gap], axis=1).reshape(-1, 2)
    middles, halves = (tree.starts + tree.ends) / 2, (tree.ends - tree.starts) / 2
    highest = float(np.abs(halves).max(initial=0.0)) or 1.0
    x = middles + halves * np.cos(_ARC)
    y = np.sqrt(np.abs(halves) / highest) * np.sin(_ARC)
    return np.concatenate([np.stack([x, y], axis=2), gap], axis=1).reshape(-1, 2)


def _node_positions(r: TreeMap, nodes: Floats) -> Floats:
    """Return nodes in the plane; of one direction, on the line from which arcs rise."""
    return np.column_stack([nodes[:, 0], np.zeros(len(nodes))]) if r.flat else nodes
