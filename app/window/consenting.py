"""Asking a person before a release that promises no privacy."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from app.panels.consent_dialog import ConsentDialog
from app.session import Session
from app.window.budget_watcher import BudgetWatcher
from app.window.release_controller import ReleaseController


class Consent(QObject):
    """Stands before the releaser: asks a person before exact numbers leave the room.

    What promises privacy is released at once, and so is what a lesson only simulates.  Whoever agrees
    to a release without a promise has agreed to pass every limit, too.

    Signals
    -------
    declined()
        A person does not want it after all.
    """

    declined = Signal()

    def __init__(
        self, window: QWidget, session: Session, releaser: ReleaseController, keeper: BudgetWatcher
    ) -> None:
        super().__init__(window)
        self._window = window
        self._session = session
        self._releaser = releaser
        self._keeper = keeper
        self._agreed: set[str] = set()
        self.dialog: ConsentDialog | None = None

    def run(self) -> None:
        """Make one release; of what promises no privacy, only after a person has agreed."""
        state = self._session.state
        if state.promises or state.lesson is not None:
            self._releaser.run()
        elif state.dataset is not None and state.dataset.digest in self._agreed:
            self._releaser.run(over=True)
        elif self._releaser.ready:
            self.close()
            budget = self._keeper.budget
            limited = budget is not None and budget.limit is not None
            self.dialog = ConsentDialog(state, self._window, limited=limited)
            self.dialog.rejected.connect(self.declined)
            self.dialog.agreed.connect(self._on_agreed)
            self.dialog.finished.connect(self._on_closed)
            self.dialog.open()

    def close(self) -> None:
        """Close the dialog without releasing anything."""
        if self.dialog is not None:
            self.dialog.close()

    def _on_agreed(self, digest: str, always: bool) -> None:
        if always:
            self._agreed.add(digest)
        self._releaser.run(over=True)

    def _on_closed(self, _: int) -> None:
        self.dialog = None
