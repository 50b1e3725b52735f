"""Data of the histogram page: points, or columns of categories."""

from __future__ import annotations

import dataclasses

from app.model.dataset import Dataset
from app.model.kinds.base import DataChoice, Fields, PageState
from app.model.kinds.category_choice import NO_CATEGORIES, CategoryChoice
from app.model.kinds.page_data import FIRST_COLUMNS, PageData, declared_part
from app.model.kinds.points import PointsChoice
from app.model.kinds.registry import KINDS
from engine.data import Example
from engine.progress import Progress
from engine.questions.declarations import Declarations

POINTS, CATEGORIES = KINDS["points"], KINDS["categories"]
EQUAL_BINS = "histogram-noisy"
"""The query of a single column."""


@dataclasses.dataclass(frozen=True, eq=False)
class HistogramChoice(PointsChoice):
    """The choice of coordinates together with the choice of categories."""

    categories: CategoryChoice = NO_CATEGORIES

    def read_by(self, reads: str) -> DataChoice:
        return self.categories if reads == CATEGORIES.name else self

    def with_part(self, reads: str, changed: Fields) -> Fields:
        if reads != CATEGORIES.name:
            return changed
        return {"categories": dataclasses.replace(self.categories, **changed)}


class HistogramData(PageData):
    """Points or columns of categories; the query decides which are read."""

    def from_example(self, card: Example) -> Fields:
        points = POINTS.from_example(card) if card.columns else {}
        categories = CategoryChoice(**CATEGORIES.from_example(card)) if card.categories else NO_CATEGORIES
        return {**points, "categories": categories}

    def columns_in(self, dataset: Dataset, declarations: Declarations) -> tuple[str, ...]:
        return POINTS.columns_in(declarations, dataset) + CATEGORIES.columns_in(declarations, dataset)

    def from_table(self, dataset: Dataset, declarations: Declarations) -> Fields | None:
        points = POINTS.columns_in(declarations, dataset)[:FIRST_COLUMNS]
        categories = CATEGORIES.columns_in(declarations, dataset)[:FIRST_COLUMNS]
        if not points and not categories:
            return None
        fields = declared_part(POINTS, points, dataset, declarations) if points else {}
        answers = declared_part(CATEGORIES, categories, dataset, declarations) if categories else {}
        return {**fields, "categories": CategoryChoice(**answers)}

    def read(self, dataset: Dataset, fields: Fields, progress: Progress) -> Fields:
        results = POINTS.read(dataset, fields, progress) if fields.get("columns") else fields
        choice: CategoryChoice = fields.get("categories", NO_CATEGORIES)
        if not choice.columns:
            return results
        read = CATEGORIES.read(dataset, choice.declared, progress)
        return {**results, "categories": dataclasses.replace(choice, **read)}

    def after_read(self, page: PageState, dataset: Dataset, fields: Fields) -> Fields:
        """Count equal bins where one column takes the place of other data, unless a query was chosen."""
        fields = super().after_read(page, dataset, fields)
        usual = page.mechanism.asked.name == self.queries[POINTS] and "query" not in fields
        choice = page.data
        is_new = dataset is not page.dataset or (
            isinstance(choice, PointsChoice) and len(choice.columns) != 1
        )
        if usual and is_new and len(fields.get("columns", ())) == 1:
            return {**fields, "query": EQUAL_BINS}
        return fields

    def on_change(self, page: PageState, changed: Fields) -> Fields:
        return changed if "categories" in changed else super().on_change(page, changed)
