"""The budget of a dataset: all spending, the composition used, and the limit."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QSize, Qt, QTimer, Signal
from PySide6.QtGui import QContextMenuEvent, QShowEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QDialog,
    QDialogButtonBox,
    QGridLayout,
    QLabel,
    QSizePolicy,
    QTableView,
    QWidget,
)

from app.model.budget import Budget
from app.model.wording.neighbours import WORDS, counts_words, ends_words
from app.model.wording.not_dp import NO_MORE
from app.model.wording.numbers import escape, number
from app.model.wording.releases import inexact_words, sentence
from app.panels.budget_text import (
    FOR_A_ROW,
    METHODS,
    NOTHING_SPENT,
    PURE,
    WHY,
    ledger_words,
    promises,
    state_words,
)
from app.widgets.buttons import push_button
from app.widgets.card import Card, Invitation, caption, plain, set_text, show_only
from app.widgets.layouts import ScrolledColumn, line_up, stack
from app.widgets.plot_table import LOOKED_AT, Index, TableModel, quiet_table
from app.widgets.style import THEME
from app.widgets.value_editors import ParameterForm
from engine.catalog import questions
from engine.errors import ParameterError
from engine.parameters import Parameter

if TYPE_CHECKING:
    from app.model.budget import BudgetCurves
    from app.widgets.plot_canvas import PlotCanvas
    from engine.ledger import LedgerEntry, Limit
    from engine.privacy import Privacy


def _format(value: object) -> str:
    return number(value) if isinstance(value, float) else str(value)


def tip(entry: LedgerEntry) -> str:
    """Return further facts about a release."""
    about = entry.about
    counted = f"{text} in the budget" if (text := counts_words(entry.cost, "ε", "δ")) else ""
    facts = {"method": about.get("method"), **dict(about.get("parameters") or {})}
    lines = [
        str(about.get("place", "")),
        f"{WORDS[entry.cost.neighbours].between}" if entry.cost.neighbours in WORDS else "",
        sentence(counted),
        ", ".join(f"{name} = {_format(value)}" for name, value in facts.items() if value is not None),
        sentence(inexact_words(entry.exact, entry.cost.inexact)),
    ]
    return "\n".join(line for line in lines if line)


def query_words(entry: LedgerEntry) -> str:
    query = str(entry.about.get("release", ""))
    known = questions().get(query)
    return query if known is None else str(known.label)


def value_words(value: Any) -> str:
    """Return a released number as text, or a summary of larger releases."""
    if isinstance(value, bool) or value is None:
        return "–"
    if isinstance(value, int | float):
        return number(value, 6)
    if isinstance(value, list):
        return f"{len(value)} parts"
    return value if isinstance(value, str) else ", ".join(value)


COLUMNS: Mapping[str, Callable[[LedgerEntry], str]] = {
    "When": lambda entry: f"{entry.when.astimezone():%Y-%m-%d %H:%M}",
    "Query": query_words,
    "Of": lambda entry: str(entry.about.get("of", "")),
    "ε": lambda entry: number(entry.cost.privacy.epsilon),
    "δ": lambda entry: number(entry.cost.privacy.delta, 2),
    "Released": lambda entry: value_words(entry.value),
    "Kind": state_words,
}
"""The function that writes each column of the table."""


def saved_table(entries: tuple[LedgerEntry, ...]) -> tuple[list[str], list[list[Any]]]:
    """Return all releases, at least one, as a table to be saved, the oldest first."""
    rows = [_saved_row(entry) for entry in entries]
    return list(rows[0]), [list(row.values()) for row in rows]


def _saved_row(entry: LedgerEntry) -> dict[str, Any]:
    about, cost = entry.about, entry.cost
    return {
        "entry": entry.id,
        "when": entry.when.isoformat(),
        **{name: about.get(name, "") for name in ("release", "of", "place", "method")},
        "parameters": json.dumps(about.get("parameters", {})),
        **dict(zip(("epsilon", "delta"), _numbers(cost.privacy), strict=True)),
        "rho": "" if cost.concentrated is None else cost.concentrated.rho,
        "neighbours": cost.neighbours,
        **dict(zip(("row_epsilon", "row_delta"), _numbers(cost.row.privacy), strict=True)),
        "exact": entry.exact,
        "state": entry.state,
        "over_limit": entry.over,
        "value": "" if entry.value is None else json.dumps(entry.value),
    }


def _numbers(privacy: Privacy) -> tuple[float | str, float]:
    return "" if math.isinf(privacy.epsilon) else privacy.epsilon, privacy.delta


EPSILON_HELP = (
    "The largest total ε of all releases for one row of the file; usually between 0.1 and 10. It applies to "
    "the tightest composition rule, or to the plain sum if δ is 0."
)
DELTA_HELP = (
    "The total δ of all releases: roughly the chance that the guarantee fails. "
    "Keep it far below 1/n. With 0, no release may use δ, and the ε simply add up."
)
SLACK_HELP = (
    "Spent once, beside the δ of the releases: many small releases then cost less ε together, by advanced or "
    "zCDP composition. Not used if δ is 0."
)
FIELDS = (
    Parameter("epsilon", "float", None, "&ε up to", EPSILON_HELP, lower=0, spoken="Limit of epsilon"),
    Parameter("delta", "float", None, "&δ up to", DELTA_HELP, lower=0, spoken="Limit of delta"),
    Parameter("slack", "float", None, "E&xtra δ", SLACK_HELP, lower=0, spoken="Extra delta"),
)
NO_LIMIT = "Tick the box to enter a limit. All releases of this file count."
CONFIRMED = "You must confirm a release beyond the limit. All releases of this file count."


class LimitCard(Card):
    """Edits a limit."""

    chosen = Signal(object)  # the new limit, or None

    def __init__(self) -> None:
        super().__init__("Limit")
        self.limited = QCheckBox("&Ask before more than this is spent")
        self.limited.setToolTip("Ask before a release passes the limit, and record it")
        form = ParameterForm(self, spacing=5)
        form.show_parameters(FIELDS, {})
        form.edited.connect(self._on_edited)
        self.rows = form.rows
        self.epsilon, self.delta, self.slack = (row.box for row in self.rows.values())
        self.promise = caption()
        tip = "Store the limit in the ledger; it holds for all windows and programs"
        self.button = push_button("Set &limit", tip, self.choose, name="run")
        self.put(self.limited, form, self.promise, self.button)
        for row in self.rows.values():
            row.box.lineEdit().returnPressed.connect(self._on_return)
        self.limited.toggled.connect(self._on_edited)
        self._shown: Limit | None = None
        self._edited = False
        self.show_limit(None)

    def show_limit(self, limit: Limit | None, *, broken: bool = False) -> None:
        """Show the current limit, unless the user is editing it.

        `broken`: a release without a guarantee was made.
        """
        self._broken = broken
        if self._edited and limit == self._shown:
            return
        from engine.ledger import SLACK

        self._shown = limit
        self.limited.setChecked(limit is not None)
        shown = {"epsilon": None, "delta": 0.0, "slack": SLACK} if limit is None else vars(limit)
        for name, row in self.rows.items():
            row.set_value(shown[name])
        self._edited = False
        self._show()

    def choose(self) -> None:
        """Emit the limit, or show its problem."""
        try:
            limit = self._limit()
        except ParameterError as error:
            self.rows[error.field].show_problem(error.problem)
            self.rows[error.field].box.setFocus()
            return
        self._edited = False
        self.chosen.emit(limit)
        self._show()

    def _limit(self) -> Limit | None:
        from engine.ledger import Limit

        if not self.limited.isChecked():
            return None
        values = {name: row.value for name, row in self.rows.items()}
        for field, value in values.items():
            if value is None:
                raise ParameterError(field, "enter a number")
        return Limit(**values)

    def _on_return(self) -> None:
        """Set the limit, unless a field is invalid."""
        if not any(row.problem for row in self.rows.values()):
            self.button.click()

    def _on_edited(self) -> None:
        self._edited = True
        self._show()

    def _show(self) -> None:
        on = self.limited.isChecked()
        for row in self.rows.values():
            row.setEnabled(on)
            row.show_problem("")
        self.rows["epsilon"].show_empty("" if on else "no limit")
        self.rows["slack"].setEnabled(on and bool(self.delta.value))
        self.button.setEnabled(self._edited)
        set_text(self.promise, f"{CONFIRMED if on else NO_LIMIT}{self._promise() if on else ''}")

    def _promise(self) -> str:
        """Return the guarantee of a valid limit; "" for others."""
        if self._broken:
            return f" {NO_MORE[:1].upper()}{NO_MORE[1:]}."
        try:
            limit = self._limit()
        except ParameterError:
            return ""
        assert limit is not None
        whole = limit.whole
        return (
            " As long as the limit holds, everything released together is "
            f"({number(whole.epsilon)}, {number(whole.delta, 2)})-DP."
        )


SIZE = QSize(1120, 660)
SIDE, BESIDE = 330, 380
"""Width of the sums, and least width of the picture and the table beside them, in pixels."""
LOW = 180
"""Height of picture and table where they scroll, in pixels."""
ROW = 25
NOTHING = "Each release is listed here with its cost. A chart of the sum follows from the second one on."
_CELLS = tuple(COLUMNS.values())
_IS_NUMBER = [name in ("ε", "δ", "Released") for name in COLUMNS]


class LedgerModel(TableModel):
    """The releases, with further facts about each as its tooltip."""

    def __init__(self, budget: Budget | None) -> None:
        self.entries = () if budget is None else tuple(reversed(budget.entries))
        super().__init__([*COLUMNS], [[] for _ in self.entries])

    def data(self, index: Index, role: int = 0) -> Any:
        entry = self.entries[index.row()]
        if role == Qt.ItemDataRole.ToolTipRole:
            return escape(tip(entry))
        if role == Qt.ItemDataRole.TextAlignmentRole and _IS_NUMBER[index.column()]:
            return Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        # Qt asks each cell for a dozen other roles, which are the same for all cells
        text = _CELLS[index.column()](entry) if role == Qt.ItemDataRole.DisplayRole else ""
        return self.cell_data(text, role)


class BudgetDialog(QDialog):
    """Shows a budget and its changes, and lets the user set the limit."""

    limit_chosen = Signal(object)  # Limit or None
    # str, list, list: save name, header and rows of all releases
    save_requested = Signal(object, object, object)
    aside_requested = Signal()  # set a damaged ledger aside
    # PlotCanvas, QPoint: open the menu of the picture at that point of the screen
    menu_requested = Signal(object, object)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.resize(
            SIZE.boundedTo(parent.size() - QSize(40, 40)) if THEME.scale <= 1 else parent.size() * 0.95
        )
        self._budget: Budget | None = None
        self.problem = caption(name="warning")
        self.problem.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        tip = "Earlier spending will no longer count; asks you to confirm"
        self.aside_button = push_button("Set it &aside and begin a new one…", tip, self.aside_requested)
        self.aside_button.setAutoDefault(False)
        self.limit = LimitCard()
        self.limit.chosen.connect(self.limit_chosen)
        self.limit.button.setAutoDefault(False)
        self.canvas: PlotCanvas | None = None
        self._picture = Card("Spending over time")
        self._picture.wrap_title()
        self._body = self._arrange(self._build_sums(), self._build_table())
        column = stack(
            self,
            self.problem,
            (self.aside_button, 0, Qt.AlignmentFlag.AlignLeft),
            (self._body, 1),
            margins=12,
            spacing=8,
        )
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        self.buttons.button(QDialogButtonBox.StandardButton.Close).setAutoDefault(False)
        self.buttons.rejected.connect(self.reject)
        column.addWidget(self.buttons)
        self.show_budget(None)

    def _arrange(self, sums: Card, releases: Card) -> QWidget:
        """Put sums and limit beside picture and table, or above them in large type."""
        if (SIDE + BESIDE) * THEME.scale > self.width():
            self._picture.setMinimumHeight(round(LOW * THEME.scale))
            releases.setMinimumHeight(round(LOW * THEME.scale))
            return ScrolledColumn(sums, self.limit, self._picture, releases, spacing=8)
        for card in (sums, self.limit):
            card.setFixedWidth(round(SIDE * THEME.scale))
        body, side = QWidget(), QWidget()
        stack(side, sums, self.limit, None)
        column = ScrolledColumn(side, spacing=0)
        column.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Expanding)
        main = stack(None, (self._picture, 3), (releases, 2))
        line_up(body, column, (main, 1), spacing=8)
        return body

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        position = event.globalPos()
        if self.canvas is not None and self.canvas.rect().contains(self.canvas.mapFromGlobal(position)):
            self.menu_requested.emit(self.canvas, position)

    def show_budget(self, budget: Budget | None) -> None:
        """Show a budget; None: not known yet."""
        before = None if self._budget is None else self._budget.curves
        self._budget = budget
        self.setWindowTitle("Budget" if budget is None else f"Budget of {budget.title}")
        set_text(self.problem, "" if budget is None else budget.problem or ledger_words(budget))
        self.aside_button.setVisible(budget is not None and budget.damaged)
        self._body.setEnabled(budget is not None and not budget.problem)
        self._show_sums()
        lost = budget is not None and budget.spent is not None and not promises(budget.spent)
        if budget is not None and not budget.problem:
            self.limit.show_limit(budget.limit, broken=lost)
        curves = None if budget is None else budget.curves
        drawn = curves is not None and len(curves.releases) > 1 and not lost
        if drawn and curves is not None and curves is not before:
            self._draw(curves)
        self._picture.setVisible(drawn)
        self._show_entries()

    def _draw(self, curves: BudgetCurves) -> None:
        """Draw the spending. A caller that passes the first curves has imported the plots."""
        if self.canvas is None:
            from app.plots.budget import BudgetSpent
            from app.widgets.plot_canvas import PlotCanvas

            self.canvas = PlotCanvas(BudgetSpent, "Budget spent")
            self.canvas.private = False
            self._picture.body.addWidget(self.canvas, 1)
            self.setTabOrder(self.limit.button, self.canvas)
        self.canvas.show_result(curves)

    def _build_sums(self) -> Card:
        """Return the table of the three compositions."""
        card = self._sums = Card("Spent so far")
        self._grid = QWidget()
        grid = QGridLayout(self._grid)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(14)
        grid.setVerticalSpacing(4)
        grid.setColumnStretch(0, 1)
        for column, text in enumerate(("Composition", "ε", "δ")):
            grid.addWidget(_cell(text, right=column > 0, quiet=True), 0, column)
        self.sums: dict[str, list[QLabel]] = {}
        for row, method in enumerate(METHODS, 1):
            labels = [_cell(right=column > 0) for column in range(3)]
            for column, label in enumerate(labels):
                label.setToolTip(f"{method.label}: {method.effect}")
                grid.addWidget(label, row, column)
            self.sums[method.name] = labels
        self.why = caption()
        card.body.addWidget(self._grid)
        card.body.addWidget(self.why)
        return card

    def _show_sums(self) -> None:
        budget = self._budget
        spent = None if budget is None else budget.spent
        results = {} if spent is None else dict(spent.by_method)
        self._grid.setVisible(spent is not None)
        for method in METHODS:
            counts = spent is not None and promises(spent) and spent.method == method.name
            privacy = results.get(method.name)
            numbers = ["–", "–"]
            if privacy is not None:
                numbers = [number(privacy.epsilon), number(privacy.delta, 2)]
            texts = [method.label + " – counts" * counts, *numbers]
            for label, text in zip(self.sums[method.name], texts, strict=True):
                label.setText(text)
                label.setStyleSheet("font-weight: 600;" if counts else "")
        if budget is None or budget.problem:
            set_text(self.why, "")
        elif spent is None:
            set_text(self.why, f"{NOTHING_SPENT[:1].upper()}{NOTHING_SPENT[1:]}.")
        elif not promises(spent):
            set_text(self.why, f"{NO_MORE[:1].upper()}{NO_MORE[1:]}.")
        else:
            meant = f"Counted {FOR_A_ROW} replaced by another."
            ends = ends_words(entry.cost.neighbours for entry in budget.entries if entry.counts)
            meant += f" {sentence(ends)}" if ends else ""
            set_text(self.why, f"{WHY[spent.method] if spent.slack else PURE} {meant}")

    def _build_table(self) -> Card:
        card = self._releases = Card("All releases of these data")
        card.wrap_title()
        tip = "Save all releases, with all that the ledger stores about them, as CSV"
        self.save_button = push_button("&Export list…", tip, self._on_save)
        self.save_button.setAutoDefault(False)
        card.head.addWidget(self.save_button)
        self.table = QTableView()
        quiet_table(self.table, "All releases of these data", round(ROW * THEME.scale))
        self.table.horizontalHeader().setResizeContentsPrecision(LOOKED_AT)
        self.nothing = Invitation("Nothing released yet", NOTHING, drawing="answers")
        card.body.addWidget(self.table, 1)
        card.body.addWidget(self.nothing, 1)
        return card

    def _show_entries(self) -> None:
        before = self.table.model()
        model = LedgerModel(self._budget)
        if before is None or before.entries != model.entries:  # type: ignore[attr-defined]
            model.setParent(self.table)
            self.table.setModel(model)
            self._fit_columns()
            if before is not None:
                before.deleteLater()
        many = len(model.entries)
        self.save_button.setEnabled(many > 0)
        show_only({self.table: many > 0, self.nothing: many == 0 and self._budget is not None})
        self._releases.set_title(
            f"All releases of these data: {many}" if many else "All releases of these data"
        )

    def showEvent(self, event: QShowEvent) -> None:
        """Resize the columns: the style, applied once visible, adds margins."""
        super().showEvent(event)
        QTimer.singleShot(0, self._fit_columns)

    def _fit_columns(self) -> None:
        """Give each column the width of its contents, and the last one the rest."""
        columns = self.table.horizontalHeader()
        columns.setStretchLastSection(False)
        self.table.resizeColumnsToContents()
        columns.setStretchLastSection(True)

    def _on_save(self) -> None:
        if self._budget is not None:
            self.save_requested.emit("releases", *saved_table(self._budget.entries))


def _cell(text: str = "", *, right: bool = False, quiet: bool = False) -> QLabel:
    label = plain(text, "caption" if quiet else "")
    if right:
        label.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
    return label
