"""Which sessions are looked at: the default one of a page on an example, and what is chosen otherwise.

A case is a line of choices such as ``query=mean|median tab=*``: all combinations are looked at, and ``*``
stands for all pictures of the page.  Choices are written as in a session file, by the last name alone
where that is clear: ``tab`` of the look of the page, ``epsilon`` of what all pages share,
``level`` of its options, ``compare.tab`` of the room "Compare"; but components stand by their
kinds, as ``query``.
"""

import copy
import itertools
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from app.documents.components import SpecificationKind, choices_of
from app.documents.schema import ABSOLUTE
from app.model.pages.registry import PAGES, tabs_of
from app.model.pages.workspaces import COMPARE
from engine.catalog import kinds

FILE = Path(__file__).parent / "golden_cases.txt"

Document = dict[str, Any]


def groups() -> dict[tuple[str, str], list[str]]:
    """Return all cases by page and example, without tabs that stand for all."""
    found: dict[tuple[str, str], list[str]] = {}
    for line in FILE.read_text(encoding="utf-8").splitlines():
        if line.startswith("["):
            page, examples = line.strip("[]").split(": ")
            heads = [(page, example) for example in examples.split(", ")]
        elif line and not line.startswith("#"):
            for head in heads:
                found.setdefault(head, []).extend(_expanded(line, head[0]))
    return {head: list(dict.fromkeys(cases)) for head, cases in found.items()}


def _expanded(line: str, page: str) -> Iterator[str]:
    """Return one case for each combination of what a line names."""
    choices = []
    for word in line.split():
        name, _, values = word.partition("=")
        tabs = tabs_of(COMPARE.name if name == "compare.tab" else page)
        choices.append([f"{name}={value}" for value in (tabs if values == "*" else values.split("|"))])
    for chosen in itertools.product(*choices):
        yield " ".join(chosen)


def chosen(document: Document, case: str) -> Document:
    """Return the session of a page with what a case chooses."""
    made = copy.deepcopy(document)
    components: dict[str, Any] = {}
    for word in case.split():
        name, _, text = word.partition("=")
        try:
            value = json.loads(text)
        except ValueError:
            value = text
        if name in {"parameters", *kinds()}:
            components[name] = value
            continue
        *path, last = name.split(".")
        place = made["rooms"] if path[:1] == [COMPARE.name] else _place(made, (*path, last)[0])
        for step in path:
            place = place[step]
        place[last] = value
    return _with_components(made, components)


def _with_components(made: Document, components: dict[str, Any]) -> Document:
    """Return a session with other names of components, by kind, and with "parameters" of any."""
    if not components:
        return made
    desk = made["pages"][made["page"]]["desk"]
    before = SpecificationKind("mechanism").read(desk["mechanism"], "")
    written = choices_of(ABSOLUTE)
    known = written.read(made["shared"]["chosen"], "").learned(before)
    asked = components.pop("query", before.asked.name)
    known = known.valued(components.pop("parameters", {})).named(**components)
    after = known.ask(asked)
    desk["mechanism"] = SpecificationKind("mechanism").plain(after)
    made["shared"]["chosen"] = written.plain(known)
    return made


def _place(document: Document, name: str) -> dict[str, Any]:
    """Return where in a session a name stands."""
    page = document["pages"][document["page"]]
    places = [document, document["shared"], page["desk"], page["look"]]
    declared = PAGES.get(document["page"])
    if declared and any(name == one.name for spec in declared.pictures for one in spec.declared):
        return page["look"]["options"]
    found = [place for place in places if name in place]
    assert len(found) == 1, f"{name} is at {len(found)} places of a session"
    return found[0]
