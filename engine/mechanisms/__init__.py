"""One file per sanitizer: takes data and privacy, returns a `Release`."""

from typing import Any

from engine.components import registered
from engine.mechanisms.base import Mechanism, Sanitizer
from engine.mechanisms.categories import (
    CategoriesMechanism,
    ContingencyTable,
    Mode,
    RandomizedResponse,
    SortedHistogram,
)
from engine.mechanisms.cluster_cost import ClusterCost
from engine.mechanisms.clusters import Clusters, Mixture
from engine.mechanisms.coinpress import CoinPress
from engine.mechanisms.exponential import ExponentialRelease
from engine.mechanisms.global_noise import GaussianRelease, LaplaceRelease
from engine.mechanisms.growing_box import GrowingBox
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
from engine.mechanisms.inverse_sensitivity import InverseSensitivity, PiecewiseLaplace
from engine.mechanisms.k_means_on_cells import KMeansOnCells
from engine.mechanisms.ladder import Ladder
from engine.mechanisms.lipschitz_extension import LipschitzExtension
from engine.mechanisms.lloyd import Lloyd
from engine.mechanisms.log_scale_release import LogScaleRelease
from engine.mechanisms.metric_median import MetricMedian
from engine.mechanisms.noisy_average import NoisyAverage
from engine.mechanisms.one_cluster import BallMechanism, InteriorPoint, KBalls, OneCluster, ScreenedMean
from engine.mechanisms.peers import (
    DiffprivlibHistogram,
    DiffprivlibKMeans,
    DiffprivlibRelease,
    OpenDPHistogram,
    OpenDPRelease,
    Peer,
    PythonDPHistogram,
    PythonDPRelease,
)
from engine.mechanisms.perceptron import Perceptron
from engine.mechanisms.planted import PLANTED, Planted
from engine.mechanisms.points import PointsMechanism
from engine.mechanisms.prepared import Prepared
from engine.mechanisms.problem import Problem
from engine.mechanisms.propose_test_release import ProposeTestRelease
from engine.mechanisms.release import Private, Release
from engine.mechanisms.sample_aggregate import BlockMechanism, SampleAggregate
from engine.mechanisms.scalar import ScalarMechanism
from engine.mechanisms.scored_choice import ScoredChoice
from engine.mechanisms.smooth import SmoothRelease
from engine.mechanisms.stable_cell import StableCell
from engine.mechanisms.suggested_bounds import SuggestedBounds

MECHANISMS: dict[str, type[Mechanism[Any]]] = registered(
    SmoothRelease,
    LaplaceRelease,
    GaussianRelease,
    ExponentialRelease,
    InverseSensitivity,
    PiecewiseLaplace,
    Ladder,
    LipschitzExtension,
    ProposeTestRelease,
    LogScaleRelease,
    OpenDPRelease,
    DiffprivlibRelease,
    PythonDPRelease,
    KMeansOnCells,
    Clusters,
    Mixture,
    SampleAggregate,
    Lloyd,
    DiffprivlibKMeans,
    ClusterCost,
    NoisyAverage,
    MetricMedian,
    Perceptron,
    CoinPress,
    OneCluster,
    KBalls,
    ScreenedMean,
    InteriorPoint,
    GrowingBox,
    StableCell,
    RecursiveHistogram,
    ShiftedHistogram,
    NetHistogram,
    RandomCentersHistogram,
    BallHistogram,
    PerturbedPoints,
    NoisyHistogram,
    HierarchicalHistogram,
    PrivTree,
    OpenDPHistogram,
    DiffprivlibHistogram,
    PythonDPHistogram,
    Quantiles,
    Covariance,
    CountingQueries,
    SyntheticPoints,
    ScoredChoice,
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
    "CoinPress",
    "ContingencyTable",
    "CountingQueries",
    "Covariance",
    "DiffprivlibHistogram",
    "DiffprivlibKMeans",
    "DiffprivlibRelease",
    "ExponentialRelease",
    "GaussianRelease",
    "GrowingBox",
    "HierarchicalHistogram",
    "HistogramMechanism",
    "InteriorPoint",
    "InverseSensitivity",
    "KBalls",
    "KMeansOnCells",
    "Ladder",
    "LaplaceRelease",
    "LipschitzExtension",
    "Lloyd",
    "LogScaleRelease",
    "Mechanism",
    "MetricMedian",
    "Mixture",
    "Mode",
    "NetHistogram",
    "NoisyAverage",
    "NoisyHistogram",
    "OneCluster",
    "OpenDPHistogram",
    "OpenDPRelease",
    "Peer",
    "Perceptron",
    "PerturbedPoints",
    "PiecewiseLaplace",
    "Planted",
    "PointsMechanism",
    "Prepared",
    "PrivTree",
    "Private",
    "Problem",
    "ProposeTestRelease",
    "PythonDPHistogram",
    "PythonDPRelease",
    "Quantiles",
    "RandomCentersHistogram",
    "RandomizedResponse",
    "RecursiveHistogram",
    "Release",
    "SampleAggregate",
    "Sanitizer",
    "ScalarMechanism",
    "ScoredChoice",
    "ScreenedMean",
    "ShiftedHistogram",
    "SmoothRelease",
    "SortedHistogram",
    "StableCell",
    "SuggestedBounds",
    "SyntheticPoints",
]
