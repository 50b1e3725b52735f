"""Small windows beside the main one."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QFileDialog, QLabel, QVBoxLayout, QWidget


def follow_filter(dialog: QFileDialog, chosen: str) -> None:
    """Let the suffix of the file follow the format that is chosen, such as "PNG image (*.png)"."""
    suffix = chosen.partition("*.")[2].rstrip(")")
    before = dialog.defaultSuffix()
    dialog.setDefaultSuffix(suffix)
    for name in dialog.selectedFiles()[:1]:
        if Path(name).suffix.lower() == f".{before}":
            dialog.selectFile(str(Path(name).with_suffix(f".{suffix}")))


class TextDialog(QDialog):
    """Shows a short text."""

    def __init__(self, title: str, text: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle(title)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        label = QLabel(text)
        label.setWordWrap(True)
        label.setTextInteractionFlags(Qt.TextInteractionFlag.TextBrowserInteraction)
        label.setOpenExternalLinks(True)
        label.setMinimumWidth(520)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.rejected.connect(self.close)
        column = QVBoxLayout(self)
        column.setContentsMargins(20, 16, 20, 12)
        column.addWidget(label)
        column.addWidget(buttons)
