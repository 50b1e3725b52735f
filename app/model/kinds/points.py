"""The desk of pages about points, and that of the page about histograms, which has categories, too."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable
from typing import TYPE_CHECKING

from app.model.kinds.base import Fields
from app.model.kinds.categories import NO_CATEGORIES, CategoryChoice
from engine.aggregation.functions import FUNCTIONS
from engine.catalog import ASKED
from engine.data.category_columns import UNSEEN_CHOICES
from engine.data.table import MISSING_CHOICES
from engine.errors import SensiscopeError
from engine.mechanisms import SANITIZERS

if TYPE_CHECKING:
    from app.model.dataset import Dataset
    from app.model.state import SessionState
    from engine.data import Example
    from engine.progress import Progress

FILE = "black-box"
"""The choice of a function from a file, beside those that come with Sensiscope."""


@dataclasses.dataclass(frozen=True)
class PointsKind:
    """Several columns of numbers: each record is a point between public bounds."""

    topic: str = "clusters"
    query: str = "clusters"
    example: str = "three-clusters"
    delta: float = 0.0

    kind = "points"
    reads = ("points",)

    def of_example(self, card: Example) -> Fields:
        """Return all columns and their bounds."""
        return {
            "columns": tuple(column.name for column in card.columns),
            "bounds": {column.name: (float(column.lower), float(column.upper)) for column in card.columns},
            "missing": "drop",
            "origin": "known",
        }

    def load(self, dataset: Dataset, fields: Fields, progress: Progress) -> Fields:
        """Read the coordinates."""
        progress(0.0, "reading the columns")
        return {**fields, "points": dataset.table.points(fields["columns"], missing=fields["missing"])}

    def settled(self, state: SessionState, dataset: Dataset, fields: Fields) -> Fields:
        """Return what was read: nothing else follows from it."""
        return fields

    def otherwise(self, state: SessionState, changed: Fields) -> Fields | None:
        """Keep the bounds of each column; what to do about missing values is asked."""
        names = ("columns", "bounds", "missing", "origin")
        fields = {name: getattr(state, name) for name in names} | changed
        assert state.dataset is not None
        new = set(fields["columns"]) - set(state.columns)
        if fields["missing"] == "refuse" and any(state.dataset.column(name).missing for name in new):
            return None
        return fields

    def remembered(self, state: SessionState) -> dict[str, str] | None:
        """Return columns, bounds, what is done about missing values, and the function from a file."""
        bounds = {name: state.bounds.get(name, (None, None)) for name in state.columns}
        if not bounds or any(None in pair for pair in bounds.values()):
            return None
        box = state.black_box
        return {
            "columns": json.dumps(state.columns),
            "bounds": json.dumps(bounds),
            "missing": state.missing,
            "origin": state.origin,
            "query": state.query,
            "function": state.function,
            "black_box": json.dumps(dataclasses.asdict(box)) if box else "",
        }

    def recalled(self, stored: Callable[[str], str]) -> Fields:
        """Return what `remembered` stored; a function from a file is named, and not trusted."""
        from engine.aggregation.black_box import BlackBox

        fields: Fields = {name: stored(name) for name in ("missing", "origin", "query", "function")}
        topic = SANITIZERS[fields["query"]].topic if fields["query"] in SANITIZERS else ""
        if topic != self.topic or fields["function"] not in (*FUNCTIONS, FILE):
            raise ValueError(fields)
        try:
            columns = json.loads(stored("columns"))
            bounds = {
                str(name): (float(low), float(high))
                for name, (low, high) in json.loads(stored("bounds")).items()
            }
            box = stored("black_box")
            black_box = BlackBox(**json.loads(box)) if box else None
        except (TypeError, AttributeError, SensiscopeError) as error:
            raise ValueError(error) from error
        if not isinstance(columns, list) or not columns or not all(isinstance(name, str) for name in columns):
            raise ValueError(columns)
        return {**fields, "columns": tuple(columns), "bounds": bounds, "black_box": black_box}


@dataclasses.dataclass(frozen=True)
class HistogramKind(PointsKind):
    """Points, or columns of categories: what is asked decides which of both are read."""

    topic: str = "histograms"
    query: str = "histogram-shifted"
    example: str = "airports"
    of_categories: str = "contingency-table"

    reads = ("points", "categories")

    def of_example(self, card: Example) -> Fields:
        """Return columns of numbers and their bounds, and columns of categories and their lists."""
        names = tuple(column.name for column in card.categories)
        lists = {column.name: column.labels for column in card.categories}
        choice = CategoryChoice(names[:2], lists, missing="drop")
        points = super().of_example(card) if card.columns else {}
        return {**points, "categories": choice if names else NO_CATEGORIES}

    def load(self, dataset: Dataset, fields: Fields, progress: Progress) -> Fields:
        """Read the coordinates, and the categories, as far as either are named."""
        found = super().load(dataset, fields, progress) if fields.get("columns") else fields
        choice = fields.get("categories", NO_CATEGORIES)
        return {**found, "categories": choice.read(dataset.table, progress)} if choice.columns else found

    def settled(self, state: SessionState, dataset: Dataset, fields: Fields) -> Fields:
        """Leave nothing of other data, and ask what the new ones can answer."""
        if dataset is not state.dataset:
            none = {"columns": (), "bounds": {}, "points": None, "categories": NO_CATEGORIES}
            fields = {**none, **fields}
        query = fields.get("query", state.query)
        points = bool(fields.get("columns", state.columns))
        categories = bool(fields.get("categories", state.categories).columns)
        if ASKED[query].reads == "points" and categories and not points:
            query = self.of_categories
        elif ASKED[query].reads == "categories" and points and not categories:
            query = self.query
        return {**fields, "query": query}

    def otherwise(self, state: SessionState, changed: Fields) -> Fields | None:
        """Read other columns of categories, or other coordinates, and leave the rest."""
        return changed if "categories" in changed else super().otherwise(state, changed)

    def remembered(self, state: SessionState) -> dict[str, str] | None:
        """Return the choices about points and those about categories, as far as they are complete."""
        points, choice = super().remembered(state), state.categories
        complete = choice.columns and all(choice.lists.get(name) for name in choice.columns)
        if points is None and not complete:
            return None
        categories = {
            "category_columns": json.dumps(choice.columns),
            "categories": json.dumps(choice.lists),
            "unseen": choice.unseen,
            "category_missing": choice.missing,
            "category_origin": choice.origin,
        }
        return {"query": state.query, **(points or {}), **(categories if complete else {})}

    def recalled(self, stored: Callable[[str], str]) -> Fields:
        """Return what `remembered` stored."""
        query = stored("query")
        if query not in SANITIZERS or SANITIZERS[query].topic != self.topic:
            raise ValueError(query)
        fields: Fields = {"query": query}
        if _is_there(stored("columns")):
            fields |= super().recalled(stored)
        if _is_there(stored("category_columns")):
            fields["categories"] = _recalled_choice(stored)
        return fields


def _is_there(stored: str) -> bool:
    """Tell whether a setting was stored; one that was not reads "None"."""
    return stored not in ("", "None")


def _recalled_choice(stored: Callable[[str], str]) -> CategoryChoice:
    try:
        columns = tuple(map(str, json.loads(stored("category_columns"))))
        lists = {
            str(name): tuple(map(str, labels)) for name, labels in json.loads(stored("categories")).items()
        }
    except (TypeError, AttributeError) as error:
        raise ValueError(error) from error
    unseen, missing, origin = (stored(name) for name in ("unseen", "category_missing", "category_origin"))
    if unseen not in UNSEEN_CHOICES or missing not in MISSING_CHOICES or origin not in ("known", "looked"):
        raise ValueError(stored)
    return CategoryChoice(columns, lists, unseen, missing, origin)
