"""Opening edges in the window: what is asked, what is said when they are wrong, what survives."""

import json
import re

import pytest
from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QDropEvent
from seen import all_words
from seen import choose as pick

from app.export.script.scripts import script_of
from app.model.selection import problems
from app.model.view_states import ViewState
from app.widgets.asking import ChoiceDialog

pytestmark = pytest.mark.usefixtures("undrawn")

GOOD = "person,friend,minutes,since\na,b,3,2001\nb,c,4.5,2002\na,c,1,2003\nc,d,12,2004\n"
GRAPHML = """<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
<key id="w" for="edge" attr.name="weight" attr.type="double"/>
<graph edgedefault="undirected"><node id="x"/><node id="y"/><node id="z"/>
<edge source="x" target="y"><data key="w">1.5</data></edge>
<edge source="y" target="z"><data key="w">2</data></edge>
</graph></graphml>"""


@pytest.fixture
def edges_file(tmp_path):
    def write(text, name="edges.csv"):
        path = tmp_path / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    return write


def opened(window, path):
    """Open a file as the file dialog does; return the form about it."""
    window.controllers.data.open_file(path)
    assert window.wait_until_idle()
    return window.body.column.data.form


def choose(window, source="person", target="friend", weight="minutes", upper="10"):
    """Choose the columns of the file in the form, and declare the bound."""
    form = window.body.column.data.form
    for name, column in (("source", source), ("target", target), ("weight", weight)):
        box = form.box(name)
        if column is None:
            box.setCurrentIndex(box.count() - 1)
            box.activated.emit(box.count() - 1)
        elif box.currentData() != column:
            pick(box, column)
        assert window.wait_until_idle()
    if upper:
        form.box("upper").type_in(upper)
        assert window.wait_until_idle()


def test_edges_are_opened_step_by_step(graph_window, edges_file):
    window = graph_window
    form = opened(window, edges_file(GOOD))
    assert form.kind.name == "weighted-graph"
    # no column is called like an end of an edge, and none is guessed
    assert [form.box(name).currentIndex() for name in ("source", "target", "weight")] == [-1, -1, -1]
    assert "the two ends of each edge" in form.row("source").problem
    assert not window.body.column.release.run.isEnabled()
    for name, column in (("source", "person"), ("target", "friend")):
        pick(form.box(name), column)
        assert window.wait_until_idle()
        assert window.session.state.data.edges is None
    pick(form.box("weight"), "minutes")
    assert window.wait_until_idle()
    assert form.row("source").problem == ""
    assert "Declare the largest possible value" in form.row("upper").problem
    form.box("upper").type_in("0")
    assert "not above lower" in form.row("upper").problem
    form.box("upper").type_in("10")
    assert window.wait_until_idle()
    state = window.session.state
    assert (state.dataset.title, state.data.lower, state.data.upper) == ("edges.csv", 0.0, 10.0)
    assert window.body.column.data.facts.text() == "4 vertices · 4 edges · 1 clamped"
    assert window.page.canvas.picture.result.value == 1 + 3 + 10
    assert window.body.column.release.run.isEnabled()
    for _ in range(6):
        window.session.stacks.undo()
        assert window.wait_until_idle()
    assert window.session.state.dataset.title == "graph.csv"


def test_the_number_of_vertices_is_whole(graph_window, edges_file):
    window = graph_window
    form = opened(window, edges_file(GOOD))
    choose(window, weight=None, upper="")
    form.box("vertices").type_in("2.5")
    assert "whole number" in form.row("vertices").problem
    form.box("vertices").type_in("6")
    assert window.wait_until_idle()
    assert window.session.state.data.vertices == 6


def test_usual_names_are_chosen(graph_window, edges_file):
    window = graph_window
    form = opened(window, edges_file("u,v,length\n1,2,3\n2,3,4\n"))
    assert [form.box(name).currentData() for name in ("source", "target", "weight")] == ["u", "v", "length"]
    assert "Declare the largest possible value" in form.row("upper").problem
    form = opened(window, edges_file("u,v\n1,2\n2,3\n", "pairs.csv"))
    assert window.session.state.query == "triangles"
    assert not form.row("upper").isVisible()


