"""Controllers that plug-ins add to each window."""

from __future__ import annotations

from app.model.additions import added_controllers
from app.panels.settings_dialog import SettingsDialog
from app.window.parts import Controller, WindowParts


class ExtraController(Controller):
    """Does the work of one extra in a window."""

    def start(self) -> None:
        """Begin once the window has been painted."""

    def end(self) -> None:
        """Leave everything: the window is closed."""

    def report_to(self, dialog: SettingsDialog) -> None:
        """Say in the dialog of settings how things stand."""


def extra_controllers(parts: WindowParts) -> dict[str, ExtraController]:
    """Return one of each for a window, by name."""
    return {name: controller(parts) for name, controller in added_controllers().items()}
