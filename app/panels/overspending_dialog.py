"""Before a release that passes the limit: what is spent, what it would come to, and whether it may."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget

from app.model.theme import Palette
from app.panels.budget_words import cost_words, limit_words, share, total_words
from app.widgets.asking import AskDialog
from app.widgets.budget_bar import BudgetBar
from app.widgets.card import caption, set_text

if TYPE_CHECKING:
    from engine.ledger import Overspent

FOR_GOOD = (
    "The limit was set for the people whose records these are. A release that passes it is recorded as "
    "such, and cannot be taken back."
)


class OverspendingDialog(AskDialog):
    """Says what a release would do to the limit, and asks whether to make it all the same."""

    def __init__(self, title: str, refused: Overspent, palette: Palette, parent: QWidget) -> None:
        heading = f"This release passes the limit of {title}"
        super().__init__("Spend more than the limit?", heading, "&Release anyway", parent)
        self.bar = BudgetBar("What is spent of the limit, and what this release would add")
        self.bar.set_palette(palette)
        self.words = caption(name="advice")
        self.card.put(self.bar, self.words, caption(FOR_GOOD))
        self.agree_button.setToolTip("Make the release, and record that it passes the limit")
        self.cancel_button.setToolTip("Release nothing and spend nothing")
        limit, spent, together = refused.limit, refused.spent, refused.composition
        before, after = share(spent, limit), share(together, limit)
        self.bar.show_share(min(before, after), after)
        lines = (
            f"Spent so far: {total_words(spent)}",
            f"This release: {cost_words(refused.cost)}",
            f"Together: {total_words(together)}; the limit is {limit_words(limit)}",
        )
        set_text(self.words, "\n".join(lines))
