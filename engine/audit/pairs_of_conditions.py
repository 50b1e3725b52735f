"""Worst cases for counts of conditions: records that differ in as many conditions as possible."""

from __future__ import annotations

import numpy as np

from engine.audit.pairs import Pair, fitting
from engine.data.points import Points
from engine.domain import Box
from engine.mechanisms.histograms.counting import CountingQueries, farthest_values
from engine.privacy import Privacy

RECORDS = 20


def pairs_of_conditions(
    mechanism: CountingQueries, domain: Box, most: int, privacy: Privacy
) -> tuple[Pair, ...]:
    """Return neighbouring sets of few points, with one record that changes as many conditions as possible."""
    n = fitting(mechanism, domain, most, RECORDS, privacy)
    first, second = farthest_values(mechanism, domain)

    def pair_with(beyond: int) -> tuple[Points, Points]:
        data = Points(np.where(np.arange(n)[:, None] < n - beyond, first, second), domain)
        return data, data.replaced(0, second)

    return (
        Pair(
            "zeros-and-tops",
            "Half on either side",
            "half of the records satisfy other conditions than the other half, and one changes sides",
            *pair_with(n // 2),
        ),
        Pair(
            "one-moved",
            "All equal, one moved",
            "all records are the same, and one changes to satisfy as many other conditions as possible",
            *pair_with(0),
        ),
    )
