"""Comparing data that the user calls public: also in the Release view."""

from compare_windows import compared

from app.pages.compare import page as compare


def test_the_release_view_compares_data_that_the_user_calls_public(room):
    compared(room)
    page, action = room.page, room.actions_by_name["public_data"]
    room.session.show_view("release")
    action.trigger()
    dialog = room.controllers.public_data.asking.dialog
    assert "everyone may see every record" in dialog.words[0].text()
    assert not action.isChecked()  # nothing is said yet
    dialog.answers["public"].click()
    assert action.isChecked()
    compared(room)
    assert page.canvas.has_result
    page.show_tab("table")
    assert room.wait_until_idle()
    assert page.table[0] == "comparison"
    room.session.stacks.undo()
    assert room.wait_until_idle()
    assert not action.isChecked()
    assert page.card.waiting.text() == compare.PUBLIC
    assert page.table is None
