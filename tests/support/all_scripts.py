"""Sessions of all pages with all their pictures, and the scripts that are written for them."""

import contextlib
import dataclasses
from datetime import UTC, datetime

from scripts import choose, example, python

from app.model.comparison_choice import ComparisonChoice
from app.model.pages import audit as audit_tabs
from app.model.pages.histogram import PICTURES
from app.model.pages.sensitivity import PICTURES as SENSITIVITY_PICTURES
from app.model.release_record import ReleaseRecord
from app.model.selection import selection
from app.model.view_states import AuditChoice, AuditViewState, ViewState
from engine import catalog
from engine.catalog import methods, questions
from engine.errors import ParameterError
from engine.mechanisms.facts import facts_of
from engine.randomness import reproducible

MEDIAN = example("median", "one-to-ten")
GRAPH = example("spanning-tree", "k3")
POINTS = example("clustering", "four-heaps")
BALL = choose(
    example("one-cluster", "around-the-middle", delta=1e-6, epsilon=50.0),
    **{f"mechanism__{name}": {"t": 120} for name in ("one_cluster", "k_balls", "screened_mean")},
)
CELLS = example("histogram", "around-the-middle")


def released(state):
    """Return the state after a release of its own (with a seed, which the test keeps to itself)."""
    setup = selection(state)
    release = setup.mechanism.run(setup.source.build(), setup.privacy, reproducible(3))
    release = dataclasses.replace(release, simulated=False)
    record = dataclasses.replace(ReleaseRecord.of(release, state), when=datetime(2026, 5, 1, tzinfo=UTC))
    return dataclasses.replace(state, releases=(record,))


def views(*tabs, **more):
    return [ViewState(tab=tab, **more) for tab in tabs]


def every():
    """Yield states and looks: all that is in the catalog, all tabs, both views, rooms."""
    audit = AuditViewState(choice=AuditChoice(runs=1000, bug=""))
    for target in ("lower", "upper", "halves", "complete"):
        yield MEDIAN, ViewState(tab="path", options={"target": target})
    for look in views(*[*(spec.name for spec in SENSITIVITY_PICTURES), "audit"], audit_tabs.TAB, audit=audit):
        yield from ((state, look) for state in (MEDIAN, GRAPH, GRAPH.replaced({"query": "triangles"})))
    for name, asked in questions().items():
        page = {"": MEDIAN, "clusters": POINTS, "balls": BALL}.get(facts_of(asked).topic, CELLS)
        if asked.reads in ("points", "column"):
            yield page.replaced({"query": name}), ViewState()
    for method in methods():
        state = MEDIAN.replaced({"method": method, "delta": 1e-3})
        yield choose(state, method__propose_test_release={"bound": 0.5}), ViewState()
    for noise in catalog.NOISES:
        yield (
            MEDIAN.replaced({"noise": noise, "delta": 1e-3, "modified_values": {2: 3.5}}),
            ViewState(tab="noise"),
        )
    for look in views(
        "data", "blocks", "outputs", "aggregate", "compare", "release", audit_tabs.TAB, audit=audit
    ):
        yield POINTS, look
    for look in views("ball", "radius", "boxes", "runs", "axes", options={"step": "last", "tried": 0}):
        yield BALL, look
    for look in views(*(spec.name for spec in PICTURES if spec.of in ("cells", "shifted"))):
        yield CELLS.replaced({"query": "histogram-shifted"}), look
    for sweep in ("t", "d"):
        yield CELLS, ViewState(tab="attacks", options={"swept": sweep})
    yield CELLS, ViewState(tab="tree", options={"price": 2.0})
    for state in (MEDIAN, GRAPH, POINTS, CELLS):
        room = dataclasses.replace(
            state, workspace="compare", comparison=ComparisonChoice(runs=10, within=1.0)
        )
        yield from ((room, look) for look in views("errors", "needed"))
        yield released(state), ViewState()


def texts():
    """Return the scripts of all of them, in both views."""
    made = {}
    for state, look in every():
        for view in ("curator", "release"):
            with contextlib.suppress(ParameterError):  # such as more points in a ball than there are
                made[python(dataclasses.replace(state, view=view), look)] = None
    return list(made)
