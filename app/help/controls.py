"""The texts of "What is this?", read from ``resources/help/controls.toml``.

A key is a control's name or class; ``*`` stands for any text.
"""

from __future__ import annotations

import html
from collections.abc import Iterable, Iterator, Mapping
from fnmatch import fnmatchcase
from functools import cache

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSlider,
    QAbstractSpinBox,
    QComboBox,
    QHeaderView,
    QLabel,
    QLineEdit,
    QMainWindow,
    QMenuBar,
    QProgressBar,
    QScrollBar,
    QTabBar,
    QWidget,
)

from app.model.wording.components import ABOUT, DECLARED, help_link
from app.widgets.layouts import ancestors
from engine.resources import resource

EVERYWHERE = "everywhere"
ACTIONS = "actions"
PICTURES = (
    "Right-click to save or copy it, or to see its numbers. An amber badge marks confidential pictures."
)
_CONTROLS = (QAbstractButton, QComboBox, QAbstractSpinBox, QAbstractSlider, QAbstractItemView, QTabBar)
_MORE = (QLineEdit, QProgressBar)
_WHOLES = (QComboBox, QAbstractSpinBox, QTabBar, QMenuBar, QLineEdit, QAbstractItemView)
"""Classes that Qt assembles from several widgets."""


@cache
def control_texts() -> Mapping[str, Mapping[str, str]]:
    """Return the texts about all controls, by class of the surrounding widget."""
    import tomllib

    return tomllib.loads(resource("help", "controls.toml").read_text("utf-8"))


def controls(root: QWidget) -> Iterator[QWidget]:
    """Yield all controls below `root`, and itself if it is one; no parts of controls."""
    for widget in (root, *root.findChildren(QWidget)):
        if is_control(widget):
            yield widget


def is_control(widget: QWidget) -> bool:
    """Whether it is a control: users operate it, or it shows progress."""
    if isinstance(widget, QHeaderView | QScrollBar | QMenuBar) or _is_part(widget):
        return False
    if isinstance(widget, QLabel):
        flags = widget.textInteractionFlags()
        return bool(flags & Qt.TextInteractionFlag.LinksAccessibleByKeyboard)
    if isinstance(widget, (*_CONTROLS, *_MORE)):
        return True
    return widget.focusPolicy() != Qt.FocusPolicy.NoFocus and not isinstance(widget, QMainWindow)


def _is_part(widget: QWidget) -> bool:
    """Whether it is a part of another control that Qt has made."""
    parent = widget.parentWidget()
    popup = parent is not None and isinstance(parent.parentWidget(), QComboBox)
    return widget.objectName().startswith("qt_") or isinstance(parent, _WHOLES) or popup


def name_of(widget: QWidget) -> str:
    """Return the name of a control: its accessible name, else its text, else its class."""
    text = widget.text() if isinstance(widget, QAbstractButton | QLabel) else ""
    return widget.accessibleName() or text.replace("&", "").split("   ")[0] or type(widget).__name__


def text_about(widget: QWidget) -> str:
    """Return the text about a control as HTML; "" if there is none."""
    from app.model.texts.marks import read_runs
    from app.plots.markup_html import runs_html

    name, names = name_of(widget), [EVERYWHERE]
    for parent in ancestors(widget):
        names[-1:-1] = [cls.__name__ for cls in type(parent).__mro__ if issubclass(cls, QWidget)]
    for part in names:
        table = control_texts().get(part, {})
        text = _match(table, name) or table.get(type(widget).__name__, "")
        if text:
            return f"<p>{runs_html(read_runs(text), lambda tex, _: tex)}</p>"
    return ""


def _match(table: Mapping[str, str], name: str) -> str:
    if name in table:
        return table[name]
    patterns = (pattern for pattern in table if "*" in pattern and fnmatchcase(name, pattern))
    return table.get(next(patterns, ""), "")


def explain(roots: Iterable[QWidget]) -> None:
    """Set the "What's This" texts of all controls that have none of their own."""
    for root in roots:
        for widget in controls(root):
            explain_one(widget)


def explain_one(widget: QWidget) -> None:
    if isinstance(widget, QTabBar):
        for i in range(widget.count()):
            title = html.escape(widget.tabText(i))
            widget.setTabWhatsThis(i, f"<p><b>{title}</b></p><p>{widget.tabToolTip(i)}</p>")
    if widget.property(DECLARED):
        return
    text = text_about(widget)
    if text:
        key = choice_of(widget)
        label = widget.currentText() if isinstance(widget, QComboBox) else ""
        more = help_link(key, f"{label}: formula, guarantee and source")
        widget.setWhatsThis(f"<p><b>{html.escape(name_of(widget))}</b></p>{text}{more}")


def explain_actions(actions: Mapping[str, QAction]) -> None:
    """Set the "What's This" texts of menu entries: by name, else from the tooltip."""
    for name, action in actions.items():
        action.setWhatsThis(control_texts().get(ACTIONS, {}).get(name) or action.toolTip())


def choice_of(widget: QWidget) -> str:
    """Return the key of the help page about the choice of a chooser; "" for any other control."""
    kind = widget.property(ABOUT)
    name = widget.currentData() if isinstance(widget, QComboBox) else None
    return f"{kind}/{name}" if kind and name else ""


def picture_words(shows: str, why: str) -> str:
    """Return as HTML what a picture shows, and its purpose."""
    lines = (f"<b>{html.escape(shows)}</b>", html.escape(why), PICTURES)
    return "".join(f"<p>{line}</p>" for line in lines)
