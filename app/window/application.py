"""The program with one window, from its start to its end."""

from __future__ import annotations

import sys
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication

from app.model.dataset import Dataset
from app.model.ledger import LazyLedger, default_ledger
from app.session import Session
from app.settings import Settings, private_store
from app.window.main_window import MainWindow
from app.window.settings_controller import use_format
from engine.mechanisms import Release


def open_window(argv_file: str | None = None, theme: str | None = None, ledger: Path | None = None) -> int:
    """Open the window and run until it is closed; return the exit status.

    Without a `ledger` releases are written into the one in the user's data folder.
    """
    return _run(argv_file, theme, ledger)[0]


def view_window(
    shown: str | Dataset | None = None, theme: str | None = None, ledger: Path | None = None
) -> tuple[Release, ...]:
    """Open the window on a file, or on data that are in none; return what was released until it is closed."""
    _, window = _run(shown, theme, ledger)
    releases = tuple(record.release for record in window.session.state.releases)
    window.deleteLater()  # whoever called goes on, and may open another one
    QCoreApplication.sendPostedEvents(window, QEvent.Type.DeferredDelete)
    return releases


def _run(shown: str | Dataset | None, theme: str | None, ledger: Path | None) -> tuple[int, MainWindow]:
    """Return the exit status, and the window that was closed."""
    application = QApplication.instance() or QApplication(sys.argv[:1])
    assert isinstance(application, QApplication)
    application.setApplicationName("Sensiscope")
    application.setOrganizationName("Sensiscope")
    application.setStyle("Fusion")
    QGuiApplication.setDesktopFileName("sensiscope")
    store, problem = private_store()
    use_format(Settings(store)["numbers"])
    session = Session(ledger=LazyLedger(ledger or default_ledger()))
    window = MainWindow(session, shown, store)
    if problem:
        window.body.messages.show_message(problem, kind="warning")
    if theme is not None:
        window.controllers.appearance.set_theme(theme)
    window.show()
    if shown is None:
        window.controllers.scene.show_first()
    status = application.exec()
    window.jobs.finish()
    return status, window
