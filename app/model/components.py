"""The families of what a mechanism is made of, as front ends call them."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

FAMILY_LABELS: Mapping[str, str] = MappingProxyType(
    {
        "query": "Queries",
        "method": "Methods",
        "noise": "Noises",
        "mechanism": "Mechanisms",
        "aggregator": "Aggregators",
        "function": "Functions of blocks",
        "sampling": "Ways to draw blocks",
    }
)
"""The families of `engine.catalog.FAMILIES`, with what people call them."""

FAMILY_PLURALS: Mapping[str, str] = MappingProxyType(
    {
        "query": "queries",
        "method": "methods",
        "noise": "noises",
        "mechanism": "mechanisms",
        "aggregator": "aggregators",
        "function": "functions",
        "sampling": "samplings",
    }
)
"""The same families as keys name them: "queries/median" is the help page about a query."""

CHOSEN_FAMILIES = ("method", "noise", "sampling", "aggregator")
"""The families of which a session has a field of the same name, with one name out of the family."""

PART_FAMILIES = ("function", "sampling", "aggregator", "noise")
"""The families of which a mechanism on blocks has parts, in the order in which a form shows them."""
