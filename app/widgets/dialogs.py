"""Small windows beside the main one."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QEvent, QSize, Qt, QTimer
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QFileDialog,
    QLabel,
    QLayout,
    QMessageBox,
    QWidget,
)

from app.widgets.combo_box import TYPE_SIZE
from app.widgets.layouts import ScrolledColumn, stack

MARGIN = QSize(40, 60)
"""Pixels of the screen kept free around a window, for its frame."""


class FileDialog(QFileDialog):
    """Asks for a file.

    Qt's own questions, such as whether to replace a file, run in an event loop inside the dialog's methods.
    Closing the dialog ends that loop first; the dialog is deleted afterwards.
    """

    def __init__(self, parent: QWidget, title: str, filters: str) -> None:
        super().__init__(parent, title, "", filters)
        self.finished.connect(self._delete)

    def done(self, result: int) -> None:
        """Close the dialog, and any question of Qt in it."""
        for question in self.findChildren(QMessageBox):
            question.reject()
        super().done(result)

    def _delete(self) -> None:
        if self.findChild(QMessageBox) is not None:  # the method that asks has not come back yet
            QTimer.singleShot(0, self, self._delete)
        else:
            self.deleteLater()


class SaveDialog(FileDialog):
    """Asks where to save a file; it begins in the folder where the last one ended.

    The suffix of the file follows the format that is chosen, such as "PNG image (*.png)".
    """

    def __init__(self, parent: QWidget, title: str, name: str | Path, filters: str) -> None:
        super().__init__(parent, title, filters)
        self.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        suffix = Path(name).suffix
        self.setDefaultSuffix(suffix.removeprefix("."))
        self.selectNameFilter(next((one for one in filters.split(";;") if f"*{suffix})" in one), ""))
        self.selectFile(str(name))
        self.filterSelected.connect(self._on_filter)

    def _on_filter(self, chosen: str) -> None:
        suffix, before = chosen.partition("*.")[2].rstrip(")"), self.defaultSuffix()
        self.setDefaultSuffix(suffix)
        for name in self.selectedFiles()[:1]:
            if Path(name).suffix.lower() == f".{before}":
                self.selectFile(str(Path(name).with_suffix(f".{suffix}")))


def open_dialog(parent: QWidget, title: str, filters: str, folder: Path | None = None) -> FileDialog:
    """Return a dialog that asks which file to open, in a folder, or where the last one ended."""
    dialog = FileDialog(parent, title, filters)
    dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
    if folder is not None:
        dialog.setDirectory(str(folder))
    return dialog


def room_for(dialog: QWidget) -> QSize:
    """Return how large a window may be on its screen, with its frame."""
    return dialog.screen().availableSize() - MARGIN


class FittingDialog(QDialog):
    """A small window that takes the room that its words need, in type of any size.

    Where the screen has not that much, everything above the buttons, which come last, is scrolled.

    `width`: pixels that it has at least, in type of ordinary size.
    """

    def __init__(self, title: str, width: int, parent: QWidget) -> None:
        super().__init__(parent)
        self._over = parent
        self._area: ScrolledColumn | None = None
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(title)
        self.setMinimumSize(QSize(width, 0))

    def showEvent(self, event: QShowEvent) -> None:
        """Measure everything in the type of now, which only what was polished knows."""
        for child in self.findChildren(QWidget):
            child.ensurePolished()
        least = round(self.minimumWidth() * max(1.0, self.fontInfo().pixelSize() / TYPE_SIZE))
        most = max(self.minimumWidth(), min(self._over.window().width(), room_for(self).width()))
        self._fit(min(max(least, self.sizeHint().width()), most))
        super().showEvent(event)

    def event(self, event: QEvent) -> bool:
        done = super().event(event)
        if event.type() == QEvent.Type.LayoutRequest and self.isVisible():
            self._fit(self.width())
        return done

    def _fit(self, width: int) -> None:
        """Be high enough for lines that wrap at a width, which a window's layout does not see to."""
        layout = self.layout()
        if layout is None:
            return
        layout.activate()
        need, most = layout.totalHeightForWidth(width), room_for(self).height()
        if need > most and self._area is None:
            self._scroll(layout)
        if self._area is not None:
            need = most
        self.resize(width, max(self.height() * self.isVisible(), need))

    def _scroll(self, layout: QLayout) -> None:
        """Scroll everything but the buttons."""
        parts = [item.widget() for item in map(layout.itemAt, range(layout.count())) if item is not None]
        *above, buttons = (part for part in parts if part is not None)
        hidden = [part.isHidden() for part in above]
        self._area = ScrolledColumn(*above, spacing=layout.spacing())
        layout.removeWidget(buttons)
        layout.addWidget(self._area)
        layout.addWidget(buttons)
        for part, absent in zip(above, hidden, strict=True):
            part.setHidden(absent)


class TextDialog(FittingDialog):
    """Shows a short text."""

    def __init__(self, title: str, text: str, parent: QWidget) -> None:
        super().__init__(title, 560, parent)
        label = QLabel(text, wordWrap=True, openExternalLinks=True)
        label.setTextInteractionFlags(Qt.TextInteractionFlag.TextBrowserInteraction)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.rejected.connect(self.close)
        stack(self, label, buttons, margins=(20, 16, 20, 12))
