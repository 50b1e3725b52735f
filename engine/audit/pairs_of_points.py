"""Worst cases for mechanisms that read points."""

from __future__ import annotations

import math

import numpy as np

from engine.array_types import Floats, Ints
from engine.audit.pairs import Pair, fitting, smoothness
from engine.audit.pairs_of_columns import three_heaps
from engine.data.points import Points
from engine.domain import Box, Interval
from engine.mechanisms import BlockMechanism, Quantiles
from engine.mechanisms.aggregators import CenterOfAttention, ExponentialMedian, MedianAggregator
from engine.mechanisms.base import Mechanism
from engine.mechanisms.points import PointsMechanism
from engine.privacy import Privacy

RECORDS = 40
"""Number of synthetic points, if the mechanism accepts so few."""

MIN_GROUPED_RECORDS = 3
"""Three groups need more records than this."""

STEPS_TO_LOST_MAJORITY = 6
"""Distance in changes from a lost majority; noise for that many stays within the bounds."""

CLUSTER_POSITION = 0.25
"""Position of a cluster, as a share of the way to the far corner."""


def pairs_of_points(
    mechanism: Mechanism[Points], domain: Box, most: int, privacy: Privacy
) -> tuple[Pair, ...]:
    """Return neighbouring sets of few points; as many as the mechanism expects in a cluster, or half."""
    n = fitting(mechanism, domain, most, RECORDS, privacy)
    t: int | None = getattr(mechanism, "t", None)
    in_clump = min(n, max(1, n // 2 if t is None else t))
    pairs = [
        Pair(
            "two-heaps",
            "Two groups",
            "half of the points are in one corner, half in the opposite one, and one moves to the other",
            *_first_goes(domain, _in_corners(domain, n, 2)),
        ),
        Pair(
            "one-moved",
            "All equal, one moved",
            "all points are in one corner, and one moves to the opposite one",
            *_first_goes(domain, _in_corners(domain, n, 1)),
        ),
        Pair(
            "clump",
            "A cluster loses a point",
            "just enough points are close together, all others in the far corner, and one leaves",
            *_first_goes(domain, _clump(domain, n, in_clump)),
        ),
    ]
    if domain.dimension > 1:
        pairs.append(
            Pair(
                "four-heaps",
                "Four groups",
                "points are in four corners, and one goes from the first to the last",
                *_first_goes(domain, _in_corners(domain, n, 4)),
            )
        )
    return tuple(pairs)


def pairs_of_cells(mechanism: PointsMechanism, domain: Box, most: int, privacy: Privacy) -> tuple[Pair, ...]:
    """Return `pairs_of_points`, and a pair in which the only point moves."""
    return (
        *pairs_of_points(mechanism, domain, most, privacy),
        Pair(
            "alone",
            "A single record",
            "there is only one point, so that no other can hide it",
            *_first_goes(domain, _in_corners(domain, 1, 1)),
        ),
    )


def pairs_of_blocks(mechanism: BlockMechanism, domain: Box, most: int, privacy: Privacy) -> tuple[Pair, ...]:
    """Return neighbours for outputs of blocks in two corners, which lose a majority."""
    m = mechanism.sampling.blocks
    n = fitting(mechanism, domain, most, m * mechanism.function.smallest_block(domain), privacy)
    s, _ = mechanism.sampling.overlap(n)
    half, majority = (m + 1) // 2, (m + s) // 2 + 1
    if isinstance(mechanism.aggregator, MedianAggregator):
        majority = half

    def tips(low: int) -> tuple[Points, Points]:
        """Return points for `low` low outputs, and for one less."""
        return _tipping(mechanism, domain, n, min(max(1, low), m))

    pairs = [
        Pair(
            "lost-majority",
            "A majority is lost",
            "just enough blocks answer alike to be a majority, and one record takes it away",
            *tips(majority),
        ),
        Pair(
            "before-the-jump",
            "One step before the jump",
            "the majority stays on both, but only on one of them can the next record take it away",
            *tips(majority + s),
        ),
        Pair(
            "far-from-the-jump",
            "A few steps before the jump",
            "a few records more must change before the majority is lost, on one of them one less",
            *tips(majority + STEPS_TO_LOST_MAJORITY * s),
        ),
        Pair(
            "one-moved",
            "All equal, one moved",
            "all points are in one corner, and one moves to the opposite one",
            *tips(m),
        ),
    ]
    if half != majority:
        pairs.append(
            Pair(
                "two-heaps",
                "Two heaps",
                "half of the blocks answer with one corner, half with the opposite one; a record "
                "changes over",
                *tips(half),
            )
        )
    if isinstance(mechanism.aggregator, ExponentialMedian) and m > MIN_GROUPED_RECORDS:
        pairs.append(_heaps(mechanism, domain, n, half))
    if isinstance(mechanism.aggregator, CenterOfAttention):
        pairs.append(_rings(mechanism, mechanism.aggregator, domain, n, privacy, majority))
    return tuple(pairs)


def _rings(
    mechanism: BlockMechanism,
    aggregator: CenterOfAttention,
    domain: Box,
    n: int,
    privacy: Privacy,
    majority: int,
) -> Pair:
    """Return a pair on which balls around the outputs lose one of few good centers.

    a = 1/beta outputs agree.  The rest of a majority is at the same distance from them, on both sides of the
    first axis.  Farther out, distances grow by e^beta from one to the next, up to the whole width.  One of
    the agreeing outputs goes to the bound.
    """
    m = mechanism.sampling.blocks
    beta = smoothness(aggregator.noise.usual(), privacy, mechanism.function.space(domain).dimension)
    rank = np.arange(m)
    distances = np.exp(beta * (np.maximum(rank, majority) - (m - 1)))
    near = float(distances[0])
    distances[: max(2, math.ceil(1 / beta))] = 0.0
    below = (rank <= majority) & (rank % 2 == 1)
    outputs = np.tile(domain.center, (m, 1))
    outputs[:, 0] = domain.lower[0] + domain.width[0] * (
        near + (1 - near) * np.where(below, -1, 1) * distances
    )
    values = np.tile(domain.center, (n, 1))
    blocks = _blocks(mechanism, n)
    # the first block last: if blocks share records, the moving one is in the middle
    for block, output in zip(blocks[::-1], outputs[::-1], strict=True):
        values[block] = output
    data = Points(values, domain)
    point = domain.center
    point[0] = domain.upper[0]
    return Pair(
        "rings",
        "Rings",
        "few outputs agree in the middle of a majority, all others are farther and farther out; "
        "one of the few moves outwards, too",
        data,
        data.replaced(int(blocks[0][0]), point),
    )


def _heaps(mechanism: BlockMechanism, domain: Box, n: int, rank: int) -> Pair:
    """Return the pair of three groups with a block for each value."""
    blocks, values = _blocks(mechanism, n), np.empty((n, domain.dimension))
    heaps = three_heaps(Interval(0.0, 1.0), len(blocks), rank)
    for block, share in zip(blocks, heaps.data.values.tolist(), strict=True):
        values[block] = domain.lower + share * domain.width
    data = Points(values, domain)
    return Pair(heaps.name, heaps.label, heaps.why, data, data.replaced(int(blocks[0][0]), domain.upper))


def _blocks(mechanism: BlockMechanism, n: int) -> list[Ints]:
    return [block for group in mechanism.blocks(n).members for block in group]


def _tipping(mechanism: BlockMechanism, domain: Box, n: int, low: int) -> tuple[Points, Points]:
    """Return points with low ones only in the last `low` blocks, and a neighbour with one block less."""
    blocks = _blocks(mechanism, n)
    values = np.tile(domain.upper, (n, 1))
    for block in blocks[len(blocks) - low :]:
        values[block] = domain.lower
    data = Points(values, domain)
    return data, data.replaced(int(blocks[len(blocks) - low][0]), domain.upper)


def _in_corners(domain: Box, n: int, corners: int) -> Floats:
    """Return n points in equal parts in 1, 2 or 4 corners, including the lowest and the highest."""
    part = np.arange(n) * corners // n
    high = np.zeros((n, domain.dimension), dtype=bool)
    high[:, 0] = part >= max(1, corners // 2)
    high[:, 1:] = (part % 2 == 1)[:, None] if corners == 4 else high[:, :1]
    return np.where(high, domain.upper, domain.lower)


def _clump(domain: Box, n: int, t: int) -> Floats:
    values = np.tile(domain.upper, (n, 1))
    values[:t] = domain.lower + CLUSTER_POSITION * domain.width
    return values


def _first_goes(domain: Box, values: Floats) -> tuple[Points, Points]:
    """Return points, and a copy with the first one moved to the upper corner."""
    data = Points(values, domain)
    return data, data.replaced(0, domain.upper)


def pairs_of_quantiles(mechanism: Quantiles, domain: Box, most: int, privacy: Privacy) -> tuple[Pair, ...]:
    """Return neighbours of one column, including those for the first target rank."""
    pairs = list(pairs_of_points(mechanism, domain, most, privacy))
    n, side = fitting(mechanism, domain, most, RECORDS, privacy), domain.sides[0]
    if domain.dimension == 1 and n > MIN_GROUPED_RECORDS:
        heaps = three_heaps(side, n, round(mechanism.tree().share * n))
        data, neighbour = (Points(one.values[:, None], domain) for one in (heaps.data, heaps.neighbour))
        pairs.append(Pair(heaps.name, heaps.label, heaps.why, data, neighbour))
    return tuple(pairs)
