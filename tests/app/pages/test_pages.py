"""Two pages in one window: each keeps its own data, and no edit is undone out of sight."""

import dataclasses

import numpy as np
import pytest
from PySide6.QtCore import QSettings, Qt
from seen import choose
from tables import ask_on, declare, open_table

from app.model.pages.registry import PAGE_KINDS, queries_of
from app.model.state import PAGE_FIELDS

pytestmark = pytest.mark.usefixtures("undrawn")

EDGES = "from,to,cost\n" + "".join(f"{i},{(i + 1) % 8},{i % 3 + 1}\n" for i in range(8))


def both(window):
    """Visit the second page and come back."""
    window.session.show_page("spanning-tree")
    assert window.wait_until_idle()
    window.session.show_page("median")
    assert window.wait_until_idle()


def test_a_first_visit_shows_an_example_with_its_curves(window):
    window.session.show_page("spanning-tree")
    assert window.wait_until_idle()
    assert "karate" in window.windowTitle()
    result = window.body.pages["spanning-tree"].canvas.picture.result
    assert (result.n, result.neighbours) == (34, "edge-weight")
    assert window.body.column.release.run.isEnabled()
    assert not window.body.messages.texts()


@pytest.mark.slow
def test_each_page_keeps_its_data_its_query_and_its_picture(shared):
    shared.body.column.release.form.chooser("query").box.setCurrentIndex(
        shared.body.column.release.form.chooser("query").box.findData("mean")
    )
    shared.body.column.release.form.chooser("query").box.activated.emit(
        shared.body.column.release.form.chooser("query").box.currentIndex()
    )
    shared.session.move_point(3, 12.0)
    assert shared.wait_until_idle()
    before = shared.session.state.page_fields()
    picture = shared.body.pages["median"].canvas.picture.result
    panel = shared.body.column.data
    shared.session.show_page("spanning-tree")
    assert shared.wait_until_idle()
    assert shared.session.state.data.modified_values == {}
    assert shared.session.state.query == "mst"
    assert shared.body.stack.currentWidget() is shared.body.pages["spanning-tree"]
    assert shared.body.column.data.isVisible()
    assert not panel.isVisible()
    shared.session.move_point(0, 1.0)
    shared.session.show_page("median")
    assert shared.wait_until_idle()
    assert shared.session.state.page_fields() == before
    assert shared.body.pages["median"].canvas.picture.result is picture
    assert shared.body.column.release.form.chooser("query").box.currentData() == "mean"
    shared.session.show_page("spanning-tree")
    assert shared.session.state.data.modified_values == {0: 1.0}


@pytest.mark.slow
def test_keys_and_the_list_open_pages(shared, qtbot):
    control = Qt.KeyboardModifier.ControlModifier
    pages = shared.body.navigation.pages
    for row, name in enumerate(("spanning-tree", "clustering", "one-cluster", "histogram"), 3):
        shared.activateWindow()
        qtbot.waitUntil(shared.isActiveWindow)
        qtbot.keyClick(shared, Qt.Key(Qt.Key.Key_1 + row), control)
        assert shared.wait_until_idle()
        assert shared.session.state.page == name
        assert shared.actions_by_name[f"page_{name}"].isChecked()
        assert pages.currentRow() == row
    pages.itemClicked.emit(pages.item(2))
    assert shared.session.state.page == "median"
    assert shared.actions_by_name["page_median"].isChecked()
    assert shared.wait_until_idle()


@pytest.mark.slow
def test_undo_shows_the_page_of_the_edit_first(shared):
    both(shared)
    shared.session.move_point(3, 12.0)
    shared.session.show_page("spanning-tree")
    shared.session.move_point(2, 1.0)
    shared.session.edit("change epsilon", epsilon=2.0)
    shared.session.show_page("median")
    shared.session.undo_stack.undo()
    assert (shared.session.state.page, shared.session.state.epsilon) == ("spanning-tree", 1.0)
    shared.session.undo_stack.undo()
    assert shared.session.state.data.modified_values == {}
    shared.session.undo_stack.undo()
    assert (shared.session.state.page, shared.session.state.data.modified_values) == ("median", {})
    for page, edits in (("median", {3: 12.0}), ("spanning-tree", {2: 1.0}), ("spanning-tree", {2: 1.0})):
        shared.session.undo_stack.redo()
        assert (shared.session.state.page, shared.session.state.data.modified_values) == (page, edits)
    assert shared.session.state.epsilon == 2.0
    assert shared.wait_until_idle()


