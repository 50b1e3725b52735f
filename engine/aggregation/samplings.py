"""The ways to draw blocks, by name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engine.components import Registry, registry_of

if TYPE_CHECKING:
    from engine.aggregation.blocks import IndependentSubsets as IndependentSubsets
    from engine.aggregation.blocks import Partition as Partition
    from engine.aggregation.blocks import Sampling
    from engine.aggregation.replacement import WithReplacement as WithReplacement

SAMPLINGS: Registry[type[Sampling]] = registry_of(
    "sampling",
    {
        "partition": "engine.aggregation.blocks:Partition",
        "subsets": "engine.aggregation.blocks:IndependentSubsets",
        "with-replacement": "engine.aggregation.replacement:WithReplacement",
    },
)
"""The ways to draw blocks, by name."""


def __getattr__(name: str) -> Any:
    return SAMPLINGS.class_called(name)
