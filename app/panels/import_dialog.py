"""What a person decides about a file before it is opened: column, bounds, where they come from."""

from __future__ import annotations

import dataclasses
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, QSize, Qt, Signal
from PySide6.QtWidgets import (
    QAbstractItemView,
    QButtonGroup,
    QDialog,
    QDialogButtonBox,
    QHeaderView,
    QLabel,
    QRadioButton,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from app.forms import Row, combo
from app.panels.data_panel import BOUNDS_HELP, LOOKED_WARNING, ORIGIN_HELP
from app.state import Dataset
from app.theme import Palette
from app.widgets.card import Card, caption
from app.widgets.messages import MessageArea
from app.widgets.number_box import NumberBox
from app.widgets.words import count
from engine.domain import Interval
from engine.errors import ParameterError


@dataclasses.dataclass(frozen=True)
class ImportChoice:
    """What was decided about a dataset."""

    dataset: Dataset
    column: str
    missing: str
    lower: float
    upper: float
    origin: str


class Preview(QAbstractTableModel):
    """The first rows of a table, with the type of each column in its header."""

    def __init__(self, dataset: Dataset, parent: QWidget) -> None:
        super().__init__(parent)
        self._columns = dataset.table.columns
        self._rows = dataset.table.preview(20)

    def rowCount(self, parent: QModelIndex | QPersistentModelIndex | None = None) -> int:
        """Return the number of rows in the preview."""
        return len(self._rows)

    def columnCount(self, parent: QModelIndex | QPersistentModelIndex | None = None) -> int:
        """Return the number of columns."""
        return len(self._columns)

    def data(
        self, index: QModelIndex | QPersistentModelIndex, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        """Return a cell as a person would read it."""
        if role == Qt.ItemDataRole.DisplayRole:
            return self._rows[index.row()][index.column()]
        if role == Qt.ItemDataRole.TextAlignmentRole and self._columns[index.column()].type == "number":
            return Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        return None

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        """Return name, type and missing values of a column."""
        if role != Qt.ItemDataRole.DisplayRole:
            return None
        if orientation == Qt.Orientation.Vertical:
            return section + 1
        column = self._columns[section]
        missing = f", {count(column.missing)} missing" if column.missing else ""
        return f"{column.name}\n{column.type}{missing}"


class ImportDialog(QDialog):
    """Asks for column, missing values and bounds; bounds are empty until they are declared.

    Signals
    -------
    chosen(ImportChoice)
        Everything is decided. The dialog stays open until it is closed, so that a
        column that cannot be read can be changed for another.
    """

    chosen = Signal(object)

    def __init__(
        self, dataset: Dataset, palette: Palette, parent: QWidget | None = None, *, curator: bool = True
    ) -> None:
        super().__init__(parent)
        self.dataset = dataset
        self._curator = curator
        self.setWindowTitle(f"Open {dataset.title}")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setMinimumSize(QSize(640, 560 if curator else 300))
        self.messages = MessageArea(self, palette)
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 12, 12, 12)
        column.setSpacing(10)
        if curator:
            column.addWidget(self._build_preview(), 1)
        column.addWidget(self._build_choices())
        self.buttons = QDialogButtonBox()
        self.open_button = self.buttons.addButton("&Open", QDialogButtonBox.ButtonRole.AcceptRole)
        self.open_button.setObjectName("run")
        self.buttons.addButton(QDialogButtonBox.StandardButton.Cancel)
        self.buttons.accepted.connect(self.choose)
        self.buttons.rejected.connect(self.reject)
        column.addWidget(self.buttons)
        self._on_column()
        self.messages.raise_()

    def show_column(self, name: str) -> None:
        """Begin with that column."""
        self.column.setCurrentIndex(self.column.findData(name))

    def choose(self) -> None:
        """Announce what was decided, or say what is still to be decided."""
        for row in (self.bounds_row, self.origin_row, self.missing_row):
            row.show_problem("")
        lower, upper = self.lower.value, self.upper.value
        if lower is None or upper is None:
            which = "both bounds" if lower is None and upper is None else "the other bound, too"
            self.bounds_row.show_problem(f"declare {which}, from what is known without the data")
            (self.lower if lower is None else self.upper).setFocus()
            return
        try:
            Interval(lower, upper)
        except ParameterError as error:
            self.bounds_row.show_problem(error.problem)
            return
        origin = self._origins.checkedButton()
        if origin is None:
            self.origin_row.show_problem("say where the bounds come from; the guarantee depends on it")
            return
        missing = self.missing.currentData() or "refuse"
        if self.missing_row.isVisibleTo(self) and self.missing.currentIndex() < 0:
            self.missing_row.show_problem("say what to do about the missing values")
            return
        name = self.column.currentData()
        self.chosen.emit(ImportChoice(self.dataset, name, missing, lower, upper, origin.property("key")))

    def _build_preview(self) -> QWidget:
        table = self.dataset.table
        card = Card(f"{self.dataset.title} · {count(table.n)} rows, {count(len(table.columns))} columns")
        self.preview = QTableView()
        self.preview.setAccessibleName("Preview of the first rows")
        self.preview.setModel(Preview(self.dataset, self))
        self.preview.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectColumns)
        self.preview.setTabKeyNavigation(False)
        self.preview.verticalHeader().setDefaultSectionSize(24)
        self.preview.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        self.preview.setShowGrid(False)
        self.preview.setAlternatingRowColors(True)
        self.preview.horizontalHeader().sectionClicked.connect(self._on_header)
        card.body.addWidget(self.preview, 1)
        return card

    def _build_choices(self) -> QWidget:
        card = Card("What to look at, and what is public about it")
        self.column = combo("Column of the data")
        for column in self.dataset.table.columns:
            missing = f", {count(column.missing)} missing" if column.missing and self._curator else ""
            self.column.addItem(f"{column.name}   ({column.type}{missing})", column.name)
        numbers = [i for i, column in enumerate(self.dataset.table.columns) if column.type == "number"]
        self.column.setCurrentIndex(numbers[0] if numbers else 0)
        self.column.currentIndexChanged.connect(self._on_column)
        self.column_row = Row("&Column", self.column)
        self.missing = combo("What to do about missing values")
        self.missing.setPlaceholderText("choose…")
        self.missing_row = Row("&Missing", self.missing)
        self.lower, self.upper = NumberBox("Lower bound"), NumberBox("Upper bound")
        self.lower.lineEdit().setPlaceholderText("smallest possible")
        self.upper.lineEdit().setPlaceholderText("largest possible")
        self.bounds_row = Row("&Bounds", self.lower, QLabel("to"), self.upper, help=BOUNDS_HELP)
        for box in (self.lower, self.upper):
            box.refused.connect(self.bounds_row.refuse)
            box.edited.connect(self._on_bound)
        self._origins = QButtonGroup(self)
        buttons = []
        for key, words in (("known", "&known in advance"), ("looked", "I &looked at the data")):
            button = QRadioButton(words)
            button.setProperty("key", key)
            self._origins.addButton(button)
            buttons.append(button)
        self._origins.buttonClicked.connect(self._on_origin)
        self.origin_row = Row("They were", *buttons, help=ORIGIN_HELP)
        self.warning = caption(LOOKED_WARNING, name="warning")
        self.warning.hide()
        why = caption(BOUNDS_HELP)
        for widget in (
            self.column_row,
            self.missing_row,
            self.bounds_row,
            why,
            self.origin_row,
            self.warning,
        ):
            card.body.addWidget(widget)
        return card

    def origin_button(self, key: str) -> QRadioButton:
        """Return the button of "known" or "looked"."""
        return next(
            button
            for button in self._origins.buttons()
            if isinstance(button, QRadioButton) and button.property("key") == key
        )

    def _on_header(self, section: int) -> None:
        self.column.setCurrentIndex(section)

    def _on_column(self, *_: object) -> None:
        column = self.dataset.column(self.column.currentData())
        missing = column.missing if column else 0
        self.missing.clear()
        self.missing.addItem("refuse to go on", "refuse")
        self.missing.addItem(
            f"drop {count(missing) if self._curator else 'such'} records and count them", "drop"
        )
        self.missing.setCurrentIndex(-1 if missing else 0)
        self.missing_row.setVisible(bool(missing))

    def _on_bound(self, *_: object) -> None:
        self.bounds_row.show_problem("")

    def _on_origin(self, *_: object) -> None:
        self.origin_row.show_problem("")
        self.warning.setVisible(self._origins.checkedButton() is self.origin_button("looked"))
