"""Finding lines by a few of their letters: beginnings of words first."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

WHOLE, BEGINNING, INITIALS, INSIDE, SCATTERED = 100.0, 90.0, 70.0, 50.0, 20.0
"""What a term is worth that is a word, begins one, is spread over beginnings, is inside, or anywhere."""
LATER = 4.0
"""What each word in front of it takes away."""
ASIDE = 30.0
"""What it takes away to be found in the heading of a line."""
MAX_TRIED = 24
"""Words of a line, and letters of a term, that are tried with each other as beginnings."""
WIDEST = 4
"""Scattered letters may lie over so many times their number."""


class Line(NamedTuple):
    """A line to be searched, as `line` prepares it.

    Attributes
    ----------
    text : str
        In lower case.
    starts : tuple of int
        Where its words begin.
    heading : int
        How many of these are its heading.
    """

    text: str
    starts: tuple[int, ...]
    heading: int

    def penalty(self, at: int) -> float:
        """Return what it takes away to be found at a letter."""
        text = sum(start <= at for start in self.starts) - 1
        return LATER * (text - self.heading) if text >= self.heading else ASIDE + LATER * text


class Match(NamedTuple):
    """How well a line fits what was typed, and which of its letters do."""

    score: float
    letters: tuple[int, ...]


@lru_cache(maxsize=4096)
def line(text: str, heading: str = "") -> Line:
    """Prepare a line that begins with `heading`."""
    lower = "".join(one if len(one.lower()) != 1 else one.lower() for one in text)
    starts = tuple(matched.start() for matched in re.finditer(r"[^\W_]+", lower))
    return Line(lower, starts, sum(start < len(heading) for start in starts))


def terms(typed: str) -> list[str]:
    """Return the words that were typed."""
    return typed.lower().split()


def match(typed: Sequence[str], searched: Line) -> Match | None:
    """Return how well `searched` fits all the terms, in whatever order; None if one of them is not in it."""
    score, letters = 0.0, set[int]()
    for term in typed:
        results = _find(term, searched)
        if results is None:
            return None
        score += results.score
        letters.update(results.letters)
    return Match(score, tuple(sorted(letters)))


def _find(term: str, searched: Line) -> Match | None:
    """Return the best place of one term."""
    text, starts, _ = searched
    at = text.find(term)
    if at < 0:
        return _initials(term, searched) or _scattered(term, searched)
    for start in (*starts[searched.heading :], *starts[: searched.heading]):
        if text.startswith(term, start):
            end = start + len(term)
            whole = end == len(text) or not text[end].isalnum()
            score = (WHOLE if whole else BEGINNING) - searched.penalty(start)
            return Match(score, tuple(range(start, end)))
    return _initials(term, searched) or Match(INSIDE - searched.penalty(at), tuple(range(at, at + len(term))))


def _initials(term: str, searched: Line) -> Match | None:
    """Return the place of a term whose letters begin words, or follow such a letter: "exme"."""
    text, starts = searched.text, searched.starts[:MAX_TRIED]
    dead: set[tuple[int, int]] = set()

    def place(done: int, end: int) -> tuple[int, ...] | None:
        if done == len(term):
            return ()
        if (done, end) in dead:
            return None
        nexts = [end] if done and end < len(text) else []
        for at in (*nexts, *(start for start in starts if start >= end)):
            if text[at] == term[done]:
                rest = place(done + 1, at + 1)
                if rest is not None:
                    return (at, *rest)
        dead.add((done, end))
        return None

    letters = place(0, 0) if len(term) <= MAX_TRIED else None
    if letters is None:
        return None
    return Match(INITIALS - searched.penalty(letters[0]) - (letters[-1] - letters[0]) / len(text), letters)


def _scattered(term: str, searched: Line) -> Match | None:
    """Return the place of a term whose letters stand in a line, in that order and not far apart."""
    text, starts, _ = searched
    for start in starts[searched.heading :]:
        if text[start] != term[0]:
            continue
        letters = [start]
        for letter in term[1:]:
            at = text.find(letter, letters[-1] + 1)
            if at < 0:
                return None
            letters.append(at)
        spread = letters[-1] - start + 1
        if spread <= WIDEST * len(term):
            return Match(SCATTERED - searched.penalty(start) - spread / len(term), tuple(letters))
    return None
