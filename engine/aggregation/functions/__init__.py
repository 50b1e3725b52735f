"""Functions that can be run on blocks: the one list of them, and their names."""

from engine.aggregation.function import BlockFunction
from engine.aggregation.functions.k_means import KMeans
from engine.aggregation.functions.mean import MeanFunction
from engine.aggregation.functions.median import MedianFunction
from engine.aggregation.functions.mixture import GaussianMixture
from engine.aggregation.functions.regression import LinearRegression
from engine.components import registered

FUNCTIONS: dict[str, type[BlockFunction]] = registered(
    MeanFunction, MedianFunction, KMeans, GaussianMixture, LinearRegression
)
"""Every function that can be run on blocks, by name; that from a file joins them with its module."""

__all__ = [
    "FUNCTIONS",
    "GaussianMixture",
    "KMeans",
    "LinearRegression",
    "MeanFunction",
    "MedianFunction",
]
