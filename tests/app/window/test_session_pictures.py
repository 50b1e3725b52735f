"""Saving a session, and opening it in another window: the same pictures, number by number."""

import dataclasses
import re

import pytest
from seen import option
from session_windows import PATIENCE, closed, opened, saved, shown, visited

from app.model.pages.histogram_options import QueryOptions
from engine.ledger import Ledger

pytestmark = [pytest.mark.usefixtures("undrawn"), pytest.mark.slow]

PAGES = ("spanning-tree", "clustering", "one-cluster", "histogram")


def choose(box, index):
    """Choose an entry as a user does."""
    box.setCurrentIndex(index)
    box.activated.emit(index)


TABS = ("k", "epsilon", "path", "noise", "distribution", "audit")


def work_on_median(window):
    """Choose on the first page whatever changes a picture."""
    window.session.edit("epsilon", epsilon=0.5, delta=1e-6)
    window.session.move_point(3, 52_000.0)
    window.controllers.run.start()
    card = window.page.card
    card.choose_options(target="halves")
    card.audit.choose(card.audit.choice.but(runs=1000), "trade-off")
    assert window.wait_until_idle(PATIENCE)
    window.page.show_tab("k")
    assert window.wait_until_idle(PATIENCE)
    card.log_button.click()
    window.page.show_tab("audit")
    assert window.wait_until_idle(PATIENCE)
    card.audit.audit_button.click()
    assert window.wait_until_idle(PATIENCE)


def work_on(window, page):
    """Choose on another page something that changes the picture that is open at the end."""
    window.session.show_page(page)
    assert window.wait_until_idle(PATIENCE)
    card = window.page.card
    if page == "spanning-tree":
        window.page.graph.show_distance(2)
        window.page.show_tab("path")
        card.choose_options(target="upper")
    elif page == "clustering":
        window.session.edit("ask", query="clusters")
        assert window.wait_until_idle(PATIENCE)
        window.controllers.run.start()
        assert window.wait_until_idle(PATIENCE)
        window.page.show_tab("outputs")
        choose(option(card, "zoom"), 1)
    elif page == "one-cluster":
        card.draws.draw_anew()
        window.page.show_tab("boxes")
    else:
        card.draws.draw_anew()
        window.page.show_tab("isolation")
        assert window.wait_until_idle(PATIENCE)
        card.editors[QueryOptions].attack("occupied")
        assert window.wait_until_idle(PATIENCE)
        card.editors[QueryOptions].nudge(1, 0)
        option(card, "near").click()
    return shown(window)


@pytest.fixture(scope="module")
def ledger():
    return Ledger(None)


@pytest.fixture(scope="module")
def before(qapp, one_process, ledger, tmp_path_factory):
    """Work in a window, save the session and close the window; return what was to be seen, and the file."""
    window = opened(ledger)
    work_on_median(window)
    pictures = {page: work_on(window, page) for page in PAGES}
    pictures |= {tab: visited(window, "median", tab) for tab in TABS}
    window.session.show_page("compare")
    assert window.wait_until_idle(PATIENCE)
    window.session.edit(
        "compare", comparison=dataclasses.replace(window.session.state.comparison, runs=20, steps=2)
    )
    window.page.run()
    pictures["compare"] = visited(window, "compare", "table")
    window.page.card.modes.button("box").click()
    pictures["compare errors"] = visited(window, "compare", "errors")
    path = saved(window, tmp_path_factory.mktemp("kept") / "work.sensiscope")
    pictures["state"] = window.session.state
    closed(window)
    return pictures, path


@pytest.fixture(scope="module")
def again(before, ledger):
    """Return a window that was begun with the session."""
    window = opened(ledger, before[1])
    yield window
    closed(window)


@pytest.mark.slow
def test_it_opens_where_one_was(before, again):
    state, was = again.session.state, before[0]["state"]
    assert (state.page, state.workspace, again.page.card.tab) == ("median", "compare", "errors")
    assert (state.epsilon, state.delta, state.data.modified_values) == (
        was.epsilon,
        was.delta,
        was.data.modified_values,
    )
    assert "work" in again.windowTitle()
    assert not again.isWindowModified()
    assert not again.body.messages.texts()


def without_times(table):
    """Return a table of a comparison without what was measured with a clock."""
    name, header, rows = table
    kept = [place for place, title in enumerate(header) if title != "Seconds per run"]
    return name, [[row[place] for place in kept] for row in rows]


def test_a_comparison_is_made_again(before, again):
    assert visited(again, "compare", "errors") == before[0]["compare errors"]
    assert without_times(visited(again, "compare", "table")) == without_times(before[0]["compare"])


@pytest.mark.parametrize("tab", TABS)
def test_all_pictures_of_a_page_are_the_same(before, again, tab):
    assert visited(again, "median", tab) == before[0][tab]


@pytest.mark.parametrize("page", PAGES)
def test_the_open_picture_of_each_page_is_the_same(before, again, page):
    assert visited(again, page) == before[0][page]


def test_the_history_is_the_same_and_nothing_can_be_undone(before, again):
    was, now = (state.releases for state in (before[0]["state"], again.session.state))
    assert [one.release.value for one in now] == [one.release.value for one in was]
    assert len(now) == 2
    assert not again.session.undo_stack.canUndo()
    assert not again.actions_by_name["undo"].isEnabled()


def test_nothing_private_is_in_the_file(before):
    pictures, path = before
    text = path.read_text("utf-8")
    coordinates = pictures["state"].at("histogram").data.points.values.ravel().tolist()
    planted = {repr(abs(value)) for value in coordinates if len(repr(value)) > 5}
    assert len(planted) > 100
    written = set(re.findall(r"\d+\.\d+", text))  # a longer number may hold a shorter one by chance
    assert not planted & written
    for dataset in {pictures["state"].at(page).dataset for page in ("median", *PAGES)}:
        assert dataset.digest not in text
    [[table, _], *_] = pictures["k"]
    private = {f"{value:.12g}" for row in table[1] for value in row if len(f"{value:.12g}") > 8}
    assert private
    assert not [value for value in private if value in text]
