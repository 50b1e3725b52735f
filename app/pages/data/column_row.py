"""One column of the table with the public statements about it."""

from __future__ import annotations

import dataclasses
from typing import Any

from PySide6.QtCore import QObject, QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import QCheckBox, QMenu, QToolButton, QWidget

from app.model.kinds.declared import has_bounds, is_declared
from app.model.wording.numbers import format_count, format_exact, number, quantity
from app.model.wording.typed_numbers import NumberError, parse_number
from app.pages.data.column_bars import ColumnBars, ColumnTile
from app.widgets.card import Title, caption, keep_room, mark_wrong, plain
from app.widgets.column_facts import EachEditor, LabelsLine, PairBoxes
from app.widgets.combo_box import ClosesWith
from app.widgets.form_row import combo, line_edit
from app.widgets.layouts import line_up, stack
from app.widgets.style import THEME
from engine.data import Column
from engine.errors import ParameterError
from engine.questions.declarations import ColumnDeclaration

SOURCES = {"known": "Public", "looked": "From the data"}
TREATMENTS = {"drop": "Leave out", "fill": "Replace by", "refuse": "Stop and ask"}
CROSSED = "The lower bound must be below the upper bound"
BOUNDS_HELP = (
    "Values outside are pulled to the nearest bound. Choose bounds from common knowledge (a pay scale, the "
    "law), not from this file."
)
LISTS_HELP = (
    "All categories, separated by commas, from public knowledge; “…” says what happens to other values"
)
OTHER_HELP = (
    "“other” is a group of its own, even if no row is in it. Off: rows with other values are left out"
)
SOURCE_HELP = "The guarantee holds only for bounds and categories chosen without looking at the data"
MISSING_HELP = (
    "Leave out: rows without a value do not count, and their number stays confidential. Replace by: a public "
    "value counts instead."
)
MEMBERS_HELP = (
    "Check it only if it is public who is in which group. Each group then has a public size, and all "
    "mechanisms can answer by group."
)
NOT_PUBLIC, IDENTIFIER = "no public facts yet", "identifier"
NAME_WIDTH, UNIT_WIDTH = 148, 88
LARGE = 1.3
"""Scale of type from which units and sources take no room."""
ORIGIN, UNIT, GROUPS = "Origin of bounds", "Unit", "Public groups"  # the last of columns with categories
HEADINGS = ("Column", "", "Bounds or categories", ORIGIN, UNIT, "Missing values", GROUPS)


