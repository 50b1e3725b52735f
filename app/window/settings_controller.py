"""The dialog of what can be set once and for all."""

from __future__ import annotations

from collections.abc import Collection

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from app.panels.settings_dialog import SettingsDialog
from app.session import Session
from app.settings import Settings
from app.window.extra_controllers import ExtraController


class SettingsController(QObject):
    """Shows the settings."""

    def __init__(
        self, window: QWidget, session: Session, settings: Settings, extras: Collection[ExtraController]
    ) -> None:
        super().__init__(window)
        self._window = window
        self._session = session
        self._settings = settings
        self._extras = extras

    def show(self) -> SettingsDialog:
        """Show all settings."""
        dialog = SettingsDialog(self._settings, self._session.ledger.path, self._window)
        for extra in self._extras:
            extra.report_to(dialog)
        dialog.open()
        return dialog

    def show_setting(self, name: str) -> None:
        """Show all settings, and bring the keyboard to one of them."""
        self.show().show_setting(name)
