"""Epsilon, delta and their guarantee: in the right column, or in one line in presentation mode."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import partial
from typing import Any

from PySide6.QtWidgets import QFrame, QPushButton, QSizePolicy, QWidget

from app.model.budget import USE_DELTA, USUAL_DELTA
from app.model.selection import relation_of
from app.model.state import EPSILON_RANGE, SessionState
from app.model.wording.guarantees import odds_words
from app.model.wording.neighbours import WORDS, NeighbourWords, group_words
from app.model.wording.not_dp import FOR_OTHERS, NOT_DP, WARNING
from app.model.wording.numbers import number
from app.session import Session
from app.widgets.card import Card, Remarks, caption, keep_room, set_text
from app.widgets.form_row import FormRow
from app.widgets.layouts import line_up
from app.widgets.number_box import LogSlider
from app.widgets.style import THEME
from app.widgets.value_editors import FieldLine, ParameterForm
from engine.errors import ParameterError
from engine.parameters import Parameter
from engine.privacy import Privacy

EPSILON_HELP = (
    "ε bounds what a release can reveal: {neighbours}, the odds of any outcome change by at most a factor "
    "e^ε. Smaller is more private."
)
DELTA_HELP = (
    "δ is the slack in the ε bound: for neighboring data, any set of outcomes has at most e^ε times the "
    "probability, plus δ. Keep it far below 1/n; 0 is the safest. You can type 1e-6."
)
NOT_USED = "This mechanism does not use δ: a release costs none."
TOO_LARGE = "δ is at least 1/n = {}: choose a far smaller value."
VARIED = "Compare tries several values of ε, so this one is not used."
BEGINS = "\nThis page starts with δ = {}: with 0, no ball can be found."
EPSILON = Parameter("epsilon", "float", None, "ε  epsilo&n", "", lower=0, spoken="Epsilon")
DELTA = Parameter("delta", "float", None, "δ  &delta", DELTA_HELP, lower=0, spoken="Delta")
DATA = {"dataset", "numbers", "edges", "points", "vertices"}
LINES = ("caption",) * 3
"""The lines below the form: a promise with δ has three."""
TOLD = {"page", "workspace", "comparison", "epsilon", "delta", "query", "parameters"} | DATA
"""The fields of the state that the panel shows."""


def change(session: Session, name: str, value: Any, continuous: bool) -> None:
    """Change epsilon or delta of the session."""
    session.edit(f"change {name}", merge=name if continuous else "", **{name: value})


def _values(state: SessionState) -> dict[str, float]:
    return {"epsilon": state.epsilon, "delta": state.delta_or_default}


class EpsilonSlider(LogSlider):
    """Moves epsilon of the session."""

    def __init__(self, session: Session) -> None:
        super().__init__("Epsilon, logarithmic slider", *EPSILON_RANGE)
        self.moved.connect(lambda value: change(session, "epsilon", value, True))


class PrivacyPanel(Card):
    """Shows and edits epsilon and delta of the session."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__("Privacy", parent=parent)
        self._session = session
        self._form, self.slider = ParameterForm(self, spacing=5), EpsilonSlider(session)
        self._form.edited.connect(partial(change, session))
        self._form.show_parameters((EPSILON, DELTA), {})
        self.epsilon_row, self.delta_row = self._form.rows.values()
        self.epsilon, self.delta = self.epsilon_row.box, self.delta_row.box
        self.epsilon_row.add_below(self.slider)
        self.offer = QPushButton(USE_DELTA)
        self.offer.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Ignored)
        self.offer.setMinimumHeight(1)  # as high as the number beside it, so that nothing moves
        self.offer.clicked.connect(lambda: session.edit("change delta", delta=USUAL_DELTA))
        self.offer.hide()
        self.remark, self.sentence = caption(), caption()
        self.none = caption(name="warning")
        self.remarks = Remarks(LINES, lambda: self.rows, self.none, self.remark, self.sentence)
        self.delta_row.problem_shown.connect(self._offer_delta)
        self.none.setToolTip(NOT_DP)
        self.delta_row.add_beside(self.offer)
        self.put(self._form, self.remarks)
        self.setTabOrder(self.epsilon, self.slider)
        session.watch(TOLD, self, self.refresh)
        self.refresh()

    @property
    def rows(self) -> tuple[FormRow, ...]:
        """The rows that can show a problem."""
        return (self.epsilon_row, self.delta_row)

    def _offer_delta(self, problem: str) -> None:
        """Suggest a delta above 0 if the mechanism needs one."""
        self.offer.setVisible(bool(problem) and self.delta.value == 0)

    def refresh(self) -> None:
        state = self._session.state
        text = WORDS[relation_of(state)]
        for widget in (self.slider, self.epsilon, self.epsilon_row.label):
            widget.setToolTip(EPSILON_HELP.format(neighbours=text.between))
        for name, value in _values(state).items():
            self._form.rows[name].set_value(value)
            self._form.rows[name].settle()
        self.slider.show_value(state.epsilon)
        self.epsilon_row.setEnabled(not state.varies_epsilon)
        self.set_title("Privacy" if state.promises else "No privacy guarantee")
        set_text(self.none, "" if state.promises else f"{WARNING} {FOR_OTHERS}")
        if not state.promises:
            set_text(self.sentence, "")
            set_text(self.remark, "")
            return
        begins = state.delta is None and state.delta_or_default
        tip = DELTA_HELP + (BEGINS.format(number(state.delta_or_default)) if begins else "")
        for widget in (self.delta, self.delta_row.label):
            widget.setToolTip(tip)
        spent = state.delta_or_default if state.uses_delta else 0.0
        promised = VARIED if state.varies_epsilon else promise(state.epsilon, spent, text)
        set_text(self.sentence, promised)
        self.sentence.setToolTip(_groups(state.epsilon, spent, text))
        set_text(self.remark, remark(state))


