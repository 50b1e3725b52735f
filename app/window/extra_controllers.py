"""Controllers that bundled plug-ins add to each window."""

from __future__ import annotations

import pkgutil
from collections.abc import Sequence

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from app.jobs.channels import Jobs
from app.panels.release_panel import ReleasePanel
from app.panels.settings_dialog import SettingsDialog
from app.session import Session
from app.settings import Settings
from app.widgets.messages import MessageArea
from engine.plugins import load_extras

_TARGETS: dict[str, str] = {}


class ExtraController(QObject):
    """Does the work of one extra in a window.

    Parameters
    ----------
    window : QWidget
    session : Session
    jobs : Jobs
    settings : Settings
    forms : sequence of ReleasePanel
    messages : MessageArea
    """

    def __init__(
        self,
        window: QWidget,
        session: Session,
        jobs: Jobs,
        settings: Settings,
        forms: Sequence[ReleasePanel],
        messages: MessageArea,
    ) -> None:
        super().__init__(window)

    def start(self) -> None:
        """Begin once the window has been painted."""

    def end(self) -> None:
        """Leave everything: the window is closed."""

    def close(self) -> None:
        """Ask no more about what is not in sight any more."""

    def report_to(self, dialog: SettingsDialog) -> None:
        """Say in the dialog of settings how things stand."""


def register_controller(name: str, target: str) -> None:
    """Add an `ExtraController`, "module:Class", to all windows."""
    _TARGETS[name] = target


def extra_controllers(
    window: QWidget,
    session: Session,
    jobs: Jobs,
    settings: Settings,
    forms: Sequence[ReleasePanel],
    messages: MessageArea,
) -> dict[str, ExtraController]:
    """Return one of each for a window, by name."""
    load_extras("app.extras")
    return {
        name: pkgutil.resolve_name(target)(window, session, jobs, settings, forms, messages)
        for name, target in _TARGETS.items()
    }
