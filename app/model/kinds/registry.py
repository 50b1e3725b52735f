"""The kinds of data, and the kinds that each page uses."""

from __future__ import annotations

from typing import Any

from app.model.kinds.column import ColumnKind
from app.model.kinds.histogram import CATEGORIES, POINTS
from app.model.kinds.kind import DataKind
from app.model.kinds.parts import PARTS_KIND
from app.model.kinds.simple_graph import SimpleGraphKind
from app.model.kinds.weighted_graph import WeightedGraphKind
from engine.plugins import watched

KINDS: dict[str, DataKind[Any]] = watched({})
"""The kinds of data by their name in `Query.reads` and `Mechanism.reads`."""


def register(kind: DataKind[Any]) -> None:
    """Register a kind of data: it can then be read, opened, saved, reported and audited.

    Raises
    ------
    ValueError
        If its name is taken.
    """
    if kind.name in KINDS:
        raise ValueError(f"there is another kind of data called {kind.name!r}")
    KINDS[kind.name] = kind


COLUMN, WEIGHTED, SIMPLE = ColumnKind(), WeightedGraphKind(), SimpleGraphKind()
for _kind in (COLUMN, POINTS, WEIGHTED, SIMPLE, CATEGORIES, PARTS_KIND):
    register(_kind)
