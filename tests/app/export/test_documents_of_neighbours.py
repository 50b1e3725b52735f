"""Report, script, notebook and session file after a release are the same bytes for two neighbours."""

import dataclasses
import itertools
import json
import secrets

import matplotlib
import pytest
import reported
from fixed_noise import FixedNoise
from loading import load, load_edges, load_points
from neighbours_of_all_kinds import PAIRS

from app.documents import SessionSnapshot
from app.documents.writing import document_from, plain_of
from app.export.report.building import build_report
from app.export.report.html import HtmlWriter
from app.export.script import script_of, to_notebook, to_python
from app.model.kinds.category_choice import CategoryChoice
from app.model.pages.registry import PAGE_KINDS
from app.model.selection import problems
from app.model.view_states import ViewState
from app.session import Session
from engine.catalog import methods, questions, sanitizers
from engine.mechanisms import MECHANISMS
from engine.progress import silent

PAGES = {
    "column": "median",
    "weighted-graph": "spanning-tree",
    "simple-graph": "spanning-tree",
    "points": "clustering",
    "categories": "histogram",
}
BALLS = ("one-cluster", "k-balls", "screened-mean")


def opened(kind, data, choice):
    """Return a session on a file, in which a mechanism is chosen."""
    session = Session()
    page = page_of(choice["query"]) if kind == "points" else PAGES[kind]
    if kind == "points":
        data = {name: data[name] for name in "xy"}
    if kind == "simple-graph":
        data = {**data, "weight": [1.0] * len(data["source"])}
    session.show_page(page)
    dataset = reported.dataset("data.csv", data)
    if kind == "column":
        load(session, dataset, "x", 0.0, 100.0)
    elif kind == "points":
        load_points(session, dataset, 0.0, 100.0)
    elif kind == "categories":
        chosen = CategoryChoice(columns=("c",), lists={"c": ("blue", "red")})
        read = PAGE_KINDS[page].read(dataset, {"categories": chosen}, silent)
        session.open_dataset(dataset, "open", **PAGE_KINDS[page].after_read(session.state, dataset, read))
    else:
        load_edges(session, dataset, 10.0 if kind == "weighted-graph" else None, 20)
    session.edit("choose", **choice)
    return session


def chosen():
    """Yield all mechanisms with a promise: the kind of data, and what is chosen on its page."""
    for name, question in questions().items():
        if name not in sanitizers():
            yield from ((question.reads, {"query": name, "method": method}) for method in methods())
        elif MECHANISMS[name]().facts.is_private and name not in BALLS:
            yield question.reads, {"query": name}


def page_of(query):
    """Return the page that asks for a mechanism of points."""
    topic = MECHANISMS[query].facts.topic
    return next(name for name, page in PAGE_KINDS.items() if page.topic == topic)


def documents(kind, data, choice, noise):
    """Release once; return the bytes of all documents that are written of it, by their names."""
    session = opened(kind, data, choice)
    if problems(session.state):
        return {"problems": [(problem.field, problem.message) for problem in problems(session.state)]}
    noise.begin()
    record = dataclasses.replace(reported.release(session), when=reported.WHEN)
    session.edit("date", releases=(record,))
    session.show_view("release")
    report = build_report(reported.request_of(session, view="release"))
    cells = script_of(session.state, ViewState())
    document = document_from(SessionSnapshot(session.state, {}), session.ledger)
    return {
        "report": "".join(HtmlWriter(report).parts()),
        "script": to_python(cells),
        "notebook": json.dumps(to_notebook(cells)),
        "session": json.dumps(plain_of(document, "/", session.ledger)),
    }


def difference(text, other):
    """Return where two texts begin to differ, which pytest would take minutes to show; "" if they do not."""
    if text == other:
        return ""
    pairs = enumerate(itertools.zip_longest(text, other))
    at = slice(max(0, next(index for index, (one, two) in pairs if one != two) - 60), None)
    return f"{text[at][:120]!r} is not {other[at][:120]!r}"


@pytest.fixture
def alike(monkeypatch, qapp):
    """Compare all documents of a pair; return their names."""
    noise = FixedNoise(monkeypatch)
    monkeypatch.setattr(secrets, "token_bytes", bytes)  # the key of a ledger
    monkeypatch.setitem(matplotlib.rcParams, "svg.hashsalt", "fixed")  # or the names of paths are random

    def compare(kind, pair, choice):
        first, second, _ = pair
        noise.values.clear()
        one, other = (documents(kind, data, choice, noise) for data in (first, second))
        assert one.keys() == other.keys(), choice
        for name, text in one.items():
            assert not difference(text, other[name]), (name, choice)
        return set(one)

    return compare


CHOICES = list(chosen())
OPEN = {kind: [pair for pair in pairs.values() if not pair[2]] for kind, pairs in PAIRS.items()}
"""Pairs that need no choice of what to do with missing values."""


def test_documents_say_the_same_of_both(alike):
    """A share of all mechanisms, each with one pair."""
    found = set()
    for turn, (kind, choice) in enumerate(CHOICES[::31]):
        found |= alike(kind, OPEN[kind][turn % len(OPEN[kind])], choice)
    assert found >= {"report", "script", "notebook", "session"}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "choice"), CHOICES, ids=["-".join(choice.values()) for _, choice in CHOICES]
)
def test_documents_of_every_mechanism_say_the_same_of_all_pairs(kind, choice, alike):
    for pair in OPEN[kind]:
        if alike(kind, pair, choice) == {"problems"}:
            break  # it does not answer this question, whatever the data
