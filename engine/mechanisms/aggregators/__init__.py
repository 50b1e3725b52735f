"""Aggregators combine the outputs of many blocks into one private output."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engine.components import Registry, registry_of

if TYPE_CHECKING:
    from engine.mechanisms.aggregators.averages import Average as Average
    from engine.mechanisms.aggregators.averages import WinsorizedAggregator as WinsorizedAggregator
    from engine.mechanisms.aggregators.base import Aggregator as Aggregator
    from engine.mechanisms.aggregators.base import VectorAdditive as VectorAdditive
    from engine.mechanisms.aggregators.base import VectorPrepared as VectorPrepared
    from engine.mechanisms.aggregators.exponential_median import ExponentialMedian as ExponentialMedian
    from engine.mechanisms.aggregators.one_cluster import OneClusterAggregator as OneClusterAggregator
    from engine.mechanisms.aggregators.smooth import CenterOfAttention as CenterOfAttention
    from engine.mechanisms.aggregators.smooth import MedianAggregator as MedianAggregator
    from engine.mechanisms.aggregators.smooth import ShortestInterval as ShortestInterval
    from engine.mechanisms.aggregators.smooth import SmallestBall as SmallestBall
    from engine.mechanisms.aggregators.smooth import SmoothAggregator as SmoothAggregator

AGGREGATORS: Registry[type[Aggregator]] = registry_of(
    "aggregator",
    {
        "center-of-attention": "engine.mechanisms.aggregators.smooth:CenterOfAttention",
        "shortest-interval": "engine.mechanisms.aggregators.smooth:ShortestInterval",
        "smallest-ball": "engine.mechanisms.aggregators.smooth:SmallestBall",
        "median": "engine.mechanisms.aggregators.smooth:MedianAggregator",
        "exponential-median": "engine.mechanisms.aggregators.exponential_median:ExponentialMedian",
        "average": "engine.mechanisms.aggregators.averages:Average",
        "winsorized-mean": "engine.mechanisms.aggregators.averages:WinsorizedAggregator",
        "one-cluster": "engine.mechanisms.aggregators.one_cluster:OneClusterAggregator",
    },
)
"""Every aggregator by name."""


def __getattr__(name: str) -> Any:
    return AGGREGATORS.class_called(
        name,
        {
            "SmoothAggregator": "engine.mechanisms.aggregators.smooth",
            "Aggregator": "engine.mechanisms.aggregators.base",
            "VectorAdditive": "engine.mechanisms.aggregators.base",
            "VectorPrepared": "engine.mechanisms.aggregators.base",
        },
    )
