"""Two pictures of a page beside each other: the same axes, epsilon, zoom and record; kept in the session."""

import pytest

from app.model.view_states import BesideViewState

pytestmark = pytest.mark.usefixtures("roughly_drawn")


@pytest.fixture
def both(shared):
    """Show the sensitivity against epsilon beside that against k; return window, page and second canvas."""
    page = shared.page
    page.beside.show("epsilon")
    assert shared.wait_until_idle()
    yield shared, page, page.beside.canvas
    page.card.split.wanted = None
    page.beside.show("")
    page.card.split.wanted = None


def limits(canvas, direction):
    return getattr(canvas.picture.axes, f"get_{direction}lim")()


def test_a_second_picture_has_the_same_axis_and_the_same_epsilon(both):
    window, page, beside = both
    assert beside.isVisible()
    assert beside.result.current_epsilon == 1.0
    assert limits(page.canvas, "y") == limits(beside, "y")  # both are sensitivities
    assert limits(page.canvas, "x") != limits(beside, "x")
    window.session.edit("change epsilon", epsilon=0.25)
    assert page.card.split.beside.freshness.is_dimmed
    assert window.wait_until_idle()
    assert beside.result.current_epsilon == 0.25
    assert not page.card.split.beside.freshness.is_dimmed
    assert limits(page.canvas, "y") == limits(beside, "y")


def test_zooming_one_axis_zooms_the_same_axis_beside(both):
    window, page, beside = both
    page.canvas.surface.picture.zoom.show_shares({"x": (0.0, 0.5), "y": (0.25, 0.75)})
    page.canvas.surface.zoomed.emit()
    assert beside.picture.zoom.shares == {"y": (0.25, 0.75)}
    page.canvas.reset_view()
    assert not beside.picture.zoom.active
    page.beside.show("")
    assert beside.picture.zoom.own_limits("y") == limits(beside, "y")
    assert window.wait_until_idle()


def test_two_mechanisms_stand_beside_each_other(both):
    window, page, _ = both
    page.show_tab("distribution")
    page.beside.show("distribution", "laplace")
    assert window.wait_until_idle()
    first, second = page.canvas, page.beside.canvas
    assert first is not second
    assert first.result.simulated[0] != second.result.simulated[0]
    assert limits(first, "x") == limits(second, "x")
    assert window.session.state.mechanism.name == "smooth"
    assert page.view_state.beside == BesideViewState("distribution", "laplace")
    page.beside.show("epsilon")
    page.show_tab("k")
    assert window.wait_until_idle()


def test_opening_the_tab_of_the_second_picture_swaps_them(both):
    window, page, _ = both
    page.show_tab("epsilon")
    assert window.wait_until_idle()
    assert (page.card.tab, page.card.split.beside.tab) == ("epsilon", "k")
    page.card.split.beside.swap.click()
    assert window.wait_until_idle()
    assert (page.card.tab, page.card.split.beside.tab) == ("k", "epsilon")


def test_the_release_view_shows_no_confidential_picture_beside(both):
    window, page, beside = both
    window.session.show_view("release")
    assert window.wait_until_idle()
    assert page.beside.canvas is None
    assert not beside.has_result
    window.session.show_view("curator")
    assert window.wait_until_idle()


def test_wide_windows_show_two_pictures_until_one_is_closed(shared):
    page = shared.page
    assert page.beside.canvas is None
    shared.resize(1700, 900)
    assert shared.wait_until_idle()
    assert page.beside.canvas.isVisible()
    assert page.view_state.beside == BesideViewState()
    page.card.split.beside.close_button.click()
    assert shared.wait_until_idle()
    assert page.beside.canvas is None
    page.restore_view_state(page.view_state)
    assert shared.wait_until_idle()
    assert page.beside.canvas is None  # as it was
    page.card.split.wanted = None
    shared.resize(1280, 800)
    assert shared.wait_until_idle()
    assert page.beside.canvas is None
