"""The title of the window: session and data."""

from __future__ import annotations

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from app.session import Session
from app.window.session_file_controller import SessionFileController


class WindowTitle(QObject):
    """Names the session, with a mark if it was changed since it was saved, and the data."""

    def __init__(self, window: QWidget, session: Session, file: SessionFileController) -> None:
        super().__init__(window)
        self._window = window
        self._session = session
        self._file = file
        file.changed.connect(self.refresh)

    def refresh(self) -> None:
        """Follow session and file."""
        state = self._session.state
        column = state.value("column") or ""
        data = f"{state.dataset.title}: {column}".rstrip(": ") + " – " if state.dataset else ""
        session = f"{self._file.name}[*] – " if self._file.name else ""
        self._window.setWindowTitle(f"{session}{data}Sensiscope")
        self._window.setWindowModified(self._file.modified)
