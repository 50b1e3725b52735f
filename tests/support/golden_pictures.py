"""What the window shows: the numbers behind every picture, what is told of it, and the words around it."""

import difflib
import re
from collections.abc import Iterator
from pathlib import Path

from golden_cases import Document, chosen, groups
from golden_text import rounded
from golden_window import Driver, beginnings, driver

TIMED = "compare.tab=time"
"""The picture whose numbers and words are running times: another one each time."""


def dump(folder: Path) -> Iterator[tuple[str, str]]:
    """Return name and text of each file: one for each page and example."""
    waiting = list(groups().items())
    documents, _ = beginnings(folder, groups())
    while waiting:
        with driver(folder) as window:
            seen = False
            # once its session was seen in the release view, a window opens no other view
            while waiting and not seen:
                (page, example), cases = waiting.pop(0)
                cases.sort(key=_is_public)
                seen = _is_public(cases[-1])
                blocks = _blocks(window, f"== {page}, {example}:", documents[page, example], cases)
                yield f"pictures-{page}-{example}.txt", "\n".join(blocks)


def _is_public(case: str) -> bool:
    return "view=release" in case


def _blocks(window: Driver, title: str, document: Document, cases: list[str]) -> Iterator[str]:
    """Return what is seen in each case; what did not change since the one before is left out."""
    pictures: list[str] = []
    words: list[str] = []
    for case in cases:
        window.open(chosen(document, case))
        timed = TIMED in case
        before, pictures = pictures, window.pictures(timed)
        heard, words = words, words if timed else _words(window)
        shown = ["as before"] if pictures == before else pictures
        yield "\n".join([f"{title} {case}", *shown, *_changed(heard, words)]) + "\n"


def _words(window: Driver) -> list[str]:
    return [rounded(line) for line in window.words()]


def _changed(before: list[str], now: list[str]) -> list[str]:
    """Return which words in sight came and went since the case before."""
    changes = difflib.unified_diff(before, now, n=0, lineterm="")
    return [f"words{line}" for line in changes if not re.match(r"---|\+\+\+|@@", line)]
