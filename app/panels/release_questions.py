"""Questions before a release: its cost, the limit, and similar data."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QCheckBox, QWidget

from app.model.selection import selection
from app.model.state import SessionState
from app.model.wording.neighbours import WORDS, counted_words
from app.model.wording.not_dp import NOT_DP
from app.model.wording.numbers import number, quantity
from app.model.wording.releases import inexact_words, sentence
from app.panels.budget_text import cost_words, limit_words, share, total_words
from app.widgets.asking import AnswerDialog, AskDialog
from app.widgets.budget_bar import BudgetBar
from app.widgets.card import caption
from engine.data.look_only import rows_of_person
from engine.privacy import Privacy, for_persons

if TYPE_CHECKING:
    from engine.ledger import Overspent, SimilarData

LIMITS = {
    1.0: "Strong protection: the usual choice for one study",
    3.0: "Moderate protection: for several studies of the same data",
    10.0: "Weak protection: only for data that can hardly harm anyone",
    30.0: "Hardly any protection",
    100.0: "Next to no protection",
}
"""Suggested limits of epsilon; the budget dialog sets any other one."""
OFFERED = 2
"""Number of suggestions: the smallest limits that allow the release, and more after it."""

SPEND_NOTHING = "Release nothing and use no budget"
WHY_LIMIT = (
    "Every release costs privacy, and for each row of the file the costs add up. Beyond the limit, a "
    "release needs your consent. Each of these limits has δ = {delta}. You can change the limit later "
    "(Ctrl+B)."
)


class FirstLimitDialog(AnswerDialog):
    """Asks for the limit of all releases of a dataset, None for none; the first one costs `epsilon`."""

    def __init__(self, title: str, epsilon: float, delta: float, parent: QWidget) -> None:
        offered = [limit for limit in LIMITS if limit > epsilon][:OFFERED]
        answers: dict[float | None, tuple[str, str]] = {
            limit: (f"ε = &{number(limit)}", LIMITS[limit]) for limit in offered
        }
        answers[None] = "&No limit", "Releases are counted, but never stopped"
        heading = f"How much may all releases of {title} cost together?"
        super().__init__("Set a budget?", heading, answers, parent, cancel=SPEND_NOTHING)
        for button in self.answers.values():
            button.setAutoDefault(True)
        self.card.put(caption(WHY_LIMIT.format(delta=number(delta))))


ONE_BUDGET = (
    "Are both about the same people, perhaps with rows or columns added, removed or renamed? Then the "
    "budget used on {known} counts for them, too: both share one budget from now on, permanently. Data "
    "about other people have a separate budget."
)


SAME, OTHER = True, False


class SimilarDataDialog(AnswerDialog):
    """Names similar data and the budget used on them, and asks whether both are the same."""

    def __init__(self, title: str, similar: SimilarData, parent: QWidget) -> None:
        answers = {
            SAME: ("Count as the &same data", "Both share one budget"),
            OTHER: ("Count as &other data", "They are about other people and have a separate budget"),
        }
        known = similar.title or "other data"
        super().__init__(
            "The same data?",
            f"{title} resembles {known}",
            answers,
            parent,
            cancel=SPEND_NOTHING,
            default=SAME,  # Return must never start a fresh budget
        )
        self.name = similar.name  # of the similar account
        self.cancel_button.setAutoDefault(False)
        self.same_button, self.other_button = self.answers[SAME], self.answers[OTHER]
        self.spent = caption(f"On {known}, {total_words(similar.spent)} was spent.", name="advice")
        self.card.put(self.spent, caption(ONE_BUDGET.format(known=known)))


RECORDED = "It is recorded, and its budget cannot be restored. (Settings, Ctrl+, decide when to ask.)"


class SpendingDialog(AskDialog):
    """Asks for confirmation of a release."""

    def __init__(self, state: SessionState, parent: QWidget) -> None:
        assert state.dataset is not None
        heading = f"{state.asked.label} of {state.subject}, {state.dataset.title}"
        super().__init__(
            "Make this release?", heading, "&Release", parent, tip="Make the release", cancel=SPEND_NOTHING
        )
        delta = f", δ = {number(state.delta_or_default)}" if state.delta_or_default else ""
        mechanism, rows = selection(state).mechanism, rows_of_person(state.dataset.table)
        privacy = Privacy(state.epsilon, state.delta_or_default)
        _, relation = for_persons(privacy, mechanism.relation, rows)
        cost = f"It costs ε = {quantity(state.epsilon)}{delta}, {WORDS[relation].between}"
        twice = counted_words(mechanism, privacy, ("ε", "δ"), rows)
        self.card.body.addWidget(caption(f"{cost}; {twice}." if twice else f"{cost}."))
        reason = mechanism.inexact
        self.card.put(caption(sentence(inexact_words(not reason, reason)), name="warning"), caption(RECORDED))


class SheetSpendingDialog(AskDialog):
    """Asks for confirmation of all releases of a sheet."""

    def __init__(self, heading: str, epsilon: float, delta: float, parent: QWidget) -> None:
        super().__init__(
            "Run the sheet?", heading, "&Release", parent, tip="Make all releases", cancel=SPEND_NOTHING
        )
        more = f", δ = {number(delta)}" if delta else ""
        self.card.put(caption(f"Together they cost ε = {number(epsilon)}{more}."), caption(RECORDED))


PASSED_LIMIT = (
    "The limit protects the people in the data. A release beyond it is recorded as such, and cannot be "
    "undone."
)


class OverspendingDialog(AnswerDialog):
    """Shows by how much a release passes the limit, and asks for less, or to make it anyway.

    `left` is the largest epsilon that the limit still allows; None if there is none.
    """

    agreed = Signal()  # to pass the limit
    reduced = Signal(float)  # the epsilon that is left

    def __init__(self, title: str, refused: Overspent, left: float | None, parent: QWidget) -> None:
        heading = f"This release passes the limit of {title}"
        answers: dict[float | None, tuple[str, str]] = {}
        if left is not None:
            text = f"&Use what is left: ε = {number(left)}"
            answers[left] = text, "Make the release with this epsilon, within the limit"
        answers[None] = "&Release anyway", "Make the release, and record that it passes the limit"
        super().__init__("Spend more than the limit?", heading, answers, parent, cancel=SPEND_NOTHING)
        self.agree_button = self.answers[None]
        self.bar = BudgetBar("Share of the limit used, and the addition by this release")
        limit, spent, together = refused.limit, refused.spent, refused.composition
        before, after = share(spent, limit), share(together, limit)
        self.bar.show_share(min(before, after), after)
        lines = (
            f"Used so far: {total_words(spent)}",
            f"This release: {cost_words(refused.cost)}",
            f"Together: {total_words(together)}; the limit is {limit_words(limit)}",
        )
        self.sums = caption("\n".join(lines), name="advice")
        self.card.put(self.bar, self.sums, caption(PASSED_LIMIT))

    def answer(self, key: float | None) -> None:
        self.accept()
        if key is None:
            self.agreed.emit()
        else:
            self.reduced.emit(key)


EXAMPLE = "This dataset comes with Sensiscope and is public already."
UNPROTECTED = (
    "The release is recorded below, and cannot be undone. It reveals facts about single records. No later "
    "noise can hide them again."
)
PASSES = "It passes every limit of the budget, and so does every later release."


class ConsentDialog(AskDialog):
    """Warns that a release has no guarantee, and asks whether to make it anyway."""

    def __init__(self, state: SessionState, parent: QWidget, *, limited: bool = False) -> None:
        assert state.dataset is not None
        self.digest = state.dataset.digest
        self.always = QCheckBox("&Do not ask again about this dataset")
        super().__init__(
            "Release without a privacy guarantee?",
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
    "Earlier spending and limits of all datasets will no longer count. Others may still know earlier "
    "releases, so count those yourself."
)
KEPT = "The damaged file stays beside the new one under another name, unchanged."
BACKUP = "If you have a backup of the file: cancel, close Sensiscope, and replace the file by the backup."


class SetAsideDialog(AskDialog):
    """Asks whether to replace a damaged ledger by a new one."""

    def __init__(self, problem: str, parent: QWidget) -> None:
        super().__init__(
            "Start a new ledger?",
            "The ledger of this computer is damaged",
            "&Start a new ledger",
            parent,
            tip="Set the damaged file aside and start a new one at zero",
            cancel="Change nothing; you cannot release anything",
        )
        self.card.put(caption(problem), caption(LOST, name="warning"), caption(KEPT), caption(BACKUP))
