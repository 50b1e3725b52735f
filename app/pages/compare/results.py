"""What is to be seen of a comparison in the tab that is open, and of the single run that was picked."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QObject

from app.jobs.channels import Channel
from app.pages.compare.analysis import ComparisonResult, PickedRun
from app.pages.compare.beside import CHOOSE, CompareBeside
from app.pages.compare.needed_epsilon import NeededResult
from app.pages.compare.picked_run import picked_words, stepped
from app.pages.compare.plot_panel import ComparePlotPanel
from app.pages.compare.request import ComparisonRequest
from app.pages.compare.runner import ComparisonRunner
from app.plots.compare.view import ComparisonView, measured_words, value_words
from app.session import Session
from app.widgets.card import set_text
from engine.comparison.results import NeededEpsilons

READY = "Compare simulates releases of all mechanisms with the same seeds, and shows how far off they are."
ALONE = "There is only one mechanism: change the form at the right and add another."
STALE = "This is the comparison from before the last change; Compare makes a new one."
CANCELLED = "Cancelled before anything was found."


class ComparisonResults(QObject):
    """Shows what was found, and remembers it.

    Attributes
    ----------
    found : ComparisonResult or None
        The last comparison, as far as it is.
    needed : NeededResult or None
        What was found by the last search.
    aim : (int, int) or None
        Outcome and run that are picked.
    beside : CompareBeside
        The second picture.
    """

    def __init__(
        self, card: ComparePlotPanel, running: ComparisonRunner, picks: Channel, session: Session
    ) -> None:
        super().__init__(card)
        self._card = card
        self._running = running
        self._session = session
        self._picks = picks
        self._make_request: ComparisonRequest | None = None
        self._scale = 1.0
        self.found: ComparisonResult | None = None
        self.needed: NeededResult | None = None
        self.aim: tuple[int, int] | None = None
        self.beside = CompareBeside(card, session, self)
        picks.result.connect(self._on_picked)
        card.picked.connect(self._on_point)
        card.nudged.connect(self._on_nudged)

    @property
    def unit(self) -> str:
        """Of the errors."""
        return "" if self._make_request is None else self._make_request.unit

    def ask(self, request: ComparisonRequest | None) -> None:
        """Take the question that is asked now."""
        self._make_request = request

    def set_scale(self, scale: float) -> None:
        """Show type at another size."""
        self._scale = scale

    def forget(self) -> None:
        """Forget what was found of other data."""
        self.found = self.needed = self.aim = None
        self.beside.show_nothing()
        self._card.forget(self.unit)

    def hide(self) -> None:
        """Show nothing of it, but keep it, and how it is to be seen."""
        chosen = self._card.options
        self.beside.show_nothing()
        self._card.forget(self.unit)
        self._card.show_options(chosen)

    def take(self, result: ComparisonResult) -> bool:
        """Take what was compared, unless it is of other data; tell whether it was taken."""
        if self._make_request is None or not result.request.same_data(self._make_request):
            return False
        self.found = result
        return True

    def unaim(self) -> None:
        """Pick no run."""
        self.aim = None

    def show(self, request: ComparisonRequest) -> None:
        """Show what there is of a question in the tab that is open."""
        view, needed = self._view(), self._needed(request)
        stale = self.found is not None and not (self._running.work.busy or self.found.request.same(request))
        if self._card.tab == "needed":
            self._show_needed(needed)
        elif view is None:
            self._card.show_waiting(self._missing(request))
        else:
            self._show_view(view, stale)
        self.beside.show_results(view, needed, outdated=stale)

    def _view(self) -> ComparisonView | None:
        """Return what pictures show of the comparison; None where nothing is found yet."""
        if self.found is None:
            return None
        comparison, card = self.found.comparison, self._card
        card.offer_values(comparison.sweep.name, comparison.sweep.values)
        if not comparison.outcomes:
            return None
        return ComparisonView(comparison, card.place_in(comparison), card.mode, card.spread, self.aim)

    def _needed(self, request: ComparisonRequest) -> NeededEpsilons | None:
        """Return which epsilons were found for a question."""
        needed, busy = self.needed, self._running.searching.busy
        return needed.view if needed is not None and (busy or needed.same(request)) else None

    def _missing(self, request: ComparisonRequest) -> str:
        """Say why there is nothing to see of a comparison."""
        if self._running.work.busy:
            return ""
        if self.found is not None:
            return CANCELLED
        return f"{READY} {ALONE}" if len(request.contenders) == 1 else READY

    def _show_view(self, view: ComparisonView, stale: bool) -> None:
        comparison, card = view.comparison, self._card
        card.present(view)
        card.show_outdated(stale)
        texts = [STALE] if stale else []
        # pictures have a sentence of their own, and in large type need the room of a second one
        if card.tab == "table" or (card.tab != "errors" and self._scale == 1):
            # how far it has come is said in the frontier
            finding = view.finding if card.tab == "frontier" else view.sentence
            texts.append(f"At {value_words(comparison.sweep.name, view.value)}: {finding(self.unit)}")
        if card.tab != "time":
            texts.append(measured_words(comparison))
        card.say(" ".join(filter(None, texts)))

    def _show_needed(self, needed: NeededEpsilons | None) -> None:
        if needed is None:
            self._card.show_waiting("" if self._running.searching.busy else CHOOSE)
            return
        self._card.open()
        self._card.show_result("needed", needed)

    # One run.

    def _on_point(self, x: float, y: float) -> None:
        canvas = self._card.canvas
        if canvas is None or self.found is None:
            return
        position = canvas.picture.pick(x, y)  # type: ignore[attr-defined]
        if position is not None:
            self._pick(self.found, position)

    def _on_nudged(self, across: int, up: int) -> None:
        if self.found is not None:
            position = stepped(self.found.comparison, self.aim, across, up)
            if position is not None:
                self._pick(self.found, position)

    def _pick(self, result: ComparisonResult, position: tuple[int, int]) -> None:
        self.aim = position
        self._card.shown_otherwise.emit()
        self._picks.request(partial(self._running.comparer.pick, result, *position))

    def _on_picked(self, picked: PickedRun) -> None:
        curator = self._session.state.view == "curator"
        if picked.found is self.found and curator and self._card.tab == "frontier":
            set_text(self._card.run, picked_words(picked, self._session.state))
