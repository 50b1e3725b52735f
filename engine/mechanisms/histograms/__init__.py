"""Mechanisms that release histograms: cells with counts, and counts of conditions or quantiles."""

from engine.mechanisms.histograms.base import HistogramMechanism as HistogramMechanism
from engine.mechanisms.histograms.base import HistogramPrepared as HistogramPrepared
from engine.mechanisms.histograms.base import ReleasedHistogram as ReleasedHistogram
from engine.mechanisms.histograms.counting import CountingQueries as CountingQueries
from engine.mechanisms.histograms.exact_counts import BallHistogram as BallHistogram
from engine.mechanisms.histograms.exact_counts import NetHistogram as NetHistogram
from engine.mechanisms.histograms.exact_counts import RandomCentersHistogram as RandomCentersHistogram
from engine.mechanisms.histograms.exact_counts import RecursiveHistogram as RecursiveHistogram
from engine.mechanisms.histograms.exact_counts import ShiftedHistogram as ShiftedHistogram
from engine.mechanisms.histograms.noisy import NoisyHistogram as NoisyHistogram
from engine.mechanisms.histograms.perturbed import PerturbedPoints as PerturbedPoints
from engine.mechanisms.histograms.quantiles import Quantiles as Quantiles
from engine.mechanisms.histograms.tree import HierarchicalHistogram as HierarchicalHistogram
