"""Before the first release of a dataset that never had a limit: whether it is to have one."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QDialogButtonBox, QPushButton, QWidget

from app.model.wording.numbers import number
from app.widgets.card import Card, caption
from app.widgets.dialogs import FittingDialog
from app.widgets.layouts import stack

LIMITS = {
    1.0: "Strong protection: the usual choice for one study",
    3.0: "Moderate protection: for several studies of the same data",
    10.0: "Weak protection: only for data that hardly harm anyone",
    30.0: "Hardly any protection",
    100.0: "Next to no protection",
}
"""Limits of epsilon, and what they mean; any other one is set in the budget."""
OFFERED = 2
"""How many of them are offered: the least that let the release pass."""

WHY = (
    "Every release costs some of the privacy of the people in the data, and for each row of the file the "
    "costs add up. A release beyond the limit is refused unless you agree. With each ε comes a limit of "
    "δ = {delta}. You can change your answer later in the budget of this dataset (Ctrl+B)."
)


class FirstLimitDialog(FittingDialog):
    """Asks how much all releases of a dataset may cost together; the first one counts `least`.

    Signals
    -------
    chosen(object)
        Epsilon, or None for no limit.
    """

    chosen = Signal(object)

    def __init__(self, title: str, least: float, delta: float, parent: QWidget) -> None:
        super().__init__("Set a budget?", 480, parent)
        card = Card(f"How much may all releases of {title} cost together?")
        card.put(caption(WHY.format(delta=number(delta))))
        buttons = QDialogButtonBox()
        self.buttons: dict[float | None, QPushButton] = {}
        enough = [limit for limit in LIMITS if limit >= least]
        for epsilon in (*enough[:OFFERED], None):
            text = "&No limit" if epsilon is None else f"ε = &{number(epsilon)}"
            button = buttons.addButton(text, QDialogButtonBox.ButtonRole.ActionRole)
            tip = "Releases are counted, and none is refused" if epsilon is None else LIMITS[epsilon]
            button.setToolTip(tip)
            button.clicked.connect(self._on_button)
            self.buttons[epsilon] = button
        cancel = buttons.addButton(QDialogButtonBox.StandardButton.Cancel)
        cancel.setToolTip("Release nothing and spend nothing")
        cancel.setDefault(True)
        buttons.rejected.connect(self.reject)
        stack(self, card, buttons, margins=12, spacing=10)
        cancel.setFocus()

    def _on_button(self) -> None:
        epsilon = next(value for value, button in self.buttons.items() if button is self.sender())
        self.accept()
        self.chosen.emit(epsilon)
