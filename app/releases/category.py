"""A category: the most frequent one, with its name in each column."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from app.releases.categories import CategoriesShape, domain_title
from app.releases.shape import Table

if TYPE_CHECKING:
    from app.model.release_record import ReleaseRecord
    from app.plots.histogram.category_bars import CategoryBarsView
    from app.releases.run import Run
    from engine.data.categories import CategoryDomain
    from engine.mechanisms import CategoriesMechanism
    from engine.mechanisms.release import Release


class CategoryShape(CategoriesShape):
    """One label, or one for each column."""

    name = "category"

    def words(self, record: ReleaseRecord) -> str:
        """Write the labels."""
        return self.brief(record.release.value)

    def table(self, record: ReleaseRecord, most: int | None = None) -> Table:
        """Return the labels under their columns."""
        return list(record.coordinates), [_labels(record.release.value)]

    def brief(self, truth: Any) -> str:
        """Write the labels."""
        return ", ".join(_labels(truth))

    def listing(self, run: Run, release: Release) -> str:
        """Nothing: the labels are said above."""
        return ""

    def truth(self, mechanism: CategoriesMechanism, true: Any, domain: CategoryDomain) -> Any:
        """Return all counts, of which the mode names the largest (private)."""
        return true

    def bars(self, domain: CategoryDomain, value: Any, truth: Any, simulated: bool) -> CategoryBarsView:
        """Show the category among all others."""
        from app.plots.histogram.category_bars import CategoryBarsView

        named = tuple(", ".join(domain.named(cell)) for cell in range(domain.size))
        known = None if truth is None else np.asarray(truth, dtype=np.float64)
        blank, chosen = np.full(len(named), np.nan), named.index(self.brief(value))
        return CategoryBarsView(
            domain_title(domain), named, blank, truth=known, chosen=chosen, simulated=simulated
        )


def _labels(value: Any) -> list[str]:
    return [value] if isinstance(value, str) else list(value)
