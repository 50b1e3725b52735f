"""A small ball that holds many points."""

from engine.mechanisms.one_cluster.ball import (
    Ball,
    records_in,
    relative_radii,
    screen_points,
    typical_quality,
)
from engine.mechanisms.one_cluster.balls import BallMechanism
from engine.mechanisms.one_cluster.finders import FINDERS, FORMER_NAMES, finder
from engine.mechanisms.one_cluster.interior_point import InteriorPoint
from engine.mechanisms.one_cluster.k_balls import KBalls
from engine.mechanisms.one_cluster.one_cluster import OneCluster, one_cluster
from engine.mechanisms.one_cluster.screened_mean import ScreenedMean
from engine.mechanisms.one_cluster.search import BoxPartition, Crossing, Guarantee, SearchResult, Share, Task

__all__ = [
    "FINDERS",
    "FORMER_NAMES",
    "Ball",
    "BallMechanism",
    "BoxPartition",
    "Crossing",
    "Guarantee",
    "InteriorPoint",
    "KBalls",
    "OneCluster",
    "ScreenedMean",
    "SearchResult",
    "Share",
    "Task",
    "finder",
    "one_cluster",
    "records_in",
    "relative_radii",
    "screen_points",
    "typical_quality",
]
