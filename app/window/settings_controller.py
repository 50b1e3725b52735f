"""The dialog of what can be set once and for all."""

from __future__ import annotations

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from app.extras.cluster.controller import ClusterController
from app.panels.settings_dialog import SettingsDialog
from app.session import Session
from app.settings import Settings


class SettingsController(QObject):
    """Shows the settings."""

    def __init__(
        self, window: QWidget, session: Session, settings: Settings, cluster: ClusterController
    ) -> None:
        super().__init__(window)
        self._window = window
        self._session = session
        self._settings = settings
        self._cluster = cluster

    def show(self) -> SettingsDialog:
        """Show all settings."""
        dialog = SettingsDialog(self._settings, self._session.ledger.path, self._window)
        self._cluster.report_to(dialog)
        dialog.open()
        return dialog

    def show_setting(self, name: str) -> None:
        """Show all settings, and bring the keyboard to one of them."""
        self.show().show_setting(name)
