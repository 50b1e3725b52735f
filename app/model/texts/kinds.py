"""The kinds of help pages, and what the catalog calls each of them."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from app.model.wording.components import KIND_WORDS

TOPICS = "topics"

KINDS: Mapping[str, str] = MappingProxyType(
    {TOPICS: "Topics"} | {words.plural: words.title for words in KIND_WORDS.values()}
)
"""The folders of pages, and what they are called on the screen."""


def titles(kind: str) -> Mapping[str, str]:
    """Return the names in the catalog of a kind of pages, with their labels."""
    from engine.catalog import entries

    return {
        entry.name: entry.label
        for entry in entries()
        if entry.kind in KIND_WORDS and KIND_WORDS[entry.kind].plural == kind
    }
