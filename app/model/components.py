"""The kinds of components, as front ends call them."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from types import MappingProxyType

from engine.parameters import Parameter


@dataclasses.dataclass(frozen=True)
class KindWords:
    """What a kind of components is called.

    Attributes
    ----------
    title, plural : str
        Above a list of them, and in keys: "queries/median" is the help page about a query.
    label, name, help : str
        Of the row of a form in which one is chosen: its label, what a screen reader says, its tip.
    """

    title: str
    plural: str
    label: str
    name: str
    help: str


KIND_WORDS: Mapping[str, KindWords] = MappingProxyType(
    {
        "query": KindWords(
            "Queries", "queries", "&Query", "What to release", "The function of the data that is released"
        ),
        "method": KindWords(
            "Methods", "methods", "&Method", "How it is protected", "How the release is made private"
        ),
        "noise": KindWords(
            "Noises", "noises", "Noi&se", "Family of the noise", "The distribution of the noise"
        ),
        "mechanism": KindWords("Mechanisms", "mechanisms", "&Mechanism", "Mechanism", "What is released"),
        "aggregator": KindWords(
            "Aggregators",
            "aggregators",
            "Aggrega&tor",
            "How one output is made of those of the blocks",
            "How one output is made of those of the blocks",
        ),
        "function": KindWords(
            "Functions of blocks",
            "functions",
            "F&unction",
            "Function of a block",
            "What is computed on each block",
        ),
        "sampling": KindWords(
            "Ways to draw blocks",
            "samplings",
            "Sampling",
            "How the blocks are drawn",
            "How the blocks are drawn, blind to the data",
        ),
    }
)
"""The kinds of `engine.catalog.kinds`, with what they are called on the screen."""


def words_of(kind: str, declared: Parameter | None = None) -> KindWords:
    """Return what a kind is called; of one that has no words here, what the parameter that holds it says."""
    if kind in KIND_WORDS:
        return KIND_WORDS[kind]
    label, tip = (declared.label, declared.help) if declared is not None else (kind.capitalize(), "")
    return KindWords(f"{label}s", f"{kind}s", label, label, tip)


def page_key(kind: str, name: str) -> str:
    """Return the key of the help page about a component."""
    return f"{words_of(kind).plural}/{name}"
