"""A box that looks like any other, and of whose entries several can be chosen."""

from __future__ import annotations

from PySide6.QtWidgets import QComboBox, QMenu, QSizePolicy


class Chooser(QComboBox):
    """Opens a menu, whose actions can be checked.

    Attributes
    ----------
    menu : QMenu
        What can be chosen.
    """

    def __init__(self, name: str) -> None:
        super().__init__()
        self.setAccessibleName(name)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.addItem("")
        self.menu = QMenu(self)
        self.menu.setToolTipsVisible(True)

    def set_text(self, words: str) -> None:
        """Say what is chosen."""
        self.setItemText(0, words)

    def showPopup(self) -> None:
        """Open the menu in the place of a list."""
        self.menu.setMinimumWidth(self.width())
        self.menu.popup(self.mapToGlobal(self.rect().bottomLeft()))
