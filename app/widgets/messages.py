"""Messages in the window: dismissible, with details to copy, never in the way of work."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QAccessible, QAccessibleEvent, QGuiApplication
from PySide6.QtWidgets import QFrame, QLabel, QPlainTextEdit, QToolButton, QWidget

from app.model.theme import Palette
from app.widgets.buttons import push_button
from app.widgets.card import plain
from app.widgets.layouts import line_up, stack
from app.widgets.style import THEME, icon

MAX_MESSAGES = 3
"""Older messages make room for newer ones beyond this many."""


class Offer(NamedTuple):
    """Something to do about a message: the text of a button, and what it does."""

    text: str
    run: Callable[[], object]


class Message(QFrame):
    """One message: an icon, one line, what can be done, and what an expert would like to know."""

    dismissed = Signal(object)
    resized = Signal()

    def __init__(self, text: str, details: str, kind: str, offer: Offer | None = None) -> None:
        super().__init__()
        self.setObjectName("message")
        self.setProperty("kind", kind)
        self.setAccessibleName(f"{kind}: {text}")
        self._sign = QLabel()
        self._kind = kind
        self._text = plain(text)
        self._text.setWordWrap(True)
        self._text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._offer = offer
        self._offered = push_button(offer.text if offer else "", clicked=self.take_offer)
        self._more = push_button("De&tails", clicked=self._show_details, checkable=True)
        self._copy = push_button("&Copy", clicked=self._copy_details)
        self._close = QToolButton()
        self._close.setAccessibleName("Dismiss this message")
        self._close.setToolTip("Dismiss (Esc)")
        self._close.clicked.connect(self.dismiss)
        self._details = QPlainTextEdit(details)
        self._details.setReadOnly(True)
        self._details.setAccessibleName("Details of the message")
        self._details.setMinimumHeight(140)
        self._details.setVisible(False)
        line = line_up(
            None, self._sign, (self._text, 1), self._offered, self._copy, self._more, self._close, spacing=8
        )
        stack(self, line, self._details, margins=(12, 8, 8, 8))
        self._offered.setVisible(offer is not None)
        self._more.setVisible(bool(details))
        self._copy.hide()
        THEME.follow(self.set_palette)

    @property
    def text(self) -> str:
        return self._text.text()

    @property
    def details(self) -> str:
        return self._details.toPlainText()

    def set_palette(self, palette: Palette) -> None:
        """Take the colours of a theme."""
        colour = {"error": palette.error, "warning": palette.text(palette.private)}.get(
            self._kind, palette.accent
        )
        self._sign.setPixmap(icon(self._kind, colour).pixmap(18, 18))
        self._close.setIcon(icon("close", palette.muted))

    def dismiss(self) -> None:
        """Go away."""
        self.dismissed.emit(self)

    def take_offer(self) -> None:
        """Do what is offered, and go away."""
        assert self._offer is not None
        self._offer.run()
        self.dismiss()

    def _show_details(self, shown: bool) -> None:
        self._details.setVisible(shown)
        self._copy.setVisible(shown)
        self.resized.emit()

    def _copy_details(self) -> None:
        QGuiApplication.clipboard().setText(f"{self.text}\n\n{self.details}")


class MessageArea(QWidget):
    """A stack of messages that floats over the top of another widget."""

    def __init__(self, over: QWidget) -> None:
        super().__init__(over)
        self._over = over
        self._messages: list[Message] = []
        self._column = stack(self, spacing=6)
        self.setAccessibleName("Messages")
        self.hide()

    def show_message(
        self, text: str, details: str = "", kind: str = "error", offer: Offer | None = None
    ) -> None:
        """Show a message of kind "error", "warning" or "info"; a repeated one moves to the top."""
        for old in [message for message in self._messages if message.text == text]:
            self._remove(old)
        while len(self._messages) >= MAX_MESSAGES:
            self._remove(self._messages[-1])
        message = Message(text, details, kind, offer)
        message.dismissed.connect(self._remove)
        message.resized.connect(self._place)
        self._messages.insert(0, message)
        self._column.insertWidget(0, message)
        message.show()
        self.show()
        self._over.installEventFilter(self)
        self._place()
        QAccessible.updateAccessibility(QAccessibleEvent(message, QAccessible.Event.Alert))

    def texts(self) -> list[str]:
        """Return what the messages say, newest first."""
        return [message.text for message in self._messages]

    def messages(self) -> list[Message]:
        """Return the messages, newest first."""
        return list(self._messages)

    def dismiss_newest(self) -> bool:
        """Dismiss one message; False when there is none."""
        if not self._messages:
            return False
        self._remove(self._messages[0])
        return True

    def clear(self) -> None:
        while self.dismiss_newest():
            pass

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize:
            self._place()
        return False

    def _remove(self, message: Message) -> None:
        if message in self._messages:
            self._messages.remove(message)
            self._column.removeWidget(message)
            message.hide()
            message.deleteLater()
        self.setVisible(bool(self._messages))
        if not self._messages:
            self._over.removeEventFilter(self)
        self._place()

    def _place(self) -> None:
        width = max(200, self._over.width() - 24)
        self._column.invalidate()
        heights = [message.heightForWidth(width) for message in self._messages]
        height = sum(heights) + self._column.spacing() * max(0, len(heights) - 1)
        self.setGeometry(12, 8, width, height)
        self.raise_()
