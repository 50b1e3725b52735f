"""Questions before a release: what it costs, whether a limit is passed, which data they are."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QCheckBox, QDialogButtonBox, QPushButton, QWidget

from app.model.selection import selection
from app.model.state import SessionState
from app.model.theme import Palette
from app.model.wording.grids import inexact_words, sentence
from app.model.wording.neighbours import WORDS, counted_words
from app.model.wording.not_dp import NOT_DP
from app.model.wording.numbers import number, quantity
from app.panels.budget_words import cost_words, limit_words, share, total_words
from app.widgets.asking import AskDialog
from app.widgets.budget_bar import BudgetBar
from app.widgets.card import Card, caption, set_text
from app.widgets.dialogs import FittingDialog
from app.widgets.layouts import stack
from engine.privacy import Privacy

if TYPE_CHECKING:
    from engine.ledger import Overspent, SimilarData

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

WHY_LIMIT = (
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
        card.put(caption(WHY_LIMIT.format(delta=number(delta))))
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


ONE_BUDGET = (
    "If they are about the same people (rows or columns were added, taken away or renamed), what was spent "
    "on {known} counts for them, too: from now on both have one budget, for good. Other people have "
    "a budget of their own."
)


class SimilarDataDialog(FittingDialog):
    """Says what the data resemble and what was spent on that, and asks whether both are the same data.

    Parameters
    ----------
    title : str
        What the data are called.
    similar : SimilarData

    Signals
    -------
    chosen(bool)
        Whether they are the same data.

    Attributes
    ----------
    name : str
        Of the account that they resemble.
    """

    chosen = Signal(bool)

    def __init__(self, title: str, similar: SimilarData, parent: QWidget) -> None:
        super().__init__("The same data?", 480, parent)
        self.name = similar.name
        known = similar.title or "other data"
        card = Card(f"{title} resembles {known}")
        self.words = caption(f"On {known}, {total_words(similar.spent)} was spent.", name="advice")
        card.put(self.words, caption(ONE_BUDGET.format(known=known)))
        buttons = QDialogButtonBox()
        role = QDialogButtonBox.ButtonRole.ActionRole
        self.same_button = buttons.addButton("Count as the &same data", role)
        self.same_button.setToolTip("What was spent on either counts for both")
        self.other_button = buttons.addButton("Count as &other data", role)
        self.other_button.setToolTip("They are about other people, and have a budget of their own")
        self.cancel_button = buttons.addButton(QDialogButtonBox.StandardButton.Cancel)
        self.cancel_button.setToolTip("Release nothing and spend nothing")
        for button in (self.other_button, self.cancel_button):
            button.setAutoDefault(False)
        self.same_button.setDefault(True)  # pressing Return never spends more than is known
        self.same_button.clicked.connect(self._on_same)
        self.other_button.clicked.connect(self._on_other)
        buttons.rejected.connect(self.reject)
        stack(self, card, buttons, margins=12, spacing=10)
        self.same_button.setFocus()

    def _on_same(self) -> None:
        self.accept()
        self.chosen.emit(True)

    def _on_other(self) -> None:
        self.accept()
        self.chosen.emit(False)


RECORDED = "It is recorded, and its budget is spent for good. (Settings, Ctrl+, say when to ask.)"


class SpendingDialog(AskDialog):
    """Asks whether to make the release that Run would make."""

    def __init__(self, state: SessionState, parent: QWidget) -> None:
        assert state.dataset is not None
        heading = f"{state.asked.label} of {state.subject}, {state.dataset.title}"
        super().__init__("Make this release?", heading, "&Release", parent)
        delta = f", δ = {number(state.delta_or_default)}" if state.delta_or_default else ""
        mechanism = selection(state).mechanism
        cost = f"It costs ε = {quantity(state.epsilon)}{delta}, {WORDS[mechanism.relation].between}"
        twice = counted_words(mechanism, Privacy(state.epsilon, state.delta_or_default), ("ε", "δ"))
        self.card.body.addWidget(caption(f"{cost}; {twice}." if twice else f"{cost}."))
        reason = mechanism.inexact
        self.card.put(caption(sentence(inexact_words(not reason, reason)), name="warning"), caption(RECORDED))
        self.agree_button.setToolTip("Make the release")
        self.cancel_button.setToolTip("Release nothing and spend nothing")


PASSED_LIMIT = (
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
        self.card.put(self.bar, self.words, caption(PASSED_LIMIT))
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


EXAMPLE = "This dataset comes with Sensiscope and is public already."
UNPROTECTED = (
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
            caption(NOT_DP, name="warning"),
            caption(EXAMPLE if state.dataset.example else UNPROTECTED),
        )
        if limited:
            self.card.body.addWidget(caption(PASSES))
        self.agree_button.setObjectName("run")


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
