"""Budgets of a window: spending, and limits."""

from payments import pay

from app.window.main_window import MainWindow
from engine.ledger import Account, Cost, Ledger, Limit
from engine.mechanisms.release import Private, Release
from engine.primitives.accounting import Concentrated
from engine.privacy import Privacy


def account(window: MainWindow, ledger: Ledger) -> Account:
    """Return the account of the data of a window."""
    dataset = window.session.state.dataset
    return ledger.account(dataset.digest, dataset.title)


def limited(window: MainWindow, limit: Limit) -> None:
    """Set a limit."""
    window.controllers.budget_watcher.set_limit(limit)
    assert window.wait_until_idle()


def run(window: MainWindow) -> None:
    """Make a release."""
    window.controllers.run.start()
    assert window.wait_until_idle()


def spend(account: Account, epsilon: float) -> None:
    """Spend as another program would."""
    release = Release("smooth", "median", 1.0, Privacy(epsilon), {}, {}, None, False, Private({}))
    cost = Cost(Privacy(epsilon), Concentrated(epsilon**2 / 2), "replace-one")
    pay(account, cost, {"release": "median"}, lambda: release)


def beside_run(window: MainWindow) -> str:
    """Return what is said beside Run."""
    return window.body.column.release.over.text()
