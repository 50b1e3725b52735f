"""The budget in the window: it cannot be forgotten, passed unasked or given back."""

import os
import threading

import pytest
from budgets import account, beside_run, limited, run, spend
from loading import load
from PySide6.QtCore import QFileSystemWatcher
from PySide6.QtWidgets import QDialogButtonBox
from same_data import VARIANTS

from app.jobs.channels import Jobs
from app.model.kept_data import read_file
from app.model.ledger import LazyLedger
from app.model.state import SessionState
from app.session import Session
from app.window import budget_watcher
from app.window.budget_watcher import BudgetWatcher, change_ledger
from engine.data import digest_of
from engine.data.reading_options import DETECTED
from engine.ledger import Ledger, Limit
from engine.ledger import account as paying
from engine.mechanisms import SmoothRelease
from engine.privacy import Privacy
from engine.progress import silent
from engine.randomness import secure

pytestmark = pytest.mark.usefixtures("undrawn")


def test_what_was_spent_is_seen_in_the_next_session_and_by_others(spending, ledger_file, window_of):
    run(spending)
    [entry] = account(spending, Ledger(ledger_file)).entries()
    value = spending.session.state.releases[-1].release.value
    assert (entry.state, entry.value, entry.cost.privacy) == ("spent", value, Privacy(1.0))
    assert entry.about["release"] == "median"
    assert entry.about["place"] == "column x"
    again = Session(ledger=LazyLedger(ledger_file))
    load(again, spending.session.state.dataset, "x", 0.0, 100.0)
    next_window = window_of(again)
    assert again.state.releases == ()
    assert next_window.body.history.total.whole == "spent ε = 1 · no limit"
    assert next_window.session.state.epsilon == SessionState().epsilon
    [record] = next_window.body.history.model.records
    assert (record.release.value, record.release.privacy, record.subject) == (value, Privacy(1.0), "x")
    next_window.body.history.record_chosen.emit(record)
    card = next_window.controllers.results.card
    assert card.isVisible()
    assert not card.report.isVisibleTo(card)  # a report is about this session
    run(next_window)
    assert next_window.body.history.model.rowCount() == 2
    assert next_window.session.ledger.account("sha256:of other data").entries() == []


@pytest.mark.slow
def test_the_same_data_in_another_file_are_the_same_dataset_and_its_digest_is_not_shown(window_of, tmp_path):
    for name, write in VARIANTS.items():
        write(tmp_path / name)
    first, *others = (read_file("median", tmp_path / name, DETECTED, silent).dataset for name in VARIANTS)
    assert {other.digest for other in others} == {first.digest}
    assert not any(digest in repr(first) for digest in (first.digest, first.former))
    session = Session(ledger=LazyLedger(tmp_path / "ledger.sqlite"))
    load(session, first, "score", 0.0, 10.0)
    window = window_of(session)
    run(window)
    parquet = next(other for other in others if other.title == "Parquet")
    load(session, parquet, "score", 0.0, 10.0)
    assert window.wait_until_idle()
    assert window.body.history.total.whole == "spent ε = 1 · no limit"


@pytest.mark.slow
def test_what_older_versions_kept_under_the_bytes_is_carried_over(window_of, ledger_file, tmp_path):
    (tmp_path / "a.csv").write_text("x\n1\n2\n", "utf-8")
    dataset = read_file("median", tmp_path / "a.csv", DETECTED, silent).dataset
    spend(Ledger(ledger_file).account(digest_of(tmp_path / "a.csv"), "a.csv"), 0.75)
    session = Session(ledger=LazyLedger(ledger_file))
    load(session, dataset, "x", 0.0, 100.0)
    assert window_of(session).body.history.total.whole == "spent ε = 0.75 · no limit"
    (tmp_path / "b.csv").write_text("x\n2\n1\n", "utf-8")
    other = read_file("median", tmp_path / "b.csv", DETECTED, silent).dataset
    assert len(other.account_in(Ledger(ledger_file)).entries()) == 1


@pytest.mark.skipif(os.name != "posix", reason="rights are told by other means")
def test_a_ledger_that_others_can_write_to_is_named(spending, ledger_file):
    run(spending)
    ledger_file.chmod(0o666)
    spending.controllers.budget_watcher.refresh()
    assert spending.wait_until_idle()
    assert spending.body.history.total.whole.endswith(" · other users can write to the ledger")
    assert f"{ledger_file}: others can write" in spending.body.history.total.toolTip()


