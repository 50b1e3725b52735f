"""The ways to draw blocks, by name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engine.components import Registry, registry_of

if TYPE_CHECKING:
    from engine.aggregation.blocks import IndependentSubsets, Partition, Sampling
    from engine.aggregation.replacement import WithReplacement

SAMPLINGS: Registry[type[Sampling]] = registry_of(
    "sampling",
    {
        "partition": "engine.aggregation.blocks:Partition",
        "subsets": "engine.aggregation.blocks:IndependentSubsets",
        "with-replacement": "engine.aggregation.replacement:WithReplacement",
    },
)
"""The ways to draw blocks, by name."""

__all__ = ["SAMPLINGS", "IndependentSubsets", "Partition", "WithReplacement"]


def __getattr__(name: str) -> Any:
    return SAMPLINGS.class_called(name)
