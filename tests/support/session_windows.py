"""Windows on sessions that are saved and opened again."""

from pathlib import Path
from typing import Any

from app.session import Session
from app.window.main_window import MainWindow
from engine.ledger import Ledger

PATIENCE = 60_000
"""Milliseconds after which a window is not idle for good."""


def opened(ledger: Ledger, file: Path | None = None) -> MainWindow:
    """Return a shown, idle window."""
    window = MainWindow(Session(ledger=ledger), None if file is None else str(file))
    window.show()
    assert window.wait_until_idle(PATIENCE)
    return window


def closed(window: MainWindow) -> None:
    """Close a window without a question."""
    window.controllers.session_files._closing = True
    window.close()
    window.deleteLater()


def saved(window: MainWindow, path: Path) -> Path:
    """Save the session of a window; return where."""
    window.controllers.session_files.write(path)
    assert window.wait_until_idle(PATIENCE)
    assert not window.body.messages.texts()
    return path


def shown(window: MainWindow) -> Any:
    """Return the numbers behind all pictures that are in sight."""
    assert window.wait_until_idle(PATIENCE)
    if window.page.table is not None:
        return window.page.table
    tables = []
    for canvas in window.page.canvases:
        if canvas is not None and canvas.isVisible():
            canvas._draw()
            tables.append((canvas.picture.table(), canvas.picture.axes.get_yscale()))
    return tables


def visited(window: MainWindow, page: str, tab: str = "") -> Any:
    """Go to a page and return what is to be seen there."""
    window.session.show_page(page)
    assert window.wait_until_idle(PATIENCE)
    if tab:
        window.page.show_tab(tab)
    window.body.pages["compare"].running.away.stop()
    return shown(window)
