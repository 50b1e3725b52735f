"""Exact counts are released only after the user has agreed, and everything says what is not promised."""

import dataclasses

import numpy as np
import pytest

from app.model.wording.not_dp import FOR_OTHERS, NO_MORE, NOT_DP, WARNING
from engine.mechanisms import ShiftedHistogram

pytestmark = pytest.mark.usefixtures("undrawn")


@pytest.fixture
def window(points_on):
    """Return a window on 300 points, of which a shifted histogram is asked."""
    rng = np.random.default_rng(1)
    return points_on(page="histogram", query="histogram-shifted", x=rng.random(300), y=rng.random(300))


def test_exact_counts_are_released_only_after_a_person_has_agreed(window):
    session = window.session
    assert window.body.column.release.run.isEnabled()
    window.controllers.run.start()
    dialog = window.controllers.confirmation.dialog
    assert dialog is not None
    assert session.state.releases == ()
    dialog.reject()
    assert window.wait_until_idle()
    assert (session.state.releases, window.controllers.confirmation.dialog) == ((), None)
    window.controllers.run.start()
    window.controllers.confirmation.dialog.agree_button.click()
    assert window.wait_until_idle()
    assert len(session.state.releases) == 1
    assert not session.state.releases[0].promises
    assert "it is not differentially private" in window.controllers.status.text()
    table = window.body.history.model
    assert [table.data(table.index(0, column)) for column in (4, 5, 6)] == ["∞", "", "Not DP"]
    assert NOT_DP in table.data(table.index(0, 0), 3)
    assert window.body.history.total.text() == NO_MORE
    # it asks again, until told not to
    window.controllers.run.start()
    window.controllers.confirmation.dialog.always.setChecked(True)
    window.controllers.confirmation.dialog.agree_button.click()
    assert window.wait_until_idle()
    window.controllers.run.start()
    assert window.controllers.confirmation.dialog is None
    assert window.wait_until_idle()
    assert len(session.state.releases) == 3


def test_the_forms_say_what_is_not_promised_and_take_it_back(window, monkeypatch):
    privacy = window.body.column.privacy
    assert privacy.none.text() == f"{WARNING} {FOR_OTHERS}"
    assert privacy.none.toolTip() == NOT_DP
    private = dataclasses.replace(ShiftedHistogram.facts, is_private=True)
    monkeypatch.setattr(ShiftedHistogram, "facts", private)
    window.session.set_parameter(40, "t")
    assert privacy.none.isHidden()
    assert "the odds of any outcome" in privacy.sentence.text()
    assert window.wait_until_idle()


def test_nothing_is_asked_while_something_is_wrong(window):
    window.session.set_parameter(1, "t")
    window.controllers.run.start()
    assert window.controllers.confirmation.dialog is None
    assert window.wait_until_idle()
