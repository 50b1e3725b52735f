"""What the command palette offers, and what of it fits some letters."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence

from app.widgets import fuzzy

RECENT = 8
"""How many of those used last stand higher than they would by their letters."""
OTHER_WORDS = 10.0
"""What it takes away to be found by other words than its name."""
UNABLE = 25.0
"""What it takes away that something cannot be done now."""


@dataclasses.dataclass(frozen=True)
class Command:
    """One thing that can be done.

    Attributes
    ----------
    group, text : str
        What it is called: "Method" and "Exponential mechanism".
    keys : str
        The keys that do the same.
    run : callable
        Does it.
    enabled : bool
        Whether it can be done now.
    why : str
        Why not.
    chosen : bool
        Whether it holds already.
    tip : str
        More about it.
    words : str
        What else it is found by.
    """

    group: str
    text: str
    keys: str
    run: Callable[[], object]
    enabled: bool = True
    why: str = ""
    chosen: bool = False
    tip: str = ""
    words: str = ""

    @property
    def heading(self) -> str:
        """What stands in front of the text."""
        return f"{self.group}: "

    @property
    def name(self) -> str:
        """Heading and text."""
        return self.heading + self.text

    @property
    def spoken(self) -> str:
        """What is said about it to those who do not see it."""
        parts = (
            self.name,
            "chosen" if self.chosen else "",
            self.keys,
            "" if self.enabled else f"not now: {self.why}",
        )
        return ", ".join(part for part in parts if part)


def _found(terms: Sequence[str], entry: Command) -> fuzzy.Match | None:
    """Return how well a command fits by its name, else by its name and its other words together."""
    match = fuzzy.match(terms, fuzzy.line(entry.name, entry.heading))
    if match is not None or not entry.words:
        return match
    match = fuzzy.match(terms, fuzzy.line(f"{entry.name} {entry.words}", entry.heading))
    if match is None:
        return None
    seen = tuple(letter for letter in match.letters if letter < len(entry.name))
    return fuzzy.Match(match.score - OTHER_WORDS, seen)


def ranked(
    entries: Sequence[Command], typed: str, used: Sequence[str]
) -> list[tuple[Command, tuple[int, ...]]]:
    """Return what fits `typed`, best first, with the letters that do; of equals, what was used last."""
    terms = fuzzy.terms(typed)
    places = {name: index for index, name in enumerate(used)}
    results: list[tuple[float, int, Command, tuple[int, ...]]] = []
    for index, entry in enumerate(entries):
        match = _found(terms, entry)
        if match is not None:
            since = places.get(entry.name, RECENT)
            # without a word typed, what was used last is all that there is to go by
            bonus = max(0, RECENT - since) * (1.0 if terms else 100.0)
            score = match.score + bonus - UNABLE * (not entry.enabled)
            results.append((-score, index, entry, match.letters))
    results.sort(key=lambda one: one[:2])
    return [(entry, letters) for _, _, entry, letters in results]
