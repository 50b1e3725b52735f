"""Whatever belongs to older choices is dimmed in the turn in which these change, on every page."""

import numpy as np
import pytest
from PySide6.QtWidgets import QLabel

from app.pages.base.picture_stack import StaleState
from app.pages.clustering import page as clustering_page
from app.widgets.layouts import CurrentPageStack
from app.widgets.stale_overlay import StaleOverlay

pytestmark = pytest.mark.usefixtures("undrawn")


def stale_state_of(window):
    return window.body.pages[window.session.state.page].card.stale


def check(window):
    """Change epsilon: all is dim in the same turn, and as it is once the worker has answered."""
    assert window.wait_until_idle(30_000)
    stale = stale_state_of(window)
    assert not stale._overlay.is_drawn
    window.session.edit("change epsilon", epsilon=0.83)
    assert stale._overlay.is_drawn
    assert window.body.column.release._old_error.is_drawn == bool(window.body.column.release.error.text())
    assert window.wait_until_idle(30_000)
    assert not stale._overlay.is_drawn
    assert not stale.outdated & {window.body.pages[window.session.state.page].card.tab}
    assert not window.body.column.release._old_error.is_drawn


def test_curves_dim_at_once_and_no_longer_than_needed(shared):
    check(shared)


@pytest.mark.slow
def test_a_graph_dims_at_once_and_no_longer_than_needed(shared_graph):
    check(shared_graph)


def test_clusters_dim_at_once_and_no_longer_than_needed(shared_points):
    check(shared_points)


def test_a_preview_that_would_take_long_says_so_in_its_place(shared_points, monkeypatch):
    """A bound on work, not on time: pairs of outputs."""
    monkeypatch.setattr(clustering_page, "MAX_PAIRS", 100)
    window, page = shared_points, shared_points.body.pages["clustering"]
    window.session.edit("change epsilon", epsilon=0.01)
    assert window.wait_until_idle(30_000)
    assert "pairs of outputs" in page.card.waiting.text()
    assert page.card.pictures.currentWidget() is page.card.pictures.blank
    assert not page.card.stale._overlay.is_drawn
    assert window.body.column.release.error.text() == ""
    page.show_tab("data")
    assert window.wait_until_idle(30_000)
    assert page.card.pictures.currentWidget() is page.canvas


def test_an_older_answer_stays_dim(qtbot):
    pictures, waiting, words = CurrentPageStack(), QLabel("Wait"), QLabel("42")
    qtbot.addWidget(pictures)
    qtbot.addWidget(words)
    for widget in (waiting, QLabel("picture")):
        pictures.addWidget(widget)
    pictures.setCurrentIndex(1)
    stale = StaleState(pictures, waiting, words)
    stale.update("k")
    older, newer = object(), object()
    stale.newest = older
    stale.outdate(["k", "epsilon"])
    stale.accept(older, "k")
    stale.say(words, "41", older)
    assert stale._overlay.is_drawn
    assert stale._captions[words].is_drawn
    stale.newest = newer
    stale.accept(newer, "k")
    assert not stale._overlay.is_drawn
    assert stale.outdated == {"epsilon"}
    assert stale._captions[words].is_drawn
    stale.end()
    assert words.text() == ""
    assert not stale._captions[words].is_drawn
    pictures.setCurrentIndex(0)
    stale.update("epsilon")
    assert not stale._overlay.is_drawn


def test_a_veil_leaves_half_of_what_is_below_and_grows_with_it(qtbot):
    label = QLabel()
    label.setStyleSheet("background: black")
    qtbot.addWidget(label)
    label.resize(100, 40)
    label.show()
    overlay = StaleOverlay(label)
    overlay.draw(True)
    assert label.grab().toImage().pixelColor(10, 20).red() == 0  # what is replaced at once is not covered
    qtbot.waitUntil(overlay.isVisible)
    label.resize(200, 40)
    overlay._first.stop()
    image = label.grab().toImage()
    seen = np.array([image.pixelColor(x, 20).red() for x in (10, 190)])
    assert (abs(seen - 128) <= 3).all()
    overlay.show_progress(0.5)
    image = label.grab().toImage()
    assert image.pixelColor(50, 0) != image.pixelColor(150, 0)
    overlay.draw(False)
    assert label.grab().toImage().pixelColor(10, 20).red() == 0


def test_what_is_replaced_at_once_is_never_covered(qtbot):
    label = QLabel()
    qtbot.addWidget(label)
    label.show()
    overlay = StaleOverlay(label)
    overlay.draw(True)
    assert overlay.is_drawn
    overlay.draw(False)
    assert not overlay._soon.isActive()
    assert not overlay.is_drawn
    assert overlay.isHidden()