def test_a_public_list_says_which_vertices_there_are(graph_window, edges_file, tmp_path):
    window = graph_window
    names = edges_file("d\nc\nb\na\nalone\n", "names.txt")
    form = opened(window, edges_file(GOOD))
    choose(window, weight=None, upper="")
    (editor,) = (one for one in form.editors if "vertex_names" in one.boxes)
    editor.read_file(str(edges_file("a\nb\na\n", "twice.txt")))
    assert "row 3: it repeats the vertex of row 1" in form.row("vertices").problem
    editor.read_file(str(names))
    assert window.wait_until_idle()
    assert not editor.boxes["vertices"].isEnabled()
    state = window.session.state
    assert (state.query, state.data.vertices, state.data.listed.n) == ("triangles", None, 5)
    assert window.body.column.data.facts.text() == "5 vertices · 4 edges"
    assert not problems(state)
    script = "\n".join(cell.code for cell in script_of(state, ViewState()))
    assert 'edges.listed(["d", "c", "b", "a", "alone"])' in script
    target = tmp_path / "work.sensiscope"
    window.controllers.session_files.write(target)
    assert window.wait_until_idle()
    window.controllers.session_files.path = window.controllers.session_files._saved = None
    desk = json.loads(target.read_text())["pages"]["spanning-tree"]["desk"]
    assert (desk["vertices"], desk["vertex_names"]) == (None, ["d", "c", "b", "a", "alone"])
    # a list that lacks a vertex of the edges is refused by the row, and everything stays
    assert editor.list_button.text() == "Clear list"
    editor.read_file(str(edges_file("a\nb\nd\n", "short.txt")))
    assert window.wait_until_idle()
    assert "row 3, column 'friend': it names a vertex that is not" in window.body.messages.texts()[0]
    assert window.session.state.data.listed.n == 5
    editor.list_button.click()
    assert window.wait_until_idle()
    assert window.session.state.data.listed is None
    assert "a file that lists them" in form.row("vertices").problem
    assert not window.body.column.release.run.isEnabled()


def test_vertices_that_are_not_stated_are_counted_for_the_curator_alone(graph_window, edges_file, tmp_path):
    window = graph_window
    ring = "".join(f"v{place},v{(place + 1) % 83}\n" for place in range(83))
    opened(window, edges_file("person,friend\n" + ring + "v0,v2\n"))
    choose(window, weight=None, upper="")
    release, data = window.body.column.release, window.body.column.data
    assert window.page.canvas.picture.result.value == 1
    assert "names 83 vertices" in data.facts.text()
    assert data.badge.isVisibleTo(window)
    assert not release.run.isEnabled()
    assert data.form.row("vertices").problem.startswith("State how many vertices there are")
    script = "\n".join(cell.code for cell in script_of(window.session.state, ViewState()))
    assert "data = edges.simple(None)" in script
    assert not re.search(r"\b83\b", script)
    window.session.show_view("release")
    assert window.wait_until_idle()
    assert data.form.row("vertices").problem.startswith("State how many vertices there are")
    assert "83" not in all_words(window).replace(str(tmp_path), "")
    assert "v82" not in all_words(window)
    data.form.box("vertices").type_in("100")
    assert window.wait_until_idle()
    assert release.run.isEnabled()


@pytest.mark.slow
def test_edges_without_weights_make_triangles_only(graph_window, edges_file):
    window = graph_window
    opened(window, edges_file(GOOD))
    choose(window, weight=None, upper="")
    assert window.session.state.query == "triangles"
    assert not window.body.column.release.run.isEnabled()
    assert "State how many vertices there are" in window.body.column.data.form.row("vertices").problem
    assert "names 4 vertices" in window.body.column.data.facts.text()
    window.body.column.data.form.box("vertices").type_in("4")
    assert window.body.column.release.run.isEnabled()
    assert window.wait_until_idle()
    assert window.page.canvas.picture.result.value == 1
    window.session.edit("change the query", query="mst")
    assert "Choose the column of the weights" in window.body.column.data.form.row("weight").problem
    assert window.wait_until_idle()


def test_graphml_is_opened(graph_window, edges_file):
    window = graph_window
    form = opened(window, edges_file(GRAPHML, "small.graphml"))
    assert form.box("weight").currentData() == "weight"
    choose(window, "source", "target", "weight")
    assert window.page.canvas.picture.result.value == 3.5


GRAPH_FILES = {
    "snap.txt": "# FromNodeId\tToNodeId\tWeight\n0\t1\t1.5\n1\t2\t2\n",
    "g.gml": "graph [ node [ id 1 ] node [ id 2 ] node [ id 3 ]\n"
    "edge [ source 1 target 2 weight 1.5 ] edge [ source 2 target 3 weight 2 ] ]",
    "nl.json": '{"nodes": [{"id": 0}, {"id": 1}, {"id": 2}], "links": '
    '[{"source": 0, "target": 1, "weight": 1.5}, {"source": 1, "target": 2, "weight": 2}]}',
}


@pytest.mark.parametrize("name", GRAPH_FILES)
def test_files_of_graphs_are_opened(graph_window, edges_file, name):
    window = graph_window
    form = opened(window, edges_file(GRAPH_FILES[name], name))
    assert form.box("weight").currentData() == "weight"
    choose(window, "source", "target", "weight")
    assert window.page.canvas.picture.result.value == 3.5