def test_movements_on_different_pages_are_different_steps(session):
    session.edit("change epsilon", merge="epsilon", epsilon=2.0)
    session.show_page("spanning-tree")
    session.edit("change epsilon", merge="epsilon", epsilon=3.0)
    assert session.undo_stack.count() == 2


def test_a_movement_after_a_pause_is_another_step(session, monkeypatch):
    monkeypatch.setattr("app.session.MERGE_SECONDS", 3600.0)
    for epsilon in (2.0, 3.0):
        session.edit("change epsilon", merge="epsilon", epsilon=epsilon)
    assert session.undo_stack.count() == 1
    monkeypatch.setattr("app.session.MERGE_SECONDS", -1.0)  # any time is a pause
    session.edit("change epsilon", merge="epsilon", epsilon=4.0)
    assert session.undo_stack.count() == 2


def test_opening_a_page_is_no_edit_and_shares_what_is_no_data(session):
    session.edit("change epsilon", epsilon=2.0)
    session.show_page("spanning-tree")
    assert session.undo_stack.count() == 1
    assert session.state.epsilon == 2.0
    assert session.state.dataset is None
    assert session.state.query == PAGE_KINDS["spanning-tree"].query
    shared = {field.name for field in dataclasses.fields(session.state)} - set(PAGE_FIELDS)
    assert {"epsilon", "delta", "remembered", "view", "releases"} < shared


def test_first_data_of_a_page_that_was_left_wait_there(session, dataset):
    session.open_dataset(dataset("late.csv", x=np.arange(3.0)), "open", "spanning-tree", upper=3.0)
    assert session.state.page == "median"
    assert session.state.dataset.title == "data.csv"
    session.show_page("spanning-tree")
    assert (session.state.dataset.title, session.state.data.upper) == ("late.csv", 3.0)
    assert session.undo_stack.count() == 0


def test_other_data_open_their_page(session, dataset):
    session.show_page("spanning-tree")
    session.open_dataset(dataset("other.csv", x=np.arange(3.0)), "open", "median")
    assert (session.state.page, session.state.dataset.title) == ("median", "other.csv")
    session.undo_stack.undo()
    assert session.state.dataset.title == "data.csv"


def test_each_page_offers_the_queries_and_examples_that_fit(shared):
    def offered():
        box = shared.body.column.release.form.chooser("query").box
        return [box.itemData(i) for i in range(box.count())]

    def examples():
        menu = shared.controllers.files.examples.menu()
        menu.aboutToShow.emit()  # as when it is opened
        return {action.data() for action in menu.actions()}

    assert offered() == list(queries_of("median"))
    assert "mst" not in offered()
    assert "salaries" in examples()
    shared.session.show_page("spanning-tree")
    assert offered() == ["mst", "triangles"]
    assert "karate" in examples()
    assert "salaries" not in examples()
    assert shared.wait_until_idle()


def test_the_history_shows_the_releases_of_the_data_of_each_page(shared):
    shared.controllers.run.start()
    assert shared.wait_until_idle()
    shared.session.show_page("spanning-tree")
    assert shared.wait_until_idle()
    assert "no budget used" in shared.body.history.total.text()  # of other data
    shared.controllers.run.start()
    assert shared.wait_until_idle()
    model = shared.body.history.model
    assert [one.subject for one in model.records] == ["karate.csv"]
    assert model.index(0, 1).data() == "Spanning tree cost of karate.csv"
    assert "ε = 1" in shared.body.history.total.text()
    assert "1 release of this dataset, for one row of the file" in shared.body.history.total.toolTip()
    assert "edges source–target, weights weight" in model.index(0, 1).data(Qt.ItemDataRole.ToolTipRole)
    shared.session.show_page("median")
    assert shared.wait_until_idle()
    assert model.index(0, 1).data() == "Median of x"
    assert "column x" in model.index(0, 1).data(Qt.ItemDataRole.ToolTipRole)


