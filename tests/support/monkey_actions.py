"""What the monkey does with real windows: each action by name, with how often it happens.

An action draws all that it needs from its own source of randomness, so that leaving out others
leaves it as it is, as far as the windows allow.
"""

from __future__ import annotations

import random
from collections.abc import Callable

from monkey_hands import (
    choose,
    choose_item,
    choose_tab,
    click,
    drag,
    press_button,
    press_key,
    step_number,
    turn_wheel,
    write,
)
from monkey_zoo import Zoo, said
from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QDropEvent, QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
    QFileDialog,
    QMessageBox,
)

ENDS = {"quit"}
"""Actions of the menu that end a window: there is an action of the monkey's for that."""


def use_menu(zoo: Zoo, rng: random.Random) -> str:
    """Trigger an action of the menus."""
    window = zoo.free_window(rng)
    if window is None:
        return ""
    name = rng.choice([name for name in window.actions_by_name if name not in ENDS])
    window.actions_by_name[name].trigger()
    return name


def press_shortcut(zoo: Zoo, rng: random.Random) -> str:
    """Press the shortcut of an action."""
    window = zoo.free_window(rng)
    if window is None:
        return ""
    known = [name for name, action in window.actions_by_name.items() if not action.shortcut().isEmpty()]
    name = rng.choice([name for name in known if name not in ENDS])
    QTest.keySequence(window, QKeySequence(window.actions_by_name[name].shortcut()))
    return name


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
