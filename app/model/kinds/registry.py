"""The kinds of data, and which of them each page works on."""

from __future__ import annotations

from typing import Any

from app.model.kinds.column import ColumnKind
from app.model.kinds.histogram import CATEGORIES, POINTS, HistogramChoice, HistogramData
from app.model.kinds.kind import DataKind
from app.model.kinds.page_data import PageData
from app.model.kinds.simple_graph import SimpleGraphKind
from app.model.kinds.weighted_graph import WeightedGraphKind
from engine.catalog import ASKED

KINDS: dict[str, DataKind[Any]] = {}
"""The kinds of data by the name that `Query.reads` and `Sanitizer.reads` give them."""


def register(kind: DataKind[Any]) -> None:
    """Let a kind of data be read, opened, saved, written about and audited."""
    KINDS[kind.name] = kind


COLUMN, WEIGHTED, SIMPLE = ColumnKind(), WeightedGraphKind(), SimpleGraphKind()
for _kind in (COLUMN, POINTS, WEIGHTED, SIMPLE, CATEGORIES):
    register(_kind)

PAGE_KINDS: dict[str, PageData] = {
    "median": PageData({COLUMN: "median"}, "salaries"),
    "spanning-tree": PageData({WEIGHTED: "mst", SIMPLE: "triangles"}, "karate"),
    "clustering": PageData({POINTS: "clusters"}, "three-clusters", "clusters"),
    # no ball can be found with a delta of 0, and a first visit shall show one
    "one-cluster": PageData({POINTS: "one-cluster"}, "planted-disc", "balls", delta=1e-6),
    "histogram": HistogramData(
        {POINTS: "histogram-shifted", CATEGORIES: "contingency-table"},
        "airports",
        "histograms",
        own_choice=HistogramChoice,
    ),
}
"""What each page works on, by the name of the page."""


def queries_of(page: str) -> dict[str, Any]:
    """Return what can be asked of the data of a page, by name."""
    data = PAGE_KINDS[page]
    return {
        name: asked
        for name, asked in ASKED.items()
        if asked.reads in data.reads and getattr(asked, "topic", "") == data.topic
    }
