"""Comparing data that the user calls public, and two pictures of one comparison."""

import pytest
from compare_windows import compared

from app.pages.compare import page as compare
from app.pages.compare import results

pytestmark = pytest.mark.usefixtures("undrawn", "in_this_process")


def test_the_release_view_compares_data_that_the_user_calls_public(room):
    compared(room)
    page, action = room.page, room.actions_by_name["public_data"]
    room.session.show_view("release")
    action.trigger()
    dialog = room.controllers.public_data.dialog
    assert "everyone may see every record" in dialog.sentences[0].text()
    assert not action.isChecked()  # nothing is said yet
    dialog.answers["public"].click()
    assert action.isChecked()
    compared(room)
    assert page.canvas.has_result
    page.show_tab("table")
    assert room.wait_until_idle()
    assert page.table[0] == "comparison"
    assert not page.card.badge.isVisible()
    room.session.stacks.undo()
    assert room.wait_until_idle()
    assert not action.isChecked()
    assert page.card.waiting.text() == compare.PUBLIC
    assert page.table is None


@pytest.mark.slow
def test_two_pictures_of_one_comparison_stand_beside_each_other(room):
    compared(room)
    page = room.page
    room.actions_by_name["split"].trigger()
    assert room.wait_until_idle()
    second = page.second.canvas
    assert page.second.panel.tab == "frontier"
    assert second.result is page.canvas.result
    page.show_tab("frontier")
    assert room.wait_until_idle()
    assert page.second.panel.tab == "errors"
    assert page.view_state.beside.tab == "errors"
    room.session.show_view("release")
    assert room.wait_until_idle()
    assert page.second.canvas is None
    assert not second.has_result
    room.session.show_view("curator")
    assert room.wait_until_idle()
    assert page.second.canvas is not None
    page.second.show("")
    page.card.split.wanted = None
    page.show_tab("errors")


@pytest.mark.slow
def test_the_table_and_the_search_for_epsilon_can_be_second(room):
    compared(room)
    page, panel = room.page, room.page.second.panel
    page.second.show("table")
    assert room.wait_until_idle()
    assert page.card.second_table.isVisible()
    fitting = [outcome for outcome in page.compared.outcomes if not outcome.problem]
    assert page.card.second_table.model.rowCount() == len(fitting)
    page.show_tab("table")
    assert room.wait_until_idle()
    assert (page.card.tab, panel.tab) == ("table", "errors")
    page.second.show("needed")
    assert room.wait_until_idle()
    assert not page.card.needed.isVisible()  # its tab has its fields, and the button
    assert panel.pictures.waiting.text() == results.SEARCH
    page.show_tab("needed")
    assert room.wait_until_idle()
    assert (page.card.tab, panel.tab) == ("needed", "table")
    page.card.needed.within.edited.emit(20.0, False)
    page.tools.compare.click()
    assert room.wait_until_idle(60_000)
    page.show_tab("errors")
    page.second.show("needed")
    assert room.wait_until_idle()
    assert page.second.canvas.result is page.seen.needed.view
    page.second.show("")
    page.card.split.wanted = None
    page.show_tab("errors")
