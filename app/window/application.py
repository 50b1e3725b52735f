"""The program with one window, from its start to its end."""

from __future__ import annotations

import sys
from pathlib import Path

from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication

from app.model.lazy_ledger import LazyLedger
from app.model.ledger_path import default_ledger
from app.session import Session
from app.settings import Settings, private_store
from app.window.main_window import MainWindow
from app.window.number_controller import use_format


def open_window(argv_file: str | None = None, theme: str | None = None, ledger: Path | None = None) -> int:
    """Open the window and run until it is closed; return the exit status.

    Without a `ledger` releases are written into the one in the user's data folder.
    """
    application = QApplication.instance() or QApplication(sys.argv[:1])
    assert isinstance(application, QApplication)
    application.setApplicationName("Sensiscope")
    application.setOrganizationName("Sensiscope")
    application.setStyle("Fusion")
    QGuiApplication.setDesktopFileName("sensiscope")
    store = private_store()
    use_format(Settings(store)["numbers"])
    session = Session(ledger=LazyLedger(ledger or default_ledger()))
    window = MainWindow(session, argv_file, store)
    if theme is not None:
        window.controllers.appearance.set_theme(theme)
    window.show()
    if argv_file is None:
        window.controllers.scene.show_first()
    return application.exec()
