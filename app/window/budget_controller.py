"""The window about the budget: opened, kept up to date, and what is asked for in it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from app.theme import Palette
from app.window.budget_watcher import BudgetWatcher
from app.window.figure_controller import FigureExporter

if TYPE_CHECKING:
    from app.panels.budget_dialog import BudgetDialog
    from app.panels.set_aside_dialog import SetAsideDialog


class BudgetController(QObject):
    """Shows one window about the budget of whatever is open."""

    def __init__(self, window: QWidget, keeper: BudgetWatcher, saver: FigureExporter) -> None:
        super().__init__(window)
        self._window = window
        self._keeper = keeper
        self._saver = saver
        self.dialog: BudgetDialog | None = None
        self.asking: SetAsideDialog | None = None
        keeper.changed.connect(self._show_budget)

    def show(self, palette: Palette, scale: float) -> None:
        """Open the window, or bring it to the front."""
        if self.dialog is None:
            from app.panels.budget_dialog import BudgetDialog

            self.dialog = BudgetDialog(palette, scale, self._window)
            self.dialog.limit_chosen.connect(self._keeper.set_limit)
            self.dialog.save_requested.connect(self._saver.ask_table)
            self.dialog.aside_requested.connect(self._ask)
            self.dialog.finished.connect(self._on_closed)
        self._show_budget()
        self._keeper.detailed = True
        self._keeper.refresh()
        self.dialog.show()
        self.dialog.raise_()
        self.dialog.activateWindow()

    def set_palette(self, palette: Palette) -> None:
        """Take the colours of a theme."""
        if self.dialog is not None:
            self.dialog.set_palette(palette)

    def close(self) -> None:
        """Close the window."""
        if self.dialog is not None:
            self.dialog.close()

    def _show_budget(self) -> None:
        if self.dialog is not None:
            self.dialog.show_budget(self._keeper.budget)

    def _ask(self) -> None:
        """Ask once more before what was spent is forgotten."""
        from app.panels.set_aside_dialog import SetAsideDialog

        budget = self._keeper.budget
        if self.dialog is not None and budget is not None and budget.damaged:
            self.asking = SetAsideDialog(budget.problem, self.dialog)
            self.asking.agreed.connect(self._keeper.set_aside)
            self.asking.finished.connect(self._on_asked)
            self.asking.open()

    def _on_asked(self, _: int) -> None:
        self.asking = None

    def _on_closed(self, _: int) -> None:
        self._keeper.detailed = False
        self.dialog = None
