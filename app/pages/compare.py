"""The room "Compare": mechanisms side by side on the data of the page from which one came."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QVBoxLayout

from app.jobs import Channel, Failure, Jobs
from app.pages.compare_asking import AskDialog, expected_seconds
from app.pages.compare_card import CompareCard
from app.pages.compare_contenders import ContendersCard
from app.pages.compare_editing import ComparisonEdits
from app.pages.compare_needed import NeededFound, search
from app.pages.compare_picking import picked_words, stepped
from app.pages.compare_question import CompareQuestion, Rivals, question_of
from app.pages.compare_table import saved_table
from app.pages.compare_tabs import PICTURES
from app.pages.compare_work import Comparer, Found, Picked
from app.pages.page import load_pictures
from app.pages.place import Place
from app.panels.purpose import Purpose
from app.plots.comparison_view import ComparisonView
from app.plots.comparison_words import value_words
from app.session import Session
from app.theme import Palette
from app.widgets.card import say
from engine.comparison.contenders import rivals
from engine.comparison.sweeps import MOST
from engine.errors import ParameterError
from engine.mechanisms.base import Mechanism

if TYPE_CHECKING:
    from app.widgets.plot_canvas import PlotCanvas

IGNORED = frozenset({"releases", "lesson", "trusted"})
"""Fields of the state that have nothing to do with a comparison."""

MOST_RUNS = 2_000_000
"""Simulated releases that are begun without asking."""

AWAY_MS = 120_000
"""How long worker processes wait for a person who has left the room."""

NO_DATA = "Open a file or an example in the column at the right: its mechanisms are then compared here."
READY = "Compare simulates releases of all contenders with the same seeds, and shows how far off they are."
ALONE = "There is one contender only: change the form at the right and add what it describes."
PUBLIC = (
    "Errors are distances from the true answer, so that they tell about the raw data: nothing here may leave "
    "the room. The Curator view compares."
)
STALE = "This is the comparison from before the last change; Compare makes a new one."
CANCELLED = "Cancelled before anything was found."
CHOOSE = "Choose how large an error may be, and how often it may be larger; Find ε searches for the rest."


class ComparePage(Place):
    """Compares.

    Signals
    -------
    failed(Failure)
        A job ended with an error.
    refused(str)
        What a person asked for cannot be done; the words say why.
    purpose_changed()
        `purpose` or `ready` may be other ones.
    """

    name: ClassVar[str] = "compare"

    failed = Signal(object)
    refused = Signal(str)
    purpose_changed = Signal()

    def __init__(self, session: Session, jobs: Jobs, palette: Palette) -> None:
        super().__init__(session, palette)
        self._made = False
        self._defaults = Rivals()
        self._question: CompareQuestion | None = None
        self._found: Found | None = None
        self._needed: NeededFound | None = None
        self._picked: Picked | None = None
        self._aim: tuple[int, int] | None = None
        self.dialog: AskDialog | None = None
        self.comparer = Comparer(session.databases)
        self.edits = ComparisonEdits(session, self)
        self.edits.refused.connect(self.refused)
        self.work = self._channel(jobs, "comparison", self._on_found)
        self.work.busy_changed.connect(self._on_busy)
        self.picks = self._channel(jobs, "picked run", self._on_picked)
        self.searching = self._channel(jobs, "needed epsilon", self._on_needed)
        self.pictures = self._channel(jobs, "pictures of compare", self._on_pictures)
        self._chores = jobs.channel("processes of compare")
        self._away = QTimer(self)
        self._away.setSingleShot(True)
        self._away.setInterval(AWAY_MS)
        self._away.timeout.connect(self._rest)
        self.contenders = ContendersCard()
        self.tools = self.contenders.tools
        self.card = CompareCard()
        self._wire()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        column.addWidget(self.contenders)
        column.addWidget(self.card, 1)
        session.changed.connect(self.refresh)

    def _channel(self, jobs: Jobs, purpose: str, on_result: Any) -> Channel:
        channel = jobs.channel(purpose)
        channel.result.connect(on_result)
        channel.failed.connect(self._on_failed)
        return channel

    def _wire(self) -> None:
        self.contenders.added.connect(self.add)
        self.contenders.removed.connect(self._on_removed)
        self.contenders.reset.connect(self._on_reset)
        self.contenders.menu.aboutToShow.connect(self._offer)
        self.tools.edited.connect(self._on_edited)
        self.tools.refused.connect(self.refused)
        self.tools.compare_requested.connect(self.run)
        self.tools.cancel_requested.connect(self.cancel)
        self.card.asked.connect(self._show)
        self.card.shown_otherwise.connect(self._show)
        self.card.picked.connect(self._on_point)
        self.card.nudged.connect(self._on_nudged)
        self.card.needed.edited.connect(self._on_edited)
        self.card.needed.refused.connect(self.refused)
        self.card.needed.search_requested.connect(self._search)

    # What the window asks.

    @property
    def pending(self) -> bool:
        """Whether something is about to be drawn."""
        return self.is_open and not self._made and self.pictures.busy

    @property
    def busy(self) -> bool:
        """Whether a comparison or a search is under way."""
        return self.work.busy or self.searching.busy

    @property
    def canvas(self) -> PlotCanvas | None:
        """The picture that can be saved."""
        return self.card.canvas

    @property
    def table(self) -> tuple[str, list[str], list[list[Any]]] | None:
        """The numbers in sight where there is no picture: name, header and rows."""
        if self.card.tab != "table" or self._found is None or not self._curator:
            return None
        return ("comparison-not-private", *saved_table(self._found.comparison))

    @property
    def question(self) -> CompareQuestion | None:
        """What can be compared; None while nothing can."""
        return self._question

    @property
    def ready(self) -> bool:
        """Whether a comparison can begin."""
        return self._question is not None and self._curator and not self.work.busy

    @property
    def purpose(self) -> Purpose:
        """What the large button of the form does."""
        try:
            mechanism = self._session.state.setup().mechanism
        except ParameterError:
            return Purpose("Add to the comparison", "What the form describes cannot be made", able=False)
        question = self._question
        if question is not None and mechanism in question.mechanisms:
            return Purpose("In the comparison", "This is one of the contenders already", able=False)
        if question is not None and mechanism.question != question.mechanisms[0].question:
            return Purpose("Compare this instead", "It answers another question than the contenders")
        return Purpose("Add to the comparison", "Let what this form describes take part")

    def start(self) -> None:
        """Make the first pictures; called once the window has been painted."""
        if not self._made and not self.pictures.busy:
            modules = [f"app.plots.{module}" for module, _ in PICTURES.values()]
            self.pictures.request(partial(load_pictures, modules))

    def show_tab(self, tab: str) -> None:
        """Open a picture by name."""
        self.card.show_tab(tab)

    def set_palette(self, palette: Palette) -> None:
        """Take the colours of a theme."""
        super().set_palette(palette)
        self.contenders.set_palette(palette)
        if self._made:
            self.card.set_palette(palette)

    def set_scale(self, scale: float) -> None:
        """Show type at another size (presentation mode)."""
        super().set_scale(scale)
        self.card.set_scale(scale)
        self.contenders.set_scale(scale)
        self._show()

    def end(self) -> None:
        """Leave no process behind; the window closes."""
        self._away.stop()
        self.comparer.end()

    # What a person does.

    def take(self) -> None:
        """Let what the form describes take part; in the place of all others if it answers something else."""
        try:
            mechanism = self._session.state.setup().mechanism
        except ParameterError as error:
            self.refused.emit(f"{error.field}: {error.problem}")
            return
        question = self._question
        if question is None or mechanism.question != question.mechanisms[0].question:
            self._on_reset()
        else:
            self.add(mechanism)

    def add(self, mechanism: Mechanism[Any]) -> None:
        """Let a mechanism take part."""
        if self._question is not None:
            self.edits.add(self._question, mechanism)

    def run(self) -> bool:
        """Compare; ask first if that is a lot."""
        question = self._question
        if not self.ready or question is None:
            return True
        try:
            if question.trials <= MOST:
                question.sweep()
        except ParameterError as error:
            self.refused.emit(error.problem)
            return True
        if question.trials > MOST or question.releases > MOST_RUNS:
            self._close_dialog()
            seconds = expected_seconds(question, None if self._found is None else self._found.comparison)
            self.dialog = AskDialog(question, seconds, self.window())
            self.dialog.accepted.connect(self._compare)
            self.dialog.finished.connect(self._on_answered)
            self.dialog.open()
        else:
            self._compare()
        return True

    def cancel(self) -> None:
        """Stop; what was found by then stays."""
        self.comparer.stop()
        self.picks.cancel()
        self.searching.cancel()

    def _compare(self) -> None:
        question = self._question
        if question is None:
            return
        self._aim = self._picked = None
        self.work.request(self.comparer.comparison(question))

    def _search(self) -> None:
        question = self._question
        if question is None or not self._curator:
            return
        if question.choice.within is None:
            self.refused.emit("say first how large an error may be")
            self.card.needed.within.setFocus()
            return
        self.searching.request(partial(search, question, self._session.databases))

    def _on_edited(self, name: str, value: Any, continuous: bool) -> None:
        if not self.edits.change(name, value, continuous):
            self._show_choice()

    def _on_removed(self, place: int) -> None:
        if self._question is not None:
            self.edits.remove(self._question, place)

    def _on_reset(self) -> None:
        self._defaults.forget()
        if self._session.state.comparison.mechanisms is None:
            self.refresh()
        else:
            self.edits.start_over()

    def _offer(self) -> None:
        """Offer all mechanisms that answer the question, when somebody wants to see them."""
        question = self._question
        if question is not None:
            source = question.source
            possible = rivals(question.mechanisms[0], question.privacy, source.domain, source.n)
            self.contenders.offer(possible, question.mechanisms)

    def _on_answered(self, _: int) -> None:
        self.dialog = None

    def _close_dialog(self) -> None:
        if self.dialog is not None:
            self.dialog.close()

    # What follows from the state.

    @property
    def _curator(self) -> bool:
        return self._session.state.view == "curator"

    def refresh(self, fields: frozenset[str] | None = None) -> None:
        """Follow the session."""
        if fields is not None and fields <= IGNORED:
            return
        if not self.is_open:
            self._leave(fields or frozenset())
            return
        self._away.stop()
        before = self._question
        try:
            self._question = question_of(self._session.state, self._defaults)
            self._problem = ""
        except ParameterError as error:
            self._question = None
            known = self._session.state.dataset is not None
            self._problem = f"{error.field.capitalize()}: {error.problem}." if known else NO_DATA
        if before is not None and (self._question is None or not self._question.same_data(before)):
            self._drop()
        self._show_choice()
        if fields is None or "view" in fields:
            self._show_view()
        self._show()
        self.purpose_changed.emit()

    def _leave(self, fields: frozenset[str]) -> None:
        if "room" in fields or "page" in fields:
            self.comparer.stop()
            self.searching.cancel()
            self._close_dialog()
            self._defaults.forget()
            if self.comparer.warm:
                self._away.start()

    def _show_choice(self) -> None:
        """Show contenders and tools."""
        question = self._question
        chosen = self._session.state.comparison.mechanisms is not None
        if question is not None:
            self.card.needed.show_question(question)
        self.contenders.show_question(question, chosen)
        self._enable()

    def _enable(self) -> None:
        why = "" if self._curator else "The Curator view compares: errors tell about the raw data"
        self.tools.show_ready(self._question is not None and self._curator, why)

    def _show_view(self) -> None:
        """Hide everything that is not for all eyes, or bring it back."""
        self.card.show_view(self._curator)
        if not self._curator:
            self.comparer.stop()
            self.searching.cancel()
            self._close_dialog()
            self.card.forget(self._unit)

    def _drop(self) -> None:
        """Forget what was found of other data, and the processes that have them."""
        self.work.cancel()
        self.comparer.stop()
        self.searching.cancel()
        self._close_dialog()
        self._found = self._needed = self._picked = self._aim = None
        self.card.forget(self._unit)
        self._rest()

    def _rest(self) -> None:
        """End the processes, in a worker: they may need a moment."""
        if self.comparer.warm:
            self._chores.request(self._close_processes)

    def _close_processes(self, _: object) -> None:
        self.comparer.close()

    @property
    def _unit(self) -> str:
        return "" if self._question is None else self._question.unit

    # What is to be seen.

    def _show(self) -> None:
        """Show what there is of it in the tab that is open."""
        if not (self._made and self.is_open):
            return
        say(self.card.advice, "")
        if not self._curator:
            self.card.show_waiting(PUBLIC)
        elif self._question is None:
            self.card.show_waiting(self._problem)
        elif self.card.tab == "needed":
            self._show_needed(self._question)
        elif self._found is None:
            alone = len(self._question.contenders) == 1
            self.card.show_waiting("" if self.work.busy else f"{READY} {ALONE}" if alone else READY)
        else:
            self._show_found(self._question, self._found)

    def _show_found(self, question: CompareQuestion, found: Found) -> None:
        comparison = found.comparison
        self.card.offer_values(comparison.sweep.name, comparison.sweep.values)
        if not comparison.outcomes:
            self.card.show_waiting("" if self.work.busy else CANCELLED)
            return
        place = self.card.place_in(comparison)
        view = ComparisonView(
            comparison,
            place,
            found.verdicts[place],
            self.card.mode,
            self.card.spread,
            self._aim,
            largest=found.largest(place),
        )
        self.card.present(view)
        stale = not (self.work.busy or found.question.same(question))
        words = [STALE] if stale else []
        # pictures have a sentence of their own, and in large type need the room of a second one
        if self.card.tab == "table" or (self.card.tab != "errors" and self._scale == 1):
            words.append(f"At {value_words(comparison.sweep.name, view.value)}: {view.sentence(self._unit)}")
        say(self.card.advice, " ".join(words))

    def _show_needed(self, question: CompareQuestion) -> None:
        needed = self._needed
        if needed is None or not (self.searching.busy or needed.same(question)):
            self.card.show_waiting("" if self.searching.busy else CHOOSE)
            return
        self.card.open()
        self.card.show_result("needed", needed.view)

    def _on_pictures(self, _: bool) -> None:
        self._made = True
        self.set_palette(self._palette)
        self.card.forget(self._unit)
        self.refresh()

    def _on_found(self, found: Found) -> None:
        if self._question is None or not found.question.same_data(self._question):
            return
        self._found = found
        self._show()

    def _on_busy(self, busy: bool) -> None:
        self.tools.show_running(busy)
        self._show()
        self.purpose_changed.emit()

    def _on_needed(self, found: NeededFound) -> None:
        self._needed = found
        self._show()

    def _on_failed(self, failure: Failure) -> None:
        self.failed.emit(failure)
        self._show()

    # One run.

    def _on_point(self, x: float, y: float) -> None:
        canvas, found = self.canvas, self._found
        if canvas is None or found is None:
            return
        place = canvas.picture.pick(x, y)  # type: ignore[attr-defined]
        if place is not None:
            self._pick(found, place)

    def _on_nudged(self, across: int, up: int) -> None:
        if self._found is not None:
            place = stepped(self._found.comparison, self._aim, across, up)
            if place is not None:
                self._pick(self._found, place)

    def _pick(self, found: Found, place: tuple[int, int]) -> None:
        self._aim = place
        self._show()
        self.picks.request(partial(self.comparer.pick, found, *place))

    def _on_picked(self, picked: Picked) -> None:
        if picked.found is self._found and self._curator and self.card.tab == "frontier":
            say(self.card.run, picked_words(picked, self._session.state))
