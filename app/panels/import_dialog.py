"""What a person decides about a file before it is opened: what to look at, and what is public."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import (
    QAbstractItemView,
    QButtonGroup,
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QHeaderView,
    QRadioButton,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from app.model.dataset import Dataset
from app.model.kinds.base import Fields
from app.model.wording.formatting import format_count
from app.panels.data_panel import LOOKED_WARNING, ORIGIN_HELP
from app.panels.preview import Preview
from app.theme import Palette
from app.widgets.card import Card, caption
from app.widgets.messages import MessageArea
from app.widgets.number_box import NumberBox
from app.widgets.parameter_form import FormRow, combo
from engine.errors import ParameterError


class ImportDialog(QDialog):
    """Asks what to look at, and for public bounds, which are empty until they are declared.

    Parameters
    ----------
    dataset : Dataset
    fields : dict
        Fields of the state to begin with.
    curator : bool
        Whether cells and counts of missing values may be seen.

    Signals
    -------
    chosen(Dataset, dict)
        Everything is decided: the fields of the state. The dialog stays open until it
        is closed, so that a column that cannot be read can be changed for another.
    """

    chosen = Signal(object, object)

    def __init__(
        self,
        dataset: Dataset,
        fields: Fields,
        palette: Palette,
        parent: QWidget | None = None,
        *,
        curator: bool = True,
    ) -> None:
        super().__init__(parent)
        self.dataset = dataset
        self._curator = curator
        self.setWindowTitle(f"Open {dataset.title}")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setMinimumSize(QSize(640, self.height_with_preview if curator else 300))
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
        self._begin(fields)
        self._on_columns()
        self.messages.raise_()

    def choose(self) -> None:
        """Announce what was decided, or say what is still to be decided."""
        for row in self.rows:
            row.show_problem("")
        fields = self._decided()
        if fields is not None:
            self.chosen.emit(self.dataset, fields)

    def origin_button(self, key: str) -> QRadioButton:
        """Return the button of "known" or "looked"."""
        return next(
            button
            for button in self._origins.buttons()
            if isinstance(button, QRadioButton) and button.property("key") == key
        )

    # What depends on what is looked at.

    bounds_help = ""
    looked_warning = LOOKED_WARNING
    origin_help = ORIGIN_HELP
    height_with_preview = 560

    def _make_rows(self) -> list[FormRow]:
        """Return the rows for what to look at."""
        raise NotImplementedError

    def _make_bounds(self) -> FormRow:
        """Return the row for the bounds."""
        raise NotImplementedError

    def _make_last_rows(self) -> list[FormRow]:
        """Return the rows below the bounds."""
        return []

    def _begin(self, fields: Fields) -> None:
        """Offer what is probably meant."""
        raise NotImplementedError

    def _columns(self) -> list[str]:
        """Return the chosen columns."""
        raise NotImplementedError

    def _decided(self) -> Fields | None:
        """Return the fields of the state, or say what is still to be decided."""
        raise NotImplementedError

    # What does not.

    @property
    def rows(self) -> tuple[FormRow, ...]:
        """The rows beside which something can be explained."""
        return (*self._rows, self.missing_row, self.bounds_row, self.origin_row, *self._last_rows)

    def _build_preview(self) -> QWidget:
        table = self.dataset.table
        card = Card(
            f"{self.dataset.title} · {format_count(table.n)} rows, {format_count(len(table.columns))} columns"
        )
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
        self._rows = self._make_rows()
        self.missing = combo("What to do about missing values")
        self.missing.setPlaceholderText("choose…")
        self.missing_row = FormRow("&Missing", self.missing)
        self.bounds_row = self._make_bounds()
        self._last_rows = self._make_last_rows()
        self._origins = QButtonGroup(self)
        buttons = []
        for key, words in (("known", "&known in advance"), ("looked", "I &looked at the data")):
            button = QRadioButton(words)
            button.setProperty("key", key)
            self._origins.addButton(button)
            buttons.append(button)
        self._origins.buttonClicked.connect(self._on_origin)
        self.origin_row = FormRow("They were", *buttons, help=self.origin_help)
        self.warning = caption(self.looked_warning, name="warning")
        self.warning.hide()
        for widget in (
            *self._rows,
            self.missing_row,
            self.bounds_row,
            caption(self.bounds_help),
            self.origin_row,
            self.warning,
            *self._last_rows,
        ):
            card.body.addWidget(widget)
        return card

    def _lower(self, name: str) -> NumberBox:
        """Return a box for the smallest possible value."""
        return self._bound(name, "smallest possible")

    def _upper(self, name: str) -> NumberBox:
        """Return a box for the largest possible value."""
        return self._bound(name, "largest possible")

    def _bound(self, name: str, hint: str) -> NumberBox:
        box = NumberBox(name)
        box.lineEdit().setPlaceholderText(hint)
        box.edited.connect(self._on_bound)
        return box

    def _offer_columns(self, box: QComboBox) -> None:
        """List the columns of the table, with what is known of each."""
        for column in self.dataset.table.columns:
            missing = f", {format_count(column.missing)} missing" if column.missing and self._curator else ""
            box.addItem(f"{column.name}   ({column.type}{missing})", column.name)
        box.setPlaceholderText("choose…")
        box.currentIndexChanged.connect(self._on_columns)

    def _allowed(self, check: Callable[..., object], *declared: float | None) -> bool:
        """Tell whether `check` has nothing against what is declared, and say beside its row what it has."""
        try:
            check(*declared)
        except ParameterError as error:
            row = next((row for row in self._last_rows if error.field in row.fields), self.bounds_row)
            row.show_problem(error.problem)
            return False
        return True

    def _said(self) -> Fields | None:
        """Return what was said about missing values and about the bounds, or ask for it."""
        origin = self._origins.checkedButton()
        if origin is None:
            self.origin_row.show_problem("say where the bounds come from; the guarantee depends on it")
            return None
        if self.missing_row.isVisibleTo(self) and self.missing.currentIndex() < 0:
            self.missing_row.show_problem("say what to do about the missing values")
            return None
        return {"missing": self.missing.currentData() or "refuse", "bounds_source": origin.property("key")}

    def _on_header(self, section: int) -> None:
        """Follow a click on a column of the preview."""

    def _on_columns(self, *_: object) -> None:
        names = self._columns()
        missing = sum(column.missing for column in self.dataset.table.columns if column.name in names)
        self.missing.clear()
        self.missing.addItem("refuse to go on", "refuse")
        self.missing.addItem(
            f"drop {format_count(missing) if self._curator else 'such'} records and count them", "drop"
        )
        self.missing.setCurrentIndex(-1 if missing else 0)
        self.missing_row.setVisible(bool(missing))

    def _on_bound(self, *_: object) -> None:
        self.bounds_row.show_problem("")

    def _on_origin(self, *_: object) -> None:
        self.origin_row.show_problem("")
        self.warning.setVisible(self._origins.checkedButton() is self.origin_button("looked"))
