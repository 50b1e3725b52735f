"""The first rows of a file, and questions about how it is read."""

from __future__ import annotations

import dataclasses
from functools import partial
from typing import Any

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QDialog,
    QDialogButtonBox,
    QTableView,
    QToolButton,
    QWidget,
)

from app.model.dataset import Dataset
from app.model.wording.console import counted
from app.model.wording.numbers import format_count
from app.panels.reading_form import ReadingForm, names_given, points_in_doubt
from app.widgets.buttons import push_button
from app.widgets.card import Card, Remarks, caption, linked_caption, set_text
from app.widgets.combo_box import TYPE_SIZE
from app.widgets.dialogs import room_for
from app.widgets.layouts import ScrolledColumn, line_up, stack, tab_before
from app.widgets.messages import MessageArea
from app.widgets.plot_table import Index, TableModel
from engine.errors import NamesInDoubt

MAX_COLUMNS = 100
"""The most columns shown; nobody searches a wider table here."""
AROUND, ROWS = 8, 3
"""Padding of a row in pixels, and the least number of visible rows."""


class PreviewModel(TableModel):
    """The first rows of a table, with type and missing values of each column in its header.

    With `named` records, the last of them holds the column names.
    """

    def __init__(self, dataset: Dataset, *, named: int = 0) -> None:
        self._columns = dataset.table.columns[:MAX_COLUMNS]
        self._first = dataset.table.row(named)
        missing = [f", {format_count(one.missing)} missing" if one.missing else "" for one in self._columns]
        header = [f"{one.name}\n{one.type}{lost}" for one, lost in zip(self._columns, missing, strict=True)]
        rows = dataset.table.preview(20 + named, MAX_COLUMNS)
        super().__init__(rows[named - 1] if named else header, rows[named:])

    def data(self, index: Index, role: int = 0) -> Any:
        if role == Qt.ItemDataRole.DisplayRole:
            return self._rows[index.row()][index.column()]
        if role == Qt.ItemDataRole.TextAlignmentRole and self._columns[index.column()].type == "number":
            return Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        return None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = 0) -> Any:
        if role == Qt.ItemDataRole.DisplayRole and orientation == Qt.Orientation.Vertical:
            return self._first + section
        return super().headerData(section, orientation, role)


class Preview(QTableView):
    """Shows the first rows of a table; with `named` records, the last of them holds the column names."""

    def __init__(self, dataset: Dataset, *, named: int = 0) -> None:
        super().__init__()
        self._model = PreviewModel(dataset, named=named)
        self.setModel(self._model)
        self.setAccessibleName("Preview of the first rows")
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectColumns)
        self.setTabKeyNavigation(False)
        self.setShowGrid(False)
        self.setAlternatingRowColors(True)

    def showEvent(self, event: QShowEvent) -> None:
        """Fit the columns once: repeated measuring is slow for many columns."""
        super().showEvent(event)
        self.ensurePolished()
        row = self.fontMetrics().height() + AROUND
        self.verticalHeader().setDefaultSectionSize(row)
        self.setMinimumHeight(self.horizontalHeader().sizeHint().height() + ROWS * row)
        self.resizeColumnsToContents()


SHOWN_TWICE = " Above it is a record; here it holds the column names."
"""Shown if the first rows are visible."""
LOST = "If it is a record and you choose names, that record is lost."
WITHOUT_PREVIEW, SHORT = 300, 560
"""Height in pixels."""


