"""The question which data these are, where they resemble others of which something was released."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from app.model.state import SessionState
from app.panels.release_questions import SimilarDataDialog
from app.session import Session
from app.window.budget_watcher import COSTLESS, BudgetWatcher

if TYPE_CHECKING:
    from app.model.budget import Budget
    from engine.ledger import SimilarData

CHANGED = (
    "It is written down which data these are. Nothing was released, because the settings changed in the "
    "meantime: try again to release with those that are shown now"
)


class SimilarDataQuestion(QObject):
    """Asks which data these are, has the answer written down, and says when that is done.

    That they are the same data is written into the ledger at once; that they are others with their first
    release, and until then the window knows it.
    """

    settled = Signal()  # it is known which data they are
    refused = Signal(str)  # the answer is known, but what it was asked for has changed; in a sentence
    declined = Signal()  # the user does not say it

    def __init__(self, window: QWidget, session: Session, watcher: BudgetWatcher) -> None:
        super().__init__(window)
        self._window = window
        self._session = session
        self._watcher = watcher
        self._waiting = False  # for the answer to be written
        self.dialog: SimilarDataDialog | None = None  # the question that is open
        session.changed.connect(self._follow)
        watcher.changed.connect(self._on_budget)
        watcher.failed.connect(self._on_failed)

    def pending(self, state: SessionState) -> tuple[SimilarData, ...]:
        """Return what the data resemble, as far as that is known and not answered yet."""
        budget = self._watcher.budget
        if budget is None or state.has_public_data or self._watcher.is_apart(state):
            return ()
        return budget.similar

    def ask(self, similar: Sequence[SimilarData]) -> None:
        """Ask whether the data that are open are those which they resemble most."""
        state = self._session.state
        assert state.dataset is not None
        self.close()
        self.dialog = SimilarDataDialog(state.dataset.title, similar[0], self._window)
        self.dialog.chosen.connect(self._on_chosen)
        self.dialog.rejected.connect(self.declined)
        self.dialog.finished.connect(self._on_closed)
        self.dialog.open()

    def close(self) -> None:
        """Close the question without an answer."""
        if self.dialog is not None:
            self.dialog.close()

    def _on_chosen(self, same: bool) -> None:
        dialog = self.sender()
        assert isinstance(dialog, SimilarDataDialog)
        if same:
            self._waiting = True
            self._watcher.count_as(dialog.name)
        else:
            self._watcher.set_apart()
            self.settled.emit()

    def _on_budget(self, budget: Budget | None) -> None:
        if self._waiting and budget is not None and not budget.similar:
            self._waiting = False
            self.settled.emit()

    def _on_failed(self, _: object) -> None:
        self._waiting = False

    def _follow(self, fields: frozenset[str]) -> None:
        if not fields - COSTLESS:
            return
        if self._waiting:
            self._waiting = False
            self.refused.emit(CHANGED)
        self.close()

    def _on_closed(self, _: int) -> None:
        self.dialog = None
