"""Pages that were not seen for a while let go what they show, and show the same when they are seen again."""

import time
import weakref

import pytest

from app.window import resting
from engine.analysis.memory import _memory_of

pytestmark = pytest.mark.usefixtures("undrawn")


@pytest.fixture
def clock(monkeypatch):
    """Ten minutes pass when it is told."""
    passed = []
    real = time.monotonic
    monkeypatch.setattr(resting.time, "monotonic", lambda: real() + sum(passed))
    return passed


def shown(window, name):
    window.session.show_page(name)
    assert window.wait_until_idle()
    page = window.page
    return page.card.canvas.picture.saved_table(), page.view_state


def test_a_page_rests_when_it_was_not_seen_for_a_while_and_comes_back_the_same(window, clock):
    window.session.edit("change epsilon", epsilon=0.7)
    assert window.wait_until_idle()
    page, databases = window.page, window.session.databases
    page.show_tab("epsilon")
    assert window.wait_until_idle()
    before = shown(window, "median")
    database = databases.get(next(window.session.state.builders()))
    assert _memory_of(database).findings
    gone = weakref.ref(database)
    del database
    shown(window, "clustering")
    window.resting._look()
    assert page.card.canvas.has_result  # it was just seen
    clock.append(resting.AWAY - 60)
    window.resting._look()
    assert window.resting.names == set()
    clock.append(120)
    said = window.body.column.release.error.text()
    window.resting._look()
    assert window.body.column.release.error.text() == said != ""
    assert window.resting.names == {"median"}
    assert not page.card.canvas.has_result
    assert window.page.card.canvas.has_result
    assert window.wait_until_idle()
    assert gone() is None
    window.session.edit("change epsilon", epsilon=0.7)  # elsewhere
    assert shown(window, "median") == before
    assert window.resting.names == set()


def test_what_is_asked_for_elsewhere_does_not_rest(window, clock):
    page = window.page
    database = window.session.databases.get(next(window.session.state.builders()))
    window.session.show_page("compare")
    assert window.wait_until_idle()
    clock.append(2 * resting.AWAY)
    window.resting._look()
    clock.append(2 * resting.AWAY)
    window.resting._look()
    assert "median" in window.resting.names
    assert not page.card.canvas.has_result
    assert window.session.databases.get(next(window.session.state.builders())) is database
    window.session.show_page("median")
    assert window.wait_until_idle()
    assert page.card.canvas.has_result
