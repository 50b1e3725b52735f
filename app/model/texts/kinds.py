"""The kinds of help pages, and the catalog names of their pages."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from app.model.wording.components import KIND_WORDS

TOPICS = "topics"

KINDS: Mapping[str, str] = MappingProxyType(
    {TOPICS: "Topics"} | {names.plural: names.title for names in KIND_WORDS.values()}
)
"""Folders of help pages with their titles."""


def titles(kind: str) -> Mapping[str, str]:
    """Return the labels of all catalog names of a kind of pages."""
    from engine.catalog import entries

    return {
        entry.name: entry.label
        for entry in entries()
        if entry.kind in KIND_WORDS and KIND_WORDS[entry.kind].plural == kind
    }
