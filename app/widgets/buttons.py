"""Buttons: of an action, for help, and for one of several choices."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, QSize, Qt, Signal
from PySide6.QtGui import QAction, QWhatsThisClickedEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QBoxLayout,
    QButtonGroup,
    QComboBox,
    QMenuBar,
    QPushButton,
    QSizePolicy,
    QToolButton,
    QWidget,
)

from app.jobs.channels import Slot
from app.model.theme import Palette
from app.widgets.layouts import line_up
from app.widgets.style import THEME, icon


class ActionButton(QPushButton):
    """Says what its action says, and does what it does, while that can be done.

    The action lives at least as long.
    """

    def __init__(self, action: QAction) -> None:
        super().__init__()
        self._action = action
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Preferred)
        _obey(self, action)
        action.changed.connect(self._follow)
        self._follow()

    def _follow(self) -> None:
        self.setText(_words(self._action))
        _show(self, self._action)


class ActionTool(QToolButton):
    """An icon that does what its action does.

    The action lives at least as long. `icon` is the name of the icon.
    """

    def __init__(self, action: QAction, icon: str) -> None:
        super().__init__()
        self._action = action
        self.setProperty("icon_name", icon)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        _obey(self, action)
        action.changed.connect(self._follow)
        self._follow()

    def _follow(self) -> None:
        _show(self, self._action)


def corner(bar: QMenuBar, *tools: ActionTool) -> QWidget:
    """Return icons side by side, for a corner of a menu bar."""
    line = QWidget(bar)  # Qt does not keep what has no parent
    line_up(line, *tools, spacing=2)
    return line


def _words(action: QAction) -> str:
    return action.text().replace("&", "")


def _obey(button: QAbstractButton, action: QAction) -> None:
    button.setCheckable(action.isCheckable())
    button.clicked.connect(action.trigger)


def _show(button: QAbstractButton, action: QAction) -> None:
    keys = action.shortcut().toString()
    button.setAccessibleName(_words(action))
    button.setToolTip(f"{action.toolTip()} ({keys})" if keys else action.toolTip())
    button.setEnabled(action.isEnabled())
    button.setChecked(action.isChecked())


def push_button(
    text: str, tip: str = "", clicked: Slot | None = None, *, name: str = "", checkable: bool = False
) -> QPushButton:
    """Return a button; `name` is for the style sheet, such as "run" for the action of a page."""
    button = QPushButton(text)
    button.setObjectName(name)
    button.setToolTip(tip)
    button.setCheckable(checkable)
    if clicked is not None:
        button.clicked.connect(clicked)
    return button


def icon_button(name: str, tip: str, text: str = "", *, checkable: bool = False) -> QToolButton:
    """Return a small button with an icon, and perhaps a text beside it."""
    button = QToolButton()
    button.setProperty("icon_name", name)
    button.setCheckable(checkable)
    button.setToolTip(tip)
    button.setText(text)
    if text:
        button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
    button.setAccessibleName(text or tip)
    button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    return button


class HelpButton(QToolButton):
    """Asks the window for a page, as a link in "What is this?" does.

    `box`: its data are the names of pages. `kind`: the kind of these pages.
    """

    def __init__(self, box: QComboBox, kind: str) -> None:
        super().__init__()
        self._box = box
        self._kind = kind
        self.setText("?")
        self.setObjectName("help")
        self.setAccessibleName(f"Help on: {box.accessibleName()}")
        self.setToolTip("Help on the current choice: formula, guarantee, source")
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.clicked.connect(self._ask)

    def sizeHint(self) -> QSize:
        return super().sizeHint().boundedTo(self.maximumSize())

    def _ask(self) -> None:
        link = f"help:{self._kind}/{self._box.currentData()}"
        QCoreApplication.sendEvent(self, QWhatsThisClickedEvent(link))


ICON = 16


class Segmented(QWidget):
    """Push buttons that exclude each other."""

    chosen = Signal(str)  # the key that the user chose

    def __init__(self, name: str, choices: dict[str, tuple[str, str, str]]) -> None:
        """Take `choices` as key -> (text, icon or "", tip)."""
        super().__init__()
        self.setAccessibleName(name)
        self._icons = {key: picture for key, (_, picture, _) in choices.items()}
        self._group = QButtonGroup(self)
        self._group.setExclusive(True)
        self._buttons: dict[str, QPushButton] = {}
        self._texts = {key: text for key, (text, _, _) in choices.items()}
        self._line = line_up(self, spacing=4)
        for key, (text, picture, tip) in choices.items():
            button = push_button(text, tip, name="segment", checkable=True)
            button.setProperty("key", key)
            button.setProperty("plain", not picture)
            self._group.addButton(button)
            self._buttons[key] = button
            button.setAccessibleName(text)
            self._line.addWidget(button)
        self._group.buttonClicked.connect(self._on_clicked)
        THEME.follow(self.set_palette)

    def show_choice(self, key: str) -> None:
        self._buttons[key].setChecked(True)

    def button(self, key: str) -> QPushButton:
        return self._buttons[key]

    def set_compact(self, compact: bool) -> None:
        """Show icons one above the other, or words side by side."""
        directions = QBoxLayout.Direction
        self._line.setDirection(directions.TopToBottom if compact else directions.LeftToRight)
        for key, button in self._buttons.items():
            button.setText("" if compact else self._texts[key])

    def set_scale(self, scale: float) -> None:
        for button in self._buttons.values():
            button.setIconSize(QSize(1, 1) * round(ICON * scale))

    def set_palette(self, palette: Palette) -> None:
        for key, button in self._buttons.items():
            if self._icons[key]:
                button.setIcon(icon(self._icons[key], palette.muted, palette.card, ICON))

    def _on_clicked(self, button: QAbstractButton) -> None:
        self.chosen.emit(button.property("key"))
