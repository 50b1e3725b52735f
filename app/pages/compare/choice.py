"""The compared mechanisms and the sweep, with all edits of them, which can be undone."""

from __future__ import annotations

import dataclasses
from typing import Any

from PySide6.QtCore import QObject, Signal

from app.model.pages.workspaces import COMPARE, RunButton
from app.model.selection import selection
from app.model.state import SessionState
from app.model.wording.numbers import short
from app.pages.compare.contenders_panel import ContendersPanel
from app.pages.compare.needed_epsilon import NeededOptionsBar
from app.pages.compare.request import Alternatives, ComparisonRequest, request_of
from app.plots.compare.contender_style import MAX_STYLES
from app.session import Session
from engine.comparison.contenders import alternatives
from engine.errors import ParameterError
from engine.mechanisms.base import Mechanism

NAMES = {
    "sweep": "the horizontal axis",
    "start": "the first value",
    "stop": "the last value",
    "steps": "the number of values",
    "runs": "the number of runs",
    "within": "the largest error",
    "share": "the probability",
}
"""The names of fields in edits and messages."""


def impossible(name: str, value: Any) -> str:
    """Say why a value is not possible; "" if it is, or if its field shows the problem."""
    if name == "share" and not 0 < value < 1:
        return f"{short(value)} is not possible for {NAMES[name]}; it must be between 0 and 1, such as 0.95"
    if name == "within" and not value > 0:
        return f"{short(value)} is not possible for {NAMES[name]}; it must be above 0"
    return ""


NO_DATA = "Open a file or an example in the right column to compare mechanisms on it."


class ComparisonController(QObject):
    """Shows the comparison's choices, and applies the user's changes.

    `request` is the possible comparison. If there is none, it is None, and `problem` says why; `last` is the
    last possible one about the same records.
    """

    refused = Signal(str)  # an action is impossible; the text says why
    forgotten = Signal()  # derive the compared mechanisms from the form again

    def __init__(self, session: Session, contenders: ContendersPanel, needed: NeededOptionsBar) -> None:
        super().__init__(contenders)
        self._session = session
        self._contenders = contenders
        self._needed = needed
        self._defaults = Alternatives()
        self._seen = session.state  # the last state with a comparison
        self.request: ComparisonRequest | None = None
        self.last: ComparisonRequest | None = None
        self.problem = ""
        contenders.added.connect(self.add)
        contenders.removed.connect(self._on_removed)
        contenders.reset.connect(self.start_over)
        contenders.delta_chosen.connect(self._on_delta)
        contenders.menu.aboutToShow.connect(self._offer)
        for tools in (contenders.tools, needed):
            tools.edited.connect(self._on_edited)
            tools.refused.connect(self.refused)

    @property
    def purpose(self) -> RunButton:
        """The action of the large button of the form."""
        try:
            mechanism = selection(self._session.state).mechanism
        except ParameterError:
            return RunButton("Add to comparison", "The form describes no valid mechanism", able=False)
        request = self.request
        if request is not None and mechanism in request.mechanisms:
            return RunButton("Already compared", "This mechanism is already in the comparison", able=False)
        if request is not None and mechanism.question != request.mechanisms[0].question:
            return RunButton(
                "Compare this instead", "This mechanism answers another question than those compared"
            )
        return RunButton("Add to comparison", "Add the mechanism of this form")

    def follow(self) -> bool:
        """Update the request from the state; return whether the data have changed."""
        before, state = self.last, self._session.state
        try:
            self.request, self.problem = request_of(state, self._defaults), ""
        except ParameterError as error:
            self.request = None
            known = state.dataset is not None
            self.problem = f"{error.field.capitalize()}: {error.problem}." if known else NO_DATA
            if state.page != self._seen.page or state.has_other_records(self._seen):
                self.last = None
        else:
            self.last, self._seen = self.request, state
        return before is not None and (self.last is None or not self.last.same_data(before))

    def show(self) -> None:
        """Show the choices; while the form has a problem, the last ones, disabled."""
        invalid = self.request is None and self.problem != NO_DATA
        self._contenders.setEnabled(not invalid)
        if invalid:
            return
        if self.request is not None:
            self._needed.show_question(self.request)
        self._contenders.show_question(self.request, self._session.state.comparison.mechanisms is not None)

    def take(self) -> None:
        """Add the mechanism of the form; it replaces all others if it answers another question."""
        try:
            mechanism = selection(self._session.state).mechanism
        except ParameterError as error:
            self.refused.emit(f"{error.field}: {error.problem}")
            return
        request = self.request
        if request is None or mechanism.question != request.mechanisms[0].question:
            self.start_over()
        else:
            self.add(mechanism)

    def add(self, mechanism: Mechanism[Any]) -> None:
        """Add a mechanism, unless it is already compared."""
        if self.request is None or mechanism in self.request.mechanisms:
            return
        if len(self.request.mechanisms) >= MAX_STYLES:
            self.refused.emit(f"at most {MAX_STYLES} mechanisms can be compared; remove one first")
        else:
            self._edit("add a mechanism", mechanisms=(*self.request.mechanisms, mechanism))

    def start_over(self) -> None:
        """Compare the mechanisms that fit the form."""
        self.forget()
        if self._session.state.comparison.mechanisms is None:
            self.forgotten.emit()
        else:
            self._edit("compare the mechanisms that fit the form", mechanisms=None)

    def settled(self, state: SessionState) -> SessionState:
        """Return the state with the current mechanisms, if the form would change them."""
        request, choice = self.request, state.comparison
        if (
            request is None
            or choice.mechanisms is not None
            or (state.page, state.workspace) != (request.page, COMPARE.name)
        ):
            return state
        try:
            alike = request_of(state, Alternatives()).mechanisms == request.mechanisms
        except ParameterError:
            alike = False
        if alike:
            return state
        return dataclasses.replace(
            state, comparison=dataclasses.replace(choice, mechanisms=request.mechanisms)
        )

    def forget(self) -> None:
        """Read the form again, next time."""
        self._defaults.forget()

    def _on_edited(self, name: str, value: Any, continuous: bool) -> None:
        wrong = impossible(name, value)
        if wrong:
            self.refused.emit(wrong)
            self.show()
            return
        fields = {name: value} | ({"start": None, "stop": None} if name == "sweep" else {})
        self._edit(f"change {NAMES[name]}", f"comparison {name}" if continuous else "", **fields)

    def _on_removed(self, index: int) -> None:
        """Remove a mechanism, but not the last one."""
        if self.request is None:
            return
        mechanisms = self.request.mechanisms
        if len(mechanisms) > 1:
            self._edit("remove a mechanism", mechanisms=(*mechanisms[:index], *mechanisms[index + 1 :]))
        else:
            self.refused.emit("a comparison needs at least one mechanism")

    def _edit(self, text: str, merge: str = "", **fields: Any) -> None:
        choice = dataclasses.replace(self._session.state.comparison, **fields)
        self._session.edit(text, merge=merge, comparison=choice)

    def _on_delta(self, delta: float) -> None:
        self._session.edit("change delta", delta=delta)

    def _offer(self) -> None:
        """Fill the menu with all mechanisms that answer the question."""
        request = self.request
        if request is not None:
            source = request.source
            possible = alternatives(
                request.mechanisms[0], request.privacy, source.domain, source.n, libraries=True
            )
            self._contenders.offer(possible, request.mechanisms)
