"""What a user sees in a window, and does with it."""

import re

import pytest
from PySide6.QtCore import QAbstractListModel, Qt
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSpinBox,
    QComboBox,
    QLabel,
    QLineEdit,
    QMainWindow,
    QPlainTextEdit,
    QTabBar,
    QTextEdit,
    QWidget,
)

SIZES = [(1024, 768), *(pytest.param(size, marks=pytest.mark.slow) for size in ((1280, 800), (1920, 1080)))]
"""The smallest is where clipping is likely; larger ones are looked at in the slow run."""

PRESENTATION = [
    pytest.param(False, id="ordinary", marks=pytest.mark.slow),
    pytest.param(True, id="presentation"),
]
"""Large type is where clipping is likely; ordinary type is looked at in the slow run."""

TABS = ("k", "epsilon", "path", "noise", "distribution")


def words(window):
    """Return all that a user could read in a window or dialog."""
    found = [window.windowTitle()]
    if isinstance(window, QMainWindow):
        found.append(window.statusBar().currentMessage())
    for widget in [*window.findChildren(QWidget)]:
        if not widget.isVisibleTo(window):
            continue
        if isinstance(widget, QLabel | QLineEdit):
            found.append(widget.text())
        if isinstance(widget, QComboBox):
            found.append(widget.currentText())
        if isinstance(widget, QAbstractSpinBox):
            found.append(widget.text())
        found += [widget.toolTip(), widget.accessibleName(), widget.accessibleDescription()]
        figure = getattr(widget, "figure", None)
        if figure is not None:
            found += [text.get_text() for text in figure.findobj(lambda artist: hasattr(artist, "get_text"))]
    return "\n".join(found)


def all_words(window):
    """Return the `words`, and all that is found by opening lists, pointing and asking for help."""
    found = [words(window)]
    for widget in [*window.findChildren(QWidget)]:
        if not widget.isVisibleTo(window):
            continue
        found += [widget.statusTip(), widget.whatsThis()]
        if isinstance(widget, QComboBox):
            found += items(widget.model())
        if isinstance(widget, QAbstractButton):
            found.append(widget.text())
        if isinstance(widget, QTabBar):
            found += [widget.tabText(place) + widget.tabToolTip(place) for place in range(widget.count())]
        if isinstance(widget, QTextEdit | QPlainTextEdit):
            found.append(widget.toPlainText())
        if isinstance(widget, QAbstractItemView) and widget.model() is not None:
            found += items(widget.model())
    return "\n".join(found)


def items(model):
    """Return all texts and tips of a table or list."""
    columns = 1 if isinstance(model, QAbstractListModel) else model.columnCount()
    cells = [model.index(row, column) for row in range(model.rowCount()) for column in range(columns)]
    roles = (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole)
    return [str(cell.data(role) or "") for cell in cells for role in roles]


def tabbed(window):
    """Return the names of what Tab reaches, in its order; the lines inside of boxes are left out."""
    names, widget = [], window.nextInFocusChain()
    while widget is not window:
        reached = widget.focusPolicy() & Qt.FocusPolicy.TabFocus and not isinstance(widget, QLineEdit)
        if reached and widget.isVisibleTo(window) and widget.isEnabled():
            names.append(widget.accessibleName() or widget.text())
        widget = widget.nextInFocusChain()
    return names


def clipped(window):
    """Return the visible labels and buttons that have less room than they need; tabs may scroll."""
    found = []
    for widget in [*window.findChildren(QAbstractButton), *window.findChildren(QLabel)]:
        if isinstance(widget.parent(), QTabBar):
            continue
        if widget.isVisibleTo(window) and not (isinstance(widget, QLabel) and widget.wordWrap()):
            need = widget.minimumSizeHint()
            if widget.width() < need.width() or widget.height() < need.height() - 1:
                found.append((widget.text() or widget.accessibleName(), widget.size(), need))
    tabs = getattr(window.page.card, "tabs", None)
    if tabs is not None and tabs.isVisibleTo(window):
        chosen = tabs.tabRect(tabs.currentIndex())
        if chosen.left() < 0 or chosen.right() > tabs.width():
            found.append((tabs.tabText(tabs.currentIndex()), tabs.size(), chosen))
    return found


def choose(box, key):
    """Choose an entry of a combo box as a user does."""
    index = next((place for place in range(box.count()) if box.itemData(place) == key), -1)
    assert index >= 0
    box.setCurrentIndex(index)
    box.activated.emit(index)


def option(card, name):
    """Return what an option of the pictures of a card is chosen with."""
    boxes = (getattr(editor, "boxes", {}) for editor in card.editors.values())
    return next(found[name] for found in boxes if name in found)


def letters_of(window):
    """Return the letters that fields and menus answer to."""
    texts = [action.text() for action in window.menuBar().actions()]
    texts += [
        widget.text()
        for widget in [*window.findChildren(QLabel), *window.findChildren(QAbstractButton)]
        if widget.isVisibleTo(window)
    ]
    found = [re.search(r"&(\w)", text.replace("&&", "")) for text in texts if "<a" not in text]
    return [letter[1].lower() for letter in found if letter]
