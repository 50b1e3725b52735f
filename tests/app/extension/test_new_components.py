"""Components from elsewhere, one of each family, registered with one call: they arrive at every door."""

import json

import pytest
from scripts import example, run
from sessions import desk

from app.commands.main import main
from app.documents.loading import load_session
from app.documents.reading import read_session
from app.documents.saving import save
from app.documents.session_snapshot import SessionSnapshot
from app.help.chosen import chosen_pages
from app.help.index import search
from app.model.selection import problems, selection
from app.model.state import SessionState
from app.panels.column import FormColumn
from app.session import Session
from engine import Ledger, Privacy, SmoothRelease, alternatives
from engine.catalog import FAMILIES, entries


@pytest.fixture(scope="module")
def outside():
    """Import the package, which registers its components; forget them afterwards."""
    import outside

    for one in outside.ALL:
        one.registry.setdefault(one.name, one)
    yield outside
    for one in outside.ALL:
        del one.registry[one.name]


@pytest.fixture(scope="module")
def scalar(outside):
    """Return a state that asks for the new query, by the method that takes the new noise."""
    return example("median", "one-to-ten", query="second", noise="broad").replaced(
        {"parameters": {"query/second": {"above": 1}, "noise/broad": {"nu": 4.0}}}
    )


@pytest.fixture(scope="module")
def blocks(outside):
    """Return a state that asks for the new function on blocks, by the new aggregator."""
    names = {"query": "sample-aggregate", "function": "halfway", "aggregator": "pool"}
    return example("clustering", "four-heaps", **names)


@pytest.fixture(params=["scalar", "method", "points", "blocks"])
def state(request, outside):
    """Return states that choose them."""
    if request.param == "method":
        return example("median", "one-to-ten", query="second", method="plain-laplace")
    if request.param == "points":
        return example("clustering", "four-heaps", query="middle-of-points")
    return request.getfixturevalue(request.param)


def test_the_form_offers_and_chooses_them(qapp, qtbot, outside):
    session = Session()
    column = FormColumn(session)
    qtbot.addWidget(column)
    session.open_dataset(**opened("median"))
    for field, name in (
        ("query", "second"),
        ("method", "plain-laplace"),
        ("method", "smooth"),
        ("noise", "broad"),
    ):
        box = column.release.form.chooser(field).box
        box.setCurrentIndex(box.findData(name))
        box.activated.emit(box.currentIndex())
    column.release.form.row("above").box.type_in("2")
    column.release.form.row("nu").box.type_in("5")
    assert session.state.mechanism.build() == SmoothRelease(
        query=outside.Second(above=2), noise=outside.Broad(nu=5.0)
    )
    session.show_page("clustering")
    session.open_dataset(**opened("clustering"))
    for field, name in (("query", "sample-aggregate"), ("function", "halfway"), ("aggregator", "pool")):
        box = column.release.form.chooser(field).box
        box.setCurrentIndex(box.findData(name))
        box.activated.emit(box.currentIndex())
    assert problems(session.state) == ()
    made = session.state.mechanism.build()
    assert (type(made.block_function), type(made.aggregator)) == (outside.Halfway, outside.Pool)


def opened(page):
    fields = desk(page)
    return {"dataset": fields["dataset"], "text": "open", "data": fields["data"]}


def test_a_job_has_them(state):
    setup = selection(state)
    release = setup.mechanism.run(setup.source.build(), setup.privacy)
    assert release.query == state.query
    assert not release.simulated


def test_a_session_file_keeps_them(state, tmp_path):
    ledger = Ledger(None)
    path = save(SessionSnapshot(state, {}), tmp_path / "work.sensiscope", ledger)
    again = load_session(read_session(path, ledger), {}, ledger).work.state
    assert again.mechanism == state.mechanism
    assert again.mechanism.build() == state.mechanism.build()


def test_a_script_makes_the_same(state):
    assert run(state)["mechanism"] == selection(state).mechanism


def test_the_command_line_releases_compares_and_audits(outside, capsys):
    at = ("--example", "one-to-ten", "--epsilon", "1")
    assert (
        main(["run", "second", *at, "--noise", "broad", "--nu", "4", "--above", "1", "--seed", "1", "--json"])
        == 0
    )
    found = json.loads(capsys.readouterr().out)
    assert (found["mechanism"], found["noise"]["family"], found["parameters"]["above"]) == (
        "second",
        "broad",
        1,
    )
    words = ("second:plain-laplace", "second:smooth,noise=broad,above=1")
    assert main(["compare", words[0], "second:exponential", *at, "--runs", "20", "--json"]) == 0
    assert "plain-laplace" in capsys.readouterr().out
    assert main(["audit", words[0], *at, "--runs", "1000", "--json"]) == 0
    capsys.readouterr()
    clustering = ("--example", "four-heaps", "--epsilon", "1", "--seed", "1")
    assert main(["run", "middle-of-points", *clustering, "--json"]) == 0
    assert (
        main(["run", "sample-aggregate", *clustering, "--function", "halfway", "--aggregator", "pool"]) == 0
    )
    capsys.readouterr()
    for one in outside.ALL:
        assert main(["catalog", one.name]) == 0
        assert one.label in capsys.readouterr().out


def test_alternatives_know_them(scalar):
    setup = selection(scalar)
    domain, n = setup.source.domain, setup.source.n
    names = {one.name for one in alternatives(setup.mechanism, Privacy(1.0), domain, n)}
    assert {"smooth", "plain-laplace", "exponential"} <= names


def test_help_tells_what_they_say_of_themselves(scalar, blocks):
    titles = [title for state in (scalar, blocks) for _, title in chosen_pages(state)]
    assert {"Second smallest", "Broad", "Halfway", "Pool"} <= set(titles)
    assert search("second smallest")[0].heading.key == "queries/second"


def test_the_catalog_lists_them_and_names_are_taken(outside):
    listed = {(entry.kind, entry.name) for entry in entries()}
    assert {("query", "second"), ("method", "plain-laplace"), ("mechanism", "middle-of-points")} <= listed
    assert FAMILIES["noise"]["broad"] is outside.Broad
    with pytest.raises(ValueError, match="is registered already"):
        outside.engine.register(type("Other", (outside.Broad,), {}))


def test_a_page_begins_with_the_noise_that_was_chosen_elsewhere(scalar):
    assert (
        SessionState(mechanism=scalar.mechanism).at("spanning-tree").mechanism.part("noise").name == "broad"
    )
