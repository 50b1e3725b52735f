"""The kinds of help pages, and what the catalog calls each of them."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

TOPICS = "topics"

KINDS: Mapping[str, str] = MappingProxyType(
    {
        "topics": "Topics",
        "queries": "Queries",
        "methods": "Methods",
        "noises": "Noises",
        "mechanisms": "Mechanisms",
        "aggregators": "Aggregators",
        "functions": "Functions of blocks",
        "samplings": "Ways to draw blocks",
    }
)
"""The folders of pages, and what people call them."""

ENTRIES: Mapping[str, str] = MappingProxyType(
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
"""The folder of each kind of entry of the catalog that has pages."""


def titles(kind: str) -> Mapping[str, str]:
    """Return the names in the catalog of a kind of pages, with their labels."""
    from engine.catalog import entries

    return {entry.name: entry.label for entry in entries() if ENTRIES.get(entry.kind) == kind}
