"""Widgets below each other or side by side, in one line of code."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import takewhile
from typing import Any, TypeVar

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QBoxLayout, QFrame, QHBoxLayout, QLayout, QScrollArea, QVBoxLayout, QWidget

Item = QWidget | QLayout | tuple[Any, ...] | None
"""A widget, a layout, either with its stretch (and alignment), or None for the room that is left."""

Margins = int | tuple[int, int, int, int]

LayoutT = TypeVar("LayoutT", bound=QBoxLayout)


def stack(
    inside: QWidget | None, *items: Item, margins: Margins = 0, spacing: int | None = None
) -> QVBoxLayout:
    """Put items below each other in a widget, or in a layout that stands in no widget yet."""
    return _fill(QVBoxLayout(), inside, items, margins, spacing)


def line_up(
    inside: QWidget | None, *items: Item, margins: Margins = 0, spacing: int | None = None
) -> QHBoxLayout:
    """Put items side by side in a widget, or in a layout that stands in no widget yet."""
    return _fill(QHBoxLayout(), inside, items, margins, spacing)


def scroll_upright(area: QScrollArea, inside: QWidget | None = None) -> QScrollArea:
    """Let an area scroll what is as wide as itself; nothing of it is seen but the scroll bar."""
    area.setFrameShape(QFrame.Shape.NoFrame)
    area.setWidgetResizable(True)
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    if inside is not None:
        area.setWidget(inside)
    return area


def tab_before(part: QWidget, later: QWidget) -> None:
    """Let Tab reach what stands in a part before `later`; what is added to a window would come last."""
    inside = list(takewhile(part.isAncestorOf, _chain(part, QWidget.nextInFocusChain)))
    before = _chain(later, QWidget.previousInFocusChain)
    last = next(filter(_is_reached, before), None)
    for widget in filter(_is_reached, inside):
        if last is not None:
            QWidget.setTabOrder(last, widget)
        last = widget


def _chain(widget: QWidget, step: Callable[[QWidget], QWidget | None]) -> Iterator[QWidget]:
    """Iterate over what follows a widget in the order of Tab, once around the window."""
    other = step(widget)
    while other is not None and other is not widget:
        yield other
        other = step(other)


def _is_reached(widget: QWidget) -> bool:
    """Tell whether Tab stops at a widget: not at one that another one stands for."""
    return bool(widget.focusPolicy() & Qt.FocusPolicy.TabFocus) and widget.focusProxy() is None


def _fill(
    layout: LayoutT, inside: QWidget | None, items: tuple[Item, ...], margins: Margins, spacing: int | None
) -> LayoutT:
    if inside is not None:
        inside.setLayout(layout)
    edges = (margins,) * 4 if isinstance(margins, int) else margins
    layout.setContentsMargins(*edges)
    if spacing is not None:
        layout.setSpacing(spacing)
    for item in items:
        if item is None:
            layout.addStretch(1)
            continue
        first, *facts = item if isinstance(item, tuple) else (item,)
        (layout.addLayout if isinstance(first, QLayout) else layout.addWidget)(first, *facts)
    return layout
