"""The blue button does what the open page is about."""

import pytest
from PySide6.QtWidgets import QPushButton

from app.model.view_states import AuditChoice
from app.pages.audit.options_bar import AUDIT_HELP
from app.panels.release_panel import HIDDEN_ERROR

pytestmark = pytest.mark.usefixtures("undrawn")


def blue(window):
    """Return the visible primary buttons."""
    buttons = window.findChildren(QPushButton, "run")
    return [one for one in buttons if one.isVisible() and not one.property("secondary")]


def test_the_blue_button_audits_on_audit_and_never_makes_a_release(window):
    assert [one.text() for one in blue(window)] == ["&Run   Ctrl+R"]
    window.page.show_tab("audit")
    assert window.wait_until_idle()
    (button,) = blue(window)
    assert button.text() == "Aud&it   Ctrl+R"
    assert window.body.column.release.title.startswith("Audit the ")
    assert not window.page.card.audit.audit_button.isVisible()  # one button for one action
    window.page.card.audit.choose(AuditChoice(runs=1000))
    button.click()
    assert window.page.audit.running.busy
    assert not button.isEnabled()
    assert window.wait_until_idle()
    assert window.page.audit.result is not None
    assert window.session.state.releases == ()
    assert window.body.column.release.error_range.text() == f"{AUDIT_HELP}."
    first = window.page.audit.result
    action = window.actions_by_name["run"]
    assert (action.text(), action.toolTip()) == ("Aud&it", button.toolTip())
    action.trigger()
    assert window.wait_until_idle()
    second = window.page.audit.result
    assert second.request.choice.seed == first.request.choice.seed + 1  # the same seed would find the same
    window.page.card.audit.boxes["runs"].type_in("2000")
    assert window.body.column.release.error_range.text() == f"{AUDIT_HELP}."
    button.click()
    assert window.wait_until_idle()
    assert window.page.audit.result.request.choice.seed == second.request.choice.seed
    assert window.session.state.releases == ()


def test_back_on_a_picture_the_blue_button_runs(window):
    window.page.show_tab("audit")
    window.page.show_tab(window.page.declared.pictures[0].name)
    assert window.wait_until_idle()
    (button,) = blue(window)
    assert button.text() == "&Run   Ctrl+R"
    assert window.body.column.release.title.startswith("Release the ")
    button.click()
    assert window.wait_until_idle()
    assert len(window.session.state.releases) == 1


def test_without_forms_the_button_of_the_strip_audits(window):
    window.page.show_tab("audit")
    window.body.show_controls(False)
    assert window.wait_until_idle()
    assert [one.text() for one in blue(window)] == ["Audit"]
    assert not window.page.card.audit.audit_button.isVisible()
    window.controllers.appearance.present(True)
    assert window.wait_until_idle()
    assert [one.text() for one in blue(window)] == ["Audit"]  # takes no row above the picture
    assert not window.page.card.audit.audit_button.isVisible()
    window.session.show_page("compare")
    assert window.wait_until_idle()
    assert [one.text() for one in blue(window)] == ["Compare"]
    window.session.show_page("median")
    assert window.wait_until_idle()
    window.controllers.appearance.present(False)
    window.body.show_controls(True)


def test_the_blue_button_compares_on_compare(window):
    window.session.show_page("compare")
    assert window.wait_until_idle()
    (button,) = blue(window)
    assert button is window.page.tools.compare
    assert window.body.column.release.run.property("secondary")
    height = window.body.column.release.run.height()
    window.session.show_page(window.session.state.page)
    assert window.wait_until_idle()
    assert window.body.column.release.run.height() == height
    assert not window.body.column.release.run.property("secondary")


def test_the_release_view_says_where_the_expected_error_is(window):
    about = window.body.column.release.error_range
    assert HIDDEN_ERROR not in about.text()
    window.session.show_view("release")
    assert window.wait_until_idle()
    assert about.text() == f"{HIDDEN_ERROR}."
