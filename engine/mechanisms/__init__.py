"""One file per sanitizer: takes data and privacy, returns a `Release`."""

from typing import TYPE_CHECKING, Any

from engine.components import Registry, registry_of
from engine.mechanisms.base import Mechanism, Sanitizer
from engine.mechanisms.planted import PLANTED
from engine.mechanisms.prepared import Prepared
from engine.mechanisms.problem import Problem
from engine.mechanisms.release import Private, Release
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
    from engine.mechanisms.exponential import ExponentialRelease
    from engine.mechanisms.global_noise import (
        GaussianRelease,
        LaplaceRelease,
    )
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
    from engine.mechanisms.one_cluster import (
        BallMechanism,
        InteriorPoint,
        KBalls,
        OneCluster,
        ScreenedMean,
    )
    from engine.mechanisms.planted.base import Planted
    from engine.mechanisms.points import PointsMechanism
    from engine.mechanisms.propose_test_release import ProposeTestRelease
    from engine.mechanisms.sample_aggregate import (
        BlockMechanism,
        SampleAggregate,
    )
    from engine.mechanisms.smooth import SmoothRelease
    from engine.mechanisms.suggested_bounds import SuggestedBounds

MECHANISMS: Registry[type[Mechanism[Any]]] = registry_of(
    "mechanism",
    {
        "smooth": "engine.mechanisms.smooth:SmoothRelease",
        "laplace": "engine.mechanisms.global_noise:LaplaceRelease",
        "gaussian": "engine.mechanisms.global_noise:GaussianRelease",
        "exponential": "engine.mechanisms.exponential:ExponentialRelease",
        "propose-test-release": "engine.mechanisms.propose_test_release:ProposeTestRelease",
        "k-means-on-cells": "engine.mechanisms.k_means_on_cells:KMeansOnCells",
        "clusters": "engine.mechanisms.clusters:Clusters",
        "mixture": "engine.mechanisms.clusters:Mixture",
        "sample-aggregate": "engine.mechanisms.sample_aggregate:SampleAggregate",
        "lloyd": "engine.mechanisms.lloyd:Lloyd",
        "cluster-cost": "engine.mechanisms.cluster_cost:ClusterCost",
        "noisy-average": "engine.mechanisms.noisy_average:NoisyAverage",
        "one-cluster": "engine.mechanisms.one_cluster.one_cluster:OneCluster",
        "k-balls": "engine.mechanisms.one_cluster.k_balls:KBalls",
        "screened-mean": "engine.mechanisms.one_cluster.screened_mean:ScreenedMean",
        "interior-point": "engine.mechanisms.one_cluster.interior_point:InteriorPoint",
        "histogram-recursive": "engine.mechanisms.histograms.cubes:RecursiveHistogram",
        "histogram-shifted": "engine.mechanisms.histograms.cubes:ShiftedHistogram",
        "histogram-voronoi-net": "engine.mechanisms.histograms.voronoi:NetHistogram",
        "histogram-voronoi-random": "engine.mechanisms.histograms.voronoi:RandomCentersHistogram",
        "histogram-embedded": "engine.mechanisms.histograms.cubes:BallHistogram",
        "perturbed-points": "engine.mechanisms.histograms.perturbed:PerturbedPoints",
        "histogram-noisy": "engine.mechanisms.histograms.noisy:NoisyHistogram",
        "histogram-tree": "engine.mechanisms.histograms.tree:HierarchicalHistogram",
        "privtree": "engine.mechanisms.histograms.privtree:PrivTree",
        "quantiles": "engine.mechanisms.histograms.quantiles:Quantiles",
        "covariance": "engine.mechanisms.histograms.covariance:Covariance",
        "counts": "engine.mechanisms.histograms.counting:CountingQueries",
        "synthetic": "engine.mechanisms.histograms.synthetic_data:SyntheticPoints",
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


def __getattr__(name: str) -> Any:
    return MECHANISMS.class_called(
        name,
        {
            "CategoriesMechanism": "engine.mechanisms.categories",
            "HistogramMechanism": "engine.mechanisms.histograms",
            "BallMechanism": "engine.mechanisms.one_cluster",
            "Planted": "engine.mechanisms.planted.base",
            "PointsMechanism": "engine.mechanisms.points",
            "BlockMechanism": "engine.mechanisms.sample_aggregate",
            "SuggestedBounds": "engine.mechanisms.suggested_bounds",
        },
    )
