"""The page about graphs: curves, releases, paths, changes by hand, and the release view."""

import re

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget
from seen import TABS, choose, words

from app.model.pages.registry import queries_of
from app.model.pages.sensitivity import PathOptions
from app.model.selection import selection
from engine.catalog import methods
from engine.extras.libraries.library import Peer
from engine.mechanisms import SmoothRelease

pytestmark = pytest.mark.usefixtures("roughly_drawn")

COST = "6.53125"
"""What a minimum spanning tree of `graph_window` costs."""
CLAMPED = ", clamped."
"""What is public about a release; how many records are clamped is private."""

REFUSED = {
    "exponential": "has no rank",
    "inverse-sensitivity": "use the ladder",
    "piecewise-laplace": "use the ladder",
    "log-scale": "interquartile range",
}
"""Methods that no graph can be asked by, and what they say."""


def facts(window):
    """Return what the engine finds out about the data of the window, which is private."""
    setup = selection(window.session.state)
    return SmoothRelease(query=setup.mechanism.query).prepare(
        window.session.databases.get(setup.source), setup.privacy
    )


def test_curves_are_those_of_the_engine(shared_graph):
    prepared = facts(shared_graph)
    result = shared_graph.page.canvas.picture.result
    assert result.value == float(COST)
    # the mechanism pays for roundings with a little of beta
    assert result.smooth == pytest.approx(prepared.diagnostics["smooth"], rel=1e-9)
    assert shared_graph.body.column.data.facts.text() == "4 vertices · 5 edges · none clamped"


def test_a_release_is_made_recorded_and_paid(shared_graph, qtbot):
    qtbot.keyClick(shared_graph, Qt.Key.Key_R, Qt.KeyboardModifier.ControlModifier)
    assert shared_graph.wait_until_idle()
    [record] = shared_graph.session.state.releases
    assert not record.release.simulated
    assert record.release.value is not None
    assert (record.release.query, record.release.neighbours) == ("mst", "edge-weight")
    assert (record.release.parameters["vertices"], record.release.parameters["edges"]) == (4, 5)
    assert dict(record.release.diagnostics) == {}
    assert shared_graph.body.history.model.index(0, 1).data() == "Spanning tree cost of graph.csv"
    assert "ε = 1" in shared_graph.body.history.total.text()


def test_a_release_of_triangles_says_nothing_of_the_edges(shared_graph):
    choose(shared_graph.body.column.release.form.chooser("query").box, "triangles")
    shared_graph.controllers.run.start()
    assert shared_graph.wait_until_idle()
    [record] = shared_graph.session.state.releases
    assert record.release.neighbours == "edge"
    assert record.release.parameters["vertices"] == 4
    assert "edges" not in record.release.parameters
    assert "5 edges" not in shared_graph.body.history.model.index(0, 1).data(Qt.ItemDataRole.ToolTipRole)


@pytest.mark.parametrize("query", [pytest.param("mst", marks=pytest.mark.slow), "triangles"])
def test_every_picture_is_drawn_and_says_what_a_record_is(shared_graph, query):
    choose(shared_graph.body.column.release.form.chooser("query").box, query)
    for tab in TABS:
        shared_graph.page.show_tab(tab)
        assert shared_graph.wait_until_idle()
        canvas = shared_graph.page.canvas
        assert canvas.picture.result is not None, tab
        assert "records" not in canvas.accessibleName() + canvas.whatsThis(), tab
    assert shared_graph.body.messages.texts() == []
    record = "edge weight" if query == "mst" else "edge"
    assert record in shared_graph.page.card.tabs.tabToolTip(0)
    assert record in shared_graph.body.column.privacy.sentence.text().lower()
    assert (
        "record"
        not in shared_graph.body.column.privacy.sentence.text()
        + shared_graph.body.column.privacy.epsilon.toolTip()
    )


