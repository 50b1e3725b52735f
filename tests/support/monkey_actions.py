"""What the monkey does with real windows: each action by name, with how often it happens.

An action draws all that it needs from its own source of randomness, so that leaving out others
leaves it as it is, as far as the windows allow.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDropEvent, QKeySequence, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QDialog,
    QFileDialog,
    QLineEdit,
    QMessageBox,
    QTabBar,
    QWidget,
)
from shiboken6 import createdByPython, isValid

WORDS = (
    *("nan", "inf", "-inf", "1e308", "-1e308", "1e-320", "0", "-1", "1", "2", "0.1", "1,5", "7e9", ""),
    *("10", "100", "0.5", "99999999999999999999", "x" * 500, "größe ☃\u202e", "<b>b</b>", "a,b,c", "people"),
)
KEYS = (
    *(Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Tab, Qt.Key.Key_Backtab),
    *(Qt.Key.Key_Return, Qt.Key.Key_Escape, Qt.Key.Key_Space, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown),
    *(
        Qt.Key.Key_Home,
        Qt.Key.Key_End,
        Qt.Key.Key_Delete,
        Qt.Key.Key_Backspace,
        Qt.Key.Key_F1,
        Qt.Key.Key_Menu,
    ),
)
ENDS = {"quit"}
"""Actions of the menu that end a window: there is an action of the monkey's for that."""
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
        """Return something of a kind that can be seen and used, if there is any."""
        found = [
            widget
            for top in self.tops
            for widget in (top, *top.findChildren(QWidget))
            if isValid(widget) and isinstance(widget, kind) and widget.isVisible() and widget.isEnabled()
        ]
        return rng.choice(found) if found else None

    def free_window(self, rng: random.Random) -> Any:
        """Return a window whose menus can be used; None while a dialog is in front of it."""
        if QApplication.activeModalWidget() is not None or QApplication.activePopupWidget() is not None:
            return None
        self.windows = [window for window in self.windows if window.isVisible()]
        return rng.choice(self.windows) if self.windows else None


def place_in(rng: random.Random, widget: QWidget) -> QPoint:
    """Return a place in a widget."""
    return QPoint(rng.randrange(max(1, widget.width())), rng.randrange(max(1, widget.height())))


def use_menu(zoo: Zoo, rng: random.Random) -> str:
    """Trigger an action of the menus."""
    window = zoo.free_window(rng)
    if window is None:
        return ""
    name = rng.choice([name for name in window.actions_by_name if name not in ENDS])
    window.actions_by_name[name].trigger()
    return name


def click(zoo: Zoo, rng: random.Random) -> str:
    """Click anywhere."""
    widget = zoo.reach(rng, QWidget)
    if widget is None:
        return ""
    button = rng.choices((Qt.MouseButton.LeftButton, Qt.MouseButton.RightButton), (9, 1))[0]
    words = said(widget)
    act = rng.choices((QTest.mouseClick, QTest.mouseDClick), (9, 1))[0]
    act(widget, button, Qt.KeyboardModifier.NoModifier, place_in(rng, widget))
    return words


def press_button(zoo: Zoo, rng: random.Random) -> str:
    """Click a button."""
    button = zoo.reach(rng, QAbstractButton)
    if button is None:
        return ""
    words = said(button)
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    return words


def drag(zoo: Zoo, rng: random.Random) -> str:
    """Press, move and let go, as far as what is dragged lives on."""
    widget = zoo.reach(rng, QWidget)
    if widget is None:
        return ""
    words = said(widget)
    left = Qt.MouseButton.LeftButton
    QTest.mousePress(widget, left, Qt.KeyboardModifier.NoModifier, place_in(rng, widget))
    for _ in range(rng.randrange(1, 6)):
        if isValid(widget):
            QTest.mouseMove(widget, place_in(rng, widget))
    if isValid(widget):
        QTest.mouseRelease(widget, left, Qt.KeyboardModifier.NoModifier, place_in(rng, widget))
    return words


def turn_wheel(zoo: Zoo, rng: random.Random) -> str:
    """Turn the wheel over something."""
    widget = zoo.reach(rng, QWidget)
    if widget is None:
        return ""
    words, place = said(widget), QPointF(place_in(rng, widget))
    turn = QPoint(0, rng.choice((-1200, -120, 120, 1200)))
    event = QWheelEvent(
        *(place, QPointF(widget.mapToGlobal(place)), QPoint(), turn, Qt.MouseButton.NoButton),
        *(rng.choice((Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ControlModifier)),),
        *(Qt.ScrollPhase.NoScrollPhase, False),
    )
    QApplication.sendEvent(widget, event)
    return words


def press_key(zoo: Zoo, rng: random.Random) -> str:
    """Press a key where the focus is, or where it could be."""
    widget = QApplication.focusWidget() if rng.random() < 0.6 else zoo.reach(rng, QWidget)
    if widget is None or widget.window() not in zoo.tops:
        return ""
    words, key = said(widget), rng.choice(KEYS)
    held = Qt.KeyboardModifier
    choices = (held.NoModifier, held.ControlModifier, held.ShiftModifier)
    modifier = rng.choices(choices, (8, 1, 1))[0]
    QTest.keyClick(widget, key, modifier)
    return f"{key.name} {words}"


def press_shortcut(zoo: Zoo, rng: random.Random) -> str:
    """Press the shortcut of an action."""
    window = zoo.free_window(rng)
    if window is None:
        return ""
    known = [name for name, action in window.actions_by_name.items() if not action.shortcut().isEmpty()]
    name = rng.choice([name for name in known if name not in ENDS])
    QTest.keySequence(window, QKeySequence(window.actions_by_name[name].shortcut()))
    return name