class ColumnRow(QObject):
    """The fields of one column; `cells` stand side by side below `HEADINGS`."""

    edited = Signal(str, object, bool)  # what is changed, the declaration, whether a movement goes on
    public_groups = Signal(bool)  # whether everybody knows who is in which group
    look_requested = Signal()  # take bounds or categories from the data
    numbers_requested = Signal()  # say which value of the column is not a number

    def __init__(self, column: Column, parent: QObject, *, identifies: bool = False) -> None:
        super().__init__(parent)
        self.column = column
        self.identifies = identifies  # records or vertices: it needs no bounds, and has no picture
        self._is_asked = not identifies  # for bounds or categories
        self.declared = ColumnDeclaration(column.name)
        self._listed: bool | None = None
        self.bars = ColumnBars(column.name)
        self.facts: EachEditor = PairBoxes(column.name)
        self.facts_cell = QWidget()
        self._facts_line = line_up(self.facts_cell, spacing=5)
        self.problem = caption(name="problem")
        self.unit = line_edit(f"Unit of {column.name}")
        self.unit.setMaximumWidth(UNIT_WIDTH)
        self.unit.editingFinished.connect(self._on_unit)
        self.source = combo(f"Source of the facts about {column.name}", SOURCES, SOURCE_HELP, stretch=False)
        self.source.activated.connect(self._on_source)
        self.missing = combo(f"Missing values of {column.name}", TREATMENTS, MISSING_HELP, stretch=False)
        self.missing.activated.connect(self._on_missing)
        self.fill = line_edit(f"Replacement for missing values of {column.name}")
        self.fill.setMaximumWidth(72)
        self.fill.editingFinished.connect(self._on_fill)
        self.lacking = plain(name="caption")
        self.members = QCheckBox()
        self.members.setAccessibleName(f"Membership in the groups of {column.name} is public")
        self.members.setToolTip(MEMBERS_HELP)
        keep_room(self.members)
        self.members.clicked.connect(self.public_groups)
        self.more = QToolButton(popupMode=QToolButton.ToolButtonPopupMode.InstantPopup)
        self.more.setText("…")
        self.more.setAccessibleName(f"More about {column.name}")
        self.more.setToolTip("More: other values, or bounds and categories from the data")
        self.more.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.more.setMenu(self._menu())
        self.name, kind = Title(column.name), caption(IDENTIFIER if identifies else str(column.type))
        named, stated = QWidget(), QWidget()
        stack(named, self.name, kind, spacing=0)
        stack(stated, self.facts_cell, self.problem, spacing=1)
        self.cells = (
            named,
            self.bars,
            stated,
            self.source,
            self.unit,
            line_of(self.missing, self.fill, self.lacking),
            line_of(self.members, self.more),
        )
        THEME.follow_scale(self.set_scale)

    @property
    def chain(self) -> tuple[tuple[QWidget, ...], ...]:
        """The fields by column of the page; Tab goes down each of them."""
        return (self.facts.boxes, (self.source,), (self.unit,), (self.missing, self.fill), (self.members,))

    def show(self, declared: ColumnDeclaration, public: bool, curator: bool) -> None:
        """Show what is declared; a `curator` sees how many values are missing, and the picture."""
        self.declared = declared
        self._show_kind(self._is_list(declared))
        self.facts.show_value(declared.categories if self._listed else (declared.lower, declared.upper))
        if not self.unit.hasFocus():
            self.unit.setText(declared.unit)
            self.unit.setCursorPosition(0)  # where a long one begins
        self.facts_cell.setEnabled(self._is_asked or is_declared(declared))
        self.source.setCurrentIndex(self.source.findData(declared.source))
        self.source.setEnabled(is_declared(declared))
        self._show_roomy_fields()
        self.missing.setCurrentIndex(self.missing.findData(declared.missing))
        self.fill.setVisible(declared.missing == "fill")
        if not self.fill.hasFocus():
            fill = declared.fill
            self.fill.setText("" if fill is None else fill if isinstance(fill, str) else format_exact(fill))
        count = self.column.missing
        self.lacking.setText(f"{format_count(count)} missing" if count else "none missing")
        self.lacking.setVisible(curator)
        self.bars.setVisible(curator)
        self.members.setVisible(bool(declared.categories))
        self.other_action.setVisible(bool(declared.categories))
        self.other_action.setChecked(declared.other)
        with QSignalBlocker(self.members):
            self.members.setChecked(public)
        self.settle()

    def tile(self, curator: bool) -> ColumnTile:
        """Return what an audience sees of the column; a `curator` shows bars and missing values."""
        declared, low, high = self.declared, self.declared.lower, self.declared.upper
        unknown = IDENTIFIER if self.identifies else NOT_PUBLIC
        labels, is_scale = declared.categories or (unknown,), low is not None and high is not None
        if low is not None and high is not None:
            labels = number(low), number((low + high) / 2), quantity(high, declared.unit)
        missing = f"{format_count(self.column.missing)} missing" if self.column.missing and curator else ""
        return ColumnTile(self.column.name, labels, missing, self.bars.bars, is_scale)

    def settle(self) -> None:
        """Show the problem with what is declared, if there is one."""
        low, high = self.declared.lower, self.declared.upper
        if self._listed:
            self._say(_list_problem(self.declared))
        else:
            crossed = low is not None and high is not None and not has_bounds(self.declared)
            self._say(CROSSED if crossed else "")

    def set_scale(self, scale: float) -> None:
        self.bars.updateGeometry()
        self._show_roomy_fields()
        self.missing.setMinimumContentsLength(5 if scale < LARGE else 6)
        self.name.setFixedWidth(round(NAME_WIDTH * scale))
        self.unit.setMaximumWidth(round(UNIT_WIDTH * scale))
        self.fill.setMaximumWidth(round(72 * scale))

    def _show_roomy_fields(self) -> None:
        """Show the unit and the source where there is room for them and they mean something."""
        has_room = THEME.scale < LARGE
        self.unit.setVisible(has_room and not self._listed and self.column.type == "number")
        self.source.setVisible(has_room and self.facts_cell.isEnabled())

    def _is_list(self, declared: ColumnDeclaration) -> bool:
        if declared.categories:
            return True
        return self.identifies or self.column.type != "number" if self._listed is None else self._listed

    def _show_kind(self, listed: bool) -> None:
        """Show fields for a list of categories, or for bounds."""
        if listed == self._listed:
            return
        self._listed = listed
        for widget in self.facts.editors:
            self._facts_line.removeWidget(widget)
            widget.deleteLater()
        name = self.column.name
        hint = "none needed" if self.identifies else "categories: one, another, …"
        self.facts = LabelsLine(name, hint) if listed else PairBoxes(name)
        self.facts.setParent(self)
        stretches = self.facts.stretches
        for widget, stretch in zip(self.facts.editors, stretches, strict=True):
            self._facts_line.addWidget(widget, stretch)
            if not widget.toolTip():
                widget.setToolTip(LISTS_HELP if listed else BOUNDS_HELP)
        self.facts.edited.connect(self._on_facts)
        self.facts.refused.connect(self._say)
        if not self.identifies:
            self._kind_action.setText("Declare &bounds instead" if listed else "Declare &categories instead")
            self._kind_action.setEnabled(self.column.type == "number")

    def _menu(self) -> QMenu:
        menu = QMenu(self.more)
        ClosesWith(menu, self.more)
        look = menu.addAction("&Take from the data (confidential)")
        look.setToolTip("Results then have no guarantee: use this only to try things out")
        look.triggered.connect(self.look_requested)
        if self.column.type != "number":
            numbers = menu.addAction("&Why are these no numbers?")
            numbers.setToolTip("Show the first value that is not a number (confidential)")
            numbers.triggered.connect(self.numbers_requested)
        self._kind_action = menu.addAction("Declare &categories anyway")
        self._kind_action.triggered.connect(self._on_kind)
        self.other_action = menu.addAction("Values not on the list are a group “&other”")
        self.other_action.setCheckable(True)
        self.other_action.setToolTip(OTHER_HELP)
        self.other_action.triggered.connect(self._on_other)
        menu.setToolTipsVisible(True)
        return menu

    def _say(self, text: str) -> None:
        self.problem.setText(text[:1].upper() + text[1:])
        self.problem.setVisible(bool(text))

    def _edit(self, text: str, continuous: bool = False, **changes: Any) -> None:
        declared = dataclasses.replace(self.declared, **changes)
        if declared != self.declared:
            self.edited.emit(f"change {text} of {self.column.name}", declared, continuous)

    def _on_facts(self, _: str, value: Any, continuous: bool) -> None:
        if self._listed:
            self._edit("the categories", categories=value)
        else:
            self._edit("the bounds", continuous, lower=value[0], upper=value[1])

    def _on_source(self, index: int) -> None:
        self._edit("the source", source=self.source.itemData(index))

    def _on_unit(self) -> None:
        self._edit("the unit", unit=self.unit.text().strip())

    def _on_other(self, on: bool) -> None:
        self._edit("the treatment of other values", other=on)

    def _on_missing(self, index: int) -> None:
        treatment = self.missing.itemData(index)
        self._edit("the missing values", missing=treatment, fill=None)
        if treatment == "fill":
            self.fill.setFocus()

    def _on_fill(self) -> None:
        """Take a typed replacement."""
        text = self.fill.text().strip()
        value: float | str | None = text or None
        if text and not self._listed:
            try:
                value = parse_number(text)
            except NumberError as error:
                mark_wrong(self.fill, True)
                self._say(str(error))
                return
        mark_wrong(self.fill, False)
        self._edit("the missing values", fill=value)
        self.settle()

    def _on_kind(self) -> None:
        """Declare categories of a column of numbers or an identifier, or bounds again."""
        if self._listed and not self.identifies:
            self._listed = None
            self._edit("the categories", categories=())
            self._show_kind(False)
        else:
            self._is_asked = True
            self.facts_cell.setEnabled(True)
            self._show_kind(True)
            self.facts.boxes[0].setFocus()


def _list_problem(declared: ColumnDeclaration) -> str:
    """Return the problem with a list of categories; "" if there is none, or no list."""
    if not declared.categories:
        return ""
    try:
        _ = declared.domain
    except ParameterError as error:
        return error.problem
    return ""


def line_of(*widgets: QWidget) -> QWidget:
    """Return widgets side by side."""
    cell = QWidget()
    line_up(cell, *widgets, None, spacing=5)
    return cell
