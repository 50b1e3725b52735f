"""Cards, badges and captions: the quiet furniture of the window."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QSizePolicy, QToolButton, QVBoxLayout, QWidget

WHY_PRIVATE = (
    "Not private: computed from the raw data. It may be seen by the curator of the data only; "
    "showing it to others would void the guarantee. The Release view hides it."
)


def badge(text: str = "not private", why: str = WHY_PRIVATE) -> QLabel:
    """Return the amber mark of everything that must not leave the room."""
    label = QLabel(text)
    label.setObjectName("badge")
    label.setToolTip(why)
    label.setAccessibleName(f"{text}: {why}")
    label.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
    return label


def caption(text: str = "", name: str = "caption") -> QLabel:
    """Return a line of small words that wraps."""
    label = QLabel(text)
    label.setObjectName(name)
    label.setWordWrap(True)
    label.setVisible(bool(text))
    return label


def say(label: QLabel, text: str) -> None:
    """Show `text` in a caption, which takes no room while it has nothing to say."""
    if label.text() != text:
        label.setText(text)
    label.setVisible(bool(text))


class Card(QFrame):
    """A titled group: title and badge at the left, small tools at the right, a body below."""

    def __init__(self, title: str, *, private: bool = False, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("card")
        self.setAccessibleName(title)
        self._title = QLabel(title)
        self._title.setObjectName("title")
        self._title.setTextInteractionFlags(Qt.TextInteractionFlag.NoTextInteraction)
        self.badge = badge()
        self.badge.setVisible(private)
        self.head = QHBoxLayout()
        self.head.setSpacing(6)
        self.head.addWidget(self._title)
        self.head.addStretch(1)
        self.head.addWidget(self.badge)
        self.body = QVBoxLayout(self)
        self.body.setContentsMargins(12, 8, 12, 10)
        self.body.setSpacing(6)
        self.body.addLayout(self.head)

    @property
    def title(self) -> str:
        """The words at the top."""
        return self._title.text()

    def set_title(self, title: str) -> None:
        """Change the words at the top."""
        self._title.setText(title)
        self.setAccessibleName(title)

    def add_tool(self, name: str, tip: str, *, checkable: bool = False) -> QToolButton:
        """Add a small button with an icon between the title and the badge."""
        button = QToolButton()
        button.setProperty("icon_name", name)
        button.setCheckable(checkable)
        button.setToolTip(tip)
        button.setAccessibleName(tip)
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.head.insertWidget(self.head.count() - 1, button)
        return button
