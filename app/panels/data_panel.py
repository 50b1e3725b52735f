"""The data panel: which file, which column, and what is public about it."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QMenu, QToolButton, QWidget

from app.forms import Row, combo
from app.session import Session
from app.widgets.card import Card, caption, say
from app.widgets.number_box import NumberBox
from app.widgets.words import count
from engine.data import EXAMPLES

ORIGINS = {
    "known": "known in advance",
    "looked": "I looked at the data",
}
LOOKED_WARNING = "Bounds taken from the data are not public: no guarantee holds for this release."
SHORT_UNIT = 3
"""Letters of a unit that fit beside the bounds; a longer one stands behind the column."""
BOUNDS_HELP = (
    "Every value is moved to the nearest of these bounds. They must be known without looking at the "
    "data: from the question asked, the scale used, the law."
)
ORIGIN_HELP = (
    "The guarantee holds only for bounds that were known before anyone looked at the data: a bound that "
    "follows a person's value tells that value."
)


class DataPanel(Card):
    """Shows and edits the data of the session.

    Signals
    -------
    open_requested(), example_chosen(str), column_chosen(str), missing_chosen(str)
        What takes reading, and so is not done here.
    """

    open_requested = Signal()
    example_chosen = Signal(str)
    column_chosen = Signal(str)
    missing_chosen = Signal(str)

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__("Data", parent=parent)
        self._session = session
        self._build_tools()
        self.column = combo("Column of the data")
        self.column.activated.connect(self._on_column)
        self.column_row = Row(
            "C&olumn", self.column, help="The column of numbers to look at", fields=["column"]
        )
        self.missing = combo("What to do about missing values")
        self.missing.activated.connect(self._on_missing)
        self.missing_row = Row("Miss&ing", self.missing, help="Missing values are never dropped silently")
        self.lower = NumberBox("Lower bound", logarithmic=False)
        self.upper = NumberBox("Upper bound", logarithmic=False)
        self._unit = QLabel()
        self.bounds_row = Row(
            "&Bounds",
            self.lower,
            QLabel("to"),
            self.upper,
            self._unit,
            help=BOUNDS_HELP,
            fields=["lower", "upper"],
        )
        for box in (self.lower, self.upper):
            box.refused.connect(self.bounds_row.refuse)
        self.lower.edited.connect(self._on_lower)
        self.upper.edited.connect(self._on_upper)
        self.origin = combo("Where the bounds come from")
        for key, words in ORIGINS.items():
            self.origin.addItem(words, key)
        self.origin.activated.connect(self._on_origin)
        self.origin_row = Row("They &were", self.origin, help=ORIGIN_HELP, fields=["origin"])
        self.warning = caption(LOOKED_WARNING, name="warning")
        self.facts = caption()
        self.facts.setTextFormat(Qt.TextFormat.PlainText)
        # what is private here is how many records were clamped and dropped
        self.head.removeWidget(self.badge)
        facts = QHBoxLayout()
        facts.setSpacing(6)
        facts.addWidget(self.facts, 1)
        facts.addWidget(self.badge)
        for widget in (
            self.column_row,
            self.missing_row,
            self.bounds_row,
            self.origin_row,
            self.warning,
        ):
            self.body.addWidget(widget)
        self.body.addLayout(facts)
        self._clamped: int | None = None
        session.changed.connect(self.refresh)
        self.refresh()

    @property
    def rows(self) -> tuple[Row, ...]:
        """The rows beside which problems are explained."""
        return (self.column_row, self.missing_row, self.bounds_row, self.origin_row)

    def show_clamped(self, clamped: int | None) -> None:
        """Show how many values the bounds move (private; None while unknown)."""
        self._clamped = clamped
        self._say_facts()

    def refresh(self, fields: frozenset[str] | None = None) -> None:
        """Show the state of the session, as far as `fields` changed."""
        state = self._session.state
        if fields is None or fields & {"dataset", "column", "view", "missing", "numbers"}:
            self._fill_columns()
        if fields is None or fields & {"lower", "upper", "dataset", "column"}:
            self.lower.set_value(state.lower)
            self.upper.set_value(state.upper)
            self._unit.setText(state.unit)
            self._unit.setVisible(0 < len(state.unit) <= SHORT_UNIT)
            self.bounds_row.settle()
        if fields is not None and fields & {"numbers", "lower", "upper", "edits"}:
            self._clamped = None
        self.origin.setCurrentIndex(self.origin.findData(state.origin))
        self.warning.setVisible(state.origin == "looked")
        self._say_facts()

    def _build_tools(self) -> None:
        self.open_button = self.add_tool("open", "Open a file… (Ctrl+O)")
        self.open_button.clicked.connect(self.open_requested)
        self.examples_button = self.add_tool("examples", "Open a bundled example")
        menu = QMenu(self)
        for name, example in EXAMPLES.items():
            action = menu.addAction(example.title)
            action.setData(name)
            action.setToolTip(example.description)
        menu.setToolTipsVisible(True)
        menu.triggered.connect(self._on_example)
        self.examples_button.setMenu(menu)
        self.examples_button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)

    def _fill_columns(self) -> None:
        state = self._session.state
        columns = state.dataset.table.columns if state.dataset else ()
        curator = state.view == "curator"
        blocker = QSignalBlocker(self.column)
        self.column.clear()
        for column in columns:
            words = column.name if column.type == "number" else f"{column.name}  ({column.type})"
            words += f"  ({column.unit})" * (len(column.unit) > SHORT_UNIT)
            self.column.addItem(words, column.name)
            missing = f", {count(column.missing)} missing" if curator and column.missing else ""
            self.column.setItemData(
                self.column.count() - 1, f"{column.type}{missing}", Qt.ItemDataRole.ToolTipRole
            )
        self.column.setCurrentIndex(self.column.findData(state.column))
        blocker.unblock()
        chosen = state.dataset.column(state.column) if state.dataset else None
        missing = chosen.missing if chosen else 0
        self.missing_row.setVisible(bool(missing) and curator)
        self.missing.clear()
        self.missing.addItem("refuse to go on", "refuse")
        self.missing.addItem(f"drop {count(missing)} and count them" if curator else "drop", "drop")
        self.missing.setCurrentIndex(self.missing.findData(state.missing))
        self.set_title(state.dataset.title if state.dataset else "Data")
        self.setAccessibleName(f"Data: {state.dataset.title}" if state.dataset else "Data")
        self.setStatusTip(str(state.dataset.path) if state.dataset and state.dataset.path else "")

    def _say_facts(self) -> None:
        state = self._session.state
        curator = state.view == "curator"
        parts = []
        if state.numbers is not None:
            parts.append(f"n = {count(len(state.numbers.values))}")
            if curator and state.numbers.dropped:
                parts.append(f"{count(state.numbers.dropped)} dropped")
        if curator and self._clamped is not None:
            parts.append(f"{count(self._clamped)} clamped" if self._clamped else "none clamped")
        if curator and state.edits:
            parts.append(f"{count(len(state.edits))} moved by hand")
        say(self.facts, " · ".join(parts))
        shows_private = curator and state.numbers is not None
        self.badge.setVisible(shows_private)
        self.facts.setToolTip(
            "n, the number of records, is public. How many were clamped (moved to the nearest bound) or "
            "dropped is not."
            if shows_private
            else "n is public."
        )

    def _on_example(self, action: Any) -> None:
        self.example_chosen.emit(action.data())

    def _on_column(self, index: int) -> None:
        name = self.column.itemData(index)
        # the box shows the last good column until the new one has been read
        self.column.setCurrentIndex(self.column.findData(self._session.state.column))
        self.column_chosen.emit(name)

    def _on_missing(self, index: int) -> None:
        self.missing_chosen.emit(self.missing.itemData(index))

    def _on_lower(self, value: float, continuous: bool) -> None:
        self.bounds_row.settle()
        self._session.edit("change the lower bound", merge="lower" if continuous else "", lower=value)

    def _on_upper(self, value: float, continuous: bool) -> None:
        self.bounds_row.settle()
        self._session.edit("change the upper bound", merge="upper" if continuous else "", upper=value)

    def _on_origin(self, index: int) -> None:
        self._session.edit("change where the bounds come from", origin=self.origin.itemData(index))
