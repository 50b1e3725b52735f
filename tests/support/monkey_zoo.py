"""What the monkey plays with: windows, dialogs and files, and what a hand can reach of them."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QApplication, QDialog, QFileDialog, QWidget
from shiboken6 import createdByPython, isValid

Kind = TypeVar("Kind", bound=QWidget)


class Zoo:
    """The windows, files and ledger that the monkey plays with.

    Attributes
    ----------
    windows : list
        Those that are open.
    files : list of Path
    make : callable
        Makes a shown window.
    """

    def __init__(self, folder: Path, files: list[Path], make: Callable[[], Any]) -> None:
        self.folder = folder
        self.files = files
        self.make = make
        self.windows = [make()]

    @property
    def tops(self) -> list[QWidget]:
        """What a hand can reach: an open menu or list, else a dialog in front of all, else all windows.

        Nothing that Qt has made for itself, such as the question whether to replace a file: Python would
        remember its buttons after Qt has deleted them.
        """
        front = QApplication.activePopupWidget() or QApplication.activeModalWidget()
        if front is not None:
            return [front] if createdByPython(front) and not isinstance(front, QFileDialog) else []
        directly = Qt.FindChildOption.FindDirectChildrenOnly
        dialogs = [found for window in self.windows for found in window.findChildren(QDialog, "", directly)]
        return [top for top in (*self.windows, *dialogs) if top.isVisible()]

    def reach(self, rng: random.Random, kind: type[Kind]) -> Kind | None:
        """Return something of a kind that can be seen and used, if there is any.

        Only as many are looked at as are needed: a window has a thousand parts, most of them hidden.
        """
        found = [widget for top in self.tops for widget in (top, *top.findChildren(kind))]
        while found:
            place = rng.randrange(len(found))
            found[place], found[-1] = found[-1], found[place]
            widget = found.pop()
            if isinstance(widget, kind) and isValid(widget) and widget.isVisible() and widget.isEnabled():
                return widget
        return None

    def free_window(self, rng: random.Random) -> Any:
        """Return a window whose menus can be used; None while a dialog is in front of it."""
        if QApplication.activeModalWidget() is not None or QApplication.activePopupWidget() is not None:
            return None
        self.windows = [window for window in self.windows if window.isVisible()]
        return rng.choice(self.windows) if self.windows else None


def place_in(rng: random.Random, widget: QWidget) -> QPoint:
    """Return a place in a widget."""
    return QPoint(rng.randrange(max(1, widget.width())), rng.randrange(max(1, widget.height())))


def said(widget: QWidget) -> str:
    """Return what tells a widget from others."""
    words = ""
    for name in ("text", "title", "currentText"):
        if callable(getattr(widget, name, None)):
            try:
                words = str(getattr(widget, name)())[:30]
            except TypeError:  # such as QTableWidget.text(place)
                continue
    return f"{type(widget).__name__} {widget.objectName() or words!r}"
