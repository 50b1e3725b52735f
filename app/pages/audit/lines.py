"""Widgets side by side, and boxes that offer pairs and bugs."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSignalBlocker, Qt
from PySide6.QtWidgets import QHBoxLayout, QWidget

from app.model.wording.numbers import escape
from app.pages.audit.analysis import PairOffer
from app.widgets.combo_box import ComboBox

WIDE = 180
"""Pixels of a list whose words need no more, in type of ordinary size."""
TIP = Qt.ItemDataRole.ToolTipRole


def row_of(*widgets: QWidget | tuple[QWidget, int] | None) -> QWidget:
    """Return widgets on one line, with how much of the room each takes; None: what nothing else takes."""
    row = QWidget()
    fill_line(row, *widgets)
    return row


def fill_line(row: QWidget, *widgets: QWidget | tuple[QWidget, int] | None) -> None:
    """Put widgets on one line of another one."""
    line = QHBoxLayout(row)
    line.setContentsMargins(0, 0, 0, 0)
    for one in widgets:
        if one is None:
            line.addStretch(0)
            continue
        widget, stretch = one if isinstance(one, tuple) else (one, 0)
        line.addWidget(widget, stretch)


def fill_box(box: ComboBox, offered: Sequence[PairOffer], chosen: str) -> None:
    """Offer other choices, each with its sentence as a tip."""
    if [(box.itemData(i), box.itemText(i)) for i in range(box.count())] != [
        (one.name, one.label) for one in offered
    ]:
        blocker = QSignalBlocker(box)
        box.clear()
        for one in offered:
            box.addItem(one.label, one.name)
            box.setItemData(box.count() - 1, one.why, TIP)
        blocker.unblock()
        box.take_no_more(WIDE)
    box.setCurrentIndex(max(0, box.findData(chosen)))
    why = box.itemData(box.currentIndex(), TIP)
    box.setToolTip(escape(f"{box.currentText()}: {why}" if why else box.currentText()))