def test_numbers_without_names_are_edges_by_position(graph_window, edges_file):
    window = graph_window
    form = opened(window, edges_file("1,2,1.5\n2,3,2\n"))
    window.controllers.imports.dialog.record_button.click()
    assert window.wait_until_idle()
    assert window.controllers.imports.dialog is None
    boxes = [form.box(name).currentData() for name in ("source", "target", "weight")]
    assert boxes == ["column 1", "column 2", "column 3"]


def test_the_file_dialog_offers_what_fits_the_page(graph_window):
    from PySide6.QtWidgets import QFileDialog

    for page, suffix in (("spanning-tree", True), ("median", False)):
        graph_window.session.show_page(page)
        graph_window.controllers.imports.ask_file()
        [dialog] = [one for one in graph_window.findChildren(QFileDialog) if one.isVisible()]
        assert ("*.graphml" in " ".join(dialog.nameFilters())) == suffix
        assert ("*.gml" in " ".join(dialog.nameFilters())) == suffix
        dialog.close()
    assert graph_window.wait_until_idle()


BAD_EDGES = {
    "a negative weight": ("s,t,w\n1,2,3\n2,3,-4\n", ("row 3", "column 'w'", "negative")),
    "infinity": ("s,t,w\n1,2,3\n2,3,inf\n", ("row 3", "column 'w'", "(confidential: inf)")),
    "text for a weight": ("s,t,w\n1,2,3\n2,3,long\n", ("row 3", "column 'w'", "(confidential: 'long'; ")),
}


def test_bad_edges_are_one_line_with_their_row_and_lose_nothing(graph_window, edges_file):
    window, before = graph_window, graph_window.session.state
    for fault, (text, said) in BAD_EDGES.items():
        opened(window, edges_file(text.replace("s,t,w", "source,target,weight")))
        message = window.body.messages.texts()[0]
        assert "\n" not in message, fault
        for words in said:
            assert words.replace("'w'", "'weight'") in message, fault
        assert window.session.state is before, fault
    # another column may do
    window.body.messages.messages()[0].take_offer()
    assert window.wait_until_idle()
    form = window.body.column.data.form
    assert [form.box(name).currentIndex() for name in ("source", "target", "weight")] == [-1, -1, -1]
    choose(window, "source", "target", None, "")
    assert window.session.state.query == "triangles"


def test_a_weight_of_nan_is_a_missing_value(graph_window, edges_file):
    opened(graph_window, edges_file("s,t,w\n1,2,3\n2,3,nan\n1,3,2\n"))
    choose(graph_window, "s", "t", "w")
    assert graph_window.page.canvas.picture.result.value == 5.0


def test_repeated_edges_and_loops_are_asked_about(graph_window, edges_file):
    window = graph_window
    form = opened(window, edges_file("source,target,weight\n1,2,3\n2,1,4\n2,2,1\n2,3,6\n"))
    before = window.session.state
    window.findChildren(ChoiceDialog)[-1].answer("")
    assert window.session.state is before
    opened(window, edges_file("source,target,weight\n1,2,3\n2,1,4\n2,2,1\n2,3,6\n"))
    for title, answer in (("join a vertex to itself", "drop"), ("repeat an edge", "sum")):
        assert title in window.findChildren(ChoiceDialog)[-1].windowTitle()
        assert window.body.messages.texts() == []
        window.findChildren(ChoiceDialog)[-1].answer(answer)
        assert window.wait_until_idle()
    form.box("upper").type_in("10")
    assert window.wait_until_idle()
    assert window.page.canvas.picture.result.value == 13.0
    data = window.body.column.data
    assert "1 merged, 1 loops left out" in data.facts.text().replace(" · ", ", ")
    assert form.row("duplicates").isVisibleTo(data)
    script = "\n".join(cell.code for cell in script_of(window.session.state, ViewState()))
    treated = 'EdgeColumns("source", "target", "weight"), duplicates="sum", loops="drop")'
    assert f"read_edges(table, {treated}" in script
    # another choice reads the file again, and a treatment that is taken back is asked for
    pick(form.box("duplicates"), "lightest")
    assert window.wait_until_idle()
    assert window.page.canvas.picture.result.value == 9.0
    pick(form.box("duplicates"), "refuse")
    assert window.wait_until_idle()
    window.findChildren(ChoiceDialog)[-1].answer("sum")
    assert window.wait_until_idle()
    assert window.page.canvas.picture.result.value == 13.0


