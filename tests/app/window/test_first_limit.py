"""The question for a limit before the first release of a dataset that never had one."""

import pytest

from app.panels.release_questions import FirstLimitDialog

pytestmark = pytest.mark.usefixtures("undrawn", "asks_for_limit")


def asked(window):
    """Press Run, and return the question, if there is one."""
    window.controllers.confirmation.run()
    dialog = window.controllers.confirmation.dialog
    return dialog if isinstance(dialog, FirstLimitDialog) else None


@pytest.mark.parametrize(("epsilon", "limit"), [(3.0, 3.0), (None, None)])
def test_it_is_asked_once_and_kept(shared, epsilon, limit):
    assert shared.wait_until_idle()
    dialog = asked(shared)
    assert dialog is not None
    assert not shared.session.state.releases
    dialog.answers[epsilon].click()
    assert shared.wait_until_idle()
    assert len(shared.session.state.releases) == 1
    budget = shared.controllers.budget_watcher.budget
    assert (budget.limit and budget.limit.epsilon) == limit
    assert asked(shared) is None
    assert shared.wait_until_idle()
    assert len(shared.session.state.releases) == 2


def test_the_limits_that_are_offered_let_the_release_pass(shared):
    assert shared.wait_until_idle()
    shared.session.edit("epsilon", epsilon=2.0)
    assert shared.wait_until_idle()
    dialog = asked(shared)
    assert list(dialog.answers) == [3.0, 10.0, None]
    dialog.reject()


def test_who_cancels_releases_nothing_and_is_asked_again(shared):
    assert shared.wait_until_idle()
    asked(shared).reject()
    assert shared.wait_until_idle()
    assert not shared.session.state.releases
    assert asked(shared) is not None
    shared.controllers.confirmation.close()


def test_public_data_and_who_wants_no_questions_are_not_asked(shared):
    assert shared.wait_until_idle()
    shared.settings.change(ask="never")
    assert not shared.controllers.confirmation.wants_limit(shared.session.state)
    shared.settings.change(ask="over")
    assert shared.controllers.confirmation.wants_limit(shared.session.state)


def test_what_changes_while_the_limit_is_written_is_not_released(shared):
    assert shared.wait_until_idle()
    asked(shared).answers[3.0].click()
    shared.session.edit("change epsilon", epsilon=5.0)
    assert shared.wait_until_idle()
    assert not shared.session.state.releases
    assert shared.controllers.budget_watcher.budget.limit.epsilon == 3.0
    (told,) = shared.body.messages.texts()
    assert "the settings changed" in told


def test_no_limit_is_just_the_cost_of_the_release(shared):
    assert shared.wait_until_idle()
    shared.session.edit("epsilon", epsilon=3.0)
    assert shared.wait_until_idle()
    dialog = asked(shared)
    assert list(dialog.answers) == [10.0, 30.0, None]
    dialog.reject()
