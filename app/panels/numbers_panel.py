"""The data panel of a column of numbers."""

from __future__ import annotations

from PySide6.QtCore import QSignalBlocker, Qt
from PySide6.QtWidgets import QComboBox, QLabel

from app.model.kinds.column import ColumnChoice
from app.model.wording.formatting import format_count
from app.panels.interval_panel import SHORT_UNIT, IntervalPanel
from app.session import Session
from app.widgets.number_box import NumberBox
from app.widgets.parameter_form import FormRow, combo
from engine.data import Table

BOUNDS_HELP = (
    "Every value is moved to the nearest of these bounds. They must be known without looking at the "
    "data: from the question asked, the scale used, the law."
)


class NumbersPanel(IntervalPanel):
    """Shows and edits the column, its bounds, and what is done about missing values."""

    reading = IntervalPanel.reading | {"column", "numbers"}

    def __init__(self, session: Session) -> None:
        super().__init__(session, "median", BOUNDS_HELP)

    @property
    def _choice(self) -> ColumnChoice:
        return ColumnChoice.of(self._session.state)

    @property
    def rows(self) -> tuple[FormRow, ...]:
        """The rows beside which problems are explained."""
        return (self.column_row, *super().rows)

    def _make_rows(self) -> list[FormRow]:
        self.column = combo("Column of the data")
        self.column.activated.connect(self._on_column)
        self.column_row = FormRow(
            "C&olumn", self.column, help="The column of numbers to look at", fields=["column"]
        )
        return [self.column_row, self.missing_row]

    def _make_bounds_row(self, help: str) -> FormRow:
        self.lower_box = NumberBox("Lower bound", logarithmic=False)
        self.lower_box.edited.connect(self._on_lower)
        row = FormRow(
            "&Bounds",
            self.lower_box,
            QLabel("to"),
            self.upper_box,
            self.unit,
            help=help,
            fields=["lower", "upper"],
        )
        self.lower_box.refused.connect(row.refuse)
        return row

    def _fill(self) -> None:
        state = self._session.state
        fill_columns(self.column, state.dataset.table if state.dataset else None, state.view == "curator")
        self.column.setCurrentIndex(self.column.findData(self._choice.column))

    def _fill_bounds(self) -> None:
        super()._fill_bounds()
        self.lower_box.set_value(self._choice.lower)

    def _missing(self) -> int:
        state = self._session.state
        column = state.dataset.column(self._choice.column) if state.dataset else None
        return column.missing if column else 0

    def _facts(self) -> tuple[list[str], list[str], str]:
        state = self._session.state
        if self._choice.numbers is None:
            return [], [], ""
        facts = [f"n = {format_count(len(self._choice.numbers.values))}"]
        if state.view != "curator":
            return facts, [], "n is public."
        private = self._private_facts(
            self._choice.numbers.dropped, "clamped", len(self._choice.modified_values)
        )
        return (
            facts,
            private,
            (
                "n, the number of records, is public. How many were clamped (moved to the nearest bound) or "
                "dropped is not."
            ),
        )

    def _on_column(self, index: int) -> None:
        name = self.column.itemData(index)
        # the box shows the last good column until the new one has been read
        self.column.setCurrentIndex(self.column.findData(self._choice.column))
        self.chosen.emit({"column": name})

    def _on_lower(self, value: float, continuous: bool) -> None:
        self.bounds_row.settle()
        self._session.edit("change the lower bound", merge="lower" if continuous else "", lower=value)


def fill_columns(box: QComboBox, table: Table | None, curator: bool) -> None:
    """Offer the columns of a table, with what is known of each."""
    blocker = QSignalBlocker(box)
    box.clear()
    for column in table.columns if table else ():
        words = column.name if column.type == "number" else f"{column.name}  ({column.type})"
        words += f"  ({column.unit})" * (len(column.unit) > SHORT_UNIT)
        box.addItem(words, column.name)
        missing = f", {format_count(column.missing)} missing" if curator and column.missing else ""
        box.setItemData(box.count() - 1, f"{column.type}{missing}", Qt.ItemDataRole.ToolTipRole)
    blocker.unblock()
