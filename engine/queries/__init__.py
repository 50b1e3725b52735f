"""One file per function f: its value and its local, smooth and global sensitivity."""

from typing import TYPE_CHECKING, Any

from engine.components import Registry, registry_of
from engine.queries.base import Query as Query
from engine.queries.base import SmoothSensitivity as SmoothSensitivity

if TYPE_CHECKING:
    from engine.queries.count import Count as Count
    from engine.queries.distance import Distance as Distance
    from engine.queries.interquartile_range import InterquartileRange as InterquartileRange
    from engine.queries.mst import Cut as Cut
    from engine.queries.mst import MstCost as MstCost
    from engine.queries.order_statistics import Maximum as Maximum
    from engine.queries.order_statistics import Mean as Mean
    from engine.queries.order_statistics import Median as Median
    from engine.queries.order_statistics import Minimum as Minimum
    from engine.queries.order_statistics import OrderStatistic as OrderStatistic
    from engine.queries.order_statistics import Quantile as Quantile
    from engine.queries.order_statistics import Sum as Sum
    from engine.queries.order_statistics import TrimmedMean as TrimmedMean
    from engine.queries.triangles import TriangleCount as TriangleCount
    from engine.queries.triangles import VertexPair as VertexPair

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


def __getattr__(name: str) -> Any:
    return QUERIES.class_called(
        name,
        {
            "Cut": "engine.queries.mst",
            "OrderStatistic": "engine.queries.order_statistics",
            "VertexPair": "engine.queries.triangles",
        },
    )
