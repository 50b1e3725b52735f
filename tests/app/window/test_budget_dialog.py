"""The dialog about the budget: limits, compositions, and all releases ever made."""

import csv

import pytest
from budgets import account, beside_run, run, spend
from payments import pay
from PySide6.QtCore import Qt
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from engine.ledger import Cost, Ledger, Limit
from engine.mechanisms.release import Private, Release
from engine.privacy import NO_PROMISE

pytestmark = pytest.mark.usefixtures("undrawn")


def test_the_dialog_sets_a_limit_and_takes_it_away(spending, ledger_file):
    spending.controllers.budget.show()
    assert spending.wait_until_idle()
    dialog = spending.controllers.budget.dialog
    assert dialog.nothing.isVisible()  # instead of headings and axes without contents
    assert not dialog.table.isVisible()
    assert not dialog._picture.isVisible()
    card = spending.controllers.budget.dialog.limit
    assert card.epsilon.lineEdit().placeholderText() == "no limit"
    assert not card.epsilon.isEnabled()
    assert card.promise.text().startswith("Tick the box to enter a limit.")
    card.limited.click()
    assert "You must confirm a release beyond the limit." in card.promise.text()
    assert not card.slack.isEnabled()  # δ is 0
    assert card.epsilon.lineEdit().placeholderText() == ""
    card.choose()
    assert "enter a number" in card.rows["epsilon"].problem.lower()
    card.epsilon.type_in("3")
    card.delta.type_in("1")
    card.choose()
    assert "must be" in card.rows["delta"].problem
    card.delta.type_in("1e-6")
    assert "(3, 2×10⁻⁶)-DP" in card.promise.text()
    QTest.keyClick(card.epsilon, Qt.Key.Key_Return)
    assert spending.wait_until_idle()
    assert spending.controllers.budget.dialog.isVisible()  # Return keeps the limit and closes nothing
    assert account(spending, Ledger(ledger_file)).limit == Limit(3.0, 1e-6)
    assert spending.body.history.total.whole == "nothing used of ε = 3"
    card.limited.click()
    card.button.click()
    assert spending.wait_until_idle()
    assert account(spending, Ledger(ledger_file)).limit is None
    # what the user is about to choose is not lost when another program spends
    card.limited.click()
    card.epsilon.type_in("4")
    spend(account(spending, Ledger(ledger_file)), 0.5)
    spending.controllers.budget_watcher.refresh()
    assert spending.wait_until_idle()
    assert card.epsilon.value == 4


def test_the_dialog_shows_every_composition_and_all_releases_ever_made(qtbot, spending, tmp_path):
    spending.session.ledger = Ledger(None)
    other = account(spending, spending.session.ledger)
    for _ in range(60):
        spend(other, 0.1)
    run(spending)
    spending.controllers.budget.show()
    assert spending.wait_until_idle()
    dialog = spending.controllers.budget.dialog
    qtbot.waitUntil(lambda: not dialog.canvas.drawing)
    spent = other.spent()
    assert spent.method == "zcdp"
    assert "by zCDP" in spending.body.history.total.whole
    texts = {name: [label.text() for label in labels] for name, labels in dialog.sums.items()}
    assert texts["zcdp"][0] == "zCDP – counts"
    assert texts["basic"][1:] == ["7", "0"]
    assert float(texts["zcdp"][1]) == pytest.approx(spent.concentrated.epsilon, rel=0.01)
    assert dialog.table.model().rowCount() == 61
    assert dialog.table.isVisible()
    assert not dialog.nothing.isVisible()
    qtbot.waitUntil(lambda: dialog.table.horizontalHeader().length() >= dialog.table.viewport().width())
    assert dialog.table.model().index(0, 1).data() == "Median"
    picture = dialog.canvas.picture
    curves = picture.result
    assert curves.releases[-1] == 61
    for name, privacy in (("basic", spent.basic), ("advanced", spent.advanced), ("zcdp", spent.concentrated)):
        assert curves.spent[name][0] == 0
        assert curves.spent[name][-1] == pytest.approx(privacy.epsilon)
    assert picture.tooltip(61) == picture.alt_text().rstrip(".")
    saved = []
    dialog.save_requested.connect(lambda *given: saved.append(given))
    dialog.save_requested.disconnect(spending.controllers.exports.figures.ask_table)
    dialog.save_button.click()
    [(name, header, rows)] = saved
    spending.controllers.exports.figures.write_table(tmp_path / f"{name}.csv", header, rows)
    assert spending.wait_until_idle()
    with open(tmp_path / f"{name}.csv", newline="", encoding="utf-8") as file:
        found = list(csv.DictReader(file))
    assert [float(row["epsilon"]) for row in found] == [0.1] * 60 + [1.0]
    assert spending.session.state.dataset.digest not in (tmp_path / f"{name}.csv").read_text("utf-8")


def test_after_a_release_without_a_promise_nothing_is_promised_any_more(spending, ledger_file):
    other = account(spending, Ledger(ledger_file))
    release = Release("exact", "exact", 1.0, NO_PROMISE, {}, {}, None, False, Private({}), exact=True)
    pay(other, Cost(NO_PROMISE, None, "replace-one"), {}, lambda: release)
    other.set_limit(Limit(1.0))
    spending.controllers.budget_watcher.refresh()
    assert spending.wait_until_idle()
    assert "no guarantee any more" in spending.body.history.total.whole
    assert "no guarantee" in beside_run(spending)
    spending.controllers.budget.show()
    assert spending.wait_until_idle()
    dialog = spending.controllers.budget.dialog
    assert "No guarantee any more" in dialog.why.text()
    assert "No guarantee any more" in dialog.limit.promise.text()
    assert "-DP" not in dialog.limit.promise.text()
    assert dialog.canvas is None  # a line at 0 would look as if nothing were spent


def test_the_picture_has_the_menu_of_all_pictures(spending):
    run(spending)
    assert spending.wait_until_idle()
    spending.controllers.budget.show()
    assert spending.wait_until_idle()
    dialog = spending.controllers.budget.dialog
    place = dialog.canvas.mapToGlobal(dialog.canvas.rect().center())
    reason = QContextMenuEvent.Reason.Mouse
    QApplication.sendEvent(dialog, QContextMenuEvent(reason, dialog.mapFromGlobal(place), place))
    menu = QApplication.activePopupWidget()
    assert "Reset view" in [action.text().replace("&", "") for action in menu.actions()]
    menu.close()
