"""Worst-case neighbours that reveal mistakes in the mechanisms of this folder."""

from __future__ import annotations

import itertools

import numpy as np

from engine.array_types import Floats
from engine.audit.pairs import Pair, fitting
from engine.audit.pairs_of_points import RECORDS, pairs_of_points
from engine.data.graph import SimpleGraph
from engine.data.points import Points
from engine.domain import Box, Interval
from engine.extras.frontier.lipschitz_extension import LipschitzExtension
from engine.extras.frontier.metric_median import MetricMedian
from engine.extras.frontier.scored_choice import ScoredChoice
from engine.mechanisms.base import Mechanism
from engine.privacy import Privacy

LEAD_TIMES_EPSILON = 6
"""The lead of the second of two rivals in records, times epsilon: its odds are e^3."""


def pairs_of_scores(mechanism: ScoredChoice, domain: Box, most: int, privacy: Privacy) -> tuple[Pair, ...]:
    """Return `pairs_of_points`, and a pair in which a record changes sides between columns.

    The changed record moves from one bound to the other in every column, alternately up and down.
    """
    odd = np.arange(domain.dimension) % 2 == 1
    first, second = np.where(odd, domain.lower, domain.upper), np.where(odd, domain.upper, domain.lower)
    why = "most records are high only in every second column, the others only in the rest; one changes sides"
    return (
        *pairs_of_points(mechanism, domain, most, privacy),
        _rivals(mechanism, domain, most, privacy, (first, second), why),
    )


def pairs_of_classes(
    mechanism: Mechanism[Points], domain: Box, most: int, privacy: Privacy
) -> tuple[Pair, ...]:
    """Return `pairs_of_points`, and a pair in which a record changes its class."""
    n = fitting(mechanism, domain, most, RECORDS, privacy)
    high = np.append(domain.lower[:-1], domain.upper[-1])
    values = np.where((np.arange(n) % 2 == 0)[:, None], domain.lower, high)
    data = Points(values, domain)
    return (
        Pair(
            "other-class",
            "A record of the other class",
            "at one point, half of the records are of one class and half of the other; one changes its class",
            data,
            data.replaced(0, high),
        ),
        *pairs_of_points(mechanism, domain, most, privacy),
    )


def pairs_of_medians(mechanism: MetricMedian, domain: Box, most: int, privacy: Privacy) -> tuple[Pair, ...]:
    """Return `pairs_of_points`, and a pair with all records at the two candidates farthest apart."""
    why = "all records are at the two candidates farthest apart, most of them at one of the two"
    return (
        *pairs_of_points(mechanism, domain, most, privacy),
        _rivals(mechanism, domain, most, privacy, mechanism.farthest(domain), f"{why}; one changes sides"),
    )


def _rivals(
    mechanism: Mechanism[Points],
    domain: Box,
    most: int,
    privacy: Privacy,
    places: tuple[Floats, Floats],
    why: str,
) -> Pair:
    """Return records at two places, with enough more at the second that choosing the first is rare."""
    n = fitting(mechanism, domain, most, RECORDS, privacy)
    behind = min(n - 1, round(LEAD_TIMES_EPSILON / privacy.epsilon))
    first, second = places
    data = Points(np.where((np.arange(n) < (n - behind) // 2)[:, None], first, second), domain)
    return Pair("rivals", "Two rivals", why, data, data.replaced(n - 1, first))


def pairs_of_vertices(
    mechanism: LipschitzExtension, domain: Interval, most: int, privacy: Privacy
) -> tuple[Pair, ...]:
    """Return neighbours that differ in the edges of vertex 0."""
    bound = int(mechanism.max_degree)
    friends = min(bound, most - 1)
    crowd = min(bound + 1, max(1, (most - 1) // 2))
    groups = [range(1, crowd + 1), range(crowd + 1, 2 * crowd + 1)]
    return (
        _joining(
            "among-friends",
            "A vertex among friends",
            "a vertex joins either no others or as many as the bound allows; these all join each other, so "
            "it closes as many triangles as possible",
            [range(1, friends + 1)],
        ),
        _joining(
            "two-crowds",
            "A vertex joins two crowds",
            "in each of two groups all vertices join each other, as many as the bound allows; a vertex that "
            "joins all of them pushes each above the bound",
            groups,
        ),
    )


def _joining(name: str, label: str, why: str, groups: list[range]) -> Pair:
    """Return complete groups without and with a vertex 0 that joins all of them."""
    inside = [pair for group in groups for pair in itertools.combinations(group, 2)]
    joined = [(0, other) for group in groups for other in group]
    n = 1 + sum(map(len, groups))
    ends = np.array(inside, dtype=np.int64).reshape(-1, 2)
    return Pair(name, label, why, SimpleGraph(ends, n), SimpleGraph([*inside, *joined], n))
