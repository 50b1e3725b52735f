"""The table of the data: opened in the Curator view alone, and following the data that are open."""

from __future__ import annotations

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from app.jobs.channels import Jobs
from app.model.data_table import DataTable
from app.model.state import CURATOR
from app.panels.data_table_dialog import DataTableDialog
from app.session import Session
from app.window.status_reporter import StatusReporter

FOLLOWED = frozenset({"page", "dataset", "view", "query", "modified_values", "column", "columns"})


class DataTableController(QObject):
    """Shows the records of the page that is open."""

    def __init__(self, window: QWidget, session: Session, jobs: Jobs, status: StatusReporter) -> None:
        super().__init__(window)
        self._window = window
        self._session = session
        self.dialog: DataTableDialog | None = None  # the table, while it is open
        self.arranging = jobs.channel("data table")
        self.arranging.failed.connect(status.show_failure)
        session.watch(FOLLOWED, self, self._follow)

    def show(self) -> None:
        """Open the table, or bring it to the front; not in the Release view."""
        table = DataTable.of(self._session.state)
        if table is None or self._session.state.view != CURATOR:
            return
        if self.dialog is None:
            self.dialog = DataTableDialog(self.arranging, self._window)
            self.dialog.finished.connect(self._on_closed)
            self.dialog.changed.connect(self._on_edited)
            self.dialog.pointed.connect(self._session.pointer.point_at)
            self.dialog.show_table(table)
        self.dialog.show()
        self.dialog.raise_()

    def _follow(self) -> None:
        """Show what is open now, as long as it may be seen."""
        if self.dialog is None:
            return
        if self._session.state.view != CURATOR:
            self.dialog.close()
            return
        table = DataTable.of(self._session.state)
        if table is not None:  # a page that is opened for the first time has its data in a moment
            self.dialog.show_table(table)
        elif self._session.state.dataset is not None:  # which stay in their file
            self.dialog.close()

    def _on_edited(self, record: int, value: float) -> None:
        choice = self._session.state.read_data
        low, high = getattr(choice, "lower", None), getattr(choice, "upper", None)
        within = value if low is None or high is None else min(max(value, low), high)
        self._session.move_point(record, within)

    def _on_closed(self) -> None:
        self.dialog = None
