"""Before a damaged ledger is set aside: what is not counted any more from then on."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from app.widgets.asking import AskDialog
from app.widgets.card import caption

LOST = (
    "What was spent before is not counted any more, on any dataset, and neither are the limits that were "
    "set. What was released can still be known to others: count it yourself from now on."
)
KEPT = "The damaged file is kept beside the new one under another name; nothing of it is lost or changed."
BACKUP = "If there is a backup of the file, cancel, close Sensiscope and put the backup in its place instead."


class SetAsideDialog(AskDialog):
    """Asks whether to begin a new ledger in the place of a damaged one."""

    def __init__(self, problem: str, parent: QWidget) -> None:
        title = "Begin a new ledger?"
        super().__init__(title, "The ledger of this computer is damaged", "&Start a new ledger", parent)
        self.card.put(caption(problem), caption(LOST, name="warning"))
        for text in (KEPT, BACKUP):
            self.card.body.addWidget(caption(text))
        self.agree_button.setToolTip("Set the damaged file aside and begin a new one at zero")
        self.cancel_button.setToolTip("Leave everything as it is; nothing can be released")