def write(zoo: Zoo, rng: random.Random) -> str:
    """Write something into a field, and press a key."""
    field = zoo.reach(rng, QLineEdit)
    if field is None or field.isReadOnly():
        return ""
    words, text = said(field), rng.choice(WORDS)
    field.setFocus()
    field.selectAll()
    field.insert(text)
    for _ in range(rng.randrange(3)):
        if isValid(field):
            QTest.keyClick(field, rng.choice(KEYS))
    return f"{text[:30]!r} {words}"


def step_number(zoo: Zoo, rng: random.Random) -> str:
    """Step a number up or down."""
    box = zoo.reach(rng, QAbstractSpinBox)
    if box is None:
        return ""
    words, steps = said(box), rng.choice((-1000, -10, -1, 1, 10, 1000))
    box.stepBy(steps)
    return f"{steps} {words}"


def choose(zoo: Zoo, rng: random.Random) -> str:
    """Choose from a list, as if by hand."""
    box = zoo.reach(rng, QComboBox)
    if box is None or not box.count():
        return ""
    words, place = said(box), rng.randrange(box.count())
    if not box.model().index(place, 0).flags() & Qt.ItemFlag.ItemIsEnabled:
        return ""
    box.setCurrentIndex(place)
    box.activated.emit(place)
    return f"{place} {words}"


def choose_tab(zoo: Zoo, rng: random.Random) -> str:
    """Open a tab."""
    bar = zoo.reach(rng, QTabBar)
    if bar is None or not bar.count():
        return ""
    words, place = said(bar), rng.randrange(bar.count())
    bar.setCurrentIndex(place)
    return f"{place} {words}"


def choose_item(zoo: Zoo, rng: random.Random) -> str:
    """Choose an item of a list or table."""
    view = zoo.reach(rng, QAbstractItemView)
    if view is None or view.model() is None or not view.model().rowCount():
        return ""
    words, model = said(view), view.model()
    index = model.index(rng.randrange(model.rowCount()), 0)
    view.setCurrentIndex(index)
    view.activated.emit(index)
    return words


def drop(zoo: Zoo, rng: random.Random) -> str:
    """Drop a file on the window."""
    window = zoo.free_window(rng)
    if window is None:
        return ""
    path, data = rng.choice(zoo.files), QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path))])
    event = QDropEvent(
        *(QPointF(50, 50), Qt.DropAction.CopyAction, data, Qt.MouseButton.LeftButton),
        Qt.KeyboardModifier.NoModifier,
    )
    window.dropEvent(event)
    return path.name


def open_file(zoo: Zoo, rng: random.Random) -> str:
    """Open a file, as the dialog would."""
    window = zoo.free_window(rng)
    if window is None:
        return ""
    path = rng.choice(zoo.files)
    window.controllers.files.open_path(str(path), decide=rng.random() < 0.5)
    return path.name


def use_popup(zoo: Zoo, rng: random.Random) -> str:
    """Choose from a menu or list that is open, whoever has made it."""
    popup = QApplication.activePopupWidget()
    if popup is None:
        return ""
    words = type(popup).__name__
    for key in rng.choices((Qt.Key.Key_Down, Qt.Key.Key_Up), k=rng.randrange(4)):
        QTest.keyClick(popup, key)
    QTest.keyClick(popup, rng.choice((Qt.Key.Key_Return, Qt.Key.Key_Escape)))
    return words


def answer_dialog(zoo: Zoo, rng: random.Random) -> str:
    """Choose a file in a dialog about files, answer a question, or close a dialog."""
    modal = QApplication.activeModalWidget()
    if modal is None:
        return ""
    words = said(modal)
    if isinstance(modal, QFileDialog):
        if rng.random() < 0.7:
            names = [str(path) for path in (*zoo.files, zoo.folder / f"saved{rng.randrange(3)}")]
            modal.selectFile(rng.choice(names))
            modal.accept()
        else:
            modal.reject()
    elif isinstance(modal, QMessageBox):
        QTest.keyClick(modal, rng.choice((Qt.Key.Key_Y, Qt.Key.Key_N, Qt.Key.Key_Escape)))
    else:
        modal.close()
    return words


def resize(zoo: Zoo, rng: random.Random) -> str:
    """Give a window another size."""
    window = zoo.free_window(rng)
    if window is None:
        return ""
    size = rng.choice(((640, 480), (1024, 768), (1280, 800), (1920, 1080)))
    window.resize(*size)
    return f"{size[0]} x {size[1]}"


def close_window(zoo: Zoo, rng: random.Random) -> str:
    """Close a window; if it was the last one, open another."""
    window = zoo.free_window(rng)
    if window is None:
        return ""
    window.close()
    if not window.isVisible():
        window.deleteLater()
        zoo.windows.remove(window)
    if not zoo.windows:
        zoo.windows.append(zoo.make())
    return "closed" if window not in zoo.windows else "asks"


def open_window(zoo: Zoo, rng: random.Random) -> str:
    """Open a second window on the same ledger."""
    if len(zoo.windows) > 1 or zoo.free_window(rng) is None:
        return ""
    zoo.windows.append(zoo.make())
    return "opened"


def wait(zoo: Zoo, rng: random.Random) -> str:
    """Let jobs come further."""
    return "a while"


ACTIONS: dict[Callable[[Zoo, random.Random], str], int] = {
    use_menu: 14,
    click: 16,
    press_button: 16,
    drag: 8,
    turn_wheel: 5,
    press_key: 14,
    press_shortcut: 4,
    write: 12,
    step_number: 4,
    choose: 8,
    choose_tab: 6,
    choose_item: 4,
    drop: 2,
    open_file: 3,
    use_popup: 6,
    answer_dialog: 8,
    resize: 1,
    close_window: 1,
    open_window: 1,
    wait: 4,
}
"""Each action, and how often it happens compared with the others."""


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
