"""A hand that does in a real window what users do, counts it, and takes pictures after each step."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAction, QPainter
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QLineEdit, QListWidget, QMenu, QTabBar, QWidget

from app.window.main_window import MainWindow

PATIENCE = 60_000
"""Milliseconds; on a busy machine."""


class Walker:
    """Walks through a window.

    Parameters
    ----------
    window : MainWindow
    folder : Path, optional
        Where a picture of each step is saved; without it, none is.

    Attributes
    ----------
    clicks, keys, texts : int
        Clicks of the mouse, single keys, and texts that were typed.
    """

    def __init__(self, window: MainWindow, folder: Path | None = None) -> None:
        self.window = window
        self.folder = folder
        self.clicks = self.keys = self.texts = self.steps = 0

    def click(self, widget: QWidget, spot: QPoint | None = None, *, step: str = "") -> None:
        """Click a widget where users can: it is in sight, nothing lies over it, and it can be used."""
        place = spot or widget.rect().center()
        whole = widget.window()
        hit = whole.childAt(widget.mapTo(whole, place)) or whole
        assert widget.isVisible(), f"{widget} is not in sight"
        assert widget.isEnabled(), f"{widget} cannot be used"
        assert hit is widget or widget.isAncestorOf(hit), f"{widget} is covered by {hit}"
        self._activate()
        QTest.mouseClick(widget, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, place)
        self.clicks += 1
        self._settle(step)

    def click_row(self, rows: QListWidget, text: str, *, step: str = "") -> None:
        """Click a line of a list."""
        (item,) = rows.findItems(text, Qt.MatchFlag.MatchExactly)
        self.click(rows.viewport(), rows.visualItemRect(item).center(), step=step)

    def click_tab(self, tabs: QTabBar, text: str, *, step: str = "") -> None:
        """Click a tab."""
        (index,) = (index for index in range(tabs.count()) if tabs.tabText(index) == text)
        self.click(tabs, tabs.tabRect(index).center(), step=step)

    def click_action(self, words: str, *, step: str = "") -> None:
        """Click a line of the menu that is open."""
        menu = QApplication.activePopupWidget()
        assert isinstance(menu, QMenu)
        (action,) = (one for one in menu.actions() if words in one.text().replace("&", ""))
        self.click(menu, _place(menu, action), step=step)

    def press(self, key: Qt.Key, *, step: str = "") -> None:
        """Press a key."""
        self.window.activateWindow()
        QTest.keyClick(QApplication.focusWidget() or self.window, key)
        self.keys += 1
        self._settle(step)

    def type(self, text: str) -> None:
        """Type into what has the keyboard, and go on with Tab."""
        if QApplication.activeModalWidget() is None:  # without a screen, a closed dialog leaves no focus
            self.window.activateWindow()
            QApplication.processEvents()
        focused = QApplication.focusWidget()
        assert focused is not None, f"nothing takes {text}"
        QTest.keyClicks(focused, text)
        QTest.keyClick(focused, Qt.Key.Key_Tab)
        self.texts += 1

    def enter(self, text: str, *, step: str = "") -> None:
        """Type a text into what has the keyboard, and press Enter."""
        self._activate()
        focused = QApplication.focusWidget()
        assert focused is not None, f"nothing takes {text}"
        QTest.keyClicks(focused, text)
        QTest.keyClick(focused, Qt.Key.Key_Return)
        self.texts += 1
        self._settle(step)

    def name_file(self, path: Path, *, step: str = "") -> None:
        """Type the name of a file into the dialog that asks for one, and press Enter."""
        (dialog,) = (one for one in self.window.findChildren(QFileDialog) if one.isVisible())
        line = dialog.findChild(QLineEdit)
        assert isinstance(line, QLineEdit)
        line.selectAll()
        QTest.keyClicks(line, str(path))
        QTest.keyClick(line, Qt.Key.Key_Return)
        self.texts += 1
        self.keys += 1
        self._settle(step)

    def until(self, ready: Callable[[], bool]) -> None:
        """Wait for something that takes its time."""
        for _ in range(PATIENCE // 10):
            if ready():
                break
            QTest.qWait(10)
        assert ready()
        assert self.window.wait_until_idle(PATIENCE)

    def _activate(self) -> None:
        """Give the window back the keyboard: without a window manager, what closes leaves none with it."""
        if QApplication.activeWindow() is None:
            self.window.activateWindow()
            QApplication.processEvents()

    def _settle(self, step: str) -> None:
        assert self.window.wait_until_idle(PATIENCE)
        self.steps += 1
        if self.folder is not None and step:
            self.folder.mkdir(parents=True, exist_ok=True)
            self._picture().save(str(self.folder / f"{self.steps:02}-{step}.png"))

    def _picture(self):
        """Return the window with what has been opened over it."""
        picture = self.window.grab()
        over = QApplication.activePopupWidget() or QApplication.activeModalWidget()
        if over is not None and over is not self.window:
            place = over.pos() - self.window.pos()
            room = picture.size() - over.size()
            if QApplication.activePopupWidget() is None:
                place = QPoint(room.width() // 2, room.height() // 2)
            painter = QPainter(picture)
            painter.drawPixmap(place, over.grab())
            painter.end()
        return picture


def _place(menu: QMenu, action: QAction) -> QPoint:
    return menu.actionGeometry(action).center()
