"""Mechanisms that release cells with counts, and what else is counted in cells."""

from engine.mechanisms.histograms.base import HistogramMechanism, HistogramPrepared, ReleasedHistogram
from engine.mechanisms.histograms.counting import CountingQueries
from engine.mechanisms.histograms.covariance import Covariance
from engine.mechanisms.histograms.exact_counts import (
    BallHistogram,
    NetHistogram,
    RandomCentersHistogram,
    RecursiveHistogram,
    ShiftedHistogram,
)
from engine.mechanisms.histograms.noisy import NoisyHistogram
from engine.mechanisms.histograms.perturbed import PerturbedPoints
from engine.mechanisms.histograms.privtree import PrivTree
from engine.mechanisms.histograms.quantiles import Quantiles
from engine.mechanisms.histograms.synthetic_data import SyntheticPoints
from engine.mechanisms.histograms.tree import HierarchicalHistogram

__all__ = [
    "BallHistogram",
    "CountingQueries",
    "Covariance",
    "HierarchicalHistogram",
    "HistogramMechanism",
    "HistogramPrepared",
    "NetHistogram",
    "NoisyHistogram",
    "PerturbedPoints",
    "PrivTree",
    "Quantiles",
    "RandomCentersHistogram",
    "RecursiveHistogram",
    "ReleasedHistogram",
    "ShiftedHistogram",
    "SyntheticPoints",
]
