"""How long what is seen for the first time holds the window up: pages, tabs, windows beside it."""

import time
from functools import partial

import pytest
from lateness import Turns
from PySide6.QtCore import QTimer

from app.model.pages.registry import PAGE_KINDS

pytestmark = pytest.mark.benchmark


@pytest.mark.parametrize("page", PAGE_KINDS)
def test_every_tab_opens_for_the_first_time_without_holding_the_window_up(window, page):
    """A million records on the page about medians; processor time of the longest turn, at most 50 ms."""
    window.session.show_page(page)
    assert window.wait_until_idle(300_000)
    longest = {}
    for tab in window.page.card.shown[1:]:
        turns = Turns()
        QTimer.singleShot(0, partial(window.page.show_tab, tab))
        turns.until(lambda turns=turns: len(turns.busy) > 20 and quiet(window), 300)
        longest[tab] = max(turns.busy)
    print(f"\nlongest turn: {', '.join(f'{tab} {ms:.0f} ms busy' for tab, ms in longest.items())}")
    assert max(longest.values()) < 50


def test_every_page_opens_for_the_first_time_without_holding_the_window_up(window):
    """A million records on the page about medians; processor time of the longest turn, at most 50 ms."""
    longest = {}
    for page in window.body.pages.names[1:]:
        turns, until = Turns(), time.monotonic() + 2
        QTimer.singleShot(0, partial(window.controllers.opening.open, page))
        turns.until(lambda until=until: time.monotonic() >= until)
        assert window.page.name == page
        longest[page] = max(turns.busy)
    print(f"\nlongest turn: {', '.join(f'{page} {ms:.0f} ms busy' for page, ms in longest.items())}")
    assert max(longest.values()) < 50


def quiet(window):
    """Tell whether what is open is drawn."""
    page = window.page
    return not (page.pending or page.requester.channel.busy or (page.canvas and page.canvas.drawing))


def test_the_windows_beside_it_open_within_50_ms_of_the_windows_thread(window):
    """The budget after two releases, and the help, each for the first time; processor times."""
    for _ in range(2):
        window.controllers.releases.run()
        assert window.wait_until_idle(30_000)
    longest = {}
    for name, show in (
        ("budget", window.controllers.budget.show),
        ("help", window.controllers.help.show_chosen),
    ):
        turns, until = Turns(), time.monotonic() + 2
        QTimer.singleShot(0, show)
        turns.until(lambda until=until: time.monotonic() >= until)
        longest[name] = max(turns.busy)
    print(f"\nlongest turn: {', '.join(f'{name} {ms:.1f} ms busy' for name, ms in longest.items())}")
    assert window.controllers.budget.dialog.canvas.has_result
    assert window.controllers.help.viewer.isVisible()
    assert max(longest.values()) < 50
