"""Asking a person before a release that passes the limit they have set."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from app.panels.overspending_dialog import OverspendingDialog
from app.session import Session
from app.settings import Settings
from app.theme import LIGHT, Palette
from app.window.budget_watcher import BudgetWatcher
from app.window.release_controller import ReleaseController

if TYPE_CHECKING:
    from engine.ledger import Overspent

REFUSED = (
    "this release would pass the limit of {title}: nothing was released, nothing spent; the budget (Ctrl+B) "
    "says what is left, the settings (Ctrl+,) whether to ask"
)


class Overspending(QObject):
    """Asks whether a release that the ledger has refused is to be made all the same.

    The ledger, not what this window knows, decides whether it is asked: another window may have spent
    in the meantime.

    Signals
    -------
    refused(str)
        Nobody wants to be asked, and so it was not made; in a sentence.
    declined()
        A person does not want it after all.
    """

    refused = Signal(str)
    declined = Signal()

    def __init__(
        self,
        window: QWidget,
        session: Session,
        settings: Settings,
        releaser: ReleaseController,
        keeper: BudgetWatcher,
    ) -> None:
        super().__init__(window)
        self.palette: Palette = LIGHT
        self._window = window
        self._session = session
        self._settings = settings
        self._releaser = releaser
        self._keeper = keeper
        self.dialog: OverspendingDialog | None = None
        releaser.overspent.connect(self._ask)

    def close(self) -> None:
        """Close the dialog without releasing anything."""
        if self.dialog is not None:
            self.dialog.close()

    def _ask(self, refused: Overspent) -> None:
        self.close()
        asked = self._releaser.asked
        if asked.dataset is None or not self._is_open(asked.dataset.digest):
            self.refused.emit(str(refused))  # one has turned to something else since
            return
        if self._settings["ask"] == "never":
            self.refused.emit(REFUSED.format(title=asked.dataset.title))
            return
        self.dialog = OverspendingDialog(asked.dataset.title, refused, self.palette, self._window)
        self.dialog.rejected.connect(self.declined)
        self.dialog.agreed.connect(self._releaser.run_over)
        self.dialog.finished.connect(self._on_closed)
        self.dialog.open()
        self._keeper.refresh()

    def _is_open(self, digest: str) -> bool:
        state = self._session.state
        return state.dataset is not None and state.dataset.digest == digest and state.lesson is None

    def _on_closed(self, _: int) -> None:
        self.dialog = None
