"""From the outputs of many blocks to one private output."""

from engine.mechanisms.aggregators.average import Average
from engine.mechanisms.aggregators.base import Aggregator, VectorAdditive, VectorPrepared
from engine.mechanisms.aggregators.smooth import (
    CenterOfAttention,
    MedianAggregator,
    ShortestInterval,
    SmoothAggregator,
)
from engine.mechanisms.aggregators.winsorized import WinsorizedAggregator

AGGREGATORS: dict[str, type[Aggregator]] = {
    aggregator.name: aggregator
    for aggregator in (CenterOfAttention, ShortestInterval, MedianAggregator, Average, WinsorizedAggregator)
}

__all__ = [
    "AGGREGATORS",
    "Aggregator",
    "Average",
    "CenterOfAttention",
    "MedianAggregator",
    "ShortestInterval",
    "SmoothAggregator",
    "VectorAdditive",
    "VectorPrepared",
    "WinsorizedAggregator",
]
