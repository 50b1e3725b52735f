"""A black screen, as in slide shows."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

MODIFIERS = (Qt.Key.Key_Shift, Qt.Key.Key_Control, Qt.Key.Key_Alt, Qt.Key.Key_Meta, Qt.Key.Key_AltGr)
"""Keys that do nothing by themselves."""


class BlackScreen(QWidget):
    """Lies over a window until a key or the mouse is pressed, which does nothing else.

    `over`: the window; the keyboard goes back to what had it there.
    """

    def __init__(self, over: QWidget) -> None:
        super().__init__(over)
        self._over = over
        self.setAccessibleName("Black screen: press any key")
        self.setCursor(Qt.CursorShape.BlankCursor)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setGeometry(over.rect())
        over.installEventFilter(self)
        self._before: QWidget | None = over.focusWidget()
        if self._before is not None:
            self._before.destroyed.connect(self._on_gone)
        self.show()
        self.raise_()
        self.setFocus()

    def paintEvent(self, event: QPaintEvent) -> None:
        QPainter(self).fillRect(self.rect(), Qt.GlobalColor.black)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize:
            self.setGeometry(self._over.rect())
        return False

    def event(self, event: QEvent) -> bool:
        """Take every key before the window does, also Tab and those of its menus."""
        if event.type() == QEvent.Type.ShortcutOverride:
            event.accept()
            return True
        if event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            if event.key() not in MODIFIERS:
                self._end()
            return True
        return super().event(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._end()

    def _on_gone(self) -> None:
        self._before = None

    def _end(self) -> None:
        if self._before is not None:
            self._before.setFocus()
        self.hide()
        self.deleteLater()
