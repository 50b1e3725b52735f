"""The ways to draw blocks, by name."""

from engine.aggregation.blocks import IndependentSubsets, Partition, Sampling
from engine.aggregation.replacement import WithReplacement
from engine.components import registered

SAMPLINGS: dict[str, type[Sampling]] = registered(Partition, IndependentSubsets, WithReplacement)
"""The ways to draw blocks, by name."""
