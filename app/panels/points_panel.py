"""The data panel of points: which columns are the coordinates, and between which bounds."""

from __future__ import annotations

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from app.model.kinds.points import PointsChoice
from app.model.wording.formatting import escape, format_count
from app.panels.data_panel import DataPanel
from app.panels.interval_panel import SHORT_UNIT
from app.session import Session
from app.widgets.card import plain
from app.widgets.chooser import Chooser
from app.widgets.number_box import NumberBox
from app.widgets.parameter_form import ColumnName, FormRow

BOUNDS_HELP = (
    "Every value of a column is moved to the nearest of its bounds. They must be known without looking at "
    "the data: from the question asked, the scale used, the law."
)
COLUMNS_HELP = "The columns of numbers that are the coordinates of a point, in the order of the file"


class SideRow(FormRow):
    """The bounds of one column."""

    def __init__(self, session: Session, column: str, unit: str) -> None:
        self.column = column
        self._session = session
        self.lower_box = NumberBox(f"Lower bound of {column}")
        self.upper_box = NumberBox(f"Upper bound of {column}")
        short = 0 < len(unit) <= SHORT_UNIT
        editors = (self.lower_box, QLabel("to"), self.upper_box, *([plain(unit)] if short else []))
        super().__init__(ColumnName(column), *editors, help=BOUNDS_HELP, fields=[f"bounds of {column}"])
        self.label.setToolTip(escape(f"{column}{f' ({unit})' if unit else ''}. {BOUNDS_HELP}"))
        for box in (self.lower_box, self.upper_box):
            box.edited.connect(self._on_edited)
            box.refused.connect(self.refuse)

    def show_bounds(self) -> None:
        """Show what is declared."""
        lower, upper = PointsChoice.of(self._session.state).bounds.get(self.column, (None, None))
        self.lower_box.set_value(lower)
        self.upper_box.set_value(upper)
        self.settle()

    def _on_edited(self, _: float, continuous: bool) -> None:
        self.settle()
        bounds = {
            **PointsChoice.of(self._session.state).bounds,
            self.column: (self.lower_box.value, self.upper_box.value),
        }
        merge = f"bounds of {self.column}" if continuous else ""
        self._session.edit(f"change the bounds of {self.column}", merge=merge, bounds=bounds)


class PointsPanel(DataPanel):
    """Shows and edits the coordinates, and the bounds of each."""

    kind = "points"
    reading = DataPanel.reading | {"columns", "points"}
    bounding = frozenset({"bounds"})

    def __init__(self, session: Session, page: str) -> None:
        super().__init__(session, page, BOUNDS_HELP)

    @property
    def _choice(self) -> PointsChoice:
        return PointsChoice.of(self._session.state)

    @property
    def rows(self) -> tuple[FormRow, ...]:
        """The rows beside which problems are explained."""
        return (self.columns_row, *super().rows, *self.sides.values())

    def _make_rows(self) -> list[FormRow]:
        self.columns = Chooser("Columns of the data")
        self.menu = self.columns.menu
        self.menu.triggered.connect(self._on_column)
        self.columns_row = FormRow("C&olumns", self.columns, help=COLUMNS_HELP, fields=["columns"])
        return [self.columns_row, self.missing_row]

    def _make_bounds(self, help: str) -> QWidget:
        self.sides: dict[str, SideRow] = {}
        self._sides = QWidget()
        self._sides.setAccessibleName("Bounds")
        self._column = QVBoxLayout(self._sides)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(6)
        return self._sides

    def _fill(self) -> None:
        state = self._session.state
        self.menu.clear()
        for column in state.dataset.table.columns if state.dataset else ():
            if column.type != "number":
                continue
            action = self.menu.addAction(column.name)
            action.setCheckable(True)
            action.setChecked(column.name in self._choice.columns)
            missing = (
                f", {format_count(column.missing)} missing"
                if column.missing and state.view == "curator"
                else ""
            )
            action.setToolTip(escape(f"{column.unit or 'number'}{missing}"))
        chosen = self._choice.columns
        self.columns.set_text(", ".join(chosen) if len(chosen) <= 2 else f"{len(chosen)} columns")
        self.columns.setToolTip(escape(f"{', '.join(chosen)}. {COLUMNS_HELP}") if chosen else COLUMNS_HELP)

    def _fill_bounds(self) -> None:
        if tuple(self.sides) != self._choice.columns:
            self._rebuild()
        for row in self.sides.values():
            row.show_bounds()

    def _rebuild(self) -> None:
        for old in self.sides.values():
            self._column.removeWidget(old)
            old.hide()
            old.deleteLater()
        dataset = self._session.state.dataset
        self.sides = {
            name: SideRow(self._session, name, dataset.column(name).unit if dataset else "")
            for name in self._choice.columns
        }
        before: QWidget = self.columns
        for row in self.sides.values():
            self._column.addWidget(row)
            row.show()  # at once, so that problems find it
            for box in (row.lower_box, row.upper_box):
                self.setTabOrder(before, box)
                before = box
        self.setTabOrder(before, self.origin)

    def _missing(self) -> int:
        state = self._session.state
        found = [state.dataset.column(name) for name in self._choice.columns] if state.dataset else []
        return sum(column.missing for column in found)

    def _facts(self) -> tuple[list[str], list[str], str]:
        state = self._session.state
        if self._choice.points is None:
            return [], [], ""
        facts = [f"n = {format_count(len(self._choice.points.values))}"]
        if state.view != "curator":
            return facts, [], "n is public."
        private = self._private_facts(self._choice.points.dropped, "clamped", 0)
        return (
            facts,
            private,
            (
                "n, the number of records, is public. How many were clamped (moved to the nearest bounds) or "
                "dropped is not."
            ),
        )

    def _on_column(self, action: QAction) -> None:
        checked = {one.text() for one in self.menu.actions() if one.isChecked()}
        table = self._session.state.dataset.table if self._session.state.dataset else None
        names = tuple(column.name for column in table.columns if column.name in checked) if table else ()
        # the menu shows the last good columns until the new ones have been read
        action.setChecked(action.text() in self._choice.columns)
        if names:
            self.chosen.emit({"columns": names})
        else:
            self.columns_row.refuse("a point needs at least one column; choose another one first")
