"""Questions before a release: what it costs, whether a limit is passed, which data they are."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QCheckBox, QWidget

from app.model.selection import selection
from app.model.state import SessionState
from app.model.theme import Palette
from app.model.wording.neighbours import WORDS, counted_words
from app.model.wording.not_dp import NOT_DP
from app.model.wording.numbers import number, quantity
from app.model.wording.releases import inexact_words, sentence
from app.panels.budget_text import cost_words, limit_words, share, total_words
from app.widgets.asking import AnswerDialog, AskDialog
from app.widgets.budget_bar import BudgetBar
from app.widgets.card import caption
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

SPEND_NOTHING = "Release nothing and spend nothing"
WHY_LIMIT = (
    "Every release costs some of the privacy of the people in the data, and for each row of the file the "
    "costs add up. A release beyond the limit is refused unless you agree. With each ε comes a limit of "
    "δ = {delta}. You can change your answer later in the budget of this dataset (Ctrl+B)."
)


class FirstLimitDialog(AnswerDialog):
    """Asks how much all releases of a dataset may cost together; the first one costs `epsilon`."""

    chosen = Signal(object)  # the limit of epsilon, or None for no limit

    def __init__(self, title: str, epsilon: float, delta: float, parent: QWidget) -> None:
        offered = [limit for limit in LIMITS if limit >= epsilon][:OFFERED]
        answers: dict[float | None, tuple[str, str]] = {
            limit: (f"ε = &{number(limit)}", LIMITS[limit]) for limit in offered
        }
        answers[None] = "&No limit", "Releases are counted, and none is refused"
        heading = f"How much may all releases of {title} cost together?"
        super().__init__("Set a budget?", heading, answers, parent, cancel=SPEND_NOTHING)
        for button in self.answers.values():
            button.setAutoDefault(True)
        self.card.put(caption(WHY_LIMIT.format(delta=number(delta))))

    def answer(self, key: float | None) -> None:
        self.accept()
        self.chosen.emit(key)


ONE_BUDGET = (
    "If they are about the same people (rows or columns were added, taken away or renamed), what was spent "
    "on {known} counts for them, too: from now on both have one budget, for good. Other people have "
    "a budget of their own."
)


SAME, OTHER = True, False


class SimilarDataDialog(AnswerDialog):
    """Says what the data resemble and what was spent on that, and asks whether both are the same data."""

    chosen = Signal(bool)  # whether they are the same data

    def __init__(self, title: str, similar: SimilarData, parent: QWidget) -> None:
        answers = {
            SAME: ("Count as the &same data", "What was spent on either counts for both"),
            OTHER: ("Count as &other data", "They are about other people, and have a budget of their own"),
        }
        known = similar.title or "other data"
        super().__init__(
            "The same data?",
            f"{title} resembles {known}",
            answers,
            parent,
            cancel=SPEND_NOTHING,
            default=SAME,  # pressing Return never spends more than is known
        )
        self.name = similar.name  # of the account that they resemble
        self.cancel_button.setAutoDefault(False)
        self.same_button, self.other_button = self.answers[SAME], self.answers[OTHER]
        self.spent = caption(f"On {known}, {total_words(similar.spent)} was spent.", name="advice")
        self.card.put(self.spent, caption(ONE_BUDGET.format(known=known)))

    def answer(self, key: bool) -> None:
        self.accept()
        self.chosen.emit(key)


RECORDED = "It is recorded, and its budget is spent for good. (Settings, Ctrl+, say when to ask.)"


class SpendingDialog(AskDialog):
    """Asks whether to make the release that Run would make."""

    def __init__(self, state: SessionState, parent: QWidget) -> None:
        assert state.dataset is not None
        heading = f"{state.asked.label} of {state.subject}, {state.dataset.title}"
        super().__init__(
            "Make this release?", heading, "&Release", parent, tip="Make the release", cancel=SPEND_NOTHING
        )
        delta = f", δ = {number(state.delta_or_default)}" if state.delta_or_default else ""
        mechanism = selection(state).mechanism
        cost = f"It costs ε = {quantity(state.epsilon)}{delta}, {WORDS[mechanism.relation].between}"
        twice = counted_words(mechanism, Privacy(state.epsilon, state.delta_or_default), ("ε", "δ"))
        self.card.body.addWidget(caption(f"{cost}; {twice}." if twice else f"{cost}."))
        reason = mechanism.inexact
        self.card.put(caption(sentence(inexact_words(not reason, reason)), name="warning"), caption(RECORDED))


PASSED_LIMIT = (
    "The limit was set for the people whose records these are. A release that passes it is recorded as "
    "such, and cannot be taken back."
)


class OverspendingDialog(AskDialog):
    """Says what a release would do to the limit, and asks whether to make it all the same."""

    def __init__(self, title: str, refused: Overspent, palette: Palette, parent: QWidget) -> None:
        heading = f"This release passes the limit of {title}"
        tip = "Make the release, and record that it passes the limit"
        super().__init__(
            "Spend more than the limit?", heading, "&Release anyway", parent, tip=tip, cancel=SPEND_NOTHING
        )
        self.bar = BudgetBar("What is spent of the limit, and what this release would add")
        self.bar.set_palette(palette)
        limit, spent, together = refused.limit, refused.spent, refused.composition
        before, after = share(spent, limit), share(together, limit)
        self.bar.show_share(min(before, after), after)
        lines = (
            f"Spent so far: {total_words(spent)}",
            f"This release: {cost_words(refused.cost)}",
            f"Together: {total_words(together)}; the limit is {limit_words(limit)}",
        )
        self.sums = caption("\n".join(lines), name="advice")
        self.card.put(self.bar, self.sums, caption(PASSED_LIMIT))


EXAMPLE = "This dataset comes with Sensiscope and is public already."
UNPROTECTED = (
    "The release is recorded below, and cannot be undone. Whoever sees it can learn things about single "
    "records that no later release takes back, however large its noise."
)
PASSES = "It passes the limit of the budget, whatever that is, and so does every release after it."


class ConsentDialog(AskDialog):
    """Says what is not promised, and asks whether to release all the same."""

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
    """Asks whether to begin a new ledger instead of a damaged one."""

    def __init__(self, problem: str, parent: QWidget) -> None:
        super().__init__(
            "Begin a new ledger?",
            "The ledger of this computer is damaged",
            "&Start a new ledger",
            parent,
            tip="Set the damaged file aside and begin a new one at zero",
            cancel="Leave everything as it is; nothing can be released",
        )
        self.card.put(caption(problem), caption(LOST, name="warning"), caption(KEPT), caption(BACKUP))