def test_promises_to_weights_and_to_edges_add_up_for_one_row(graph_window):
    graph_window.controllers.run.start()
    assert graph_window.wait_until_idle()
    assert "ε = 1 " in graph_window.body.history.total.text()
    graph_window.session.edit("change the query", query="triangles")
    assert graph_window.wait_until_idle()
    assert "ε = 1 " in graph_window.body.history.total.text()
    graph_window.controllers.run.start()
    assert graph_window.wait_until_idle()
    assert "ε = 3 " in graph_window.body.history.total.text()  # another edge is two steps


@pytest.mark.slow  # that of one page comes back: test_open_controller.py
def test_page_and_files_of_both_pages_come_back(window_on, tmp_path):
    table, edges = tmp_path / "table.csv", tmp_path / "edges.csv"
    table.write_text("x\n" + "".join(f"{i}\n" for i in range(9)), "utf-8")
    edges.write_text(EDGES, "utf-8")
    settings = QSettings(str(tmp_path / "settings.ini"), QSettings.Format.IniFormat)
    window = window_on(settings=settings)
    open_table(window, table)
    declare(window, "x", lower=0, upper=20)
    ask_on(window, "median")
    window.session.show_page("spanning-tree")
    assert window.wait_until_idle()
    window.controllers.data.open_file(edges)
    assert window.wait_until_idle()
    form = window.body.column.data.form
    form.box("upper").type_in("4")
    choose(form.box("bounds_source"), "looked")
    window.session.edit("state the vertices", vertices=9)
    assert window.wait_until_idle()
    window.close()

    # twice: a page that is not visited keeps what was stored
    for _ in range(2):
        again = window_on(settings=settings)
        state = again.session.state
        assert (state.page, state.dataset.title) == ("spanning-tree", "edges.csv")
        assert (state.data.edge_columns.source, state.data.edge_columns.weight) == ("from", "cost")
        assert (state.data.upper, state.data.vertices, state.data.bounds_source) == (4.0, 9, "looked")
        assert again.body.stack.currentWidget() is again.body.pages["spanning-tree"]
        again.close()
    last = window_on(settings=settings)
    last.session.show_page("median")
    assert last.wait_until_idle()
    assert (last.session.state.dataset.title, last.session.state.data.upper) == ("table.csv", 20.0)


@pytest.mark.slow
def test_a_window_started_on_edges_opens_their_page(window_on, tmp_path):
    edges = tmp_path / "edges.csv"
    edges.write_text(EDGES, "utf-8")
    window = window_on(file=str(edges))
    assert window.session.state.page == "spanning-tree"
    assert window.body.column.data.form.box("source").currentData() == "from"
    assert "edges.csv" in window.windowTitle()


@pytest.mark.slow
def test_a_page_left_while_it_works_is_drawn_to_the_end_later(window):
    both(window)
    window.session.show_page("spanning-tree")
    window.body.pages["spanning-tree"].show_tab("path")
    window.session.edit("change epsilon", epsilon=0.3)
    window.session.show_page("median")
    assert window.wait_until_idle()
    window.session.show_page("spanning-tree")
    assert window.wait_until_idle()
    assert window.body.pages["spanning-tree"].canvas.picture.result.neighbours == "edge-weight"
    assert "Typical error" in window.body.column.release.error.text()


def test_a_view_chosen_elsewhere_holds_on_every_page(shared):
    both(shared)
    shared.session.show_view("release")
    shared.session.show_page("spanning-tree")
    assert shared.wait_until_idle()
    assert shared.body.pages["spanning-tree"].card.tab == "noise"
    assert not shared.body.pages["spanning-tree"].canvas.private
    shared.session.show_view("curator")
    assert shared.wait_until_idle()
    shared.session.show_page("median")
    assert shared.wait_until_idle()
    assert shared.body.pages["median"].strip.isVisible()
    assert shared.body.pages["median"].strip.canvas.picture.result is not None


def test_a_page_left_before_its_pictures_came_asks_nothing(shared):
    shared.session.show_page("clustering")
    shared.session.show_page("median")
    assert shared.wait_until_idle()
    page = shared.body.pages["clustering"]
    page.requester.ask()
    assert shared.wait_until_idle()
    assert not page.requester.channel.busy
