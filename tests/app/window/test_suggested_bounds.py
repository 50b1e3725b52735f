"""Bounds that are suggested in the window: asked, paid and taken."""

import pytest

pytestmark = pytest.mark.usefixtures("undrawn")


def asked(window):
    window.actions_by_name["suggest_bounds"].trigger()
    return window.controllers.bounds.dialog


def test_bounds_are_paid_for_and_taken_and_undo_takes_back_the_bounds_alone(spending):
    before = spending.session.state.read_data
    dialog = asked(spending)
    dialog.lowest.type_in("-1e6")
    dialog.highest.type_in("1e6")
    dialog.epsilon.type_in("20")
    assert "It costs ε = 20" in dialog.cost.text()
    dialog.agree_button.click()
    assert spending.wait_until_idle()
    after = spending.session.state.read_data
    assert -1e6 < after.lower < after.upper < 1e6
    assert "20" in spending.body.history.total.text()
    spending.session.undo_stack.undo()
    assert spending.session.state.read_data.lower == before.lower
    assert "20" in spending.body.history.total.text()


def test_what_makes_no_sense_is_said_and_cannot_be_agreed_to(spending):
    dialog = asked(spending)
    dialog.epsilon.type_in("0.01")
    assert "too few" in dialog.warning.text()
    assert not dialog.agree_button.isEnabled()
    dialog.epsilon.type_in("1e-320")
    assert "at least 2e-09" in dialog.epsilon_row.problem
    assert not dialog.agree_button.isEnabled()
    dialog.epsilon.type_in("20")
    dialog.highest.type_in("-1e9")
    assert dialog.range_row.problem
    assert not dialog.agree_button.isEnabled()
    dialog.reject()
