"""The Release view of two files that differ in one record is the same, in every word and picture."""

import numpy as np
import pyarrow as pa
import pytest
from loading import clusters, load, load_edges, load_points
from PySide6.QtWidgets import QApplication, QWidget
from reported import request_of
from seen import all_words
from shiboken6 import isValid

from app.export.report.building import build_report
from app.export.report.html import HtmlWriter
from app.model.dataset import Dataset
from app.model.kinds.category_choice import CategoryChoice
from app.model.pages.registry import PAGE_KINDS
from app.session import Session
from app.window.main_window import MainWindow
from engine.data import Table
from engine.progress import silent

SPREAD = np.linspace(3.0, 97.0, 101)
CLOUD = clusters(200)
GRAPH = {"source": list("ababc"), "target": list("bccdd"), "weight": [1.5, 2.0, 4.0, 3.0, 7.0]}


def other(column, place, value):
    """Return a column in which one record has another value."""
    found = np.array(column)
    found[place] = value
    return found


def opened(page, columns, opens, *known, query=None, problem=""):
    """Return a session on a file."""
    session = Session()
    session.show_page(page)
    table = Table("data.csv", pa.table(columns), release_problem=problem)
    opens(session, Dataset(table, "file:data.csv"), *known)
    if query is not None:
        session.edit("ask", query=query)
    return session


def open_categories(session, made):
    chosen = CategoryChoice(columns=("sex",), lists={"sex": ("f", "m")})
    read = PAGE_KINDS["histogram"].read(made, {"categories": chosen}, silent)
    session.open_dataset(made, "open", **PAGE_KINDS["histogram"].after_read(session.state, made, read))


def of_points(page):
    far = {"x": other(CLOUD["x"], 7, 5.0), "y": other(CLOUD["y"], 7, -3.0)}
    return [lambda columns=columns: opened(page, columns, load_points, 0.0, 1.0) for columns in (CLOUD, far)]


def of_graph(columns, upper, vertices, query):
    return lambda: opened("spanning-tree", columns, load_edges, upper, vertices, query=query)


CASES = {
    "median": [
        lambda values=values: opened("median", {"x": values}, load, "x", 0.0, 100.0)
        for values in (SPREAD, other(SPREAD, 50, 1e9))
    ],
    # one row of the file may be any number of such records
    "only to be looked at": [
        lambda values=values: opened(
            "median", {"x": values}, load, "x", 0.0, 100.0, problem="these rows may only be looked at"
        )
        for values in (SPREAD, SPREAD[:50])
    ],
    "spanning-tree": [
        of_graph(GRAPH, 10.0, 4, None),
        of_graph({**GRAPH, "weight": other(GRAPH["weight"], 2, 99.0)}, 10.0, 4, None),
    ],
    "triangles": [
        of_graph(columns, None, 6, "triangles")
        for columns in (GRAPH, {name: column[:3] for name, column in GRAPH.items()})
    ],
    "open number of vertices": [
        of_graph(columns, None, None, "triangles")
        for columns in (GRAPH, {name: column[:3] for name, column in GRAPH.items()})
    ],
    "contingency-table": [
        lambda sex=sex: opened("histogram", {"sex": sex}, open_categories, query="contingency-table")
        for sex in (["f", "m"] * 50, ["unlisted", *["m"] * 99])
    ],
    **{page: of_points(page) for page in ("clustering", "one-cluster", "histogram")},
}
SLOW = ("clustering", "one-cluster", "histogram", "spanning-tree", "triangles")


def able(window):
    """Return which controls can be used."""
    shown = [each for each in window.findChildren(QWidget) if each.isVisibleTo(window)]
    return [(type(each).__name__, each.accessibleName(), each.isEnabled()) for each in shown]


def looked_at(session):
    """Return all that the release view shows, by what is open."""
    session.show_view("release")
    window = MainWindow(session)
    window.show()
    found = {}
    try:
        assert window.wait_until_idle(30_000)
        for tab in window.page.card.shown:
            window.page.show_tab(tab)
            assert window.wait_until_idle(30_000)
            QApplication.processEvents()
            found[tab] = (all_words(window), able(window))
        session.show_page("compare")
        assert window.wait_until_idle(30_000)
        found["compare"] = (all_words(window), able(window))
        found["report"] = "".join(HtmlWriter(build_report(request_of(session, view="release"))).parts())
    finally:
        window.close()
        window.deleteLater()
    return found


@pytest.mark.usefixtures("roughly_drawn", "qapp")
@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.slow] * (name in SLOW)) for name in CASES]
)
def test_nothing_tells_two_neighbours_apart(name):
    first, second = (looked_at(make()) for make in CASES[name])
    assert first.keys() == second.keys()
    for shown, said in first.items():
        assert said == second[shown], shown


def test_what_the_curator_has_done_is_not_told_in_the_release_view(shared):
    """Values that were given by hand stand in the list of steps, tables of pictures are open."""
    window = shared
    window.session.move_point(3, 57.15625)
    assert window.wait_until_idle()
    table = window.page.canvas.show_table()
    window.actions_by_name["undo_history"].trigger()
    history = window.controllers.undo.dialog
    assert "57.156" in all_words(history)
    window.session.show_view("release")
    assert window.wait_until_idle()
    assert "57.156" not in all_words(window) + all_words(history)
    assert not isValid(table)
    history.close()
