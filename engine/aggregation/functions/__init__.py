"""Functions of blocks: the list of all, and their names."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engine.components import Registry, registry_of

if TYPE_CHECKING:
    from engine.aggregation.function import BlockFunction
    from engine.aggregation.functions.k_means import KMeans as KMeans
    from engine.aggregation.functions.mean import MeanFunction as MeanFunction
    from engine.aggregation.functions.median import MedianFunction as MedianFunction
    from engine.aggregation.functions.mixture import GaussianMixture as GaussianMixture
    from engine.aggregation.functions.regression import LinearRegression as LinearRegression

FUNCTIONS: Registry[type[BlockFunction]] = registry_of(
    "function",
    {
        "mean": "engine.aggregation.functions.mean:MeanFunction",
        "median": "engine.aggregation.functions.median:MedianFunction",
        "k-means": "engine.aggregation.functions.k_means:KMeans",
        "mixture": "engine.aggregation.functions.mixture:GaussianMixture",
        "regression": "engine.aggregation.functions.regression:LinearRegression",
    },
)
"""All functions of blocks by name; the module of functions from files adds its own."""


def __getattr__(name: str) -> Any:
    return FUNCTIONS.class_called(name)
