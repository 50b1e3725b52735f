"""Boxes that choose components of the catalog, and the order in which Tab reaches editors."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QComboBox, QWidget

from app.widgets.parameter_form import FormRow, ParameterForm

TIP = Qt.ItemDataRole.ToolTipRole


def offer(box: QComboBox, classes: Mapping[str, Any]) -> None:
    """Add components of the catalog to the choices, with a line about each."""
    for key, component in classes.items():
        box.addItem(component.label, key)
        box.setItemData(box.count() - 1, component.summary, TIP)


def show_chosen(box: QComboBox, name: str) -> None:
    """Show a chosen component, and in the tip what it is."""
    box.setCurrentIndex(box.findData(name))
    box.setToolTip(box.itemData(box.currentIndex(), TIP) or "")


def with_help(widgets: Sequence[QWidget]) -> Iterator[QWidget]:
    """Yield all that Tab reaches, each box with the small button beside it."""
    for widget in widgets:
        yield widget
        row = widget.parentWidget()
        if isinstance(row, FormRow) and row.help_button is not None:
            yield row.help_button


def editors(form: ParameterForm) -> list[QWidget]:
    """Return the editors of a form, from the top."""
    return [row.box for row in form.rows.values()]
