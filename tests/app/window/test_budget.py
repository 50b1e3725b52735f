"""The budget in the window: it cannot be forgotten, passed unasked or given back."""

import csv

import pytest
from loading import load
from PySide6.QtCore import QFileSystemWatcher, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QDialogButtonBox

from app.jobs.channels import Jobs
from app.model.lazy_ledger import LazyLedger
from app.model.loading import read_file
from app.session import Session
from app.window import release_controller as releasing
from app.window.budget_watcher import BudgetWatcher
from engine.ledger import Cost, Ledger, Limit
from engine.mechanisms.release import Private, Release
from engine.primitives.accounting import Concentrated
from engine.privacy import NO_PROMISE, Privacy
from engine.progress import silent
from engine.randomness import secure


@pytest.fixture
def path(tmp_path):
    return tmp_path / "ledger.sqlite"


@pytest.fixture
def window(shared, path):
    """Lend a window whose releases are written into a file."""
    shared.session.ledger = LazyLedger(path)
    shared.budget.refresh()
    assert shared.wait_until_idle()
    yield shared
    for dialog in (shared.budgeting.asking, shared.budgeting.dialog, shared.overspending.dialog):
        if dialog is not None:
            dialog.close()
    shared.session.edit("epsilon", epsilon=1.0)


def account(window, ledger):
    dataset = window.session.state.dataset
    return ledger.account(dataset.digest, dataset.title)


def limited(window, limit):
    window.budget.set_limit(limit)
    assert window.wait_until_idle()


def run(window):
    window.run()
    assert window.wait_until_idle()


def spend(account, epsilon):
    """Spend as another program would."""
    release = Release("smooth", "median", 1.0, Privacy(epsilon), {}, {}, None, False, Private({}))
    cost = Cost(Privacy(epsilon), Concentrated(epsilon**2 / 2), "replace-one")
    account.spend(cost, {"release": "median"}, lambda: release)


def beside_run(window):
    return window.release.over.text()


def test_what_was_spent_is_seen_in_the_next_session_and_by_others(window, path, window_of):
    run(window)
    [entry] = account(window, Ledger(path)).entries()
    value = window.session.state.releases[-1].release.value
    assert (entry.state, entry.value, entry.cost.privacy) == ("spent", value, Privacy(1.0))
    assert entry.about["release"] == "median"
    assert entry.about["place"] == "column x"
    again = Session(ledger=LazyLedger(path))
    load(again, window.session.state.dataset, "x", 0.0, 100.0)
    next_window = window_of(again)
    assert again.state.releases == ()
    assert next_window.history.total.whole == "spent ε = 1 · no limit"
    assert "in this session" in next_window.history.empty.text()
    assert next_window.session.ledger.account("sha256:of other data").entries() == []


def test_a_copy_under_another_name_is_the_same_dataset_and_its_digest_is_not_shown(tmp_path):
    for name in ("a.csv", "b.csv"):
        (tmp_path / name).write_text("x\n1\n2\n", "utf-8")
    first, second = (read_file("median", tmp_path / name, silent).dataset for name in ("a.csv", "b.csv"))
    assert first.digest == second.digest
    assert first.digest not in repr(first)


def test_undo_gives_nothing_back(window):
    window.session.edit("epsilon", epsilon=0.5)
    run(window)
    while window.session.undo_stack.canUndo():
        window.session.undo_stack.undo()
    window.budget.refresh()
    assert window.wait_until_idle()
    assert window.history.total.whole == "spent ε = 0.5 · no limit"


def test_a_limit_is_told_beside_run_and_only_a_person_passes_it(window, path):
    run(window)
    limited(window, Limit(1.5))
    assert window.history.total.whole == "ε = 1 of 1.5"
    assert not window.history.bar.isHidden()
    assert beside_run(window) == "Run would pass the limit: ε = 2 of 1.5."
    assert window.release.run.isEnabled()
    run(window)
    dialog = window.overspending.dialog
    assert dialog.words.text().splitlines() == [
        "Spent so far: ε = 1",
        "This release: ε = 1",
        "Together: ε = 2; the limit is ε = 1.5",
    ]
    assert dialog.buttons.button(QDialogButtonBox.StandardButton.Cancel).isDefault()
    dialog.reject()
    assert window.status.text() == "Cancelled; nothing was released and nothing spent"
    assert window.wait_until_idle()
    assert window.overspending.dialog is None
    assert len(window.session.state.releases) == 1
    run(window)
    window.overspending.dialog.agree()
    assert window.wait_until_idle()
    assert [entry.over for entry in account(window, Ledger(path)).entries()] == [False, True]
    assert window.history.total.whole == "ε = 2 of 1.5 · over the limit"
    assert "133 % of the limit" in window.history.bar.accessibleDescription().replace("133%", "133 %")
    window.session.edit("epsilon", epsilon=0.25)
    limited(window, Limit(2.5))
    assert beside_run(window) == ""
    window.session.edit("epsilon", epsilon=0.75)
    assert window.wait_until_idle()
    assert "ε = 2.75 of 2.5" in beside_run(window)