def _groups(epsilon: float, delta: float, text: NeighbourWords) -> str:
    """Return the guarantee for groups of records; "" if the budget is invalid."""
    try:
        return group_words(Privacy(epsilon, delta), text)
    except ParameterError:
        return ""


def remark(state: SessionState) -> str:
    """Return a remark about delta, from public facts; "" for none."""
    if not 0 < state.delta_or_default < 1:
        return ""
    if not state.uses_delta:
        return NOT_USED
    try:
        n = state.builder().n
    except ParameterError:
        return ""
    return TOO_LARGE.format(number(1 / n)) if state.delta_or_default * n >= 1 else ""


def promise(epsilon: float, delta: float, text: NeighbourWords) -> str:
    """Return the guarantee of (epsilon, delta) for one record; "" if they are invalid."""
    if not (epsilon > 0 and math.isfinite(epsilon) and 0 <= delta < 1):
        return ""
    return f"{text.difference[:1].upper()}{text.difference[1:]}: {odds_words(epsilon, delta)}"


WIDEST = 130
"""Width of a number at ordinary font size, in pixels."""


class PresentationStrip(QFrame):
    """Shows and edits epsilon and delta below the page.

    It is docked because no place over the pictures is free in all of them. Floating, it would jump from tab
    to tab, or cover ticks, labels or the verdict.
    """

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self._offers_delta = True
        self.setObjectName("card")
        self.setAccessibleName("Privacy")
        self.slider = EpsilonSlider(session)
        self._first = FieldLine(replace(EPSILON, label="ε"))
        self._last = FieldLine(replace(DELTA, label="δ"))
        keep_room(self.slider)
        self.fields = self._first.fields | self._last.fields
        self.epsilon, self.delta = (field.box for field in self.fields.values())
        for line in (self._first, self._last):
            line.edited.connect(partial(change, session))
        self._line = line_up(
            self, self._first, (self.slider, 1), self._last, margins=(12, 5, 12, 5), spacing=8
        )
        session.watch(TOLD, self, self.refresh)
        THEME.follow_scale(self.set_scale)
        self.refresh()
        self.hide()

    def hold(self, badge: QWidget) -> None:
        """Show the badge of a picture whose card has no heading."""
        self._line.addWidget(badge)

    def show_controls(self, used: frozenset[str] | None) -> None:
        """Show epsilon, and delta if it is among the controls of these names; None: all."""
        self._offers_delta = used is None or "delta" in used
        self.refresh()

    def refresh(self) -> None:
        state = self._session.state
        for name, value in _values(state).items():
            self.fields[name].show_value(value)
        self.slider.show_value(state.epsilon)
        for part in (self._first, self.slider):
            part.setVisible(not state.varies_epsilon)
        self._last.setVisible(self._offers_delta and state.uses_delta)

    def set_scale(self, scale: float) -> None:
        """Fit the fields to the font size."""
        for box in (self.epsilon, self.delta):
            box.setFixedWidth(round(WIDEST * scale))
