"""Functions that can be run on blocks: the one list of them, and their names."""

from engine.aggregation.function import BlockFunction
from engine.aggregation.functions.k_means import KMeans
from engine.aggregation.functions.mean import MeanFunction
from engine.aggregation.functions.median import MedianFunction
from engine.aggregation.functions.mixture import GaussianMixture
from engine.aggregation.functions.regression import LinearRegression

FUNCTIONS: dict[str, type[BlockFunction]] = {
    function.name: function
    for function in (MeanFunction, MedianFunction, KMeans, GaussianMixture, LinearRegression)
}
"""Every function that comes with Sensiscope, by name."""

__all__ = [
    "FUNCTIONS",
    "GaussianMixture",
    "KMeans",
    "LinearRegression",
    "MeanFunction",
    "MedianFunction",
]
