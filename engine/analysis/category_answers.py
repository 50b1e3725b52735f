"""What is released of categories and conditions, as pictures show it: a number for each, or for each pair."""

from __future__ import annotations

from typing import Any, cast

from engine.analysis.shared.projections import distinct_axes
from engine.analysis.shared.shown_answers import show_answer
from engine.data.categories import Categories
from engine.data.points import Points
from engine.mechanisms.base import Mechanism
from engine.mechanisms.categories.contingency_table import ContingencyTable
from engine.mechanisms.categories.numbers import CategoryNumbers, CrossTable, Numbered
from engine.mechanisms.release import Release
from engine.privacy import PrivacyLike, as_privacy
from engine.progress import Progress, silent


def category_estimates(
    mechanism: Mechanism[Any],
    data: Categories | Points,
    privacy: PrivacyLike,
    *,
    seed: int = 1,
    released: Release | None = None,
    records: bool = True,
    progress: Progress = silent,
) -> CategoryNumbers:
    """Return the estimate for each category, condition, quantile or candidate, and the true value."""
    privacy = as_privacy(privacy)
    value, answer = show_answer(
        mechanism, data, privacy, seed=seed, released=released, records=records, progress=progress
    )
    true = None if answer is None else answer.true_value
    numbers = cast(Numbered, mechanism).numbers(value, data.columns, data.domain)
    return numbers.compared(true, simulated=released is None)


def cross_table(
    mechanism: ContingencyTable,
    data: Categories,
    privacy: PrivacyLike,
    *,
    across: int = 0,
    up: int = 1,
    seed: int = 1,
    released: Release | None = None,
    records: bool = True,
    progress: Progress = silent,
) -> CrossTable | None:
    """Return how many records have each pair of categories, beside the true numbers."""
    privacy = as_privacy(privacy)
    value, answer = show_answer(
        mechanism, data, privacy, seed=seed, released=released, records=records, progress=progress
    )
    domain = data.domain
    second, first = distinct_axes((across, up), len(domain.columns))  # rows go up
    true = None if answer is None else answer.true_answer
    return CrossTable.of(domain, (first, second), value, true, simulated=released is None)
