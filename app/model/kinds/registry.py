"""The kind of data of each page, and what can be asked of it."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

from app.model.kinds.base import DataChoice, DataKind, Fields
from app.model.kinds.column import ColumnKind
from app.model.kinds.graph import GraphKind
from app.model.kinds.histogram import HistogramKind
from app.model.kinds.points import PointsKind
from engine.catalog import questions

PAGE_KINDS: Mapping[str, DataKind] = {
    "median": ColumnKind(),
    "spanning-tree": GraphKind(),
    "clustering": PointsKind(),
    # no ball can be found with a delta of 0, and a first visit shall show one
    "one-cluster": PointsKind("balls", "one-cluster", "planted-disc", delta=1e-6),
    "histogram": HistogramKind(),
}
"""The kind of data of each page, by the name of the page."""


def queries_of(page: str) -> dict[str, Any]:
    """Return what can be asked of the data of a page, by name."""
    kind = PAGE_KINDS[page]
    return {
        name: asked
        for name, asked in questions().items()
        if asked.reads in kind.reads and getattr(asked, "topic", "") == kind.topic
    }


def fields_of(choice: type[DataChoice]) -> frozenset[str]:
    """Return the names of what is chosen about a kind of data, and read of it."""
    return frozenset(field.name for field in dataclasses.fields(choice))


def with_choice(choice: DataChoice, fields: Fields) -> Fields:
    """Return fields of a page, of which those about data are put into a choice, under "data"."""
    names = fields_of(type(choice))
    inside = {name: value for name, value in fields.items() if name in names}
    others = {name: value for name, value in fields.items() if name not in names}
    return {**others, "data": dataclasses.replace(choice, **inside)} if inside else others