class ReadingPreviewDialog(QDialog):
    """Shows the first rows of a file and how it was read, and asks whether a row holds the column names.

    A `curator` sees cells and counts of missing values. Press Open to take the file.
    """

    taken = Signal(object)  # Dataset
    reading_changed = Signal(object)  # ReadingOptions: read the file in another way

    def __init__(
        self,
        dataset: Dataset,
        parent: QWidget | None = None,
        *,
        curator: bool = True,
        reading_shown: bool = False,
    ) -> None:
        super().__init__(parent)
        self.dataset = dataset
        self.reading_button = QToolButton()
        self.reading: ReadingForm | None = None
        self.doubt = linked_caption(self._state_decimal)
        self._curator = curator
        self.setWindowTitle(f"Open {dataset.title}")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setMinimumSize(QSize(800, SHORT if curator else WITHOUT_PREVIEW))
        self.messages = MessageArea(self)
        parts = [self._build_preview(reading_shown)] if curator else []
        if dataset.doubt is not None:
            parts.append(self._build_question(dataset.doubt))
        self.area = ScrolledColumn(*parts, spacing=10)
        self.buttons = QDialogButtonBox()
        self.open_button = self.buttons.addButton("&Open", QDialogButtonBox.ButtonRole.AcceptRole)
        self.open_button.setObjectName("run")
        self.buttons.addButton(QDialogButtonBox.StandardButton.Cancel)
        self.buttons.accepted.connect(self.decide)
        self.buttons.rejected.connect(self.reject)
        stack(self, (self.area, 1), self.buttons, margins=12, spacing=10)
        self.open_button.setEnabled(dataset.doubt is None)
        self.messages.raise_()
        if dataset.doubt is not None:
            self.likely_button.setFocus()

    def decide(self) -> None:
        """Take the file as it was read."""
        self.taken.emit(self.dataset)
        self.accept()

    def showEvent(self, event: QShowEvent) -> None:
        for child in self.findChildren(QWidget):
            child.ensurePolished()
        scale = max(1.0, self.fontInfo().pixelSize() / TYPE_SIZE)
        self.resize(self.sizeHint().expandedTo(self.minimumSize() * scale).boundedTo(room_for(self)))
        super().showEvent(event)

    @property
    def asks_reading(self) -> bool:
        """Whether the reading options are visible."""
        return self.reading_button.isChecked()

    def _build_reading(self, card: Card, shown: bool) -> None:
        """Add a line with the file's format, which shows problems too, and the reading options."""
        label = caption(f"Read as {self.dataset.table.format}")
        card.remarks = Remarks(
            ("caption",), lambda: self.reading.rows.values() if self.reading else (), label
        )
        self.reading_button.setText("Ch&ange…")
        self.reading_button.setAccessibleName("Change the reading options")
        self.reading_button.setToolTip("Correct the detected format; the preview follows")
        self.reading_button.setCheckable(True)
        self.reading_button.toggled.connect(self._show_reading)
        line, self._reading_holder = QWidget(), QWidget()
        line_up(line, (card.remarks, 1, Qt.AlignmentFlag.AlignVCenter), self.reading_button)
        stack(self._reading_holder)
        card.put(line, self._reading_holder)
        self.reading_button.setChecked(shown)

    def _reading_form(self) -> ReadingForm:
        table = self.dataset.table
        names = [one.name for one in table.columns[:MAX_COLUMNS]]
        form = ReadingForm(table.reading, self.dataset.reading, names, shows_detected=self._curator)
        form.changed.connect(self.reading_changed)
        return form

    def _show_reading(self, shown: bool) -> None:
        """Show the reading options, and grow if the screen allows."""
        if self.reading is None:
            self.reading = self._reading_form()
            layout = self._reading_holder.layout()
            assert layout is not None
            layout.addWidget(self.reading)
            tab_before(self.reading, self.preview)
        self.reading.setVisible(shown)
        if shown and self.isVisible():
            wanted = self.height() + self.reading.sizeHint().height()
            self.resize(self.width(), min(wanted, self.screen().availableGeometry().height()))

    def _build_preview(self, reading_shown: bool) -> QWidget:
        table = self.dataset.table
        size = f"{counted(table.n, 'row')}, {counted(len(table.columns), 'column')}"
        card = Card(f"{self.dataset.title} · {size}")
        self.preview = Preview(self.dataset)
        if table.reading.format and self.dataset.path is not None:
            self._build_reading(card, reading_shown)
            set_text(self.doubt, points_in_doubt(table.reading))
            card.body.addWidget(self.doubt)
            names = names_given(table.reading)
            if names:
                card.body.addWidget(caption(names))
        card.body.addWidget(self.preview, 1)
        return card

    def _build_question(self, doubt: NamesInDoubt) -> QWidget:
        """Ask whether a row holds the column names; a click reads the file again.

        The preview above shows the row as a record, this one as names.
        """
        card = Card(f"Row {doubt.row}: column names or a record?")
        card.wrap_title()
        like = (
            "looks like the rows below it" if doubt.row == 1 else "may hold the names: rows above lack cells"
        )
        why = f"Row {doubt.row} {like}.{SHOWN_TWICE * self._curator} {LOST}"
        card.body.addWidget(caption(why))
        if self._curator:
            as_names = Preview(self.dataset, named=doubt.row - self.dataset.table.first_row + 1)
            as_names.setAccessibleName("Preview with column names")
            card.body.addWidget(as_names)
        named, unnamed = (partial(self._state_header, header) for header in (str(doubt.row), "0"))
        self.names_button = push_button(f"Row {doubt.row} holds the &names", clicked=named)
        self.record_button = push_button(f"Row {doubt.row} is a &record", clicked=unnamed)
        self.likely_button = self.names_button if doubt.likely else self.record_button
        self.likely_button.setObjectName("run")
        card.body.addLayout(line_up(None, self.names_button, self.record_button, None, spacing=8))
        if not self._curator:
            card.body.addStretch(1)
        return card

    def _state_header(self, header: str) -> None:
        """Read the column names from a row, or from none."""
        self.reading_changed.emit(dataclasses.replace(self.dataset.reading, header=header))

    def _state_decimal(self, sign: str) -> None:
        """Read points as decimal signs, or as thousands separators."""
        self.reading_changed.emit(dataclasses.replace(self.dataset.reading, decimal=sign))
