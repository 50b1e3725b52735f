"""Asking a person before each release, if the settings say so."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from app.panels.spending_dialog import SpendingDialog
from app.session import Session
from app.settings import Settings
from app.window.consenting import Consent
from app.window.release_controller import ReleaseController


class Asking(QObject):
    """Stands before the consent, which asks about what promises no privacy in any case.

    What a lesson simulates spends nothing, and is not asked about.

    Signals
    -------
    declined()
        A person does not want it after all.
    """

    declined = Signal()

    def __init__(
        self,
        window: QWidget,
        session: Session,
        settings: Settings,
        releaser: ReleaseController,
        consent: Consent,
    ) -> None:
        super().__init__(window)
        self._window = window
        self._session = session
        self._settings = settings
        self._releaser = releaser
        self._consent = consent
        self.dialog: SpendingDialog | None = None
        session.changed.connect(self._follow)

    def run(self) -> None:
        """Make one release, after a person has agreed where they want to be asked."""
        state = self._session.state
        if self._settings["ask"] != "always" or state.lesson is not None or not state.promises:
            self._consent.run()
        elif self._releaser.ready:
            self.close()
            self.dialog = SpendingDialog(state, self._window)
            self.dialog.rejected.connect(self.declined)
            self.dialog.agreed.connect(self._consent.run)
            self.dialog.finished.connect(self._on_closed)
            self.dialog.open()

    def close(self) -> None:
        """Close the dialog without releasing anything."""
        if self.dialog is not None:
            self.dialog.close()

    def _follow(self, _: frozenset[str]) -> None:
        """Ask no more about what is not chosen any more."""
        self.close()

    def _on_closed(self, _: int) -> None:
        self.dialog = None
