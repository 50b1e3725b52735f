"""Data that resemble others with an account are asked about before their first release."""

import numpy as np
import pytest
from budgets import run, spend
from loading import load

from app.model.kept_data import read_file
from app.model.ledger import LazyLedger
from app.panels.release_questions import FirstLimitDialog
from engine.data.reading_options import DETECTED
from engine.ledger import Ledger
from engine.progress import silent

pytestmark = pytest.mark.usefixtures("undrawn")

CELLS = [f"{x:.3f},{y:.3f}" for x, y in np.random.default_rng(1).normal(size=(300, 2))]


def opened(path, lines, name):
    (path / name).write_text("\n".join([f"x,{name[0]}", *lines]), "utf-8")
    return read_file("median", path / name, DETECTED, silent).dataset


@pytest.fixture
def people(tmp_path):
    return opened(tmp_path, CELLS, "people.csv")


@pytest.fixture
def similar(spending, people, ledger_file, tmp_path):
    """A window on half of the people, with another name of a column; 0.75 was spent on all of them."""
    spend(people.account_in(Ledger(ledger_file)), 0.75)
    load(spending.session, opened(tmp_path, CELLS[:150], "half.csv"), "x", -5.0, 5.0)
    assert spending.wait_until_idle()
    return spending


def question(window):
    return window.controllers.confirmation.similar_data.dialog


def spent(dataset, ledger_file):
    return [entry.cost.privacy.epsilon for entry in dataset.account_in(Ledger(ledger_file)).entries()]


def test_the_same_data_pay_from_one_budget(similar, people, ledger_file):
    run(similar)
    dialog = question(similar)
    assert dialog.spent.text() == "On people.csv, ε = 0.75 was spent."
    assert dialog.same_button.isDefault()
    assert dialog.isModal()
    assert similar.session.state.releases == ()
    dialog.same_button.click()
    assert similar.wait_until_idle()
    assert question(similar) is None
    assert len(similar.session.state.releases) == 1
    assert similar.body.history.total.whole == "spent ε = 1.75 · no limit"
    assert spent(people, ledger_file) == [0.75, 1.0]
    run(similar)
    assert spent(people, ledger_file) == [0.75, 1.0, 1.0]


@pytest.mark.slow
def test_other_data_have_a_budget_of_their_own(similar, people, ledger_file):
    run(similar)
    question(similar).other_button.click()
    assert similar.wait_until_idle()
    assert similar.body.history.total.whole == "spent ε = 1 · no limit"
    similar.session.ledger = LazyLedger(ledger_file)
    run(similar)
    assert question(similar) is None
    assert spent(similar.session.state.dataset, ledger_file) == [1.0, 1.0]
    assert spent(people, ledger_file) == [0.75]


def test_who_cancels_releases_nothing_and_is_asked_again(similar, ledger_file):
    run(similar)
    question(similar).reject()
    assert similar.controllers.status.text() == "Cancelled; nothing was released or spent"
    run(similar)
    assert question(similar) is not None
    # what is asked about is not on the screen any more
    similar.session.edit("epsilon", epsilon=0.5)
    assert question(similar) is None
    assert spent(similar.session.state.dataset, ledger_file) == []


def test_what_changes_while_the_answer_is_written_is_not_released(similar, people, ledger_file):
    run(similar)
    question(similar).same_button.click()
    similar.session.edit("epsilon", epsilon=5.0)
    assert similar.wait_until_idle()
    assert similar.session.state.releases == ()
    [told] = similar.body.messages.texts()
    assert "Nothing was released, because the settings changed" in told
    assert spent(similar.session.state.dataset, ledger_file) == [0.75]


@pytest.mark.slow
def test_it_is_asked_whatever_the_window_knows(similar, people, ledger_file, monkeypatch):
    monkeypatch.setattr(similar.controllers.budget_watcher, "budget", None)
    run(similar)
    assert similar.session.state.releases == ()
    question(similar).same_button.click()
    assert similar.wait_until_idle()
    assert spent(people, ledger_file) == [0.75, 1.0]


@pytest.mark.usefixtures("asks_for_limit")
def test_a_limit_is_asked_for_only_once_it_is_known_which_data_they_are(similar):
    run(similar)
    question(similar).other_button.click()
    assert isinstance(similar.controllers.confirmation.dialog, FirstLimitDialog)
    similar.controllers.confirmation.close()


def test_public_data_are_never_asked_about(similar, ledger_file, tmp_path, people):
    session = similar.session
    session.edit("call public", published=frozenset({session.state.dataset.content}))
    run(similar)
    assert question(similar) is None
    assert spent(session.state.dataset, ledger_file) == [1.0]
    # and nothing is kept of them
    other = opened(tmp_path, CELLS[:140], "other.csv").account_in(Ledger(ledger_file))
    assert [each.title for each in other.similar()] == ["people.csv"]


def test_bounds_are_suggested_once_it_is_known_which_data_they_are(similar, people, ledger_file):
    similar.actions_by_name["suggest_bounds"].trigger()
    dialog = similar.controllers.bounds.dialog
    dialog.lowest.type_in("-1e6")
    dialog.highest.type_in("1e6")
    dialog.epsilon.type_in("20")
    dialog.agree_button.click()
    assert similar.wait_until_idle()
    assert spent(people, ledger_file) == [0.75]
    similar.controllers.bounds.similar_data.dialog.same_button.click()
    assert similar.wait_until_idle()
    assert spent(people, ledger_file) == [0.75, 20.0]
    assert similar.session.state.read_data.upper < 1e6
