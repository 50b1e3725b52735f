"""Asking which file to open, and what to look at in it."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from app.jobs.channels import Failure
from app.model.dataset import Dataset
from app.model.kinds.base import Fields
from app.model.pages.registry import PAGE_KINDS
from app.model.state import SessionState
from app.panels.import_categories import CategoriesDialog
from app.panels.import_dialog import ImportDialog
from app.panels.import_edges import EdgesDialog
from app.panels.import_numbers import NumbersDialog
from app.panels.import_points import PointsDialog
from app.session import Session
from app.theme import LIGHT, Palette
from app.widgets.dialogs import open_dialog
from app.window.open_controller import OpenController
from app.window.status_reporter import StatusReporter

TABLES = "Tables (*.csv *.tsv *.txt *.parquet *.feather *.arrow *.jsonl *.ndjson)"
GRAPHS = "Edge lists (*.csv *.tsv *.txt *.parquet *.feather *.arrow *.jsonl *.ndjson *.graphml)"
OTHERS = "Sensiscope sessions (*.sensiscope);;All files (*)"
DIALOGS: dict[str, tuple[type[ImportDialog], str, str]] = {
    "median": (NumbersDialog, "Open a table", f"{TABLES};;{OTHERS}"),
    "spanning-tree": (EdgesDialog, "Open a list of edges", f"{GRAPHS};;{OTHERS}"),
    "clustering": (PointsDialog, "Open a table of points", f"{TABLES};;{OTHERS}"),
    "one-cluster": (PointsDialog, "Open a table of points", f"{TABLES};;{OTHERS}"),
    "histogram": (PointsDialog, "Open a table of points or categories", f"{TABLES};;{OTHERS}"),
}
"""For each page: the dialog about a file, and title and filters of the one that asks for it."""


def dialog_for(state: SessionState, dataset: Dataset, fields: Fields) -> type[ImportDialog]:
    """Return the dialog about a file; where categories can be asked, they are if there are no numbers."""
    kind, _, _ = DIALOGS[state.page]
    if "categories" not in PAGE_KINDS[state.page].reads:
        return kind
    numbers = any(column.type == "number" for column in dataset.table.columns)
    asked = "categories" in fields or (state.reads == "categories" and "columns" not in fields)
    return CategoriesDialog if asked or not numbers else kind


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
        _, title, filters = DIALOGS[self._session.state.page]
        dialog = open_dialog(self._window, title, filters)
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
        curator = state.view == "curator"
        kind = dialog_for(state, dataset, fields)
        self.dialog = kind(dataset, fields, self._palette, self._window, curator=curator)
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