@pytest.mark.parametrize(
    "query",
    [
        pytest.param(name, marks=() if name == "mst" else pytest.mark.slow)
        for name in queries_of("spanning-tree")
    ],
)
def test_every_method_that_can_releases_and_others_say_why_not(shared_graph, query):
    choose(shared_graph.body.column.release.form.chooser("query").box, query)
    shared_graph.body.column.privacy.delta.type_in("1e-6")
    refused = REFUSED if query == "triangles" else REFUSED | {"lipschitz-extension": "count triangles"}
    for method in [name for name, kind in methods().items() if not issubclass(kind, Peer)]:
        choose(shared_graph.body.column.release.form.chooser("method").box, method)
        assert shared_graph.wait_until_idle()
        shared_graph.controllers.run.start()
        assert shared_graph.wait_until_idle()
        if method in refused:
            assert refused[method] in shared_graph.body.column.release.form.chooser("method").problem
        else:
            made_by = "smooth" if method == "auto" else method
            assert shared_graph.session.state.releases[-1].release.mechanism == made_by
    assert shared_graph.body.messages.texts() == []


@pytest.mark.slow
def test_paths_lead_where_people_can_picture_it(shared_graph):
    box = shared_graph.page.card.editors[PathOptions].boxes["target"]
    shared_graph.page.show_tab("path")
    ends = {}
    for query, far in (("mst", ("lower", "upper", "halves")), ("triangles", ("empty", "complete"))):
        choose(shared_graph.body.column.release.form.chooser("query").box, query)
        assert shared_graph.wait_until_idle()
        assert tuple(box.itemData(i) for i in range(box.count())) == far
        for key in far:
            choose(box, key)
            assert shared_graph.wait_until_idle()
            ends[key] = shared_graph.page.canvas.picture.result.value[-1]
    # all to 0, all to Λ = 10, the first two to 0; no edge, and all six of them
    assert ends == {"lower": 0.0, "upper": 30.0, "halves": 10.0, "empty": 0.0, "complete": 4.0}


@pytest.mark.slow
def test_a_path_to_a_complete_graph_is_offered_while_it_is_short(shared_graph):
    choose(shared_graph.body.column.release.form.chooser("query").box, "triangles")
    shared_graph.page.show_tab("path")
    assert shared_graph.wait_until_idle()
    choose(shared_graph.page.card.editors[PathOptions].boxes["target"], "complete")
    shared_graph.body.column.data.form.box("vertices").type_in("201")
    assert shared_graph.wait_until_idle()
    assert shared_graph.page.card.options["target"] == "empty"
    assert shared_graph.page.canvas.picture.result.value[-1] == 0.0


@pytest.mark.slow
def test_a_disconnected_graph_is_explained_beside_the_query(graph_on):
    window = graph_on(source=["a", "c"], target=["b", "d"], weight=[1.0, 2.0], vertices=4)
    assert "not connected" in window.body.column.release.form.chooser("query").problem
    assert "connected" in window.page.card.waiting.text()
    assert not window.body.column.release.run.isEnabled()
    choose(window.body.column.release.form.chooser("query").box, "triangles")
    assert window.wait_until_idle()
    assert window.body.column.release.form.chooser("query").problem == ""
    assert window.body.column.release.run.isEnabled()
    assert window.page.canvas.picture.result.value == 0
    assert window.body.messages.texts() == []


def test_fewer_vertices_than_are_named_are_explained_beside_the_field(shared_graph):
    choose(shared_graph.body.column.release.form.chooser("query").box, "triangles")
    shared_graph.body.column.data.form.box("vertices").type_in("3")
    assert "file names more" in shared_graph.body.column.data.form.row("vertices").problem
    assert "file names 4" in shared_graph.body.column.data.facts.text()
    assert not shared_graph.body.column.release.run.isEnabled()
    shared_graph.body.column.data.form.box("vertices").type_in("2.5")
    assert "whole number" in shared_graph.body.column.data.form.row("vertices").problem
    shared_graph.body.column.data.form.box("vertices").type_in("5")
    assert shared_graph.body.column.data.form.row("vertices").problem == ""
    assert shared_graph.wait_until_idle()
    assert shared_graph.page.canvas.picture.result.n == 5


@pytest.mark.slow
def test_two_vertices_hold_no_triangle(graph_on):
    window = graph_on(source=["a"], target=["b"], weight=[1.0], vertices=2)
    assert window.page.canvas.picture.result.value == 1.0
    choose(window.body.column.release.form.chooser("query").box, "triangles")
    assert "at least 3" in window.body.column.data.form.row("vertices").problem
    assert window.wait_until_idle()


