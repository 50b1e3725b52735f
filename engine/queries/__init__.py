"""One file per function f: its value and its local, smooth and global sensitivity."""

from engine.queries.base import Query, SmoothSensitivity
from engine.queries.order_statistics import (
    Maximum,
    Mean,
    Median,
    Minimum,
    OrderStatistic,
    Quantile,
    TrimmedMean,
)
from engine.queries.winsorized_mean import WinsorizedMean

QUERIES = {
    query.name: query for query in (Median, Quantile, Minimum, Maximum, Mean, TrimmedMean, WinsorizedMean)
}

__all__ = [
    "QUERIES",
    "Maximum",
    "Mean",
    "Median",
    "Minimum",
    "OrderStatistic",
    "Quantile",
    "Query",
    "SmoothSensitivity",
    "TrimmedMean",
    "WinsorizedMean",
]
