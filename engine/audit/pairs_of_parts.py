"""Worst cases for mechanisms that answer a question for each part of a table."""

from __future__ import annotations

import dataclasses

import numpy as np

from engine.array_types import Floats
from engine.audit.pairs import Pair, fitting, worst_case_pairs
from engine.data.order_statistics import Sample
from engine.data.parts import IN_NO_PART, Parts, PartsDomain
from engine.mechanisms import ChoiceInParts, PartsMechanism, SumsInParts
from engine.mechanisms.parts import EachPart
from engine.privacy import Privacy
from engine.queries import Count, Mean

RECORDS = 40
"""Number of records of a synthetic table, if the mechanism accepts so few."""

RARE_GAP_SHARE = 0.05
"""Share of the range next to the target rank: values from there are this rare."""


def pairs_of_parts(
    mechanism: PartsMechanism, domain: PartsDomain, most: int, privacy: Privacy
) -> tuple[Pair, ...]:
    """Return neighbouring tables in which a row changes its group, its value, or leaves all parts."""
    n = fitting(mechanism, domain, most, RECORDS, privacy)
    size, last = (n + 1) // 2, domain.size - 1
    first, value = _heaps(mechanism, domain, size)
    pairs = []
    if mechanism.moves(domain):
        # the other group is as the first one is without the row
        rest = np.resize(first[1:] if size > 1 else first, n - size)
        data = Parts(np.concatenate([first, rest]), np.repeat([0, last], [size, n - size]), domain)
        pairs.append(
            Pair(
                "changes-group",
                "A row changes its group",
                "one row moves from the first group to the last, so that both answers change at once",
                data,
                data.replaced(0, (value, last)),
            )
        )
    if not (isinstance(mechanism.query, Count) and not mechanism.query.where.strip()):
        pairs.append(_changes_value(mechanism, domain, n))
    if not domain.every:
        alone = Parts(first, np.zeros(size, np.int64), domain)
        pairs.append(
            Pair(
                "leaves",
                "A row leaves its part",
                "one row no longer belongs to any part, so that the size of a part changes",
                alone,
                alone.replaced(0, (value, IN_NO_PART)),
            )
        )
    return tuple(pairs)


def pairs_within_parts(
    mechanism: EachPart, domain: PartsDomain, most: int, privacy: Privacy
) -> tuple[Pair, ...]:
    """Return the pairs of the method, with all records in one part: an empty one would have no answer."""
    single = dataclasses.replace(domain, groups=domain.groups[:1])

    def alone(data: Sample) -> Parts:
        return Parts(data.values, np.zeros(data.n, np.int64), single)

    pairs = worst_case_pairs(mechanism.method, domain.values, most, privacy)
    return tuple(
        dataclasses.replace(pair, data=alone(pair.data), neighbour=alone(pair.neighbour)) for pair in pairs
    )


def _ends(mechanism: PartsMechanism, domain: PartsDomain) -> tuple[float, float]:
    """Return two values that differ as much as possible for the query."""
    values = domain.values
    if isinstance(mechanism.query, Count) and mechanism.query.where.strip():
        return mechanism.query.example_values(values)
    return values.lower, values.upper


def _heaps(mechanism: PartsMechanism, domain: PartsDomain, size: int) -> tuple[Floats, float]:
    """Return the values of a part, and the value that its first record takes elsewhere."""
    low, high = _ends(mechanism, domain)
    if isinstance(mechanism, ChoiceInParts):
        # a rare gap beside the target rank gets farther from it, and a common one nearer
        q = float(mechanism.q)
        near, far = (low, high) if q <= 0.5 else (high, low)
        values = np.full(size, far, dtype=np.float64)
        below = max(1, round(min(q, 1 - q) * size))
        values[:below], values[below : below + 1] = near, near + RARE_GAP_SHARE * (far - near)
        return values, near
    if isinstance(mechanism.query, Mean):
        return np.full(size, low), high
    value = high if isinstance(mechanism.query, Count) or abs(high) >= abs(low) else low
    return np.full(size, value), value


def _changes_value(mechanism: PartsMechanism, domain: PartsDomain, n: int) -> Pair:
    """Return neighbours in which a record of the first part takes the farthest value."""
    low, high = _ends(mechanism, domain)
    values = np.full(n, low if isinstance(mechanism, SumsInParts) else high, dtype=np.float64)
    if isinstance(mechanism, ChoiceInParts):
        # as in `engine.audit.pairs_of_columns.three_heaps`
        below = min(max(1, round(mechanism.q * n) - 1), max(1, n - 3))
        values[:below], values[below : below + 3] = low, low + RARE_GAP_SHARE * (high - low)
    data = Parts(values, np.zeros(n, np.int64), domain)
    return Pair(
        "changes-value",
        "A row changes its value",
        "one row of the first part takes the farthest other value and stays in its part",
        data,
        data.replaced(0, (high, 0)),
    )
