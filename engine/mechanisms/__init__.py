"""One file per sanitizer: takes data and privacy, returns a `Release`."""

from typing import Any

from engine.components import registered
from engine.mechanisms.base import Mechanism
from engine.mechanisms.categories import (
    CategoriesMechanism,
    ContingencyTable,
    Mode,
    RandomizedResponse,
    SortedHistogram,
)
from engine.mechanisms.cluster_cost import ClusterCost
from engine.mechanisms.clusters import Clusters, Mixture
from engine.mechanisms.exponential import ExponentialRelease
from engine.mechanisms.global_noise import GaussianRelease, LaplaceRelease
from engine.mechanisms.histograms import (
    BallHistogram,
    CountingQueries,
    Covariance,
    HierarchicalHistogram,
    HistogramMechanism,
    NetHistogram,
    NoisyHistogram,
    PerturbedPoints,
    PrivTree,
    Quantiles,
    RandomCentersHistogram,
    RecursiveHistogram,
    ShiftedHistogram,
    SyntheticPoints,
)
from engine.mechanisms.k_means_on_cells import KMeansOnCells
from engine.mechanisms.lloyd import Lloyd
from engine.mechanisms.noisy_average import NoisyAverage
from engine.mechanisms.one_cluster import BallMechanism, InteriorPoint, KBalls, OneCluster, ScreenedMean
from engine.mechanisms.planted import PLANTED, Planted
from engine.mechanisms.points import PointsMechanism
from engine.mechanisms.prepared import Prepared
from engine.mechanisms.problem import Problem
from engine.mechanisms.propose_test_release import ProposeTestRelease
from engine.mechanisms.release import Private, Release
from engine.mechanisms.sample_aggregate import BlockMechanism, SampleAggregate
from engine.mechanisms.sanitizer import Sanitizer
from engine.mechanisms.scalar import ScalarMechanism
from engine.mechanisms.smooth import SmoothRelease
from engine.mechanisms.suggested_bounds import SuggestedBounds

MECHANISMS: dict[str, type[Mechanism[Any]]] = registered(
    SmoothRelease,
    LaplaceRelease,
    GaussianRelease,
    ExponentialRelease,
    ProposeTestRelease,
    KMeansOnCells,
    Clusters,
    Mixture,
    SampleAggregate,
    Lloyd,
    ClusterCost,
    NoisyAverage,
    OneCluster,
    KBalls,
    ScreenedMean,
    InteriorPoint,
    RecursiveHistogram,
    ShiftedHistogram,
    NetHistogram,
    RandomCentersHistogram,
    BallHistogram,
    PerturbedPoints,
    NoisyHistogram,
    HierarchicalHistogram,
    PrivTree,
    Quantiles,
    Covariance,
    CountingQueries,
    SyntheticPoints,
    ContingencyTable,
    SortedHistogram,
    Mode,
    RandomizedResponse,
)
"""Every mechanism, by name: with a `query`, it releases the answer to that, else one of its own."""

__all__ = [
    "MECHANISMS",
    "PLANTED",
    "BallHistogram",
    "BallMechanism",
    "BlockMechanism",
    "CategoriesMechanism",
    "ClusterCost",
    "Clusters",
    "ContingencyTable",
    "CountingQueries",
    "Covariance",
    "ExponentialRelease",
    "GaussianRelease",
    "HierarchicalHistogram",
    "HistogramMechanism",
    "InteriorPoint",
    "KBalls",
    "KMeansOnCells",
    "LaplaceRelease",
    "Lloyd",
    "Mechanism",
    "Mixture",
    "Mode",
    "NetHistogram",
    "NoisyAverage",
    "NoisyHistogram",
    "OneCluster",
    "PerturbedPoints",
    "Planted",
    "PointsMechanism",
    "Prepared",
    "PrivTree",
    "Private",
    "Problem",
    "ProposeTestRelease",
    "Quantiles",
    "RandomCentersHistogram",
    "RandomizedResponse",
    "RecursiveHistogram",
    "Release",
    "SampleAggregate",
    "Sanitizer",
    "ScalarMechanism",
    "ScreenedMean",
    "ShiftedHistogram",
    "SmoothRelease",
    "SortedHistogram",
    "SuggestedBounds",
    "SyntheticPoints",
]
