"""Before any release, for those who want to be asked: what it costs, for good."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from app.model.selection import selection
from app.model.state import SessionState
from app.model.wording.grids import inexact_words, sentence
from app.model.wording.neighbours import WORDS, counted_words
from app.model.wording.numbers import number, quantity
from app.widgets.asking import AskDialog
from app.widgets.card import caption
from engine.privacy import Privacy

FOR_GOOD = "It is recorded, and its budget is spent for good. (Settings, Ctrl+, say when to ask.)"


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
        self.card.put(caption(sentence(inexact_words(not reason, reason)), name="warning"), caption(FOR_GOOD))
        self.agree_button.setToolTip("Make the release")
        self.cancel_button.setToolTip("Release nothing and spend nothing")
