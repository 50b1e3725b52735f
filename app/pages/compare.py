"""The room "Compare": mechanisms side by side on the data of the page from which one came."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout

from app.jobs import Failure, Jobs
from app.pages.compare_asking import expected_seconds, long_words
from app.pages.compare_card import CompareCard
from app.pages.compare_contenders import ContendersCard
from app.pages.compare_editing import ComparisonEdits
from app.pages.compare_needed import NeededFound
from app.pages.compare_question import CompareQuestion, Rivals, question_of
from app.pages.compare_running import Running
from app.pages.compare_seen import Seen
from app.pages.compare_table import saved_table
from app.pages.compare_tabs import PICTURES
from app.pages.compare_work import Found
from app.pages.page import load_pictures
from app.pages.place import Place
from app.panels.purpose import Purpose
from app.session import Session
from app.theme import Palette
from app.widgets.card import say
from engine.comparison.contenders import rivals
from engine.errors import ParameterError
from engine.mechanisms.base import Mechanism

if TYPE_CHECKING:
    from app.widgets.plot_canvas import PlotCanvas

IGNORED = frozenset({"releases", "lesson", "trusted"})
"""Fields of the state that have nothing to do with a comparison."""

NO_DATA = "Open a file or an example in the column at the right: its mechanisms are then compared here."
PUBLIC = (
    "Errors are distances from the true answer, so that they tell about the raw data: nothing here may leave "
    "the room. The Curator view compares."
)


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
        self.running = Running(jobs, session.databases, self)
        self.work = self.running.work
        self.edits = ComparisonEdits(session, self)
        self.edits.refused.connect(self.refused)
        self.picks = jobs.channel("picked run")
        self.pictures = jobs.channel("pictures of compare")
        self.contenders = ContendersCard()
        self.tools = self.contenders.tools
        self.card = CompareCard()
        self.seen = Seen(self.card, self.running, self.picks, session)
        self._wire()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        column.addWidget(self.contenders)
        column.addWidget(self.card, 1)
        session.changed.connect(self.refresh)

    def _wire(self) -> None:
        self.running.failed.connect(self._on_failed)
        self.running.refused.connect(self.refused)
        self.running.begun.connect(self.seen.unaim)
        self.running.searching.result.connect(self._on_needed)
        self.work.result.connect(self._on_found)
        self.work.busy_changed.connect(self._on_busy)
        self.picks.failed.connect(self._on_failed)
        self.pictures.failed.connect(self._on_failed)
        self.pictures.result.connect(self._on_pictures)
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
        return self.running.busy

    @property
    def canvas(self) -> PlotCanvas | None:
        """The picture that can be saved."""
        return self.card.canvas

    @property
    def table(self) -> tuple[str, list[str], list[list[Any]]] | None:
        """The numbers in sight where there is no picture: name, header and rows."""
        if self.card.tab != "table" or self.seen.found is None or not self._curator:
            return None
        return ("comparison-not-private", *saved_table(self.seen.found.comparison))

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
        self.seen.set_scale(scale)
        self._show()

    def end(self) -> None:
        """Leave no process behind; the window closes."""
        self.running.end()

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
        if self.ready and self._question is not None:
            self.running.compare(self._question, self.seen.found)
        return True

    def cancel(self) -> None:
        """Stop; what was found by then stays."""
        self.running.stop()
        self.picks.cancel()

    def _search(self) -> None:
        question = self._question
        if question is None or not self._curator:
            return
        if question.choice.within is None:
            self.refused.emit("say first how large an error may be")
            self.card.needed.within.setFocus()
            return
        self.running.search(question)

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
        self.running.away.stop()
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
        self.seen.ask(self._question)
        self._show_choice()
        if fields is None or "view" in fields:
            self._show_view()
        self._show()
        self.purpose_changed.emit()

    def _leave(self, fields: frozenset[str]) -> None:
        if "room" in fields or "page" in fields:
            self.running.leave()
            self._defaults.forget()

    def _show_choice(self) -> None:
        """Show contenders and tools."""
        question = self._question
        chosen = self._session.state.comparison.mechanisms is not None
        if question is not None:
            self.card.needed.show_question(question)
        self.contenders.show_question(question, chosen)
        self._enable()

    def _enable(self) -> None:
        if self._question is not None:
            last = self.seen.found
            seconds = expected_seconds(self._question, None if last is None else last.comparison)
            self.tools.show_expected(long_words(seconds))
        why = "" if self._curator else "The Curator view compares: errors tell about the raw data"
        self.tools.show_ready(self._question is not None and self._curator, why)

    def _show_view(self) -> None:
        """Hide everything that is not for all eyes, or bring it back."""
        self.card.show_view(self._curator)
        if not self._curator:
            self.running.stop()
            self.running.close_dialog()
            self.card.forget(self.seen.unit)

    def _drop(self) -> None:
        """Forget what was found of other data, and the processes that have them."""
        self.running.drop()
        self.seen.forget()

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
        else:
            self.seen.show(self._question)

    def _on_pictures(self, _: bool) -> None:
        self._made = True
        self.set_palette(self._palette)
        self.card.forget(self.seen.unit)
        self.refresh()

    def _on_found(self, found: Found) -> None:
        if self.seen.take(found):
            self._show()

    def _on_busy(self, busy: bool) -> None:
        self.tools.show_running(busy)
        self._enable()
        self._show()
        self.purpose_changed.emit()

    def _on_needed(self, found: NeededFound) -> None:
        self.seen.needed = found
        self._show()

    def _on_failed(self, failure: Failure) -> None:
        self.failed.emit(failure)
        self._show()
