"""Controllers that plug-ins add to each window."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from app.jobs.channels import Jobs
from app.model.additions import added_controllers
from app.panels.release_panel import ReleasePanel
from app.panels.settings_dialog import SettingsDialog
from app.session import Session
from app.settings import Settings
from app.widgets.messages import MessageArea


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


def extra_controllers(
    window: QWidget,
    session: Session,
    jobs: Jobs,
    settings: Settings,
    forms: Sequence[ReleasePanel],
    messages: MessageArea,
) -> dict[str, ExtraController]:
    """Return one of each for a window, by name."""
    return {
        name: controller(window, session, jobs, settings, forms, messages)
        for name, controller in added_controllers().items()
    }
