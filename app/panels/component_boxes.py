"""What parts of a form show; boxes that choose components; the order in which Tab reaches editors."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtGui import QStandardItemModel
from PySide6.QtWidgets import QComboBox, QWidget

from app.model.selection import Selection
from app.model.state import SessionState
from app.widgets.form_row import FormRow
from app.widgets.parameter_form import ParameterForm
from engine.specification import Specification

TIP = Qt.ItemDataRole.ToolTipRole


@dataclasses.dataclass(frozen=True)
class PartView:
    """What a part shows.

    Attributes
    ----------
    chosen : Specification
    state : SessionState
    setup : Selection or None
        What the state makes; None while it makes no sense.
    tuning : bool
        Whether advanced parameters are shown.
    """

    chosen: Specification
    state: SessionState
    setup: Selection | None
    tuning: bool


def add_heading(box: QComboBox, text: str) -> None:
    """Add a line that cannot be chosen, above what follows."""
    box.addItem(text)
    model = box.model()
    assert isinstance(model, QStandardItemModel)
    model.item(box.count() - 1).setEnabled(False)


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