def test_what_is_asked_is_released_whatever_was_chosen_since(window, path):
    limited(window, Limit(0.5))
    run(window)
    dialog = window.overspending.dialog
    window.session.edit("epsilon", epsilon=7.0)
    dialog.agree()
    assert window.wait_until_idle()
    assert [entry.cost.privacy.epsilon for entry in account(window, Ledger(path)).entries()] == [1.0]


def test_another_program_may_spend_in_the_meantime(window, path, monkeypatch):
    limited(window, Limit(1.5))
    assert beside_run(window) == ""
    other = account(window, Ledger(path))

    def late():
        raise AssertionError("nothing may be drawn")

    # between the first look and the draw, as work on the data takes its time
    prepare = releasing.refuse
    monkeypatch.setattr(releasing, "refuse", lambda *given: (prepare(*given), spend(other, 1.0)))
    monkeypatch.setattr(releasing, "secure", late)
    run(window)
    assert "Spent so far: ε = 1\n" in window.overspending.dialog.words.text()
    assert window.session.state.releases == ()
    assert len(other.entries()) == 1
    # and what the other one has spent is seen here
    assert window.history.total.whole == "ε = 1 of 1.5"


def test_a_change_of_the_file_is_noticed(qtbot, session, path):
    session.ledger = LazyLedger(path)
    jobs = Jobs(session)
    keeper = BudgetWatcher(session, jobs)
    keeper.start()
    qtbot.waitUntil(lambda: keeper.budget is not None, timeout=5000)
    assert keeper.budget.spent is None
    dataset = session.state.dataset
    with qtbot.waitSignal(keeper.changed, timeout=5000):
        spend(Ledger(path).account(dataset.digest), 0.5)
    qtbot.waitUntil(lambda: keeper.budget.spent is not None, timeout=5000)
    assert keeper.budget.spent.basic == Privacy(0.5)
    jobs.close()
    ended = []
    keeper.findChild(QFileSystemWatcher).destroyed.connect(lambda: ended.append(True))
    keeper.end()
    assert ended


def test_a_release_that_is_cancelled_while_it_is_made_costs_nothing(window, path, monkeypatch):
    def cancelling():
        window.releaser.channel.cancel()
        return secure()

    monkeypatch.setattr(releasing, "secure", cancelling)
    run(window)
    [entry] = account(window, Ledger(path)).entries()
    assert (entry.state, entry.value) == ("void", None)
    assert window.session.state.releases == ()
    assert "nothing spent" in window.status.text()
    assert "nothing spent" in window.history.total.whole


def test_a_ledger_that_cannot_be_used_stops_releases_and_nothing_else(window, path, monkeypatch):
    path.unlink()
    path.mkdir()
    monkeypatch.setattr(releasing, "secure", lambda: pytest.fail("nothing may be drawn"))
    window.session.ledger = LazyLedger(path)
    window.budget.refresh()
    assert window.wait_until_idle()
    assert window.history.total.whole.startswith("Nothing can be released: ")
    assert "a folder" in window.history.total.toolTip()
    run(window)
    [message] = window.messages.texts()
    assert str(path) in message
    assert message.endswith("nothing was released")
    assert "\n" not in message
    assert window.session.state.releases == ()
    window.show_budget()
    assert window.wait_until_idle()
    assert window.budgeting.dialog.aside_button.isHidden()


