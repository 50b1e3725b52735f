"""How balls, boxes and means are drawn, and their key."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from app.model.theme import STROKES, Palette
from app.plots.clustering.cloud_style import point, space_entries
from app.plots.elements.legend import LegendEntry, in_lines
from app.plots.one_cluster.words import balls_words, boxes_words, chosen_words, mean_words, truth_words
from engine.analysis.ball_scenes import BallCloud

FILL = 0.14
"""Opacity of a ball."""

DENSE, FAINT = 0.55, 0.06
"""Shares of the accent colour where a box is fullest, and where it holds next to nothing."""

RIMS: Mapping[str, Mapping[str, Any]] = {
    "truth": {"linewidth": 1.6, "linestyle": "solid"},
    "balls": {"linewidth": 2.0, "linestyle": (0, STROKES["released"].dashes)},
}


def centre_style(mark: str, palette: Palette) -> dict[str, Any]:
    """Return the properties of a center or a mean, each of another shape."""
    rim = {"markeredgecolor": palette.card, "markeredgewidth": 1.0}
    return {
        "truth": {"marker": "+", "markersize": 12, "markeredgewidth": 1.5, "color": palette.truth},
        "balls": {"marker": "o", "markersize": 5.5, "color": palette.released, **rim},
        "true_mean": {"marker": "x", "markersize": 9, "markeredgewidth": 1.8, "color": palette.truth},
        "mean": {"marker": "v", "markersize": 11, "color": palette.released, **rim},
    }[mark]


def box_rim(palette: Palette) -> str:
    """Return the colour of the edges of boxes."""
    return palette.tint(palette.accent, 0.6)


def legend_entries(r: BallCloud, palette: Palette) -> Iterator[LegendEntry]:
    """Return what has to be explained about a picture of balls."""
    p = palette
    yield from space_entries(r, p)
    if r.boxes is not None:
        fills = (p.tint(p.accent, share) for share in (2 * FAINT, DENSE))
        samples = tuple(point("s", fill, 9.0, markeredgecolor=box_rim(p)) for fill in fills)
        yield from in_lines(samples, boxes_words(r))
        if r.boxes.chosen is not None:
            winner = point("s", p.accent, 10.0, markerfacecolor="none", markeredgewidth=2.4)
            yield LegendEntry((winner,), chosen_words(r))
    for kind, role, text in (("truth", "truth", truth_words), ("balls", "released", balls_words)):
        if getattr(r, kind):
            rim = {"color": getattr(p, role), **RIMS[kind]}
            yield from in_lines((rim, centre_style(kind, p)), text(r))
    for mark in ("true_mean", "mean"):
        if getattr(r, mark) is not None:
            yield LegendEntry((centre_style(mark, p),), mean_words(r, mark))
