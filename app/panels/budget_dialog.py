"""The budget of a dataset: what was ever spent, by which composition, and how much may be."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QSize, Qt, QTimer, Signal
from PySide6.QtGui import QContextMenuEvent, QShowEvent
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QGridLayout,
    QLabel,
    QPushButton,
    QSizePolicy,
    QTableView,
    QWidget,
)

from app.model.budget import Budget
from app.model.theme import Palette
from app.model.wording.formatting import escape
from app.model.wording.grids import sentence
from app.model.wording.neighbours import ends_words
from app.model.wording.not_dp import NO_MORE
from app.model.wording.numbers import number
from app.panels.budget_table import COLUMNS, saved, tip
from app.panels.budget_words import (
    BY_LOSSES,
    FOR_A_ROW,
    METHODS,
    NOTHING_SPENT,
    PURE,
    WHY,
    ledger_words,
    losses_words,
    promises,
)
from app.panels.limit_card import LimitCard
from app.widgets.card import Card, caption, set_text
from app.widgets.compact import ScrolledColumn
from app.widgets.layouts import line_up, stack
from app.widgets.plot_table import LOOKED_AT, Index, TableModel, quiet_table

if TYPE_CHECKING:
    from app.model.budget_curves import BudgetCurves
    from app.widgets.plot_canvas import PlotCanvas

SIZE = QSize(1120, 660)
SIDE, BESIDE = 330, 380
"""Pixels of the sums, and how many are left at least for what stands beside them."""
LOW = 180
"""Pixels in height of picture and releases where they scroll."""
ROW = 25
NOTHING = "The first release will be drawn here."
INFINITE = "No ε is left to be drawn: a release without a promise counts as infinitely much."
_CELLS = tuple(COLUMNS.values())


class LedgerModel(TableModel):
    """The releases, with what else is known of each as a tip."""

    def __init__(self, budget: Budget | None) -> None:
        self.entries = () if budget is None else tuple(reversed(budget.entries))
        super().__init__([*COLUMNS], [[] for _ in self.entries])

    def data(self, index: Index, role: int = 0) -> Any:
        entry = self.entries[index.row()]
        if role == Qt.ItemDataRole.ToolTipRole:
            return escape(tip(entry))
        # Qt asks for a dozen other things of each cell, which all have in common
        text = _CELLS[index.column()](entry) if role == Qt.ItemDataRole.DisplayRole else ""
        return self.cell_data(text, role)


class BudgetDialog(QDialog):
    """Shows a budget, follows it while it is open, and lets the user set the limit.

    Signals
    -------
    limit_chosen(Limit or None)
    save_requested(str, list, list)
        Name, header and rows of all releases are to be saved.
    aside_requested()
        A damaged ledger is to be set aside.
    menu_requested(PlotCanvas, QPoint)
        Something is to be done with the picture, at a place on the screen.

    Attributes
    ----------
    canvas : PlotCanvas or None
        How the budget was spent; made when there is something to draw.
    """

    limit_chosen = Signal(object)
    save_requested = Signal(object, object, object)
    aside_requested = Signal()
    menu_requested = Signal(object, object)

    def __init__(self, palette: Palette, scale: float, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.resize(SIZE.boundedTo(parent.size() - QSize(40, 40)) if scale <= 1 else parent.size() * 0.95)
        self._budget: Budget | None = None
        self._palette = palette
        self._scale = scale
        self.problem = caption(name="warning")
        self.problem.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.aside_button = QPushButton("Set it &aside and begin a new one…")
        self.aside_button.setToolTip("What was spent before is not counted any more; you are asked once more")
        self.aside_button.setAutoDefault(False)
        self.aside_button.clicked.connect(self.aside_requested)
        self.limit = LimitCard()
        self.limit.chosen.connect(self.limit_chosen)
        self.limit.button.setAutoDefault(False)
        self.canvas: PlotCanvas | None = None
        self._picture = Card("How it was spent")
        self._picture.wrap_title()
        self.nothing = caption()
        self._picture.body.addWidget(self.nothing)
        self._picture.body.addStretch(0)
        self._body = self._arranged(self._build_sums(), self._build_table())
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

    def _arranged(self, sums: Card, releases: Card) -> QWidget:
        """Put sums and limit beside picture and releases; where type is too large for that, above them."""
        if (SIDE + BESIDE) * self._scale > self.width():
            self._picture.setMinimumHeight(round(LOW * self._scale))
            releases.setMinimumHeight(round(LOW * self._scale))
            return ScrolledColumn(sums, self.limit, self._picture, releases, spacing=8)
        for card in (sums, self.limit):
            card.setFixedWidth(round(SIDE * self._scale))
        body, side = QWidget(), QWidget()
        stack(side, sums, self.limit, None)
        column = ScrolledColumn(side, spacing=0)
        column.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Expanding)
        main = stack(None, (self._picture, 3), (releases, 2))
        line_up(body, column, (main, 1), spacing=8)
        return body

    def set_palette(self, palette: Palette) -> None:
        """Take the colours of a theme."""
        self._palette = palette
        if self.canvas is not None:
            self.canvas.set_palette(palette)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Offer what can be done with the picture."""
        position = event.globalPos()
        if self.canvas is not None and self.canvas.rect().contains(self.canvas.mapFromGlobal(position)):
            self.menu_requested.emit(self.canvas, position)

    def show_budget(self, budget: Budget | None) -> None:
        """Show what is known; None: it is not known yet."""
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
        if self.canvas is not None:
            self.canvas.setVisible(drawn)
        set_text(self.nothing, "" if curves is None or drawn else INFINITE if lost else NOTHING)
        self._show_entries()

    def _draw(self, curves: BudgetCurves) -> None:
        """Draw how it was spent; who brings the first curves has imported what draws."""
        if self.canvas is None:
            from app.plots.budget.spent import BudgetSpent
            from app.widgets.plot_canvas import PlotCanvas

            self.canvas = PlotCanvas(BudgetSpent, "Budget spent")
            self.canvas.private = False
            self.canvas.setMinimumHeight(round(150 * self._scale))
            self.canvas.set_palette(self._palette)
            self.canvas.set_text_scale(self._scale)
            body = self._picture.body
            body.insertWidget(body.indexOf(self.nothing), self.canvas, 1)
            self.setTabOrder(self.limit.button, self.canvas)
        self.canvas.show_result(curves)

    def _build_sums(self) -> Card:
        """Return the table of the three compositions."""
        card = self._sums = Card("Spent so far")
        grid = QGridLayout()
        grid.setHorizontalSpacing(14)
        grid.setVerticalSpacing(4)
        grid.setColumnStretch(0, 1)
        for column, text in enumerate(("Composition", "ε", "δ")):
            grid.addWidget(_cell(text, right=column > 0, quiet=True), 0, column)
        self.sums: dict[str, list[QLabel]] = {}
        for row, method in enumerate((*METHODS, BY_LOSSES), 1):
            labels = [_cell(right=column > 0) for column in range(3)]
            for column, label in enumerate(labels):
                label.setToolTip(f"{method.label}: {method.words}")
                grid.addWidget(label, row, column)
            self.sums[method.name] = labels
        self.why = caption()
        card.body.addLayout(grid)
        card.body.addWidget(self.why)
        return card

    def _show_sums(self) -> None:
        budget = self._budget
        spent = None if budget is None else budget.spent
        results = {} if spent is None else dict(spent.by_method)
        losses = None if budget is None else budget.losses
        if losses is not None and losses.privacy is not None:
            results[BY_LOSSES.name] = losses.privacy
        for method in (*METHODS, BY_LOSSES):
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
            meant = f"All of it is counted {FOR_A_ROW} replaced by another."
            ends = ends_words(entry.cost.neighbours for entry in budget.entries if entry.counts)
            meant += f" {sentence(ends)}" if ends else ""
            beside = [losses_words(losses)] if losses is not None and spent.slack else []
            set_text(self.why, " ".join([WHY[spent.method] if spent.slack else PURE, meant, *beside]))

    def _build_table(self) -> Card:
        card = self._releases = Card("All releases of these data")
        card.wrap_title()
        self.save_button = QPushButton("&Export data…")
        self.save_button.setToolTip("Save all releases, with everything the ledger knows of them, as CSV")
        self.save_button.setAutoDefault(False)
        self.save_button.clicked.connect(self._on_save)
        card.head.addWidget(self.save_button)
        self.table = QTableView()
        quiet_table(self.table, "All releases of these data", round(ROW * self._scale))
        self.table.horizontalHeader().setResizeContentsPrecision(LOOKED_AT)
        self.table.horizontalHeader().setDefaultAlignment(
            Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        )
        card.body.addWidget(self.table, 1)
        return card

    def _show_entries(self) -> None:
        before = self.table.model()
        model = LedgerModel(self._budget)
        if before is None or before.entries != model.entries:  # type: ignore[attr-defined]
            model.setParent(self.table)
            self.table.setModel(model)
            if model.entries:  # else Qt forgets the room of the headers
                self.table.resizeColumnsToContents()
            if before is not None:
                before.deleteLater()
        self.save_button.setEnabled(bool(model.entries))
        many = len(model.entries)
        self._releases.set_title(
            f"All releases of these data: {many}" if many else "All releases of these data"
        )

    def showEvent(self, event: QShowEvent) -> None:
        """Give the columns room anew: the style that comes with being seen has margins."""
        super().showEvent(event)
        QTimer.singleShot(0, self.table.resizeColumnsToContents)

    def _on_save(self) -> None:
        if self._budget is not None:
            self.save_requested.emit("releases", *saved(self._budget.entries))


def _cell(text: str = "", *, right: bool = False, quiet: bool = False) -> QLabel:
    label = QLabel(text)
    if right:
        label.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
    if quiet:
        label.setObjectName("caption")
    return label
