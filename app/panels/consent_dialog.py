"""Before exact numbers are released: what is not promised, and whether they may."""

from __future__ import annotations

from PySide6.QtWidgets import QCheckBox, QWidget

from app.model.state import SessionState
from app.model.wording.not_dp import NOT_DP
from app.widgets.asking import AskDialog
from app.widgets.card import caption

EXAMPLE = "This dataset comes with Sensiscope and is public already."
FOR_GOOD = (
    "The release is recorded below, and cannot be undone. Whoever sees it can learn things about single "
    "records that no later release takes back, however large its noise."
)
PASSES = "It passes the limit of the budget, whatever that is, and so does every release after it."


class ConsentDialog(AskDialog):
    """Says what is not promised, and asks whether to release all the same.

    Attributes
    ----------
    digest : str
        Of the dataset.
    always : QCheckBox
        Whether not to ask about it again.
    """

    def __init__(self, state: SessionState, parent: QWidget, *, limited: bool = False) -> None:
        assert state.dataset is not None
        self.digest = state.dataset.digest
        self.always = QCheckBox("&Do not ask again about this dataset")
        super().__init__(
            "Release without a promise of privacy?",
            f"{state.asked.label} of {state.subject}, {state.dataset.title}",
            "&Release exact counts",
            parent,
            self.always,
        )
        self.card.put(
            caption(NOT_DP, name="warning"), caption(EXAMPLE if state.dataset.example else FOR_GOOD)
        )
        if limited:
            self.card.body.addWidget(caption(PASSES))
        self.agree_button.setObjectName("run")
