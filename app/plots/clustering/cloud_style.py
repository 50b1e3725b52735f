"""How the parts of sample-and-aggregate are drawn, the same in all of its pictures, and their key."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from app.model.theme import STROKES, Palette
from app.plots.clustering.cloud_words import (
    bound_words,
    circle_words,
    mark_words,
    outputs_words,
    records_words,
    region_words,
)
from app.plots.clustering.drawn_space import DrawnSpace
from app.plots.elements.legend import LegendEntry
from engine.analysis.clouds import Cloud

FILL = 0.16
"""Opacity of the inner region around a center."""

DENSE, FAINT = 0.6, 0.08
"""Shares of ink where records are densest, and where there is one."""

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


def mark_style(mark: str, palette: Palette) -> dict[str, Any]:
    """Return the properties of a mark, so that all can be told apart where they coincide."""
    rim = {"markeredgecolor": palette.card, "markeredgewidth": 1.0}
    return {
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


def space_entries(r: DrawnSpace, palette: Palette) -> Iterator[LegendEntry]:
    """Return what has to be explained about what lies behind: the public box and the records."""
    p = palette
    if not any(direction.private for direction in r.directions) and edge_in_view(r):
        dots = {"color": p.global_, "linewidth": 1.2, "linestyle": (0, STROKES["global_"].dashes)}
        yield LegendEntry((dots,), "declared bounds")
    if r.records is not None and r.records.counts is None:
        yield LegendEntry((point("o", p.global_, 5.0, alpha=0.6),), records_words(r))
    elif r.records is not None:
        yield LegendEntry((point("s", p.tint(p.ink, 0.4), 9.0),), records_words(r))


def edge_in_view(r: DrawnSpace) -> bool:
    """Tell whether any side of the public box is in view."""
    pairs = zip(r.directions, r.window, strict=True)
    return any(view.lower <= one.side.lower or one.side.upper <= view.upper for one, view in pairs)


def legend_entries(r: Cloud, palette: Palette) -> Iterator[LegendEntry]:
    """Return what has to be explained about a picture of clouds, as it comes into being."""
    p = palette
    outer = {"color": p.released, "linewidth": 1.3, "linestyle": (0, STROKES["released"].dashes)}
    yield from space_entries(r, p)
    if r.outputs is not None:
        yield LegendEntry((point("o", attention(p), 4.5, alpha=0.6),), outputs_words(r))
    for mark in ("center", "truth", "baseline", "released"):
        if getattr(r, mark) is not None:
            style = mark_style(mark, p)
            yield LegendEntry(({**style, "markersize": min(style["markersize"], 11)},), mark_words(r, mark))
        if mark == "center" and r.radius is not None and r.center is not None:
            ring = {"markerfacecolor": "none", "markeredgewidth": 1.4}
            yield LegendEntry((point("s" if r.flat else "o", attention(p), 9.0, **ring),), circle_words(r))
            if bound_words(r):
                yield LegendEntry((), bound_words(r))
    if r.regions is not None and r.middle is not None:
        inner = point("s" if r.flat else "o", p.tint(p.released, 2 * FILL), 9.0, markeredgecolor=p.released)
        yield LegendEntry((inner, outer), region_words(r))


def point(marker: str, colour: str, size: float, **properties: Any) -> dict[str, object]:
    """Return the sample of a mark."""
    return {"marker": marker, "color": colour, "markersize": size, "markeredgewidth": 1.0, **properties}
