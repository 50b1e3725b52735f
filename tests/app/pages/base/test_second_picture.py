"""Two pictures of a page beside each other: the same axes, epsilon, zoom and record; kept in the session."""

import pytest
from PySide6.QtWidgets import QWidget

from app.model.view_states import BesideViewState
from app.pages.base.picture_stack import SecondPanel

pytestmark = pytest.mark.usefixtures("roughly_drawn")

PATIENCE = 60_000
"""Milliseconds; on a busy machine."""


@pytest.fixture
def both(shared):
    """Show the sensitivity against epsilon beside that against k; return window, page and second canvas."""
    page = shared.page
    page.second.show("epsilon")
    assert shared.wait_until_idle()
    yield shared, page, page.second.canvas
    page.card.split.wanted = None
    page.second.show("")
    page.card.split.wanted = None


def limits(canvas, direction):
    return getattr(canvas.picture.axes, f"get_{direction}lim")()


@pytest.mark.slow
def test_a_second_picture_has_the_same_axis_and_the_same_epsilon(both):
    window, page, beside = both
    assert beside.isVisible()
    assert beside.result.current_epsilon == 1.0
    assert limits(page.canvas, "y") == limits(beside, "y")  # both are sensitivities
    assert limits(page.canvas, "x") != limits(beside, "x")
    window.session.edit("change epsilon", epsilon=0.25)
    assert page.card.split.second.stale._overlay.is_drawn
    assert window.wait_until_idle()
    assert beside.result.current_epsilon == 0.25
    assert not page.card.split.second.stale._overlay.is_drawn
    assert limits(page.canvas, "y") == limits(beside, "y")


def test_zooming_one_axis_zooms_the_same_axis_beside(both):
    window, page, beside = both
    page.canvas.surface.picture.zoom.show_shares({"x": (0.0, 0.5), "y": (0.25, 0.75)})
    page.canvas.surface.zoomed.emit()
    assert beside.picture.zoom.shares == {"y": (0.25, 0.75)}
    page.canvas.reset_view()
    assert not beside.picture.zoom.active
    page.second.show("")
    assert beside.picture.zoom.own_limits("y") == limits(beside, "y")
    assert window.wait_until_idle()


@pytest.mark.slow
def test_two_mechanisms_stand_beside_each_other(both):
    window, page, _ = both
    page.show_tab("distribution")
    page.second.show("distribution", "laplace")
    assert window.wait_until_idle()
    first, second = page.canvas, page.second.canvas
    assert first is not second
    assert first.result.simulated[0] != second.result.simulated[0]
    assert limits(first, "x") == limits(second, "x")
    assert window.session.state.mechanism.name == "smooth"
    assert page.view_state.beside == BesideViewState("distribution", "laplace")
    page.second.show("epsilon")
    page.show_tab("k")
    assert window.wait_until_idle()


@pytest.mark.slow
def test_opening_the_tab_of_the_second_picture_swaps_them(both):
    window, page, _ = both
    page.show_tab("epsilon")
    assert window.wait_until_idle()
    assert (page.card.tab, page.card.split.second.tab) == ("epsilon", "k")
    page.card.split.second.swap.click()
    assert window.wait_until_idle()
    assert (page.card.tab, page.card.split.second.tab) == ("k", "epsilon")


def test_the_release_view_shows_no_confidential_picture_beside(both):
    window, page, beside = both
    window.session.show_view("release")
    assert window.wait_until_idle()
    assert page.second.canvas is None
    assert not beside.has_result
    window.session.show_view("curator")
    assert window.wait_until_idle()


def test_wide_windows_show_two_pictures_until_one_is_closed(shared):
    page = shared.page
    assert page.second.canvas is None
    shared.resize(1700, 900)
    assert shared.wait_until_idle()
    assert page.second.canvas.isVisible()
    assert page.view_state.beside == BesideViewState()
    page.card.split.second.close_button.click()
    assert shared.wait_until_idle()
    assert page.second.canvas is None
    page.restore_view_state(page.view_state)
    assert shared.wait_until_idle()
    assert page.second.canvas is None  # as it was
    page.card.split.wanted = None
    shared.resize(1280, 800)
    assert shared.wait_until_idle()
    assert page.second.canvas is None


