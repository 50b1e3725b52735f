"""A comparison out of sight shows nothing in the Release view, and is there again in the Curator view."""

import pytest
from compare_windows import compared

from app.pages.compare import page as compare
from app.widgets.plot_canvas import PlotCanvas

pytestmark = pytest.mark.usefixtures("undrawn", "in_this_process")


def test_a_hidden_comparison_shows_nothing_in_the_release_view(room):
    compared(room)
    page = room.page
    for tab in ("errors", "table"):
        page.show_tab(tab)
        assert room.wait_until_idle()
    room.session.show_page("median")
    assert room.wait_until_idle()
    assert page.card.table.model.rowCount()
    room.session.show_view("release")
    assert page.card.table.model.rowCount() == 0
    assert not any(canvas.has_result for canvas in page.findChildren(PlotCanvas))
    room.session.show_page("compare")
    assert room.wait_until_idle()
    assert page.card.waiting.text() == compare.PUBLIC
    room.session.show_page("median")
    room.session.show_view("curator")
    room.session.show_page("compare")
    assert room.wait_until_idle()
    page.show_tab("table")
    assert room.wait_until_idle()
    assert page.card.table.model.rowCount()
