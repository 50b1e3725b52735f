"""One mechanism of every kind in the catalog, with data that it reads and a budget that suits it."""

from __future__ import annotations

import re
import struct
from typing import Any

import numpy as np

from engine import Lloyd, SyntheticPoints
from engine.aggregation.blocks import Partition
from engine.aggregation.functions import FUNCTIONS
from engine.aggregation.samplings import SAMPLINGS
from engine.data.categories import Categories, CategoryDomain
from engine.data.graph import SimpleGraph, WeightedGraph
from engine.data.order_statistics import Sample
from engine.data.parts import Parts, PartsDomain
from engine.data.points import Points
from engine.domain import Box, Interval
from engine.extras.frontier.friendly_core import FriendlyCore
from engine.extras.frontier.ladder import Ladder
from engine.extras.frontier.lipschitz_extension import LipschitzExtension
from engine.extras.frontier.log_scale_release import LogScaleRelease
from engine.extras.libraries.library import Peer
from engine.extras.sandbox.black_box import BlackBox
from engine.mechanisms import (
    MECHANISMS,
    Clusters,
    InteriorPoint,
    KBalls,
    LaplaceRelease,
    Mechanism,
    Mixture,
    NoisyHistogram,
    OneCluster,
    ProposeTestRelease,
    RandomizedResponse,
    SampleAggregate,
    ScreenedMean,
    SmoothRelease,
    SumsInParts,
)
from engine.mechanisms.aggregators import AGGREGATORS, Aggregator, Average, OneClusterAggregator
from engine.noise.base import NoiseChoice
from engine.privacy import Privacy
from engine.queries import QUERIES, InterquartileRange, Sum, TriangleCount

PRIVACY = Privacy(2.0, 1e-3)
MARKED = 37.12345678901
"""A number that occurs nowhere but in the data."""

BLOCKS = Partition(blocks=30)
CHOSEN: dict[type[Mechanism[Any]], Mechanism[Any]] = {
    Clusters: Clusters(k=2, sampling=BLOCKS),
    Mixture: Mixture(k=2, sampling=BLOCKS),
    Lloyd: Lloyd(k=2, rounds=2),
    OneCluster: OneCluster(t=280),
    KBalls: KBalls(t=260, k=1),
    ScreenedMean: ScreenedMean(t=400),
    InteriorPoint: InteriorPoint(grid=64),
    NoisyHistogram: NoisyHistogram(bins=4),
    SyntheticPoints: SyntheticPoints(bins=2, size=3),
    LogScaleRelease: LogScaleRelease(query=InterquartileRange()),
    ProposeTestRelease: ProposeTestRelease(bound=20.0),
    LipschitzExtension: LipschitzExtension(query=TriangleCount()),
    Ladder: Ladder(query=TriangleCount()),
    SumsInParts: SumsInParts(query=Sum()),
}


def every_mechanism() -> list[Mechanism[Any]]:
    """Return one of every kind that is there: the usual one, or a small one."""
    return [
        CHOSEN.get(kind) or kind()
        for kind in MECHANISMS.values()
        if not (issubclass(kind, Peer) and not kind.facts.library.is_installed)
    ]


def on_blocks(aggregator: Aggregator) -> SampleAggregate:
    """Return what aggregates the means of as many blocks as an aggregator needs."""
    blocks = {OneClusterAggregator: 400, FriendlyCore: 240}.get(type(aggregator), 39)
    return SampleAggregate(aggregator=aggregator, sampling=Partition(blocks=blocks))


def on_a_line(mechanism: Mechanism[Any]) -> bool:
    """Tell whether blocks are aggregated that must give single numbers."""
    return isinstance(mechanism, SampleAggregate) and mechanism.aggregator.on_a_line


def data_for(mechanism: Mechanism[Any]) -> Any:
    """Return data that a mechanism reads, with `MARKED` in them, or in counts of them."""
    rng = np.random.default_rng(7)
    reads = mechanism.reads
    if reads == "column":
        spread = isinstance(mechanism, LogScaleRelease)
        values = MARKED + (rng.normal(0, 5, 601) if spread else np.zeros(601))
        return Sample(values, Interval(0.0, 100.0))
    if reads == "points":
        columns = 2
        if mechanism.facts.most_columns or on_a_line(mechanism):
            columns = 1
        values = np.clip(MARKED + rng.normal(0, 1, (1201, columns)), 0, 100)
        values[: len(values) // 2] = MARKED
        return Points(values, Box.of([0.0] * columns, [100.0] * columns))
    if reads == "categories":
        columns = 1 if isinstance(mechanism, RandomizedResponse) else 2
        lists = [["red", "green", "blue"], ["s", "l"]][:columns]
        codes = np.zeros((2503, columns), dtype=np.int64)
        codes[:1103, 0] = 1
        return Categories(codes, CategoryDomain(["colour", "size"][:columns], lists))
    if reads == "parts":
        values = MARKED + rng.normal(0, 5, 601)
        return Parts(values, np.arange(601) % 3 - 1, PartsDomain(Interval(0.0, 100.0), ("a", "b")))
    if reads == "weighted-graph":
        return WeightedGraph([(0, 1), (1, 2), (0, 2)], [MARKED] * 3, Interval(0.0, 100.0))
    edges = [(a, b) for a in range(17) for b in range(a)]
    return SimpleGraph(edges, n=20)


def leaves_a_trace(number: float, content: bytes) -> bool:
    """Tell whether bytes hold a number as a double of either byte order, or as text."""
    text = repr(number).encode()
    if struct.pack("<d", number) in content or struct.pack(">d", number) in content:
        return True
    return text in content and re.search(rb"(?<![\d.])%b(?!\d)" % re.escape(text), content) is not None


def neighbour_of(data: Any) -> Any:
    """Return the same data with the first record replaced."""
    if isinstance(data, Categories):
        return data.replaced(0, [labels[-1] for labels in data.domain.labels])
    if isinstance(data, Parts):
        return data.replaced(0, (63.7, 1))
    if isinstance(data, Points):
        return data.replaced(0, [12.3, 91.7][: data.domain.dimension])
    return data.replaced(0, 0.0 if isinstance(data, SimpleGraph) else 63.7)


def every_part() -> list[Mechanism[Any]]:
    """Return mechanisms with every query, noise, aggregator and sampling, and every function of no file."""
    return [
        *(LaplaceRelease(query=kind()) for kind in QUERIES.values()),
        *(SmoothRelease(noise=kind()) for kind in NoiseChoice.registry.values()),
        *(on_blocks(kind()) for kind in AGGREGATORS.values()),
        *(
            SampleAggregate(block_function=kind(), aggregator=Average())
            for kind in FUNCTIONS.values()
            if kind is not BlackBox
        ),
        *(SampleAggregate(sampling=kind(), aggregator=Average()) for kind in SAMPLINGS.values()),
    ]
