"""From the outputs of many blocks to one private output."""

from engine.components import registered
from engine.mechanisms.aggregators.average import Average
from engine.mechanisms.aggregators.base import Aggregator, VectorAdditive, VectorPrepared
from engine.mechanisms.aggregators.exponential_median import ExponentialMedian
from engine.mechanisms.aggregators.median import MedianAggregator
from engine.mechanisms.aggregators.one_cluster import OneClusterAggregator
from engine.mechanisms.aggregators.smallest_ball import SmallestBall
from engine.mechanisms.aggregators.smooth import (
    CenterOfAttention,
    ShortestInterval,
    SmoothAggregator,
)
from engine.mechanisms.aggregators.winsorized import WinsorizedAggregator

AGGREGATORS: dict[str, type[Aggregator]] = registered(
    CenterOfAttention,
    ShortestInterval,
    SmallestBall,
    MedianAggregator,
    ExponentialMedian,
    Average,
    WinsorizedAggregator,
    OneClusterAggregator,
)
"""Every aggregator, by name."""

__all__ = [
    "AGGREGATORS",
    "Aggregator",
    "Average",
    "CenterOfAttention",
    "ExponentialMedian",
    "MedianAggregator",
    "OneClusterAggregator",
    "ShortestInterval",
    "SmallestBall",
    "SmoothAggregator",
    "VectorAdditive",
    "VectorPrepared",
    "WinsorizedAggregator",
]
