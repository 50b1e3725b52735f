"""The settings dialog, and the number format."""

from __future__ import annotations

from collections.abc import Collection

from PySide6.QtCore import QLocale

from app.model.chosen_numbers import keep
from app.model.wording.numbers import SYSTEM, name_for, use
from app.panels.settings_dialog import SettingsDialog
from app.widgets.style import THEME
from app.window.extra_controllers import ExtraController
from app.window.parts import Controller, WindowParts
from app.window.result_controller import ResultController


def use_format(name: str) -> None:
    """Write numbers from now on as was chosen in the settings."""
    system = QLocale.system()
    use(name_for(system.decimalPoint(), system.groupSeparator()) if name == SYSTEM else name)


class SettingsController(Controller):
    """Shows the settings, and writes all numbers anew when another format is chosen."""

    def __init__(
        self, parts: WindowParts, extras: Collection[ExtraController], results: ResultController
    ) -> None:
        super().__init__(parts)
        self._extras = extras
        self._results = results
        parts.settings.changed.connect(self._on_settings)

    def show(self) -> SettingsDialog:
        dialog = SettingsDialog(self._settings, self._session.ledger.path, self._window)
        for extra in self._extras:
            extra.report_to(dialog)
        dialog.open()
        return dialog

    def show_setting(self, name: str) -> None:
        """Show all settings, and bring the keyboard to one of them."""
        self.show().show_setting(name)

    def _on_settings(self, names: frozenset[str]) -> None:
        if "numbers" in names:
            use_format(self._settings["numbers"])
            keep(self._settings["numbers"])
            self._session.announce_all()
            for view in self._pages.there:
                view.rewrite()
            THEME.scaled.emit(THEME.scale)  # numbers of another width need other room
            self._results.rewrite()
