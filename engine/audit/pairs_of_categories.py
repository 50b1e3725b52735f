"""Worst cases for mechanisms that read categories."""

from __future__ import annotations

import numpy as np

from engine.audit.pairs import Pair, fitting
from engine.data.categories import Categories, CategoryDomain
from engine.mechanisms.base import Mechanism
from engine.privacy import Privacy

RECORDS = 40
"""Number of records of a synthetic table, if the mechanism accepts so few."""


def pairs_of_categories(
    mechanism: Mechanism[Categories], domain: CategoryDomain, most: int, privacy: Privacy
) -> tuple[Pair, ...]:
    """Return neighbours with few records that have the first or the last combination of categories."""
    n = fitting(mechanism, domain, most, RECORDS, privacy)
    return (
        Pair(
            "two-categories",
            "Two categories alike",
            "half of the records have one category and half another, and one changes over",
            *_changing(domain, n, (n + 1) // 2),
        ),
        Pair(
            "one-moved",
            "All equal, one moved",
            "all records have one category, and one takes another",
            *_changing(domain, n, n),
        ),
        Pair(
            "alone",
            "A single record",
            "there is only one record, so that no other can hide it",
            *_changing(domain, 1, 1),
        ),
    )


def _changing(domain: CategoryDomain, n: int, first: int) -> tuple[Categories, Categories]:
    """Return tables with `first` records of the first combination and the rest of the last; and with one
    less.
    """
    last = np.array(domain.shape) - 1

    def records(count: int) -> Categories:
        return Categories(np.where(np.arange(n)[:, None] < count, 0, last), domain)

    return records(first), records(first - 1)