@pytest.fixture
def audited(both):
    """Let audits draw few releases; return window and page."""
    window, page, _ = both
    chosen = page.card.audit.choice
    page.card.audit.choose(chosen.but(runs=1000))
    yield window, page
    page.show_tab("k")
    page.card.audit.choose(chosen, "outcomes")
    page.card.audit.prior_row.fields["prior"].box.setValue(50)
    page.second.show("epsilon")
    assert window.wait_until_idle(PATIENCE)


@pytest.mark.slow
def test_an_audit_stands_beside_another_picture_and_follows_epsilon(audited):
    window, page = audited
    page.second.show("audit outcomes")
    assert window.wait_until_idle(PATIENCE)
    panel = page.card.split.second
    first = page.second.canvas.result.run.audit
    assert (first.privacy.epsilon, first.runs) == (1.0, 1000)
    assert panel.caption.text().startswith("Consistent with ")
    window.session.edit("change epsilon", epsilon=0.25)
    assert window.wait_until_idle(PATIENCE)
    assert page.second.canvas.result.run.audit.privacy.epsilon == 0.25
    assert not panel.stale._overlay.is_drawn
    page.card.audit.prior_row.fields["prior"].box.setValue(90)
    assert page.second.canvas.result.prior == 0.9
    window.session.edit("change epsilon", epsilon=1.0)


@pytest.mark.slow
def test_audits_of_two_mechanisms_stand_beside_each_other(audited):
    window, page = audited
    page.audit.want()
    page.show_tab("audit")
    page.second.show("audit outcomes", "laplace")
    assert window.wait_until_idle(PATIENCE)
    smooth, laplace = page.canvas.result.run, page.second.canvas.result.run
    assert smooth is not laplace
    assert "laplace" not in page.audit.result.request.setup.mechanism.name
    assert laplace.audit.runs == smooth.audit.runs
    page.second.show("audit outcomes")


@pytest.mark.slow
def test_two_pictures_of_one_audit_show_what_was_found_once(audited):
    window, page = audited
    page.show_tab("audit")
    page.card.audit.choose(page.card.audit.choice.but(seed=7))
    page.second.show("audit trade-off")
    assert window.wait_until_idle(PATIENCE)
    assert "Audit draws 1" in page.card.split.second.pictures.waiting.text()
    page.audit.start()
    assert window.wait_until_idle(PATIENCE)
    assert page.second.canvas.result.run is page.canvas.result.run
    page.card.audit.segments.chosen.emit("trade-off")
    assert window.wait_until_idle(PATIENCE)
    assert page.card.picture_name == "audit trade-off"
    assert page.card.split.second.tab == "audit guess-who"
    page.show_tab("k")
    page.card.split.second.swap.click()
    assert window.wait_until_idle(PATIENCE)
    assert (page.card.tab, page.card.split.second.tab) == ("audit", "k")


@pytest.mark.slow
def test_the_release_view_shows_beside_what_an_audit_of_public_neighbours_finds(audited):
    window, page = audited
    page.second.show("audit outcomes")
    window.session.show_view("release")
    assert window.wait_until_idle(PATIENCE)
    assert not page.second.canvas.private
    assert page.second.canvas.has_result
    window.session.show_view("curator")
    assert window.wait_until_idle(PATIENCE)


def test_a_wide_window_starts_no_audit_unasked(shared_points):
    window, page = shared_points, shared_points.page
    window.resize(1920, 1080)
    page.show_tab("release")
    assert window.wait_until_idle(PATIENCE)
    assert not page.second.panel.isHidden()
    window.session.show_view("release")  # which leaves but one picture and the audit
    assert window.wait_until_idle(PATIENCE)
    assert page.second.panel.isHidden()
    window.resize(1280, 800)


def test_words_below_a_second_picture_take_no_room_from_it(qtbot):
    panel, table = SecondPanel({}, lambda _: None), QWidget()
    qtbot.addWidget(panel)
    table.setMinimumHeight(200)
    panel.pictures.add_other("table", table)
    panel.choose("table", "")
    panel.show_other()
    panel.say("one two three four " * 20)
    panel.resize(300, 600)
    panel.show()
    needed = panel.head_height + 200 + panel.caption.heightForWidth(300)
    assert panel.caption.heightForWidth(300) > 40
    qtbot.waitUntil(lambda: panel.minimumSizeHint().height() >= needed)