def test_a_damaged_ledger_is_set_aside_only_by_a_person_and_the_window_goes_on_saying_so(window, path):
    run(window)
    content = path.read_bytes()
    path.write_bytes(content[: len(content) // 2])
    window.budget.refresh()
    assert window.wait_until_idle()
    assert window.history.total.whole == "Nothing can be released: the ledger of this computer is damaged"
    run(window)
    assert len(window.session.state.releases) == 1
    assert "nothing was released" in window.messages.texts()[0]
    window.show_budget()
    assert window.wait_until_idle()
    dialog = window.budgeting.dialog
    dialog.aside_button.click()
    asking = window.budgeting.asking
    assert asking.cancel_button.isDefault()
    asking.reject()
    assert path.read_bytes() == content[: len(content) // 2]
    dialog.aside_button.click()
    window.budgeting.asking.agree()
    assert window.wait_until_idle()
    assert window.messages.texts() == []
    [aside] = path.parent.glob("ledger.sqlite.damaged-*")
    assert aside.read_bytes() == content[: len(content) // 2]
    words = "nothing spent on this dataset yet · begun anew: what was spent before is not counted"
    assert window.history.total.whole == words
    assert str(aside) in dialog.problem.text()
    run(window)
    assert "begun anew" in window.history.total.whole
    assert Ledger(path).begun_after == str(aside)


def test_the_dialog_sets_a_limit_and_takes_it_away(window, path):
    window.show_budget()
    assert window.wait_until_idle()
    assert "first release" in window.budgeting.dialog.nothing.text()
    card = window.budgeting.dialog.limit
    card.limited.click()
    card.choose()
    assert "say how much" in card.rows["epsilon"].problem.lower()
    card.epsilon.type_in("3")
    card.delta.type_in("1")
    card.choose()
    assert "must be" in card.rows["delta"].problem
    card.delta.type_in("1e-6")
    assert "ε = 3 and δ = 2×10⁻⁶" in card.promise.text()
    QTest.keyClick(card.epsilon, Qt.Key.Key_Return)
    assert window.wait_until_idle()
    assert window.budgeting.dialog.isVisible()  # Return keeps the limit and closes nothing
    assert account(window, Ledger(path)).limit == Limit(3.0, 1e-6)
    assert window.history.total.whole == "nothing spent of ε = 3"
    card.limited.click()
    card.button.click()
    assert window.wait_until_idle()
    assert account(window, Ledger(path)).limit is None
    # what somebody is about to choose is not lost when another program spends
    card.limited.click()
    card.epsilon.type_in("4")
    spend(account(window, Ledger(path)), 0.5)
    window.budget.refresh()
    assert window.wait_until_idle()
    assert card.epsilon.value == 4


def test_the_dialog_shows_every_composition_and_all_releases_ever_made(window, tmp_path):
    window.session.ledger = Ledger(None)
    other = account(window, window.session.ledger)
    for _ in range(60):
        spend(other, 0.1)
    run(window)
    window.show_budget()
    assert window.wait_until_idle()
    dialog = window.budgeting.dialog
    spent = other.spent("replace-one")
    assert spent.method == "zcdp"
    assert "by zCDP" in window.history.total.whole
    texts = {name: [label.text() for label in labels] for name, labels in dialog.sums.items()}
    assert texts["zcdp"][0] == "zCDP – counts"
    assert texts["basic"][1:] == ["7", "0"]
    assert float(texts["zcdp"][1]) == pytest.approx(spent.concentrated.epsilon, rel=0.01)
    assert dialog.table.model().rowCount() == 61
    assert dialog.table.model().index(0, 1).data() == "Median"
    picture = dialog.canvas.picture
    curves = picture.result
    assert curves.releases[-1] == 61
    for name, privacy in (("basic", spent.basic), ("advanced", spent.advanced), ("zcdp", spent.concentrated)):
        assert curves.spent[name][0] == 0
        assert curves.spent[name][-1] == pytest.approx(privacy.epsilon)
    assert picture.describe(61) == picture.summary().rstrip(".")
    saved = []
    dialog.save_requested.connect(lambda *given: saved.append(given))
    dialog.save_requested.disconnect(window.saver.ask_table)
    dialog.save_button.click()
    [(name, header, rows)] = saved
    window.saver.write_table(tmp_path / f"{name}.csv", header, rows)
    assert window.wait_until_idle()
    with open(tmp_path / f"{name}.csv", newline="", encoding="utf-8") as file:
        found = list(csv.DictReader(file))
    assert [float(row["epsilon"]) for row in found] == [0.1] * 60 + [1.0]
    assert window.session.state.dataset.digest not in (tmp_path / f"{name}.csv").read_text("utf-8")


def test_after_a_release_without_a_promise_nothing_is_promised_any_more(window, path):
    other = account(window, Ledger(path))
    release = Release("exact", "exact", 1.0, NO_PROMISE, {}, {}, None, False, Private({}))
    other.spend(Cost(NO_PROMISE, None, "replace-one"), {}, lambda: release)
    other.set_limit(Limit(1.0))
    window.budget.refresh()
    assert window.wait_until_idle()
    assert "no promise any more" in window.history.total.whole
    assert "nothing is promised" in beside_run(window)
    window.show_budget()
    assert window.wait_until_idle()
    dialog = window.budgeting.dialog
    assert "No promise any more" in dialog.why.text()
    assert "No promise any more" in dialog.limit.promise.text()
    assert "private with" not in dialog.limit.promise.text()
    assert dialog.canvas is None  # a line at 0 would look as if nothing were spent
    assert "infinitely" in dialog.nothing.text()
