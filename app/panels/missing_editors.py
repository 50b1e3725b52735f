"""What is done about missing values: in the side panel, and in the dialog that opens a file."""

from __future__ import annotations

from PySide6.QtCore import QSignalBlocker
from PySide6.QtWidgets import QComboBox, QLineEdit

from app.model.kinds.fields import MissingField
from app.model.kinds.missing import DROP, FILL, default_fills, fill_words, fills_of, size_problem
from app.model.wording.formatting import format_count
from app.panels.field_editor import FieldEditor, FormData
from app.widgets.form_row import FormRow, combo
from app.widgets.number_box import NumberBox
from engine.errors import ParameterError

USUAL = "the middle of the bounds"
KNOWN_N = "n, if public"
ELSEWHERE = "n is written down in the Curator view, before anything is shown to others"


class MissingEditor(FieldEditor[MissingField]):
    """Chooses what is done about missing values, where there are some."""

    roots = ("fills", "complete", "lower", "upper", "bounds", "lists", "unseen")

    def _make(self) -> None:
        self._box = self.boxes["missing"] = combo("What to do about missing values")
        self._fill_box = self.boxes["fills"] = QLineEdit()
        self._fill_box.setAccessibleName("What stands for a missing value")
        self._fill_box.editingFinished.connect(self._on_fill)
        self._n_box = self.boxes["complete"] = NumberBox(
            "How many records have all values", whole=True, lower=1, optional=True
        )
        self._n_box.lineEdit().setPlaceholderText(KNOWN_N)
        self._n_box.edited.connect(self._on_n)
        self._n_box.cleared.connect(self._on_no_n)
        self._connect(self._box)
        row = FormRow(
            self._label(), self._box, self._fill_box, self._n_box, help=self.field.help, fields=["missing"]
        )
        self.rows["missing"] = row
        self.widgets.append(row)
        self._n_box.refused.connect(row.refuse)

    def _connect(self, box: QComboBox) -> None:
        box.activated.connect(self._on_missing)

    def show(self, data: FormData) -> None:
        self._data = data
        known = data.missing(self.kind) if data.sees_missing else 0
        chosen = data.choice.missing != "refuse" and not data.is_public
        self.rows["missing"].setVisible(bool(known) or chosen)
        self._offer(known)
        self._box.setCurrentIndex(self._box.findData(data.choice.missing))
        self._show_values()

    def _offer(self, known: int) -> None:
        """Offer what can be done about so many missing values; 0 where that is not to be seen."""
        many = f" {format_count(known)}" if known else ""
        with QSignalBlocker(self._box):
            self._box.clear()
            self._box.addItem("refuse to go on", "refuse")
            if self._data.dataset is None or self.kind.filled_columns(self._data.choice):
                self._box.addItem(f"fill{many} with", FILL)
            self._box.addItem(f"drop{many}", DROP)

    def _show_values(self) -> None:
        """Show what stands for a missing value, or how many records have all of them."""
        tells = self._data.sees_missing
        self._n_box.setEnabled(tells)  # whether an n is right tells how many records lack a value
        self._n_box.setToolTip("" if tells else ELSEWHERE)
        choice, dataset = self._data.choice, self._data.dataset
        self._fill_box.setVisible(choice.missing == FILL)
        self._n_box.setVisible(choice.missing == DROP and self.kind.drop_tells and not self._data.is_public)
        wrong = size_problem(self.kind, choice, dataset, curator=tells) is not None
        self._n_box.set_value(None if wrong and not tells else choice.complete)
        self._fill_box.setText(fill_words(self.kind, choice))
        names = self.kind.filled_columns(choice)
        self._fill_box.setPlaceholderText(" : ".join(names))

    def _on_missing(self, index: int) -> None:
        missing = self._box.itemData(index)
        fills = default_fills(self.kind, self._data.choice) if missing == FILL else {}
        self.target.choose(missing=missing, fills=fills)

    def _on_fill(self) -> None:
        text = self._fill_box.text().strip()
        if text == fill_words(self.kind, self._data.choice):
            return
        try:
            fills = fills_of(self.kind, self._data.choice, text)
        except ParameterError as error:
            self.rows["missing"].refuse(error.problem)
            return
        self.rows["missing"].settle()
        self.target.choose(fills=fills)

    def _on_n(self, value: float, continuous: bool) -> None:
        self.rows["missing"].settle()
        merge = "complete" if continuous else ""
        self.target.edit("change how many records have all values", merge=merge, complete=int(value))

    def _on_no_n(self) -> None:
        self.target.edit("forget how many records have all values", complete=None)


class DraftMissingEditor(MissingEditor):
    """Asks what is done about missing values, if there are any."""

    _missing: int | None = None

    def _label(self) -> str:
        return "&Missing"

    def _connect(self, box: QComboBox) -> None:
        box.setPlaceholderText("choose…")
        box.currentIndexChanged.connect(self._on_missing)

    def show(self, data: FormData) -> None:
        self._data = data
        missing = data.missing(self.kind)
        if missing != self._missing:
            self._missing = missing
            self._offer(missing if data.sees_missing else 0)
            with QSignalBlocker(self._box):
                self._box.setCurrentIndex(-1 if missing else 0)
            self.rows["missing"].setVisible(bool(missing))
            self._on_missing(self._box.currentIndex())
        else:
            self._show_values()

    def _show_values(self) -> None:
        super()._show_values()
        if self.kind.fills_numbers:
            self._fill_box.setPlaceholderText(USUAL)

    def _on_missing(self, index: int) -> None:
        self.rows["missing"].show_problem("")
        self.target.edit("", missing=self._box.itemData(index) or "")

    def _on_fill(self) -> None:
        if self._fill_box.text().strip():
            super()._on_fill()
        else:
            self.target.edit("", fills={})
