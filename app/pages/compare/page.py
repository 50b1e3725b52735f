"""The workspace "Compare": several mechanisms on the data of the last page, with all edits of them."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from functools import partial
from typing import Any

from PySide6.QtCore import QObject, Signal

from app.jobs.channels import Channel, Failure, Jobs
from app.model.pages.workspaces import COMPARE, RunButton
from app.model.references import Loader
from app.model.selection import selection
from app.model.state import SessionState
from app.model.view_states import CompareViewState, ViewState, WallView
from app.model.wording.buttons import BUTTONS
from app.model.wording.numbers import short
from app.pages.base.view import View
from app.pages.compare.contenders_panel import COMPARE_HELP, SEARCH_HELP, ContendersPanel
from app.pages.compare.needed_epsilon import NeededOptionsBar, NeededResult
from app.pages.compare.panel import ComparePanel
from app.pages.compare.request import (
    Alternatives,
    ComparisonRequest,
    ComparisonResult,
    request_of,
    why_not_searched,
)
from app.pages.compare.results import ComparisonResults
from app.pages.compare.runner import ComparisonRunner, expected_words
from app.plots.compare.contender_style import MAX_STYLES
from app.plots.compare.view import saved_table
from app.session import Session
from app.widgets.layouts import stack
from app.widgets.style import THEME
from engine.comparison import Comparison
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
        contenders.delta_chosen.connect(lambda delta: session.edit("change delta", delta=delta))
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
            return RunButton("Add to comparison", "This mechanism is already compared", able=False)
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

    def _offer(self) -> None:
        """Fill the menu with all mechanisms that answer the question."""
        request = self.request
        if request is not None:
            source = request.source
            possible = alternatives(
                request.mechanisms[0], request.privacy, source.domain, source.n, libraries=True
            )
            self._contenders.offer(possible, request.mechanisms)


IGNORED = frozenset({"releases", "lesson"})
"""Fields of the state without effect on a comparison."""

SEARCHED = "The search chooses the values of ε itself · no budget is used"
PUBLIC = (
    "Errors are distances from the true answer, so they reveal raw data. Nothing here can be shared. Switch "
    "to the Curator view to compare."
)


class ComparePage(View):
    """Compares mechanisms."""

    name = COMPARE.name
    card: ComparePanel

    def __init__(self, session: Session, jobs: Jobs) -> None:
        super().__init__(session, jobs)
        self._allowed = True
        self.running = ComparisonRunner(jobs, session.databases, self)
        self.work = self.running.work
        self.picks = jobs.channel("picked run")
        self.contenders = ContendersPanel()
        self.tools = self.contenders.tools
        self.card = ComparePanel()
        self.choosing = ComparisonController(session, self.contenders, self.card.needed)
        self.seen = ComparisonResults(self.card, self.running, self.picks, session)
        self.second = self.seen.second
        self._wire()
        stack(self, self.contenders, (self.card, 1), spacing=8)
        session.changed.connect(self.refresh)
        THEME.scaled.connect(self._show)

    def _wire(self) -> None:
        for channel in self.channels:
            self.card.follow(channel)
        self.running.begun.connect(self.seen.unaim)
        self.running.begun.connect(partial(self.contenders.fold, True))  # results need the room
        self.running.searching.result.connect(self._on_needed)
        self.work.result.connect(self._on_found)
        for channel in self.channels:
            channel.busy_changed.connect(self._on_busy)
        for part in (self.running, self.picks, self.pictures):
            part.failed.connect(self._on_failed)
        self.choosing.refused.connect(self.refused)
        self.choosing.forgotten.connect(self.refresh)
        self.tools.compare.clicked.connect(self._on_button)
        self.card.asked.connect(self._on_tab)
        self.card.shown_otherwise.connect(self._show)

    # Interface to the window.

    @property
    def _searches(self) -> bool:
        """Whether the open tab has an action of its own: to find epsilon."""
        return self.card.tab == "needed"

    @property
    def action(self) -> str:
        return f"&{BUTTONS['find-epsilon']}" if self._searches else "Co&mpare"

    @property
    def action_help(self) -> str:
        return SEARCH_HELP if self._searches else COMPARE_HELP

    @property
    def channels(self) -> tuple[Channel, ...]:
        return (self.work, self.running.searching)

    @property
    def compared(self) -> Comparison | None:
        return None if self.seen.result is None else self.seen.result.comparison

    def is_ready(self, form: bool) -> bool:
        return bool(self.request and not self._wrong and self._curator and not self.busy)

    def settled(self, state: SessionState) -> SessionState:
        return self.choosing.settled(state)

    @property
    def pending(self) -> bool:
        return self.is_open and not self._made and self.pictures.busy

    @property
    def busy(self) -> bool:
        return self.running.busy

    @property
    def table(self) -> tuple[str, list[str], list[list[Any]]] | None:
        if self.card.tab != "table" or self.seen.result is None or not self._curator:
            return None
        name = "comparison" if self._session.state.has_public_data else "comparison-confidential"
        return name, *saved_table(self.seen.result.comparison)

    @property
    def request(self) -> ComparisonRequest | None:
        """The possible comparison; None if there is none."""
        return self.choosing.request

    @property
    def _wrong(self) -> str:
        """The problem of what the open tab is for; "" if it is possible."""
        if self.request is None:
            return ""
        return why_not_searched(self.request) if self._searches else self.request.wrong

    @property
    def purpose(self) -> RunButton:
        return self.choosing.purpose

    @property
    def loaders(self) -> Sequence[Loader]:
        return tuple(COMPARE.drawn_by.values())

    def show_wall(self, wall: WallView | None) -> None:
        super().show_wall(wall)
        self.contenders.setVisible(wall is None)
        self._show()

    def end(self) -> None:
        self.running.end()

    # Actions of the user.

    def take(self) -> bool:
        """Add the mechanism of the form; it replaces all others if it answers another question."""
        self.choosing.take()
        return True

    def run(self) -> bool:
        """Do what the open tab is for."""
        if self._searches:
            self._search()
        else:
            self._compare()
        return True

    def _compare(self) -> None:
        """Compare; confirm a large comparison first."""
        request = self.request
        if request is not None and not request.wrong and self._curator and not self.work.busy:
            self.running.compare(request, self.seen.result)

    def _on_button(self) -> None:
        if self.busy:
            self.cancel()
        elif not self.is_stopped():
            self.run()

    def demonstrate(self, tab: str) -> None:
        self.show_tab(tab)
        if tab == "needed":
            self._search()
        elif self.is_ready(form=True) and self.request is not None:
            self.running.begin(self.request)

    def cancel(self) -> None:
        """Stop, and keep the results so far."""
        self.running.stop()
        self.picks.cancel()

    def _search(self) -> None:
        request = self.request
        if request is None or not self._curator:
            return
        if why_not_searched(request):
            self.refused.emit(why_not_searched(request))
            self.card.needed.within.setFocus()
            return
        self.running.search(request)

    # Following the state.

    @property
    def _curator(self) -> bool:
        """Whether errors may be shown: to the curator, or for public data."""
        state = self._session.state
        return state.view == "curator" or state.has_public_data

    def refresh(self, fields: frozenset[str] | None = None) -> None:
        if fields is not None and fields <= IGNORED:
            return
        if not self.is_open:
            self._leave(fields or frozenset())
            return
        self.running.away.stop()
        other = self.choosing.follow()
        self.seen.ask(self.choosing.last)
        if self.request is None:
            self.running.stop()  # its button is disabled with all choices
        if other:
            self.running.drop()
            self.seen.forget()
        self.choosing.show()
        self._enable()
        if fields is None or self._allowed != self._curator or "view" in fields:
            self._show_view()
        if self._made:
            self._apply_pending_view_state()
        self._show()
        self.purpose_changed.emit()

    def _view_state(self) -> ViewState:
        request, match, needed = self.request, self.seen.result, self.seen.needed
        done = request is not None and match is not None and match.answers(request)
        searched = request is not None and needed is not None and needed.same(request)
        card, compare = self.card, CompareViewState(done, searched)
        look = card.tab, dict(card.log)
        return ViewState(*look, options=card.options, beside=card.split.view_state, compare=compare)

    def _apply_view_state(self, view_state: ViewState) -> None:
        self.card.choose_log(view_state.log)
        self.card.show_options(view_state.options)
        self.card.split.restore_view_state(view_state.beside)
        if view_state.tab not in ("", self.card.tab):
            self.show_tab(view_state.tab)
        if view_state.compare.searched:
            self._search()
        if view_state.compare.done:
            self._compare()

    def _leave(self, fields: frozenset[str]) -> None:
        if "workspace" in fields or "page" in fields:
            self.running.leave()
            self.choosing.forget()
        if "view" in fields:
            self._show_view()
            self._enable()

    def _enable(self) -> None:
        wrong = self._wrong
        # durations from the last comparison are confidential
        known = self.request is not None and not wrong and self._curator
        expected = SEARCHED if self._searches else expected_words(self.request, self.seen.result)
        self.tools.show_words(expected if known else "", wrong)
        why = wrong if self._curator else "Switch to the Curator view to compare: errors reveal raw data"
        self.tools.show_action(running=self.busy, ready=known, why=why)

    def _show_view(self) -> None:
        """Hide or restore everything confidential."""
        self._allowed = self._curator
        self.card.public = self._session.state.view != "curator"
        self.card.show_view(self._allowed)
        if not self._allowed:
            self.running.stop()
            self.running.close_dialog()
            self.seen.hide()

    def _show(self) -> None:
        """Show the results in the open tab."""
        if not (self._made and self.is_open):
            return
        self.card.say("")
        if not self._curator:
            self.card.show_waiting(PUBLIC)
        elif self.request is None and self.seen.result is None and self.seen.needed is None:
            self.card.show_waiting(self.choosing.problem)
        else:
            self.seen.show(self.choosing.problem)

    def _on_tab(self) -> None:
        """Let the button do what the open tab is for."""
        self.tools.searches = self._searches
        self.choosing.show()
        self._on_busy()

    def _on_found(self, result: ComparisonResult) -> None:
        if self.seen.take(result):
            self._show()

    def _on_busy(self) -> None:
        self._enable()
        self._show()
        self.purpose_changed.emit()

    def _on_needed(self, result: NeededResult) -> None:
        self.seen.needed = result
        self.contenders.fold(True)
        self._show()

    def _on_failed(self, failure: Failure) -> None:
        self.failed.emit(failure)
        self._show()
