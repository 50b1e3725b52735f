"""What the window shows: the numbers behind every picture, what is told of it, and the words around it."""

import difflib
import re
from collections.abc import Iterator
from pathlib import Path

from golden_cases import chosen, groups
from golden_text import rounded
from golden_window import Driver, driver

TIMED = "compare.tab=time"
"""The picture whose numbers and words are running times: another one each time."""


def dump(folder: Path) -> Iterator[tuple[str, str]]:
    """Return name and text of each file: one for each page and example."""
    for (page, example), cases in groups().items():
        # a window of its own: once its session was seen in the release view, no other view is opened
        with driver(folder) as window:
            document = window.beginning(page, example)
            blocks: list[str] = []
            words: list[str] = []
            pictures: list[str] = []
            for case in sorted(cases, key=lambda case: "view=release" in case):
                T = __import__("time")
                t = T.process_time()
                w = T.time()
                window.open(chosen(document, case))
                print(
                    f"{T.process_time() - t:.2f} {T.time() - w:.2f} {page} {example} {case}",
                    file=__import__("sys").stderr,
                )
                before, pictures = pictures, window.pictures(timed=TIMED in case)
                same = [] if before == pictures else pictures
                heard, words = words, words if TIMED in case else _words(window)
                lines = [f"== {page}, {example}: {case}", *(same or ["as before"]), *_changed(heard, words)]
                blocks.append("\n".join(lines) + "\n")
        yield f"pictures-{page}-{example}.txt", "\n".join(blocks)


def _words(window: Driver) -> list[str]:
    return [rounded(line) for line in window.words()]


def _changed(before: list[str], now: list[str]) -> list[str]:
    """Return which words in sight came and went since the case before."""
    changes = difflib.unified_diff(before, now, n=0, lineterm="")
    return [f"words{line}" for line in changes if not re.match(r"---|\+\+\+|@@", line)]
