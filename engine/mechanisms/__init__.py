"""Mechanisms: each takes data and a privacy budget and returns a `Release`; one file per mechanism."""

from typing import TYPE_CHECKING, Any

from engine.components import Registry, registry_of
from engine.mechanisms.base import Mechanism as Mechanism
from engine.mechanisms.base import Sanitizer as Sanitizer
from engine.mechanisms.planted import PLANTED as PLANTED
from engine.mechanisms.prepared import Prepared as Prepared
from engine.mechanisms.problem import Problem as Problem
from engine.mechanisms.release import Private as Private
from engine.mechanisms.release import Release as Release
from engine.mechanisms.scalar import ScalarMechanism as ScalarMechanism

if TYPE_CHECKING:
    from engine.mechanisms.auto import AutoRelease as AutoRelease
    from engine.mechanisms.categories import CategoriesMechanism as CategoriesMechanism
    from engine.mechanisms.categories import ContingencyTable as ContingencyTable
    from engine.mechanisms.categories import Mode as Mode
    from engine.mechanisms.categories import RandomizedResponse as RandomizedResponse
    from engine.mechanisms.categories import SortedHistogram as SortedHistogram
    from engine.mechanisms.exponential import ExponentialRelease as ExponentialRelease
    from engine.mechanisms.global_noise import GaussianRelease as GaussianRelease
    from engine.mechanisms.global_noise import LaplaceRelease as LaplaceRelease
    from engine.mechanisms.histograms import BallHistogram as BallHistogram
    from engine.mechanisms.histograms import CountingQueries as CountingQueries
    from engine.mechanisms.histograms import HierarchicalHistogram as HierarchicalHistogram
    from engine.mechanisms.histograms import HistogramMechanism as HistogramMechanism
    from engine.mechanisms.histograms import NetHistogram as NetHistogram
    from engine.mechanisms.histograms import NoisyHistogram as NoisyHistogram
    from engine.mechanisms.histograms import PerturbedPoints as PerturbedPoints
    from engine.mechanisms.histograms import Quantiles as Quantiles
    from engine.mechanisms.histograms import RandomCentersHistogram as RandomCentersHistogram
    from engine.mechanisms.histograms import RecursiveHistogram as RecursiveHistogram
    from engine.mechanisms.histograms import ShiftedHistogram as ShiftedHistogram
    from engine.mechanisms.noisy_average import NoisyAverage as NoisyAverage
    from engine.mechanisms.one_cluster import BallMechanism as BallMechanism
    from engine.mechanisms.one_cluster import InteriorPoint as InteriorPoint
    from engine.mechanisms.one_cluster import KBalls as KBalls
    from engine.mechanisms.one_cluster import OneCluster as OneCluster
    from engine.mechanisms.one_cluster import ScreenedMean as ScreenedMean
    from engine.mechanisms.parts import ChoiceInParts as ChoiceInParts
    from engine.mechanisms.parts import PartsMechanism as PartsMechanism
    from engine.mechanisms.parts import SumsInParts as SumsInParts
    from engine.mechanisms.planted.base import Planted as Planted
    from engine.mechanisms.points import PointsMechanism as PointsMechanism
    from engine.mechanisms.propose_test_release import ProposeTestRelease as ProposeTestRelease
    from engine.mechanisms.sample_aggregate import BlockMechanism as BlockMechanism
    from engine.mechanisms.sample_aggregate import Clusters as Clusters
    from engine.mechanisms.sample_aggregate import Mixture as Mixture
    from engine.mechanisms.sample_aggregate import SampleAggregate as SampleAggregate
    from engine.mechanisms.smooth import SmoothRelease as SmoothRelease

MECHANISMS: Registry[type[Mechanism[Any]]] = registry_of(
    "mechanism",
    {
        "smooth": "engine.mechanisms.smooth:SmoothRelease",
        "laplace": "engine.mechanisms.global_noise:LaplaceRelease",
        "gaussian": "engine.mechanisms.global_noise:GaussianRelease",
        "exponential": "engine.mechanisms.exponential:ExponentialRelease",
        "propose-test-release": "engine.mechanisms.propose_test_release:ProposeTestRelease",
        "auto": "engine.mechanisms.auto:AutoRelease",
    },
)
"""Every mechanism by name.  With a `query` it releases the answer to the query, else its own statistic."""

registry_of(
    "mechanism",
    {
        "clusters": "engine.mechanisms.sample_aggregate:Clusters",
        "mixture": "engine.mechanisms.sample_aggregate:Mixture",
        "sample-aggregate": "engine.mechanisms.sample_aggregate:SampleAggregate",
        "noisy-average": "engine.mechanisms.noisy_average:NoisyAverage",
        "one-cluster": "engine.mechanisms.one_cluster.one_cluster:OneCluster",
        "k-balls": "engine.mechanisms.one_cluster.one_cluster:KBalls",
        "screened-mean": "engine.mechanisms.one_cluster.screened_mean:ScreenedMean",
        "interior-point": "engine.mechanisms.one_cluster.interior_point:InteriorPoint",
        "histogram-recursive": "engine.mechanisms.histograms.exact_counts:RecursiveHistogram",
        "histogram-shifted": "engine.mechanisms.histograms.exact_counts:ShiftedHistogram",
        "histogram-voronoi-net": "engine.mechanisms.histograms.exact_counts:NetHistogram",
        "histogram-voronoi-random": "engine.mechanisms.histograms.exact_counts:RandomCentersHistogram",
        "histogram-embedded": "engine.mechanisms.histograms.exact_counts:BallHistogram",
        "perturbed-points": "engine.mechanisms.histograms.perturbed:PerturbedPoints",
        "histogram-noisy": "engine.mechanisms.histograms.noisy:NoisyHistogram",
        "histogram-tree": "engine.mechanisms.histograms.tree:HierarchicalHistogram",
        "quantiles": "engine.mechanisms.histograms.quantiles:Quantiles",
        "counts": "engine.mechanisms.histograms.counting:CountingQueries",
    },
    reads="points",
)
registry_of(
    "mechanism",
    {
        "contingency-table": "engine.mechanisms.categories.contingency_table:ContingencyTable",
        "sorted-histogram": "engine.mechanisms.categories.sorted_histogram:SortedHistogram",
        "mode": "engine.mechanisms.categories.mode:Mode",
        "randomized-response": "engine.mechanisms.categories.randomized_response:RandomizedResponse",
    },
    reads="categories",
)
registry_of(
    "mechanism",
    {
        "choice-in-parts": "engine.mechanisms.parts.choice:ChoiceInParts",
        "sums-in-parts": "engine.mechanisms.parts.sums:SumsInParts",
    },
    reads="parts",
)


def __getattr__(name: str) -> Any:
    return MECHANISMS.class_called(
        name,
        {
            "CategoriesMechanism": "engine.mechanisms.categories",
            "HistogramMechanism": "engine.mechanisms.histograms",
            "BallMechanism": "engine.mechanisms.one_cluster",
            "PartsMechanism": "engine.mechanisms.parts.base",
            "Planted": "engine.mechanisms.planted.base",
            "PointsMechanism": "engine.mechanisms.points",
            "BlockMechanism": "engine.mechanisms.sample_aggregate",
        },
    )