def test_undo_gives_nothing_back(spending):
    spending.session.edit("epsilon", epsilon=0.5)
    run(spending)
    while spending.session.undo_stack.canUndo():
        spending.session.undo_stack.undo()
    spending.controllers.budget_watcher.refresh()
    assert spending.wait_until_idle()
    assert spending.body.history.total.whole == "spent ε = 0.5 · no limit"


def test_a_limit_is_told_beside_run_and_only_the_user_passes_it(spending, ledger_file):
    run(spending)
    limited(spending, Limit(1.5))
    assert spending.body.history.total.whole == "ε = 1 of 1.5"
    assert not spending.body.history.bar.isHidden()
    assert beside_run(spending) == "Run would pass the limit: ε = 2 of 1.5."
    assert spending.body.column.release.run.isEnabled()
    run(spending)
    dialog = spending.controllers.confirmation.dialog
    assert dialog.sums.text().splitlines() == [
        "Used so far: ε = 1",
        "This release: ε = 1",
        "Together: ε = 2; the limit is ε = 1.5",
    ]
    assert dialog.buttons.button(QDialogButtonBox.StandardButton.Cancel).isDefault()
    dialog.reject()
    assert spending.controllers.status.text() == "Cancelled; nothing was released or spent"
    assert spending.wait_until_idle()
    assert spending.controllers.confirmation.dialog is None
    assert len(spending.session.state.releases) == 1
    run(spending)
    spending.controllers.confirmation.dialog.agree_button.click()
    assert spending.wait_until_idle()
    assert [entry.over for entry in account(spending, Ledger(ledger_file)).entries()] == [False, True]
    assert spending.body.history.total.whole == "ε = 2 of 1.5 · over the limit"
    assert "133 % of the limit" in spending.body.history.bar.accessibleDescription().replace("133%", "133 %")
    spending.session.edit("epsilon", epsilon=0.25)
    limited(spending, Limit(2.5))
    assert beside_run(spending) == ""
    spending.session.edit("epsilon", epsilon=0.75)
    assert spending.wait_until_idle()
    assert "ε = 2.75 of 2.5" in beside_run(spending)


def test_over_the_limit_the_rest_can_be_used(spending, ledger_file):
    run(spending)
    limited(spending, Limit(1.5))
    run(spending)
    dialog = spending.controllers.confirmation.dialog
    rest = next(answer for answer in dialog.answers if answer is not None)
    assert rest == 0.5
    dialog.answers[rest].click()
    assert spending.wait_until_idle()
    assert spending.session.state.epsilon == 0.5
    spent = [
        (entry.cost.privacy.epsilon, entry.over) for entry in account(spending, Ledger(ledger_file)).entries()
    ]
    assert spent == [(1.0, False), (0.5, False)]
    run(spending)
    assert list(spending.controllers.confirmation.dialog.answers) == [None]
    spending.controllers.confirmation.close()


def test_what_is_asked_is_released_whatever_was_chosen_since(spending, ledger_file):
    limited(spending, Limit(0.5))
    run(spending)
    dialog = spending.controllers.confirmation.dialog
    spending.session.edit("epsilon", epsilon=7.0)
    dialog.agree_button.click()
    assert spending.wait_until_idle()
    assert [entry.cost.privacy.epsilon for entry in account(spending, Ledger(ledger_file)).entries()] == [1.0]


def test_another_program_may_spend_in_the_meantime(spending, ledger_file, monkeypatch):
    limited(spending, Limit(1.5))
    assert beside_run(spending) == ""
    other = account(spending, Ledger(ledger_file))

    def late():
        raise AssertionError("nothing may be drawn")

    # between the first look and the draw, as work on the data takes its time
    prepare, taken = SmoothRelease.prepare, []

    def meanwhile(self, *given):
        if not taken:
            taken.append(spend(other, 1.0))
            monkeypatch.setattr(paying, "secure", late)
        return prepare(self, *given)

    monkeypatch.setattr(SmoothRelease, "prepare", meanwhile)
    run(spending)
    assert "Used so far: ε = 1\n" in spending.controllers.confirmation.dialog.sums.text()
    assert spending.session.state.releases == ()
    assert len(other.entries()) == 1
    # and what the other one has spent is seen here
    assert spending.body.history.total.whole == "ε = 1 of 1.5"


