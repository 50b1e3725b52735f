"""The kinds of data, by name; the module of each is imported on first use."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engine.components import NamedObjects
from engine.plugins import watched

if TYPE_CHECKING:
    from app.model.kinds.kind import DataKind

KINDS = watched(
    NamedObjects["DataKind[Any]"](
        "kind of data",
        {
            "column": "app.model.kinds.column:ColumnKind",
            "points": "app.model.kinds.points:PointsKind",
            "weighted-graph": "app.model.kinds.weighted_graph:WeightedGraphKind",
            "simple-graph": "app.model.kinds.simple_graph:SimpleGraphKind",
            "categories": "app.model.kinds.categories:CategoriesKind",
            "parts": "app.model.kinds.parts:PartsKind",
        },
    )
)
"""The kinds of data by their name in `Query.reads` and `Mechanism.reads`."""


def register(kind: DataKind[Any]) -> None:
    """Register a kind of data: it can then be read, opened, saved, reported and audited.

    `ValueError` if its name is taken.
    """
    KINDS.register(kind)


CONSTANTS = {"COLUMN": "column", "POINTS": "points", "WEIGHTED": "weighted-graph", "SIMPLE": "simple-graph"}


def __getattr__(name: str) -> DataKind[Any]:
    """Return a kind by its constant, as pages and plug-ins import it."""
    if name in CONSTANTS:
        return KINDS[CONSTANTS[name]]
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
