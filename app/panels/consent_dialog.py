"""Before exact numbers leave the room: what is not promised, and whether they may."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QCheckBox, QDialog, QDialogButtonBox, QVBoxLayout, QWidget

from app.state import SessionState
from app.unprotected import NOT_PRIVATE
from app.widgets.card import Card, caption
from engine.catalog import ASKED

EXAMPLE = "This dataset comes with Sensiscope and is public already."
FOR_GOOD = (
    "The release is recorded below, and cannot be undone. Whoever sees it can learn things about single "
    "people that no later release takes back, however large its noise."
)


class ConsentDialog(QDialog):
    """Says what is not promised, and asks whether to release all the same.

    Signals
    -------
    agreed(str, bool)
        Release; the key of the dataset, and whether not to ask about it again.
    """

    agreed = Signal(str, bool)

    def __init__(self, state: SessionState, parent: QWidget) -> None:
        super().__init__(parent)
        assert state.dataset is not None
        self._key = state.dataset.digest
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle("Release without a promise of privacy?")
        self.setMinimumSize(QSize(480, 0))
        card = Card(f"{ASKED[state.query].label} of {state.subject}, {state.dataset.title}")
        card.body.addWidget(caption(NOT_PRIVATE, name="warning"))
        card.body.addWidget(caption(EXAMPLE if state.dataset.example else FOR_GOOD))
        self.always = QCheckBox("&Do not ask again about this dataset")
        self.buttons = QDialogButtonBox()
        self.agree_button = self.buttons.addButton(
            "&Release exact counts", QDialogButtonBox.ButtonRole.AcceptRole
        )
        self.agree_button.setObjectName("run")
        cancel = self.buttons.addButton(QDialogButtonBox.StandardButton.Cancel)
        # what cannot be undone does not happen by pressing Return once too often
        self.agree_button.setAutoDefault(False)
        cancel.setDefault(True)
        self.buttons.accepted.connect(self.agree)
        self.buttons.rejected.connect(self.reject)
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 12, 12, 12)
        column.setSpacing(10)
        for widget in (card, self.always, self.buttons):
            column.addWidget(widget)
        cancel.setFocus()

    def agree(self) -> None:
        """Release."""
        self.agreed.emit(self._key, self.always.isChecked())
        self.accept()
