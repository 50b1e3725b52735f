"""What a person sees in a window, and does with it."""

from PySide6.QtWidgets import QAbstractButton, QAbstractSpinBox, QComboBox, QLabel, QLineEdit, QWidget

TABS = ("k", "epsilon", "path", "noise", "distribution")


def words(window):
    """Return all that a person could read in the window."""
    found = [window.windowTitle(), window.statusBar().currentMessage()]
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


def clipped(window):
    """Return the visible labels, buttons and tabs that have less room than they need."""
    found = []
    for widget in [*window.findChildren(QAbstractButton), *window.findChildren(QLabel)]:
        if widget.isVisibleTo(window) and not (isinstance(widget, QLabel) and widget.wordWrap()):
            need = widget.minimumSizeHint()
            if widget.width() < need.width() or widget.height() < need.height() - 1:
                found.append((widget.text() or widget.accessibleName(), widget.size(), need))
    tabs = getattr(window.page.card, "tabs", None)
    if tabs is not None and tabs.width() < sum(tabs.tabRect(i).width() for i in range(tabs.count())):
        found.append(("tabs", tabs.size(), tabs.sizeHint()))
    return found


def choose(box, key):
    """Choose an entry of a combo box as a person does."""
    index = box.findData(key)
    assert index >= 0
    box.setCurrentIndex(index)
    box.activated.emit(index)
