"""The budget dialog: opening it, keeping it up to date, and acting on its buttons."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.model import lazy
from app.model.budget import Budget
from app.model.ledger import LazyLedger
from app.model.pages.workspaces import RELEASED
from app.pages.base.view import View
from app.window.budget_watcher import BudgetWatcher
from app.window.figure_controller import FigureExporter
from app.window.parts import Controller, WindowParts

if TYPE_CHECKING:
    from app.panels.release_questions import SetAsideDialog


NO_BUDGET = "Lessons have no budget: they spend nothing"


class BudgetController(Controller):
    """Show the budget dialog for the open data, and give new datasets their first limit."""

    def __init__(self, parts: WindowParts, watcher: BudgetWatcher, figures: FigureExporter) -> None:
        super().__init__(parts)
        self._watcher = watcher
        self._figures = figures
        self.question: SetAsideDialog | None = None  # whether a damaged ledger is to be set aside
        watcher.changed.connect(self._show_budget)
        watcher.failed.connect(parts.status.show_failure)
        parts.settings.changed.connect(self._on_settings)
        self._set_first_limit()

    def take_in(self, view: View) -> None:
        """Show the budget on the page of the releases."""
        if view.name == RELEASED.name and isinstance(view, lazy.ReleasedPage):
            view.show_budget(self._watcher.budget)
            self._watcher.changed.connect(view.show_budget)
            view.budget_requested.connect(self.show)

    def show(self) -> None:
        """Show the spending on this dataset, and let the user set a limit."""
        if self._session.state.lesson is not None:
            self._status.show_message(NO_BUDGET)
        elif self._session.state.visible_dataset is not None:
            self._show_dialog()

    def _show_dialog(self) -> None:
        """Open the dialog, or bring it to the front."""
        if self.dialog is None:
            from app.panels.budget_dialog import BudgetDialog

            dialog = BudgetDialog(self._window)
            dialog.limit_chosen.connect(self._watcher.set_limit)
            dialog.save_requested.connect(self._figures.ask_table)
            dialog.menu_requested.connect(self._figures.open_menu)
            dialog.aside_requested.connect(self._ask)
            self._hold(dialog)
        self._show_budget(self._watcher.budget)
        self._watcher.detailed = True
        self._watcher.refresh()
        self.dialog.show()
        self.dialog.raise_()
        self.dialog.activateWindow()

    def _show_budget(self, budget: Budget | None) -> None:
        if self.dialog is not None:
            self.dialog.show_budget(budget)

    def _on_settings(self, names: frozenset[str]) -> None:
        if names & {"limit_epsilon", "limit_delta", "slack"}:
            self._set_first_limit()
            self._watcher.refresh()

    def _set_first_limit(self) -> None:
        """Give datasets without releases the limit of the settings."""
        ledger = self._session.ledger
        if isinstance(ledger, LazyLedger):
            ledger.first = self._settings.first_limit

    def _ask(self) -> None:
        """Confirm before setting a damaged ledger aside."""
        from app.panels.release_questions import SetAsideDialog

        budget = self._watcher.budget
        if self.dialog is not None and budget is not None and budget.damaged:
            self.question = SetAsideDialog(budget.problem, self.dialog)
            self.question.agreed.connect(self._watcher.set_aside)
            self.question.finished.connect(self._on_asked)
            self.question.open()

    def _on_asked(self, _: int) -> None:
        self.question = None

    def _on_closed(self, _: int) -> None:
        super()._on_closed(_)
        self._watcher.detailed = False
