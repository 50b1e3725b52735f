"""Sessions without windows: states on bundled examples, and a ledger of one's own."""

import dataclasses
from collections.abc import Callable
from pathlib import Path

import pytest
from sessions import desk, record

from app.documents import SessionSnapshot
from app.model.state import SessionState
from app.model.view_states import ViewState
from engine import catalog
from engine.ledger import Ledger
from engine.privacy import NO_PROMISE


@pytest.fixture(scope="session")
def ledger() -> Ledger:
    """Return a ledger in memory."""
    return Ledger(None)


@pytest.fixture(scope="session")
def work(ledger: Ledger) -> SessionSnapshot:
    """Return work on all five pages, in which as much as possible was chosen."""
    mechanisms = (
        catalog.mechanism("smooth", catalog.query("median"), catalog.noise("student-t", nu=3.0)),
        catalog.mechanism("exponential", catalog.query("median")),
    )
    first = desk("median", modified_values={3: 48000.5, 17: 51000.25})
    first["comparison"] = dataclasses.replace(
        SessionState().comparison, mechanisms=mechanisms, sweep="epsilon", start=0.25, stop=4.0, runs=50
    )
    dataset = first["dataset"]
    account = ledger.account(dataset.digest, dataset.title).name
    histogram = desk("histogram", "penguins", query="contingency-table")
    others = {
        "spanning-tree": desk("spanning-tree", modified_values={1: 2.5}, removed_edges=frozenset({2, 5})),
        "clustering": desk("clustering", query="sample-aggregate", function="k-means"),
        "one-cluster": desk("one-cluster"),
        "histogram": histogram,
    }
    chosen = SessionState(**first).resolved(
        {
            "method": "exponential",
            "parameters": {"query/quantile": {"q": 0.9}, "mechanism/one-cluster": {"t": 40}},
        }
    )
    state = SessionState(
        page="median",
        workspace="compare",
        other_pages=others,
        **{**first, **chosen},
        epsilon=0.75,
        delta=1e-7,
        releases=(record(account), record(account, privacy=NO_PROMISE, value=None, error=None)),
    )
    looks = {
        page: ViewState(tab=tab, options={"seed": 4} if page in DRAWN_ANEW else {})
        for page, tab in TABS.items()
    }
    chosen_here = {"level": 2, "attack": "occupied", "attack_seed": 3, "moved": (0.5,), "price": None}
    looks["histogram"] = dataclasses.replace(looks["histogram"], options=chosen_here)
    return SessionSnapshot(state, looks)


DRAWN_ANEW = ("clustering", "one-cluster")
"""Pages whose pictures take another seed."""
TABS = {
    "median": "epsilon",
    "spanning-tree": "path",
    "clustering": "outputs",
    "one-cluster": "radius",
    "histogram": "isolation",
    "compare": "frontier",
}


@pytest.fixture
def saved(work: SessionSnapshot, ledger: Ledger, tmp_path: Path) -> Callable[..., Path]:
    """Return a function that saves the work, or other work."""
    from app.documents.writing import save

    return lambda other=None, keys=None: save(other or work, tmp_path / "work.sensiscope", keys or ledger)
