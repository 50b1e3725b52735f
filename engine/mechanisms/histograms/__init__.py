"""Mechanisms that release cells with counts, and what else is counted in cells."""

from engine.mechanisms.histograms.base import HistogramMechanism, HistogramPrepared, ReleasedHistogram
from engine.mechanisms.histograms.cubes import CubeHistogram, RecursiveHistogram, ShiftedHistogram
from engine.mechanisms.histograms.embedded import BallHistogram
from engine.mechanisms.histograms.exact import ExactHistogram
from engine.mechanisms.histograms.voronoi import NetHistogram, RandomCentersHistogram

__all__ = [
    "BallHistogram",
    "CubeHistogram",
    "ExactHistogram",
    "HistogramMechanism",
    "HistogramPrepared",
    "NetHistogram",
    "RandomCentersHistogram",
    "RecursiveHistogram",
    "ReleasedHistogram",
    "ShiftedHistogram",
]
