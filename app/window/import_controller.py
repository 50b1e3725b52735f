"""Asking which file to open, and what to look at in it."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from app.jobs.channels import Failure
from app.model.dataset import Dataset
from app.model.kinds.base import Fields
from app.model.pages.registry import PAGE_KINDS
from app.panels.import_dialog import ImportDialog
from app.session import Session
from app.theme import LIGHT, Palette
from app.widgets.dialogs import open_dialog
from app.window.open_controller import OpenController
from app.window.status_reporter import StatusReporter

OTHERS = "Sensiscope sessions (*.sensiscope);;All files (*)"


class ImportController(QObject):
    """Shows the dialogs between choosing a file and its data in the session.

    Signals
    -------
    file_chosen(str)
        This file is to be opened.
    """

    file_chosen = Signal(str)

    def __init__(
        self, window: QWidget, session: Session, data: OpenController, status: StatusReporter
    ) -> None:
        super().__init__(window)
        self._window = window
        self._session = session
        self._data = data
        self._status = status
        self._palette: Palette = LIGHT
        self.dialog: ImportDialog | None = None
        data.choice_needed.connect(self._ask)
        data.opened.connect(self._on_opened)
        data.failed.connect(self._on_failed)

    def ask_file(self) -> None:
        """Ask which file to open."""
        data = PAGE_KINDS[self._session.state.page]
        dialog = open_dialog(self._window, f"Open {data.file}", f"{data.kinds[0].files};;{OTHERS}")
        dialog.fileSelected.connect(self.file_chosen)
        dialog.open()

    def close(self) -> None:
        """Close the dialog without opening anything."""
        if self.dialog is not None:
            self.dialog.close()

    def set_palette(self, palette: Palette) -> None:
        """Take the colours of a theme."""
        self._palette = palette

    def _ask(self, dataset: Dataset, fields: Fields) -> None:
        self.close()
        state = self._session.state
        self.dialog = ImportDialog(
            dataset,
            PAGE_KINDS[state.page],
            state.reads,
            fields,
            self._palette,
            self._window,
            curator=state.view == "curator",
        )
        self.dialog.chosen.connect(self._data.open_fields)
        self.dialog.finished.connect(self._on_closed)
        self.dialog.open()
        self._data.begin()

    def _on_closed(self, result: int) -> None:
        self.dialog = None

    def _on_opened(self) -> None:
        if self.dialog is not None and self.dialog.dataset is self._session.state.dataset:
            self.dialog.close()
        self._status.show_view()

    def _on_failed(self, failure: Failure) -> None:
        self._status.show_failure(failure, self.dialog.messages if self.dialog else None)
