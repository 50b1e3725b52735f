"""The data of the Histogram page: points, or columns of categories."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable
from typing import TYPE_CHECKING, ClassVar

from app.model.kinds.base import DataChoice, Fields, PageState, is_stored
from app.model.kinds.categories import NO_CATEGORIES, CategoryChoice
from app.model.kinds.points import PointsChoice, PointsKind
from engine.catalog import questions
from engine.data.category_columns import UNSEEN_CHOICES
from engine.data.table import MISSING_CHOICES
from engine.mechanisms import MECHANISMS

if TYPE_CHECKING:
    from app.model.dataset import Dataset
    from engine.data import Example
    from engine.progress import Progress


@dataclasses.dataclass(frozen=True, eq=False)
class HistogramChoice(PointsChoice):
    """The choice of coordinates, and beside it that of columns of categories.

    Attributes
    ----------
    categories : CategoryChoice
    """

    categories: CategoryChoice = NO_CATEGORIES

    def read_by(self, reads: str) -> DataChoice:
        """Return the part that a query reads."""
        return self.categories if reads == "categories" else self


@dataclasses.dataclass(frozen=True)
class HistogramKind(PointsKind):
    """Points, or columns of categories: what is asked decides which of both are read."""

    topic: str = "histograms"
    query: str = "histogram-shifted"
    example: str = "airports"
    of_categories: str = "contingency-table"

    choice: ClassVar[type[PointsChoice]] = HistogramChoice
    reads: ClassVar[tuple[str, ...]] = ("points", "categories")

    def from_example(self, card: Example) -> Fields:
        """Return columns of numbers and their bounds, and columns of categories and their lists."""
        names = tuple(column.name for column in card.categories)
        lists = {column.name: column.labels for column in card.categories}
        choice = CategoryChoice(columns=names[:2], lists=lists, missing="drop")
        points = super().from_example(card) if card.columns else {}
        return {**points, "categories": choice if names else NO_CATEGORIES}

    def read(self, dataset: Dataset, fields: Fields, progress: Progress) -> Fields:
        """Read the coordinates, and the categories, as far as either are named."""
        found = super().read(dataset, fields, progress) if fields.get("columns") else fields
        choice = fields.get("categories", NO_CATEGORIES)
        return {**found, "categories": choice.read(dataset.table, progress)} if choice.columns else found

    def after_read(self, page: PageState, dataset: Dataset, fields: Fields) -> Fields:
        """Leave nothing of other data, and ask what the new ones can answer."""
        choice = HistogramChoice.of(page)
        if dataset is not page.dataset:
            none: Fields = {"columns": (), "bounds": {}, "points": None, "categories": NO_CATEGORIES}
            fields = {**none, **fields}
        query = fields.get("query", page.query)
        points = bool(fields.get("columns", choice.columns))
        categories = bool(fields.get("categories", choice.categories).columns)
        if questions()[query].reads == "points" and categories and not points:
            query = self.of_categories
        elif questions()[query].reads == "categories" and points and not categories:
            query = self.query
        return {**fields, "query": query}

    def on_change(self, page: PageState, changed: Fields) -> Fields | None:
        """Read other columns of categories, or other coordinates, and leave the rest."""
        return changed if "categories" in changed else super().on_change(page, changed)

    def to_document(self, page: PageState) -> dict[str, str] | None:
        """Return the choices about points and those about categories, as far as they are complete."""
        points, choice = super().to_document(page), HistogramChoice.of(page).categories
        complete = choice.columns and all(choice.lists.get(name) for name in choice.columns)
        if points is None and not complete:
            return None
        categories = {
            "category_columns": json.dumps(choice.columns),
            "categories": json.dumps(choice.lists),
            "unseen": choice.unseen,
            "category_missing": choice.missing,
            "category_origin": choice.bounds_source,
        }
        return {"query": page.query, **(points or {}), **(categories if complete else {})}

    def from_document(self, stored: Callable[[str], str]) -> Fields:
        """Return what `to_document` stored."""
        query = stored("query")
        if query not in MECHANISMS or MECHANISMS[query].topic != self.topic:
            raise ValueError(query)
        fields: Fields = {"query": query}
        if is_stored(stored("columns")):
            fields |= super().from_document(stored)
        if is_stored(stored("category_columns")):
            fields["categories"] = _recalled_choice(stored)
        return fields


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
    return CategoryChoice(missing, origin, columns, lists, unseen)