@pytest.mark.parametrize(
    ("content", "words"),
    [("s,t,w\n", "no records"), (b"", "empty"), ("<graphml><graph>", "truncated")],
    ids=["no edges", "empty", "broken GraphML"],
)
def test_bad_files_are_one_line_and_lose_nothing(graph_window, edges_file, content, words):
    before = graph_window.session.state
    opened(graph_window, edges_file(content))
    [message] = graph_window.body.messages.texts()
    assert "edges.csv" in message
    assert words in message
    assert "\n" not in message
    assert graph_window.session.state is before


def test_columns_that_a_remembered_file_has_lost_are_named(graph_window, edges_file):
    from engine.data.edges import EdgeColumns

    before = graph_window.session.state
    fields = {"edge_columns": EdgeColumns("source", "target", "wait"), "missing": "refuse"}
    graph_window.controllers.data.open_fields(before.dataset, fields)
    assert graph_window.wait_until_idle()
    [message] = graph_window.body.messages.texts()
    assert "wait" in message
    assert "weight" in message
    assert graph_window.session.state is before


def test_missing_values_are_left_out_and_counted(graph_window, edges_file):
    window = graph_window
    opened(window, edges_file(GOOD.replace("b,c,4.5", "b,c,").replace("c,d,12", ",d,12")))
    choose(window)
    assert "2 rows left out" in window.body.column.data.facts.text()
    assert window.body.column.data.form.row("missing").isVisible()
    window.body.column.data.chosen.emit({"missing": "refuse"})
    assert window.wait_until_idle()
    [message] = window.body.messages.texts()
    assert "row 3" in message
    assert window.session.state.data.missing == "drop"


@pytest.mark.slow
def test_other_weights_need_their_own_bound(graph_window, edges_file):
    window = graph_window
    opened(window, edges_file(GOOD))
    choose(window)
    window.body.column.data.form.box("weight").setCurrentIndex(
        window.body.column.data.form.box("weight").findData("since")
    )
    window.body.column.data.form.box("weight").activated.emit(
        window.body.column.data.form.box("weight").currentIndex()
    )
    assert window.wait_until_idle()
    assert window.session.state.data.edge_columns.weight == "since"
    assert "Declare the largest" in window.body.column.data.form.row("upper").problem
    assert not window.body.column.release.run.isEnabled()
    window.session.undo_stack.undo()
    assert window.session.state.data.upper == 10.0
    # a column that cannot be an end: a message, and the boxes show what holds
    window.body.column.data.form.box("source").setCurrentIndex(
        window.body.column.data.form.box("source").findData("friend")
    )
    window.body.column.data.form.box("source").activated.emit(
        window.body.column.data.form.box("source").currentIndex()
    )
    assert window.wait_until_idle()
    assert "chosen twice" in window.body.messages.texts()[0]
    assert window.body.column.data.form.box("source").currentData() == "person"


def test_files_can_be_dropped_on_the_page(graph_window, edges_file):
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(edges_file(GOOD)))])
    place, key = QPointF(400, 300), Qt.KeyboardModifier.NoModifier
    event = QDropEvent(place, Qt.DropAction.CopyAction, data, Qt.MouseButton.LeftButton, key)
    graph_window.dropEvent(event)
    assert graph_window.wait_until_idle()
    assert graph_window.session.state.dataset.title == "edges.csv"
    assert graph_window.session.state.page == "spanning-tree"


def test_the_release_view_opens_edges_without_showing_them(graph_window, edges_file):
    graph_window.session.show_view("release")
    text = GOOD.replace("4.5", "secret").replace("person,friend,minutes", "source,target,weight")
    opened(graph_window, edges_file(text))
    [message] = graph_window.body.messages.texts()
    assert "secret" not in message
    assert "weight" in message


def test_how_the_edges_are_read_can_be_corrected(graph_window, edges_file):
    window = graph_window
    opened(window, edges_file("source;target;weight\n1;2;3\n2;3;4\n"))
    window.body.column.data.reading_button.click()
    dialog = window.controllers.imports.dialog
    assert dialog.preview.model().rowCount() == 2
    dialog.open_button.click()
    assert window.wait_until_idle()
    assert window.session.state.data.edge_columns.weight == "weight"


@pytest.mark.slow
def test_examples_open_with_what_is_public_on_their_card(graph_window):
    from engine.data import EXAMPLES

    for name in ("karate", "roads", "k60", "k3"):
        card, shown = EXAMPLES[name], graph_window.page.canvas.picture.result
        graph_window.controllers.data.open_example(name)
        assert graph_window.wait_until_idle(60_000), name
        state = graph_window.session.state
        assert (state.data.upper, state.data.vertices, len(state.data.edges.ends)) == (
            card.upper,
            card.vertices,
            card.n,
        )
        assert problems(state) == (), name
        assert graph_window.page.canvas.picture.result is not None, name
        assert graph_window.page.canvas.picture.result is not shown, name