def test_a_change_of_the_file_is_noticed(qtbot, session, ledger_file):
    session.ledger = LazyLedger(ledger_file)
    jobs = Jobs(session)
    watcher = BudgetWatcher(session, jobs)
    watcher.start()
    qtbot.waitUntil(lambda: watcher.budget is not None)
    assert watcher.budget.spent is None
    dataset = session.state.dataset
    with qtbot.waitSignal(watcher.changed):
        spend(Ledger(ledger_file).account(dataset.digest), 0.5)
    qtbot.waitUntil(lambda: watcher.budget.spent is not None)
    assert watcher.budget.spent.basic == Privacy(0.5)
    jobs.close()
    ended = []
    watcher.findChild(QFileSystemWatcher).destroyed.connect(lambda: ended.append(True))
    watcher.end()
    assert ended


def test_what_is_spent_while_a_limit_is_being_written_is_seen(qtbot, session, ledger_file, monkeypatch):
    session.ledger = LazyLedger(ledger_file)
    jobs, written, spent = Jobs(session), threading.Event(), threading.Event()
    watcher = BudgetWatcher(session, jobs)
    watcher.start()
    qtbot.waitUntil(lambda: watcher.budget is not None)

    def write_and_wait(*given):
        budget = change_ledger(*given)
        written.set()
        assert spent.wait(60)
        return budget

    monkeypatch.setattr(budget_watcher, "change_ledger", write_and_wait)
    watcher.set_limit(Limit(5.0))
    assert written.wait(60)
    spend(Ledger(ledger_file).account(session.state.dataset.digest), 0.5)
    watcher.refresh()
    qtbot.waitUntil(lambda: watcher.budget.spent is not None)
    spent.set()
    qtbot.waitUntil(lambda: not jobs.busy)
    assert watcher.budget.spent is not None
    watcher.end()
    jobs.close()


def test_a_release_that_is_cancelled_while_it_is_made_costs_nothing(spending, ledger_file, monkeypatch):
    def cancelling():
        spending.controllers.releases.channel.cancel()
        return secure()

    monkeypatch.setattr(paying, "secure", cancelling)
    run(spending)
    [entry] = account(spending, Ledger(ledger_file)).entries()
    assert (entry.state, entry.value) == ("void", None)
    assert spending.session.state.releases == ()
    assert "nothing was released or spent" in spending.controllers.status.text()
    assert "no budget used" in spending.body.history.total.whole


def test_a_ledger_that_cannot_be_used_stops_releases_and_nothing_else(spending, ledger_file, monkeypatch):
    ledger_file.unlink()
    ledger_file.mkdir()
    monkeypatch.setattr(paying, "secure", lambda: pytest.fail("nothing may be drawn"))
    spending.session.ledger = LazyLedger(ledger_file)
    spending.controllers.budget_watcher.refresh()
    assert spending.wait_until_idle()
    assert spending.body.history.total.whole.startswith("Nothing can be released: ")
    assert "a folder" in spending.body.history.total.toolTip()
    run(spending)
    [message] = spending.body.messages.texts()
    assert str(ledger_file) in message
    assert message.endswith("nothing was released")
    assert "\n" not in message
    assert spending.session.state.releases == ()
    spending.controllers.budget.show()
    assert spending.wait_until_idle()
    assert spending.controllers.budget.dialog.aside_button.isHidden()


def test_a_damaged_ledger_is_set_aside_by_the_user_alone_and_the_window_goes_on_saying_so(
    spending, ledger_file
):
    run(spending)
    content = ledger_file.read_bytes()
    ledger_file.write_bytes(content[: len(content) // 2])
    spending.controllers.budget_watcher.refresh()
    assert spending.wait_until_idle()
    assert (
        spending.body.history.total.whole == "Nothing can be released: the ledger of this computer is damaged"
    )
    run(spending)
    assert len(spending.session.state.releases) == 1
    assert "nothing was released" in spending.body.messages.texts()[0]
    spending.controllers.budget.show()
    assert spending.wait_until_idle()
    dialog = spending.controllers.budget.dialog
    dialog.aside_button.click()
    asking = spending.controllers.budget.question
    assert asking.cancel_button.isDefault()
    asking.reject()
    assert ledger_file.read_bytes() == content[: len(content) // 2]
    dialog.aside_button.click()
    spending.controllers.budget.question.agree_button.click()
    assert spending.wait_until_idle()
    assert spending.body.messages.texts() == []
    [aside] = ledger_file.parent.glob("ledger.sqlite.damaged-*")
    assert aside.read_bytes() == content[: len(content) // 2]
    words = "no budget used yet · started again: earlier spending is not counted"
    assert spending.body.history.total.whole == words
    assert str(aside) in dialog.problem.text()
    run(spending)
    assert "started again" in spending.body.history.total.whole
    assert Ledger(ledger_file).begun_after == str(aside)
