"""A category: the most frequent one, with its name in each column."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from app.releases.answer import NO_INTERVAL, ReleasedAnswer
from app.releases.categories import CategoriesShape
from app.releases.shape import Table

if TYPE_CHECKING:
    from app.model.release_record import ReleaseRecord
    from app.releases.run import Run
    from engine.mechanisms.release import Release


class CategoryShape(CategoriesShape):
    """One label, or one for each column."""

    name = "category"
    heading = "Single answers about categories"
    short = "Mode"

    def words(self, record: ReleaseRecord) -> str:
        return self.brief(record.release.value)

    def table(self, record: ReleaseRecord, most: int | None = None) -> Table:
        return list(record.coordinates), [_labels(record.release.value)]

    def answer(self, record: ReleaseRecord) -> ReleasedAnswer:
        return ReleasedAnswer(self.words(record), lines=(NO_INTERVAL,))

    def brief(self, truth: Any) -> str:
        return ", ".join(_labels(truth))

    def listing(self, run: Run, release: Release) -> str:
        """Nothing: the labels are said above."""
        return ""


def _labels(value: Any) -> list[str]:
    return [value] if isinstance(value, str) else list(value)
