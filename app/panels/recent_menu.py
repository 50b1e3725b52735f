"""The menu of recent files."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QWidget

from app.model.wording.numbers import escape
from app.recent_files import RecentFiles, names


class RecentMenu(QMenu):
    """Lists recent files, newest first, and can clear the list."""

    file_chosen = Signal(str)  # the path of a file

    def __init__(self, recent: RecentFiles, parent: QWidget) -> None:
        super().__init__("Open &recent", parent)
        self._recent = recent
        self.setToolTipsVisible(True)
        self.triggered.connect(self._on_triggered)
        self.aboutToShow.connect(self.fill)
        recent.changed.connect(self.fill)
        self.fill()

    def fill(self) -> None:
        """Update the list."""
        self.clear()
        paths = self._recent.paths
        for number, (path, name) in enumerate(zip(paths, names(paths), strict=True), 1):
            digit = f"&{number} " if number < 10 else ""
            action = QAction(digit + name.replace("&", "&&"), self)
            self.addAction(action)
            action.setToolTip(escape(str(path)))
            action.setData(str(path))
        self.addSeparator()
        clear = QAction("&Clear the list", self)
        self.addAction(clear)
        clear.setToolTip("Clear this list; the files stay on disk")
        self.menuAction().setEnabled(bool(paths))
        self.menuAction().setToolTip("Open a recent file")

    def _on_triggered(self, action: QAction) -> None:
        if action.data() is None:
            self._recent.clear()
        else:
            self.file_chosen.emit(action.data())
