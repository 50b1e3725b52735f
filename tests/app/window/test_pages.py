"""Pages are made when they are first opened, and that does not show from outside."""

import dataclasses

import pytest
from seen import tabbed

from app.model.theme import DARK
from app.model.view_states import ViewState
from app.session import Session
from app.window.main_window import MainWindow

pytestmark = pytest.mark.usefixtures("undrawn")


@pytest.fixture
def fresh(qtbot):
    """A window that was not used yet."""
    made = MainWindow(Session())
    qtbot.addWidget(made)
    made.show()
    return made


def names(window):
    return [page.name for page in window.body.pages.there]


def test_a_page_is_made_when_it_is_opened_with_the_look_of_the_window(fresh):
    window = fresh
    assert names(window) == ["median"]
    window.controllers.appearance.set_theme("dark")
    window.session.show_page("clustering")
    assert names(window) == ["median", "clustering"]
    assert window.wait_until_idle()
    page = window.page
    assert page is window.body.stack.currentWidget()
    assert page.styleSheet() == window.body.navigation.styleSheet() != ""
    assert page.canvas.has_result
    assert page.canvas.theme is DARK


@pytest.mark.slow
def test_tab_reaches_a_page_that_came_later_where_it_stands(window):
    window.session.show_page("histogram")
    assert window.wait_until_idle()
    reached = tabbed(window)
    places = [reached.index(name) for name in ("Pages", "Pictures", "Epsilon")]
    assert places == sorted(places)


def test_pages_look_before_they_are_made_as_they_do_then(fresh):
    pages = fresh.body.pages
    before = pages.view_states
    assert names(fresh) == ["median"]
    assert {name: pages[name].view_state for name in pages.names} == before


@pytest.mark.slow
def test_what_was_open_in_a_page_waits_until_it_is_made(fresh):
    window = fresh
    look = ViewState(tab="noise")
    window.body.pages.restore({"spanning-tree": look})
    assert window.body.pages.view_states["spanning-tree"] == look
    assert names(window) == ["median"]
    window.session.show_page("spanning-tree")
    assert window.wait_until_idle()
    assert dataclasses.replace(window.page.view_state, options={}) == look
