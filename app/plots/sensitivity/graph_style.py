"""How the edges of a graph are drawn, and the key that explains it."""

from __future__ import annotations

import numpy as np

from app.model.theme import STROKES, Palette
from app.model.wording.numbers import number, quantity
from app.plots.elements.legend import LegendEntry
from app.plots.sensitivity.graph_view import DecidingCut, DecidingPair, GraphView, distance
from engine.array_types import Ints

LEVELS = 5
"""Strengths in which edges are drawn, the lightest edges most strongly."""
TREE, ABSENT = LEVELS, LEVELS + 1
"""Further levels: what is drawn as the tree, and what was taken away."""
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
        return [(palette.tint(palette.ink, 0.12 - 0.06 * share), 0.8 - 0.3 * share) for share in shares]
    return [(palette.tint(palette.ink, 0.62 - 0.44 * share), 1.9 - 1.2 * share) for share in shares.tolist()]


def crossing_style(view: GraphView) -> str | tuple[int, tuple[float, ...]]:
    """Return how edges across the cut, or to common neighbours, are drawn."""
    few = view.emphasised.sum() <= _MAX_DASHED
    return (0, STROKES["local"].dashes) if few else "solid"


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
    """Return what has to be explained about the picture of a graph."""
    entries = []
    if r.weights is not None:
        levels = strengths(palette, is_dense(r))
        samples = tuple({"color": colour, "linewidth": width} for colour, width in levels)
        low, high = r.ramp
        entries.append(LegendEntry(samples, quantity(high, unit), before=f"weight {number(low)}"))
        entries.append(
            LegendEntry(({"color": palette.ink, "linewidth": TREE_WIDTH},), "minimum spanning tree")
        )
    square = _sample("s", palette.tint(palette.local, 0.35), palette.local)
    if isinstance(r.decision, DecidingCut):
        crossing = {"color": palette.local, "linewidth": STROKES["local"].width}
        crossing |= {"linestyle": crossing_style(r), "dash_capstyle": "butt"}
        bold = {"color": palette.local, "linewidth": 3.0}
        circle = _sample("o", palette.tint(palette.ink, 0.12), palette.muted)
        entries.append(LegendEntry((square, circle), "sides of the cut"))
        if r.decision.crossing.sum() > len(r.decision.lightest):
            entries.append(LegendEntry((crossing,), "across the cut"))
        entries.append(LegendEntry((bold,), f"decides A{distance(r.decision.k)}"))
    elif isinstance(r.decision, DecidingPair):
        dots = {"color": palette.local, "linewidth": 3.4, "linestyle": (0, (0.8, 0.8))}
        entries.append(LegendEntry((square, dots, square), "the pair, joined or not"))
        entries.append(
            LegendEntry(
                (_sample("D", palette.tint(palette.local, 0.15), palette.local),), "common neighbours"
            )
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
