"""A window that is not seen: for pictures of what it shows."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from app.model.wording.number_format import short
from engine.errors import SensiscopeError

if TYPE_CHECKING:
    from app.window.main_window import MainWindow

PATIENCE = 60_000
"""Milliseconds that a page gets to finish its curves."""


@contextlib.contextmanager
def hidden_window(command: str, page: str = "", ledger: Path | None = None) -> Iterator[MainWindow]:
    """Make a window, on a page and with a ledger if they are named, and delete it afterwards."""
    if sys.platform.startswith("linux"):
        # even where there is a display: Qt ends the process if it cannot be reached
        os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    from PySide6.QtWidgets import QApplication

    application = QApplication.instance() or QApplication([f"sensiscope {command}"])
    assert isinstance(application, QApplication)
    application.setStyle("Fusion")
    from app.model.ledger import LazyLedger
    from app.session import Session
    from app.window.main_window import MainWindow

    session = Session(ledger=LazyLedger(ledger))
    if page:
        session.show_page(page)
    window = MainWindow(session)
    try:
        yield window
    finally:
        window.close()
        window.deleteLater()


def wait(window: MainWindow, patience: int = PATIENCE) -> None:
    """Wait until the window has nothing left to do."""
    if not window.wait_until_idle(patience):
        raise SensiscopeError(f"the page was not ready after {short(patience / 1000)} seconds")
