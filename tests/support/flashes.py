"""Widgets that are shown before they stand anywhere: each is a window of its own for a moment."""

import traceback
from pathlib import Path

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtWidgets import QApplication, QMainWindow, QWidget


class Flashes(QObject):
    """Notes what is shown as a window and is none: no main window, dialog, menu or tip.

    Attributes
    ----------
    seen : list of str
        What was shown, and the function of the program that did it.
    """

    def __init__(self) -> None:
        super().__init__()
        self.seen: list[str] = []
        QApplication.instance().installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
        """Look at what is shown."""
        if event.type() == QEvent.Type.Show and isinstance(watched, QWidget) and watched.isWindow():
            ordinary = watched.windowType() == Qt.WindowType.Window
            if ordinary and not isinstance(watched, QMainWindow):
                ours = [one for one in traceback.extract_stack() if "/app/" in one.filename]
                where = f"{ours[-1].name} ({Path(ours[-1].filename).name})" if ours else "Qt"
                self.seen.append(f"{type(watched).__name__} in {where}")
        return False

    def end(self) -> None:
        """Look no more."""
        QApplication.instance().removeEventFilter(self)
