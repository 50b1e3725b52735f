"""Who is compared, and what is asked: the question that follows from the state, and all that changes it."""

from __future__ import annotations

import dataclasses
from typing import Any

from PySide6.QtCore import QObject, Signal

from app.model.pages.workspaces import COMPARE
from app.model.run_button import RunButton
from app.model.selection import selection
from app.model.state import SessionState
from app.pages.compare.contenders_panel import ContendersPanel
from app.pages.compare.edits import ComparisonEdits
from app.pages.compare.needed_epsilon import NeededOptionsBar
from app.pages.compare.request import Alternatives, ComparisonRequest, request_of
from app.session import Session
from engine.comparison.contenders import alternatives
from engine.errors import ParameterError
from engine.mechanisms.base import Mechanism

NO_DATA = "Open a file or an example in the column at the right: its mechanisms are then compared here."


class ComparisonController(QObject):
    """Shows what is asked, and takes what the user changes about it.

    `request` is what can be compared; while nothing can, it is None, and `problem` says why.
    """

    refused = Signal(str)  # what the user asked for cannot be done; the words say why
    forgotten = Signal()  # the contenders are to be found anew from the form

    def __init__(self, session: Session, contenders: ContendersPanel, needed: NeededOptionsBar) -> None:
        super().__init__(contenders)
        self._session = session
        self._contenders = contenders
        self._needed = needed
        self._defaults = Alternatives()
        self._edits = ComparisonEdits(session, self)
        self._edits.refused.connect(self.refused)
        self.request: ComparisonRequest | None = None
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
        """What the large button of the form does."""
        try:
            mechanism = selection(self._session.state).mechanism
        except ParameterError:
            return RunButton("Add to comparison", "What the form describes cannot be made", able=False)
        request = self.request
        if request is not None and mechanism in request.mechanisms:
            return RunButton("Already compared", "This mechanism is already in the comparison", able=False)
        if request is not None and mechanism.question != request.mechanisms[0].question:
            return RunButton(
                "Compare this instead", "It answers another question than the mechanisms compared"
            )
        return RunButton("Add to comparison", "Let what this form describes take part")

    def follow(self) -> bool:
        """Find the question that the state asks; tell whether it is one about other data than before."""
        before = self.request
        try:
            self.request, self.problem = request_of(self._session.state, self._defaults), ""
        except ParameterError as error:
            self.request = None
            known = self._session.state.dataset is not None
            self.problem = f"{error.field.capitalize()}: {error.problem}." if known else NO_DATA
        return before is not None and (self.request is None or not self.request.same_data(before))

    def show(self) -> None:
        """Show contenders and tools."""
        if self.request is not None:
            self._needed.show_question(self.request)
        self._contenders.show_question(self.request, self._session.state.comparison.mechanisms is not None)

    def take(self) -> None:
        """Let what the form describes take part; in the place of all others if it answers something else."""
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
        """Let a mechanism take part."""
        if self.request is not None:
            self._edits.add(self.request, mechanism)

    def start_over(self) -> None:
        """Compare what fits the form."""
        self.forget()
        if self._session.state.comparison.mechanisms is None:
            self.forgotten.emit()
        else:
            self._edits.start_over()

    def settled(self, state: SessionState) -> SessionState:
        """Return the state with the contenders of now, where what is in the form would bring others."""
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
        """Look at the form anew, the next time."""
        self._defaults.forget()

    def _on_edited(self, name: str, value: Any, continuous: bool) -> None:
        if not self._edits.change(name, value, continuous):
            self.show()

    def _on_removed(self, index: int) -> None:
        if self.request is not None:
            self._edits.remove(self.request, index)

    def _on_delta(self, delta: float) -> None:
        self._session.edit("change delta", delta=delta)

    def _offer(self) -> None:
        """Offer all mechanisms that answer the question, when the user wants to see them."""
        request = self.request
        if request is not None:
            source = request.source
            possible = alternatives(request.mechanisms[0], request.privacy, source.domain, source.n)
            self._contenders.offer(possible, request.mechanisms)
