"""The undo history: a click goes back to any step."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QShowEvent
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QListWidget, QListWidgetItem, QWidget

from app.model.views import CURATOR
from app.session import Session
from app.widgets.card import caption
from app.widgets.layouts import stack
from app.widgets.style import THEME

FIRST, NOTHING = "Start", "No step to undo yet"
HINT = "Click a step to go back to it. Releases are not undone."
SIZE = (480, 400)


class UndoDialog(QDialog):
    """Lists the steps, newest first, and stays up to date."""

    def __init__(self, session: Session, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle("Undo history")
        self.resize(*SIZE)
        self._session, self._stacks = session, session.stacks
        self.steps = QListWidget()
        self.steps.setObjectName("steps")
        self.steps.setAccessibleName("Steps that can be undone")
        self.steps.setWordWrap(True)
        self.steps.itemClicked.connect(self._on_chosen)
        self.steps.itemActivated.connect(self._on_chosen)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.rejected.connect(self.reject)
        stack(self, caption(HINT), (self.steps, 1), buttons, margins=12, spacing=8)
        for changed in (self._stacks.group.indexChanged, self._stacks.group.activeStackChanged):
            changed.connect(self.refresh)
        session.watch({"view"}, self, self.refresh)
        self.refresh()

    def refresh(self) -> None:
        """Show the current steps; dim undone ones, and mark the last one done."""
        done, curator = self._stacks.active.index(), self._session.state.view == CURATOR
        self.steps.clear()
        steps = self._stacks.describe_steps(curator=curator)
        for index, text in reversed(list(enumerate([FIRST if steps else NOTHING, *steps]))):
            item = QListWidgetItem(f"{text[:1].upper()}{text[1:]}")
            item.setData(Qt.ItemDataRole.UserRole, index)
            if index > done or not steps:
                item.setForeground(QColor(THEME.palette.muted))
            self.steps.addItem(item)
            if index == done and steps:
                font = item.font()
                font.setBold(True)
                item.setFont(font)
                self.steps.setCurrentItem(item)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.steps.setFocus()

    def _on_chosen(self, item: QListWidgetItem) -> None:
        self._stacks.go_to(item.data(Qt.ItemDataRole.UserRole))
