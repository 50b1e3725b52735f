"""One file per function f: its value and its local, smooth and global sensitivity."""

from typing import Any

from engine.components import registered
from engine.queries.base import Query, SmoothSensitivity
from engine.queries.count import Count
from engine.queries.distance import Distance
from engine.queries.interquartile_range import InterquartileRange
from engine.queries.mst import Cut, MstCost
from engine.queries.order_statistics import (
    Maximum,
    Mean,
    Median,
    Minimum,
    OrderStatistic,
    Quantile,
    Sum,
    TrimmedMean,
)
from engine.queries.triangles import TriangleCount, VertexPair
from engine.queries.winsorized_mean import WinsorizedMean

QUERIES: dict[str, type[Query[Any]]] = registered(
    Median,
    Quantile,
    Minimum,
    Maximum,
    Mean,
    TrimmedMean,
    WinsorizedMean,
    InterquartileRange,
    Sum,
    Count,
    Distance,
    MstCost,
    TriangleCount,
)
"""Every query, by name."""

__all__ = [
    "QUERIES",
    "Count",
    "Cut",
    "Distance",
    "InterquartileRange",
    "Maximum",
    "Mean",
    "Median",
    "Minimum",
    "MstCost",
    "OrderStatistic",
    "Quantile",
    "Query",
    "SmoothSensitivity",
    "Sum",
    "TriangleCount",
    "TrimmedMean",
    "VertexPair",
    "WinsorizedMean",
]
