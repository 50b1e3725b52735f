"""The contents of the help, its search, and the pages about the choices in the window."""

from __future__ import annotations

import dataclasses
import re
from functools import cache

from app.model.pages.registry import places
from app.model.state import SessionState
from app.model.texts.pages import KINDS, TOPICS, HelpPage, pages, titles
from app.model.texts.plain import block_text
from app.model.wording.components import LINK, page_key
from engine.catalog import kind_of, kinds
from engine.components import runs_file
from engine.progress import Progress

FIRST = f"{TOPICS}/start"
"""The first page of the help."""
AROUND = 60
"""Characters of context on either side of a match."""


@dataclasses.dataclass(frozen=True)
class Heading:
    """An entry of the contents."""

    key: str
    kind: str
    name: str
    title: str
    summary: str
    group: str  # the title above it in the contents


@dataclasses.dataclass(frozen=True)
class Hit:
    """A page that matches a search, and an excerpt."""

    heading: Heading
    excerpt: str


def load(progress: Progress) -> tuple[Heading, ...]:
    """Read all pages in a worker, so that later calls are instant."""
    progress(0.0, "help")
    results = contents()
    for i, heading in enumerate(results):
        progress(i / len(results), "help")
        _text(heading.key)
    return results


def contents() -> tuple[Heading, ...]:
    """Return all pages: topics by the sections of the first page, all others in the order of the catalog."""
    return _contents(tuple(pages()[0].values()))


@cache
def _contents(results: tuple[HelpPage, ...]) -> tuple[Heading, ...]:
    headings = []
    groups = _groups(results)
    for kind, title in KINDS.items():
        order = list(groups) if kind == TOPICS else [f"{kind}/{name}" for name in titles(kind)]
        mine = [page for page in results if page.kind == kind]
        mine.sort(key=lambda page: (order.index(page.key) if page.key in order else len(order), page.title))
        for page in mine:
            group = groups.get(page.key, title) if kind == TOPICS else title
            text = block_text(page.summary[0])
            headings.append(Heading(page.key, kind, page.name, page.title, text, group))
    return tuple(headings)


def _groups(results: tuple[HelpPage, ...]) -> dict[str, str]:
    """Return the section of the first page that links each page first, in the order of these links."""
    sections = next((page.sections for page in results if page.key == FIRST), ())
    groups: dict[str, str] = {}
    for section in sections:
        groups.setdefault(FIRST, section.title)
        for run in (run for block in section.blocks for run in block.all_runs):
            groups.setdefault(run.target.removeprefix(LINK), section.title)
    return groups


def search(label: str) -> tuple[Hit, ...]:
    """Return the pages that contain all words of `label`; matches in titles come first.

    Case is ignored. Names of Greek letters match the letters: "beta" and "β" both find a formula with a β.
    """
    sought = [_lettered(word.lower()) for word in label.split()]
    if not sought:
        return ()
    hits: list[tuple[int, Hit]] = []
    for heading in contents():
        text = _text(heading.key)
        folded = text.lower()
        if all(word in folded for word in sought):
            # in the title, else in the summary, else anywhere
            title, summary = (part.lower() for part in (f"{heading.title} {heading.name}", heading.summary))
            places = (title, _lettered(summary))
            rank = next(
                (i for i, location in enumerate(places) if all(word in location for word in sought)), 2
            )
            hits.append((rank, Hit(heading, _excerpt(text, folded, sought))))
    hits.sort(key=lambda hit: hit[0])
    return tuple(hit for _, hit in hits)


_NAMED = {"α": "alpha", "β": "beta", "γ": "gamma", "δ": "delta", "ε": "epsilon", "ρ": "rho", "σ": "sigma"}


def _lettered(text: str) -> str:
    """Replace the names of Greek letters by the letters."""
    for letter, name in _NAMED.items():
        text = re.sub(rf"\b{name}\b", letter, text)
    return text


def _text(key: str) -> str:
    return _words(pages()[0][key])


@cache
def _words(page: HelpPage) -> str:
    parts = [page.title, page.name, *(block_text(block) for block in page.summary)]
    for section in page.sections:
        parts += [section.title, *(block_text(block) for block in section.blocks)]
    return _lettered(" · ".join(parts))


def _excerpt(text: str, folded: str, sought: list[str]) -> str:
    index = min(folded.find(word) for word in sought)
    start, end = max(0, index - AROUND), min(len(text), index + AROUND)
    if start:
        start = text.find(" ", start, index) + 1 or start
    if end < len(text):
        end = max(text.rfind(" ", index, end), index + len(sought[0]))
    return f"{'… ' if start else ''}{text[start:end]}{' …' if end < len(text) else ''}"


def chosen_keys(state: SessionState) -> list[str]:
    """Return the keys of the help pages about the page, the query, the mechanism and its parts."""
    position = places()[state.visible_view]
    keys = [position.help] if position.help else []
    if not position.pictures:
        return keys
    components = [one.component for one in state.mechanism.from_question()]
    return keys + [page_about(page_key(kind_of(one), one.name)) for one in components]


def page_about(key: str) -> str:
    """Return the key of the help page for `key`; all functions from files share one."""
    files = {
        page_key(kind, name) for kind, some in kinds().items() for name, one in some.items() if runs_file(one)
    }
    return f"{TOPICS}/functions-from-a-file" if key in files else key


def chosen_pages(state: SessionState) -> list[tuple[str, str]]:
    """Return key and title of each of these pages that exists."""
    results = pages()[0]
    return [(key, results[key].title) for key in chosen_keys(state) if key in results]