def test_weights_beyond_the_bound_are_clamped_and_counted(shared_graph):
    shared_graph.body.column.data.form.box("upper").type_in("2")
    assert shared_graph.wait_until_idle()
    assert "4 clamped" in shared_graph.body.column.data.facts.text()
    assert shared_graph.page.canvas.picture.result.value == 1.5 + 2 + 2
    shared_graph.body.column.data.form.box("upper").type_in("-1")
    assert "not above lower" in shared_graph.body.column.data.form.row("upper").problem
    assert not shared_graph.body.column.release.run.isEnabled()
    assert shared_graph.wait_until_idle()


@pytest.mark.slow
def test_changes_by_hand_are_marked_and_put_back(shared_graph):
    shared_graph.session.move_point(4, 1.0)
    assert shared_graph.wait_until_idle()
    assert "1 moved by hand" in shared_graph.body.column.data.facts.text()
    assert shared_graph.page.canvas.picture.result.value == 1.5 + 2.03125 + 1
    shared_graph.controllers.run.start()
    assert shared_graph.wait_until_idle()
    assert "changed by hand" in shared_graph.body.history.model.index(0, 6).data()
    choose(shared_graph.body.column.release.form.chooser("query").box, "triangles")
    # weights are nothing to triangles
    assert not shared_graph.session.state.edited
    shared_graph.session.edit("take an edge out", removed_edges=frozenset({1}))
    assert shared_graph.wait_until_idle()
    assert shared_graph.page.canvas.picture.result.value == 0
    assert "4 edges · 1 taken out" in shared_graph.body.column.data.facts.text()
    shared_graph.actions_by_name["put_back"].trigger()
    assert (
        shared_graph.session.state.data.modified_values,
        shared_graph.session.state.data.removed_edges,
    ) == ({}, frozenset())
    assert not shared_graph.actions_by_name["put_back"].isEnabled()
    shared_graph.session.undo_stack.undo()
    assert shared_graph.session.state.data.removed_edges == {1}
    assert shared_graph.wait_until_idle()


@pytest.mark.parametrize("query", ["mst", pytest.param("triangles", marks=pytest.mark.slow)])
def test_the_release_view_shows_nothing_private(shared_graph, query, tmp_path):
    choose(shared_graph.body.column.release.form.chooser("query").box, query)
    shared_graph.session.edit("change epsilon", epsilon=0.7)
    shared_graph.controllers.run.start()
    assert shared_graph.wait_until_idle()
    for tab in TABS:
        shared_graph.page.show_tab(tab)
        assert shared_graph.wait_until_idle()
    secrets = ["Typical error", "clamped", "local", "smooth S", "Confidential: "]
    if query == "mst":
        secrets += [COST, "2.03125"]
        assert COST[:5] in words(shared_graph)
    else:
        secrets.append("5 edges")
        assert "5 edges" in words(shared_graph)
    shared_graph.actions_by_name["release"].trigger()
    assert shared_graph.wait_until_idle()
    seen = words(shared_graph)
    shared_graph.session.show_page("spanning-tree")
    assert shared_graph.wait_until_idle()
    seen += words(shared_graph)
    for secret in secrets:
        assert secret not in seen.replace(CLAMPED, ""), secret
    smooth = facts(shared_graph).diagnostics["smooth"]
    assert f"{smooth:.3g}" not in re.findall(r"[\d.]+", seen) or query == "triangles"
    shared_graph.controllers.exports.figures.write(shared_graph.page.canvas, tmp_path / "numbers.csv")
    assert shared_graph.wait_until_idle()
    assert COST not in (tmp_path / "numbers.csv").read_text("utf-8")
    for widget in shared_graph.findChildren(QWidget):
        assert COST not in widget.accessibleDescription()
    shared_graph.actions_by_name["curator"].trigger()
    assert shared_graph.wait_until_idle()
    assert shared_graph.page.card.isVisible()
    assert "Confidential: " in words(shared_graph)
