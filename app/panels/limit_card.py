"""How much may be spent on a dataset: the limit that you set."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QCheckBox, QPushButton

from app.model.wording.not_dp import NO_MORE
from app.model.wording.numbers import number
from app.widgets.card import Card, caption, set_text
from app.widgets.form_row import FormRow
from app.widgets.number_box import NumberBox
from engine.errors import ParameterError

if TYPE_CHECKING:
    from engine.ledger import Limit

EPSILON_HELP = "What all releases of this dataset together may cost. Between 0.1 and 10 is usual."
DELTA_HELP = (
    "What the δ of all releases may add up to: the chance that a guarantee fails altogether. "
    "Far below 1/n. With 0 no release may have a δ, and the ε add up one by one."
)
SLACK_HELP = (
    "A further chance of failing, with which many small releases add up to less. "
    "It is taken by advanced and zCDP composition only, and not at all where δ is 0."
)
NO_LIMIT = "Without a limit everything is counted, and nothing is asked."
UNSEEN = (
    "It counts all releases of these data, in this and all other sessions, windows and programs, for one row "
    "of the file."
)


class LimitCard(Card):
    """Edits a limit.

    Signals
    -------
    chosen(Limit or None)
        The limit to be kept from now on.
    """

    chosen = Signal(object)

    def __init__(self) -> None:
        super().__init__("Limit")
        self.limited = QCheckBox("&Ask before more than this is spent")
        self.limited.setToolTip("Whoever wants to spend more is asked first, and it is recorded")
        self.epsilon = NumberBox("Limit of epsilon", logarithmic=True)
        self.delta = NumberBox("Limit of delta", logarithmic=True)
        self.slack = NumberBox("Further delta for composition", logarithmic=True)
        self.rows = {
            "epsilon": FormRow("&ε up to", self.epsilon, help=EPSILON_HELP),
            "delta": FormRow("&δ up to", self.delta, help=DELTA_HELP),
            "slack": FormRow("and δ&′", self.slack, help=SLACK_HELP),
        }
        self.promise = caption()
        self.button = QPushButton("Loc&k")
        self.button.setObjectName("run")
        self.button.setToolTip("Write the limit into the ledger; it holds for all windows and programs")
        self.put(self.limited, *self.rows.values(), self.promise, self.button)
        for row in self.rows.values():
            row.editors[0].refused.connect(row.refuse)  # type: ignore[attr-defined]
            row.editors[0].edited.connect(self._on_edited)  # type: ignore[attr-defined]
            row.editors[0].lineEdit().returnPressed.connect(self._on_return)  # type: ignore[attr-defined]
        self.limited.toggled.connect(self._on_edited)
        self.button.clicked.connect(self.choose)
        self._shown: Limit | None = None
        self._edited = False
        self.show_limit(None)

    def show_limit(self, limit: Limit | None, *, broken: bool = False) -> None:
        """Show the limit that is kept, unless the user is about to choose another one.

        It promises nothing once it is broken by a release that promised nothing.
        """
        self._broken = broken
        if self._edited and limit == self._shown:
            return
        from engine.ledger import SLACK

        self._shown = limit
        self.limited.setChecked(limit is not None)
        self.epsilon.set_value(None if limit is None else limit.epsilon)
        self.delta.set_value(0.0 if limit is None else limit.delta)
        self.slack.set_value(SLACK if limit is None else limit.slack)
        self._edited = False
        self._show()

    def choose(self) -> None:
        """Announce the limit, or say what is wrong with it."""
        try:
            limit = self._limit()
        except ParameterError as error:
            self.rows[error.field].show_problem(error.problem)
            self.rows[error.field].editors[0].setFocus()
            return
        self._edited = False
        self.chosen.emit(limit)
        self._show()

    def _limit(self) -> Limit | None:
        from engine.ledger import Limit

        if not self.limited.isChecked():
            return None
        values = {"epsilon": self.epsilon.value, "delta": self.delta.value, "slack": self.slack.value}
        for field, value in values.items():
            if value is None:
                raise ParameterError(field, "say how much may be spent")
        return Limit(**{field: float(value) for field, value in values.items() if value is not None})

    def _on_return(self) -> None:
        """Keep to what was typed, unless it makes no sense."""
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
        self.rows["slack"].setEnabled(on and bool(self.delta.value))
        self.button.setEnabled(self._edited)
        set_text(self.promise, f"{UNSEEN}{self._promise()}" if on else NO_LIMIT)

    def _promise(self) -> str:
        """Say what a limit promises that makes sense."""
        if self._broken:
            return f" {NO_MORE[:1].upper()}{NO_MORE[1:]}."
        try:
            limit = self._limit()
        except ParameterError:
            return ""
        assert limit is not None
        whole = limit.whole
        return (
            f" Kept, all of them together are private with ε = {number(whole.epsilon)} and "
            f"δ = {number(whole.delta, 2)}, whatever is asked after seeing earlier answers."
        )
