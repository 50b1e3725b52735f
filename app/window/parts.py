"""The parts of a window that its controllers share."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import QObject, QSettings
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QDialog, QMainWindow, QMenu

from app.jobs.channels import Jobs
from app.session import Session
from app.settings import Settings
from app.window.layout import WindowLayout
from app.window.status_reporter import StatusReporter

SUBJECT = frozenset({"view", "page", "workspace", "lesson", "dataset"})
"""State fields that an export depends on."""


@dataclasses.dataclass(frozen=True, eq=False)
class WindowParts:
    """A window, its session, and the objects that show and store its work.

    `store` lasts from one session to the next; None stores nothing. `actions` and `menus` have those of the
    window by name.
    """

    window: QMainWindow
    session: Session
    jobs: Jobs
    settings: Settings
    store: QSettings | None
    body: WindowLayout
    status: StatusReporter
    actions: Mapping[str, QAction]
    menus: Mapping[str, QMenu]


class Controller(QObject):
    """Does one task of a window; the window owns it.

    `dialog`: the dialog that it has opened; None while there is none.
    """

    dialog: Any = None

    def __init__(self, parts: WindowParts) -> None:
        super().__init__(parts.window)
        self._window = parts.window
        self._session = parts.session
        self._jobs = parts.jobs
        self._settings = parts.settings
        self._store = parts.store
        self._body = parts.body
        self._pages = parts.body.pages
        self._messages = parts.body.messages
        self._status = parts.status
        self._actions = parts.actions

    def close(self) -> object:
        """Close the dialog without an answer."""
        if self.dialog is not None:
            self.dialog.close()
        return None

    def _hold(self, dialog: QDialog) -> None:
        """Keep a dialog, in place of an earlier one, until it is closed."""
        self.close()
        self.dialog = dialog
        dialog.finished.connect(self._on_closed)

    def _open_dialog(self, dialog: QDialog) -> None:
        """Open a dialog in place of an earlier one."""
        self._hold(dialog)
        dialog.open()

    def _on_closed(self, _: int) -> None:
        if self.sender() is self.dialog:
            self.dialog = None

    def _close_with_subject(self) -> None:
        """Close dialogs when other data, another page or another view is shown."""
        self._session.watch(SUBJECT, self, self.close)
