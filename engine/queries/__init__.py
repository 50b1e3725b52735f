"""One file per function f: its value and its local, smooth and global sensitivity."""

from typing import TYPE_CHECKING, Any

from engine.components import Registry, registry_of
from engine.queries.base import Query, SmoothSensitivity

if TYPE_CHECKING:
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

QUERIES: Registry[type[Query[Any]]] = registry_of(
    "query",
    {
        "median": "engine.queries.order_statistics:Median",
        "quantile": "engine.queries.order_statistics:Quantile",
        "minimum": "engine.queries.order_statistics:Minimum",
        "maximum": "engine.queries.order_statistics:Maximum",
        "mean": "engine.queries.order_statistics:Mean",
        "trimmed-mean": "engine.queries.order_statistics:TrimmedMean",
        "interquartile-range": "engine.queries.interquartile_range:InterquartileRange",
        "sum": "engine.queries.order_statistics:Sum",
        "count": "engine.queries.count:Count",
        "distance": "engine.queries.distance:Distance",
    },
)
"""Every query, by name."""

registry_of("query", {"mst": "engine.queries.mst:MstCost"}, reads="weighted-graph")
registry_of("query", {"triangles": "engine.queries.triangles:TriangleCount"}, reads="simple-graph")

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
]


def __getattr__(name: str) -> Any:
    return QUERIES.class_called(
        name,
        {
            "Cut": "engine.queries.mst",
            "OrderStatistic": "engine.queries.order_statistics",
            "VertexPair": "engine.queries.triangles",
        },
    )
