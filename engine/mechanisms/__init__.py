"""One file per sanitizer: takes data and privacy, returns a `Release`."""

from typing import TYPE_CHECKING, Any

from engine.components import Registry, registry_of
from engine.mechanisms.base import Mechanism
from engine.mechanisms.planted import PLANTED
from engine.mechanisms.prepared import Prepared
from engine.mechanisms.problem import Problem
from engine.mechanisms.release import Private, Release
from engine.mechanisms.sanitizer import Sanitizer
from engine.mechanisms.scalar import ScalarMechanism

if TYPE_CHECKING:
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
    from engine.mechanisms.global_noise import (
        GaussianRelease,
        LaplaceRelease,
    )
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
    from engine.mechanisms.inverse_sensitivity import (
        InverseSensitivity,
        PiecewiseLaplace,
    )
    from engine.mechanisms.k_means_on_cells import KMeansOnCells
    from engine.mechanisms.ladder import Ladder
    from engine.mechanisms.lipschitz_extension import LipschitzExtension
    from engine.mechanisms.lloyd import Lloyd
    from engine.mechanisms.log_scale_release import LogScaleRelease
    from engine.mechanisms.metric_median import MetricMedian
    from engine.mechanisms.noisy_average import NoisyAverage
    from engine.mechanisms.one_cluster import (
        BallMechanism,
        InteriorPoint,
        KBalls,
        OneCluster,
        ScreenedMean,
    )
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
    from engine.mechanisms.planted.base import Planted
    from engine.mechanisms.points import PointsMechanism
    from engine.mechanisms.propose_test_release import ProposeTestRelease
    from engine.mechanisms.sample_aggregate import (
        BlockMechanism,
        SampleAggregate,
    )
    from engine.mechanisms.scored_choice import ScoredChoice
    from engine.mechanisms.smooth import SmoothRelease
    from engine.mechanisms.stable_cell import StableCell
    from engine.mechanisms.suggested_bounds import SuggestedBounds

MECHANISMS: Registry[type[Mechanism[Any]]] = registry_of(
    "mechanism",
    {
        "smooth": "engine.mechanisms.smooth:SmoothRelease",
        "laplace": "engine.mechanisms.global_noise:LaplaceRelease",
        "gaussian": "engine.mechanisms.global_noise:GaussianRelease",
        "exponential": "engine.mechanisms.exponential:ExponentialRelease",
        "inverse-sensitivity": "engine.mechanisms.inverse_sensitivity:InverseSensitivity",
        "piecewise-laplace": "engine.mechanisms.inverse_sensitivity:PiecewiseLaplace",
        "ladder": "engine.mechanisms.ladder:Ladder",
        "lipschitz-extension": "engine.mechanisms.lipschitz_extension:LipschitzExtension",
        "propose-test-release": "engine.mechanisms.propose_test_release:ProposeTestRelease",
        "log-scale": "engine.mechanisms.log_scale_release:LogScaleRelease",
        "opendp": "engine.mechanisms.peers.opendp:OpenDPRelease",
        "diffprivlib": "engine.mechanisms.peers.diffprivlib:DiffprivlibRelease",
        "python-dp": "engine.mechanisms.peers.python_dp:PythonDPRelease",
        "k-means-on-cells": "engine.mechanisms.k_means_on_cells:KMeansOnCells",
        "clusters": "engine.mechanisms.clusters:Clusters",
        "mixture": "engine.mechanisms.clusters:Mixture",
        "sample-aggregate": "engine.mechanisms.sample_aggregate:SampleAggregate",
        "lloyd": "engine.mechanisms.lloyd:Lloyd",
        "k-means-diffprivlib": "engine.mechanisms.peers.k_means:DiffprivlibKMeans",
        "cluster-cost": "engine.mechanisms.cluster_cost:ClusterCost",
        "noisy-average": "engine.mechanisms.noisy_average:NoisyAverage",
        "metric-median": "engine.mechanisms.metric_median:MetricMedian",
        "perceptron": "engine.mechanisms.perceptron:Perceptron",
        "coinpress": "engine.mechanisms.coinpress:CoinPress",
        "one-cluster": "engine.mechanisms.one_cluster.one_cluster:OneCluster",
        "k-balls": "engine.mechanisms.one_cluster.k_balls:KBalls",
        "screened-mean": "engine.mechanisms.one_cluster.screened_mean:ScreenedMean",
        "interior-point": "engine.mechanisms.one_cluster.interior_point:InteriorPoint",
        "growing-box": "engine.mechanisms.growing_box:GrowingBox",
        "stable-cell": "engine.mechanisms.stable_cell:StableCell",
        "histogram-recursive": "engine.mechanisms.histograms.cubes:RecursiveHistogram",
        "histogram-shifted": "engine.mechanisms.histograms.cubes:ShiftedHistogram",
        "histogram-voronoi-net": "engine.mechanisms.histograms.voronoi:NetHistogram",
        "histogram-voronoi-random": "engine.mechanisms.histograms.voronoi:RandomCentersHistogram",
        "histogram-embedded": "engine.mechanisms.histograms.embedded:BallHistogram",
        "perturbed-points": "engine.mechanisms.histograms.perturbed:PerturbedPoints",
        "histogram-noisy": "engine.mechanisms.histograms.noisy:NoisyHistogram",
        "histogram-tree": "engine.mechanisms.histograms.tree:HierarchicalHistogram",
        "privtree": "engine.mechanisms.histograms.privtree:PrivTree",
        "histogram-opendp": "engine.mechanisms.peers.histograms:OpenDPHistogram",
        "histogram-diffprivlib": "engine.mechanisms.peers.histograms:DiffprivlibHistogram",
        "histogram-python-dp": "engine.mechanisms.peers.histograms:PythonDPHistogram",
        "quantiles": "engine.mechanisms.histograms.quantiles:Quantiles",
        "covariance": "engine.mechanisms.histograms.covariance:Covariance",
        "counts": "engine.mechanisms.histograms.counting:CountingQueries",
        "synthetic": "engine.mechanisms.histograms.synthetic_data:SyntheticPoints",
        "scored-choice": "engine.mechanisms.scored_choice:ScoredChoice",
        "contingency-table": "engine.mechanisms.categories.contingency_table:ContingencyTable",
        "sorted-histogram": "engine.mechanisms.categories.sorted_histogram:SortedHistogram",
        "mode": "engine.mechanisms.categories.mode:Mode",
        "randomized-response": "engine.mechanisms.categories.randomized_response:RandomizedResponse",
    },
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


def __getattr__(name: str) -> Any:
    return MECHANISMS.class_called(
        name,
        {
            "CategoriesMechanism": "engine.mechanisms.categories",
            "HistogramMechanism": "engine.mechanisms.histograms",
            "BallMechanism": "engine.mechanisms.one_cluster",
            "Peer": "engine.mechanisms.peers",
            "Planted": "engine.mechanisms.planted.base",
            "PointsMechanism": "engine.mechanisms.points",
            "BlockMechanism": "engine.mechanisms.sample_aggregate",
            "SuggestedBounds": "engine.mechanisms.suggested_bounds",
        },
    )
