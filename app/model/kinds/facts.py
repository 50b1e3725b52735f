"""What is said about data that were read: to all, and to those who see them."""

from __future__ import annotations

import dataclasses

from app.model.kinds.base import DataChoice
from app.model.wording.numbers import format_count


@dataclasses.dataclass(frozen=True)
class DataFacts:
    """What is said about data that were read.

    Attributes
    ----------
    public, private : tuple of str
    about_public, about_all : str
        What is explained to those who see only what is public, and to those who see all.
    """

    public: tuple[str, ...]
    private: tuple[str, ...]
    about_public: str
    about_all: str


def private_facts(choice: DataChoice, moved: int | None, text: str) -> tuple[str, ...]:
    """Say what only the curator may know: what was dropped, moved to the bounds and changed by hand."""
    changed = len(choice.changed_values())
    facts = [f"{format_count(choice.dropped)} dropped"] if choice.dropped else []
    facts += [f"{format_count(choice.filled)} filled"] if choice.filled else []
    if moved is not None:
        facts.append(f"{format_count(moved)} {text}" if moved else f"none {text}")
    return (*facts, *([f"{format_count(changed)} moved by hand"] if changed else []))
