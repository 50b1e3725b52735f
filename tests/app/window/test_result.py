"""The card of a release: what it says, how it is copied and closed, and to which choices it belongs."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest

from app.panels.result_card import OTHERS
from app.releases.text import when_words

pytestmark = pytest.mark.usefixtures("undrawn")


@pytest.fixture
def released(shared):
    """Lend a window in which a median was released a moment ago."""
    shared.controllers.run.start()
    assert shared.wait_until_idle()
    yield shared
    shared.controllers.results.dismiss()


def test_the_card_tells_value_and_cost_and_no_interval_where_noise_follows_the_data(released):
    card, record = released.controllers.results.card, released.session.state.releases[-1]
    assert card.isVisible()
    assert card.value.text()
    assert float(card.value.text().replace("\u202f", "")) == pytest.approx(record.release.value, abs=0.01)
    assert "ε = 1" in card.cost.text()
    assert "No error bar" in card.lines.text()
    card.copy.click()
    assert float(QGuiApplication.clipboard().text()) == record.release.value
    strip = released.body.pages["median"].strip.canvas.picture.result
    assert strip.released == record.release.value


def test_public_noise_has_an_interval_within_possible_results(shared):
    shared.session.edit("method", method="laplace")
    shared.controllers.run.start()
    assert shared.wait_until_idle()
    card = shared.controllers.results.card
    assert card.lines.text() == "95 % interval 0 to 100"
    shared.controllers.results.dismiss()
    shared.session.undo_stack.undo()


def test_the_card_stands_back_when_choices_change_and_comes_back_with_them(released):
    card = released.controllers.results.card
    released.session.edit("epsilon", epsilon=2.0)
    assert card.property("stale")
    assert card.title.text() == OTHERS
    assert released.wait_until_idle()
    assert released.body.pages["median"].strip.canvas.picture.result.released is None
    released.session.undo_stack.undo()
    assert not card.property("stale")
    released.session.show_view("release")
    assert released.wait_until_idle()
    assert card.isVisible()
    assert not card.property("stale")
    released.session.show_view("curator")
    released.session.show_page("clustering")
    assert not card.isVisible()
    released.session.show_page("median")
    assert card.isVisible()


@pytest.mark.slow
def test_escape_closes_the_card_before_presentation_ends(released):
    released.controllers.appearance.set_presentation(True)
    assert released.wait_until_idle()
    below, card = released.body.below, released.controllers.results.card
    assert below.isVisible()
    assert card.parentWidget() is below
    assert card.isVisible()
    assert not released.body.history.isVisible()
    released.session.show_page("clustering")
    assert not below.isVisible()
    released.session.show_page("median")
    assert below.isVisible()
    released.actions_by_name["cancel"].trigger()
    assert released.controllers.results.card is None
    assert not below.isVisible()
    assert released.controllers.appearance.presenting
    released.actions_by_name["cancel"].trigger()
    assert not released.controllers.appearance.presenting


def places(window):
    """Return where the tabs, the picture, the history and the column stand, and their sizes."""
    body, card = window.body, window.page.card
    parts = (card, card.tabs, card.pictures, body.history, body.history.budget_button, body.column)
    return [(one.mapTo(window, one.rect().topLeft()), one.size()) for one in parts]


def test_nothing_moves_when_a_card_appears_or_is_closed(window):
    before = places(window)
    window.controllers.run.start()
    assert window.wait_until_idle()
    card, history = window.controllers.results.card, window.body.history
    assert card.isVisible()
    assert history.isAncestorOf(card)
    assert not history.table.isVisible()
    assert places(window) == before
    window.page.show_tab("epsilon")
    assert window.wait_until_idle()
    assert card.isVisible()
    window.page.show_tab("k")
    window.session.edit("change delta", delta=1e-6)
    assert window.wait_until_idle()
    assert card.title.text() == OTHERS
    assert places(window) == before
    card.close_button.click()
    window.page.show_tab("k")
    assert window.wait_until_idle()
    assert history.table.isVisible()
    assert places(window) == before


def test_a_click_in_the_list_shows_the_card_of_that_release(window):
    for method in ("smooth", "laplace"):
        window.session.edit("method", method=method)
        window.controllers.run.start()
        assert window.wait_until_idle()
    window.controllers.results.dismiss()
    history = window.body.history
    history.table.scrollTo(history.model.index(1, 0))
    row = history.table.visualRect(history.model.index(1, 0))
    QTest.mouseClick(history.table.viewport(), Qt.MouseButton.LeftButton, pos=row.center())
    card = window.controllers.results.card
    assert card.record is window.session.state.releases[0]
    assert card.isVisible()
    assert when_words(card.record) in card.title.whole
    window.session.edit("epsilon", epsilon=2.0)
    assert not card.property("stale")
    assert card.report.isVisibleTo(card)


def test_a_card_that_would_stand_out_of_sight_is_scrolled_to(shared):
    size = shared.size()
    shared.resize(1024, 480)
    assert shared.wait_until_idle()
    bar = shared.body.middle.verticalScrollBar()
    bar.setValue(0)
    shared.controllers.run.start()
    assert shared.wait_until_idle()
    card = shared.controllers.results.card
    assert bar.value() > 0
    assert card.visibleRegion().boundingRect() == card.rect()
    shared.controllers.results.dismiss()
    shared.resize(size)
