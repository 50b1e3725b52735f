"""The page about graphs in use: room, advice, keys, themes, crashes and long computations."""

import itertools
import re
import time
from collections import Counter

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractButton, QLabel
from seen import PRESENTATION, SIZES, TABS, choose, clipped

from app.model.pages.registry import queries_of
from engine.data.edges import EdgeColumns

pytestmark = pytest.mark.usefixtures("undrawn")


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("presentation", PRESENTATION)
@pytest.mark.slow
def test_nothing_is_clipped_at_usual_sizes(graph_window, size, presentation):
    window = graph_window
    window.controllers.data.open_example("karate")
    window.resize(*size)
    assert window.wait_until_idle()
    window.controllers.appearance.set_presentation(presentation)
    for query in queries_of("spanning-tree"):
        choose(window.body.column.release.form.chooser("query").box, query)
        assert window.wait_until_idle()
        least = window.minimumSizeHint()
        assert least.width() <= size[0]
        assert least.height() <= size[1]
        assert (window.width(), window.height()) == size
        assert not window.body.column.verticalScrollBar().isVisible()
        for view in ("release", "curator"):
            window.session.show_view(view)
            assert window.wait_until_idle()
            assert clipped(window) == [], (query, view)


def test_advice_speaks_of_bounds_where_there_are_any(shared_graph):
    shared_graph.body.column.privacy.epsilon.type_in("0.1")
    for query, said in (("mst", "Raise ε, or lower Λ if"), ("triangles", "would be useless. Raise ε.")):
        choose(shared_graph.body.column.release.form.chooser("query").box, query)
        assert shared_graph.wait_until_idle()
        assert said in shared_graph.page.card.advice.text()


@pytest.mark.slow
def test_no_two_fields_answer_to_the_same_letter(shared_graph):
    shared_graph.body.column.release.tuning_button.setChecked(True)
    for query, tab in itertools.product(["mst", "triangles"], TABS):
        choose(shared_graph.body.column.release.form.chooser("query").box, query)
        shared_graph.page.show_tab(tab)
        assert shared_graph.wait_until_idle()
        texts = [action.text() for action in shared_graph.menuBar().actions()]
        texts += [
            widget.text()
            for widget in [*shared_graph.findChildren(QLabel), *shared_graph.findChildren(QAbstractButton)]
            if widget.isVisibleTo(shared_graph)
        ]
        letters = [re.search(r"&(\w)", text.replace("&&", "")) for text in texts if "<a" not in text]
        counts = Counter(letter[1].lower() for letter in letters if letter)
        assert max(counts.values()) == 1, (query, tab, counts)


def test_tab_reaches_the_fields_in_the_order_of_the_eye(graph_window):
    names = []
    widget = graph_window.nextInFocusChain()
    while widget is not graph_window:
        if widget.focusPolicy() & Qt.FocusPolicy.TabFocus and widget.isVisibleTo(graph_window):
            names.append(widget.accessibleName())
        widget = widget.nextInFocusChain()
    expected = [
        "Pages",
        "Graph",
        "Pictures",
        "The graph, and the worst case for its sensitivity",
        "Column of the one end",
        "Column of the other end",
        "Column of the weights",
        "Largest possible weight Λ",
        "Epsilon",
        "Query",
        "Run: make one release",
    ]
    assert [name for name in names if name in expected] == expected


def test_graph_and_curves_take_turns_where_both_would_be_low(graph_window):
    page = graph_window.page
    assert (page.graph.isVisible(), page.card.isVisible()) == (True, False)
    assert page.graph_tab.isChecked()
    for view in ("release", "curator"):
        graph_window.session.show_view(view)
        assert graph_window.wait_until_idle()
        assert (page.graph.isVisible(), page.card.isVisible()) == (True, False)
    page.card.tabs.tabBarClicked.emit(0)
    assert (page.graph.isVisible(), page.card.isVisible()) == (False, True)
    page.show_tab("audit")
    page.graph_tab.click()
    assert (page.graph.isVisible(), page.card.isVisible(), page.card.tab) == (True, False, "k")
    graph_window.resize(1440, 900)
    assert graph_window.wait_until_idle()
    assert (page.graph.isVisible(), page.card.isVisible()) == (True, True)
    assert not page.graph_tab.isVisible()


@pytest.mark.slow
def test_themes_and_type_reach_pages_that_are_not_open(graph_window):
    graph_window.actions_by_name["dark"].trigger()
    graph_window.controllers.appearance.set_presentation(True)
    graph_window.session.show_page("median")
    assert graph_window.wait_until_idle()
    assert graph_window.body.pages["median"].canvas.picture.palette.name == "dark"
    graph_window.session.show_page("spanning-tree")
    assert graph_window.wait_until_idle()
    assert graph_window.page.canvas.picture.palette.name == "dark"
    assert graph_window.page.parts[0].canvas.picture.palette.name == "dark"


def test_a_crash_of_a_job_is_a_message_and_the_window_lives(graph_window, monkeypatch):
    def crash(*_, **__):
        raise ZeroDivisionError("broken")

    monkeypatch.setattr("engine.analysis.sensitivity.sensitivity_profile", crash)
    graph_window.body.column.privacy.epsilon.type_in("2")
    assert graph_window.wait_until_idle()
    [message] = graph_window.body.messages.texts()
    assert "ZeroDivisionError: broken" in message
    monkeypatch.undo()
    graph_window.handlers.cancel()
    graph_window.body.column.privacy.epsilon.type_in("3")
    assert graph_window.wait_until_idle()
    assert not graph_window.body.messages.texts()


@pytest.mark.slow
def test_a_long_computation_tells_how_long_it_takes_and_is_cancelled(graph_window, dataset, qtbot):
    """A thousand vertices and twenty thousand edges take more than a second."""
    rng = np.random.default_rng(1)
    ends = np.concatenate(
        [np.column_stack([np.arange(999), np.arange(1, 1000)]), rng.integers(0, 1000, (19_001, 2))]
    )
    ends[ends[:, 0] == ends[:, 1], 1] = 0
    ends = ends[ends[:, 0] != ends[:, 1]]
    large = dataset("large.csv", source=ends[:, 0], target=ends[:, 1], weight=rng.uniform(0, 100, len(ends)))
    fields = {"edge_columns": EdgeColumns(), "missing": "refuse", "lower": 0.0, "upper": 100.0}
    told = []
    graph_window.page.requester.channel.progressed.connect(told.append)
    graph_window.controllers.data.open_fields(large, fields)
    qtbot.waitUntil(lambda: any(report.seconds_left is not None for report in told))
    assert "Esc cancels" in graph_window.controllers.status.text()
    assert graph_window.controllers.status.progress_bar.isVisible()
    asked = time.process_time()
    qtbot.keyClick(graph_window, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: not graph_window.page.requester.channel.busy)
    assert time.process_time() - asked < 1.0  # the benchmarks ask for 200 ms of the clock
    assert not graph_window.controllers.status.progress_bar.isVisible()
    assert "Cancelled" in graph_window.page.card.waiting.text()
    assert graph_window.session.state.dataset is large
    assert graph_window.wait_until_idle()
    assert graph_window.body.messages.texts() == []


def test_a_warning_about_the_mechanism_stands_below_each_picture(graph_window):
    for tab in ("k", "path", "noise", "epsilon"):
        graph_window.page.show_tab(tab)
        assert graph_window.wait_until_idle()
        assert graph_window.page.card.advice.text().startswith("The noise is larger than the whole range")
