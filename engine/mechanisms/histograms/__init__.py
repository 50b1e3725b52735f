"""Mechanisms that release cells with counts, and what else is counted in cells."""

from engine.mechanisms.histograms.base import HistogramMechanism, HistogramPrepared, ReleasedHistogram
from engine.mechanisms.histograms.cubes import CubeHistogram, RecursiveHistogram, ShiftedHistogram
from engine.mechanisms.histograms.exact import ExactHistogram

__all__ = [
    "CubeHistogram",
    "ExactHistogram",
    "HistogramMechanism",
    "HistogramPrepared",
    "RecursiveHistogram",
    "ReleasedHistogram",
    "ShiftedHistogram",
]
