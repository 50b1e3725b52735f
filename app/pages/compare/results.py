"""The results of a comparison in the open tab, and of the picked run."""

from __future__ import annotations

from functools import partial

import numpy as np
from PySide6.QtCore import QObject

from app.jobs.channels import Channel
from app.model.pages.workspaces import COMPARE
from app.model.release_record import ReleaseRecord
from app.model.state import SessionState
from app.model.wording.buttons import BUTTONS
from app.model.wording.numbers import grouped, quantity
from app.pages.base.second_picture import SecondPicture
from app.pages.compare.needed_epsilon import NeededResult
from app.pages.compare.panel import ComparePanel
from app.pages.compare.request import ComparisonRequest, ComparisonResult, why_not_searched
from app.pages.compare.runner import ComparisonRunner, PickedRun
from app.plots.compare.view import ComparisonView, clamped_words, measured_words, value_words
from app.releases.text import value_words as released_words
from app.session import Session
from app.widgets.card import set_text
from engine.comparison import Comparison
from engine.comparison.results import NeededEpsilons
from engine.mechanisms.release import Private, Release

READY = "Press Compare to simulate releases of all mechanisms with the same seeds, and to see their errors."
ALONE = "There is only one mechanism. Change the form at the right and add another."
STALE = "This comparison belongs to earlier choices."
AGAIN = "Press Compare for a new one."
CANCELLED = "Cancelled before the first result."


CHOOSE = f"Press {BUTTONS['find-epsilon']} to find the smallest ε that keeps errors this small."
SEARCH = f"Open “{COMPARE.titles['needed'].name}” to search for the smallest ε."
NOTHING = "Nothing has been compared yet."
WON = "Bold: the clear winner."
COMPARED = tuple(spec.name for spec in COMPARE.pictures if spec.drawn_by and spec.view)
"""Pictures of a comparison, with a second one beside if there is space."""


class SecondComparisonPicture(SecondPicture):
    """A second picture of the same comparison, or of the search for epsilon."""

    def __init__(self, card: ComparePanel, session: Session, parent: QObject) -> None:
        self._panel = card
        self._view: ComparisonView | None = None
        self._needed: NeededEpsilons | None = None
        self._outdated = False
        super().__init__(card, session, parent)

    def show_results(
        self, view: ComparisonView | None, needed: NeededEpsilons | None, *, outdated: bool = False
    ) -> None:
        """Show a comparison, which may be `outdated`, and the result of a search."""
        self._view, self._needed, self._outdated = view, needed, outdated
        self.ask()

    def show_nothing(self) -> None:
        self.show_results(None, None)

    def ask(self) -> None:
        panel, card = self.panel, self._panel
        if self._view is None and self._needed is None:
            self.split.show_second(False)
            card.split_button.hide()
        else:
            drawn = self._session.state.lesson is None and card.tab in COMPARED and self._view is not None
            tab = self._choose(automatic=drawn)
            if tab:
                panel.offer({one: COMPARE.titles[one].name for one in card.pairable}, {})
                self._fill(tab)
        self._link()

    def _fill(self, tab: str) -> None:
        """Show the results in a picture."""
        panel, view = self.panel, self._view
        result = self._needed if tab == "needed" else view
        if result is None:
            panel.show_waiting(SEARCH if tab == "needed" else NOTHING)
            return
        if tab in COMPARE.drawn_by:
            panel.open(private=True)
            panel.pictures.show_result(tab, result)
        elif view is not None:
            self._panel.second_table.show_comparison(view.comparison, view.position)
            panel.show_other()
        panel.stale.renew(tab)
        if self._outdated and tab != "needed":
            panel.outdate()
            panel.stale.end()


class ComparisonResults(QObject):
    """Shows and stores the results."""

    def __init__(
        self, card: ComparePanel, running: ComparisonRunner, picks: Channel, session: Session
    ) -> None:
        super().__init__(card)
        self._card = card
        self._running = running
        self._session = session
        self._picks = picks
        self._request: ComparisonRequest | None = None
        self.result: ComparisonResult | None = None  # the last comparison, perhaps incomplete
        self.needed: NeededResult | None = None  # the result of the last search
        self.aim: tuple[int, int] | None = None  # the picked outcome and run
        self.second = SecondComparisonPicture(card, session, self)  # the second picture
        picks.result.connect(self._on_picked)
        card.picked.connect(self._on_point)
        card.nudged.connect(self._on_nudged)

    @property
    def unit(self) -> str:
        """The unit of errors."""
        return "" if self._request is None else self._request.unit

    def ask(self, request: ComparisonRequest | None) -> None:
        """Set the current question, or the last one that was valid."""
        before, self._request = self.unit, request
        if self.unit != before:
            self._card.forget(self.unit)
        self._card.question = "" if request is None else request.question

    def forget(self) -> None:
        """Drop results about other data."""
        self.result = self.needed = self.aim = None
        self.second.show_nothing()
        self._card.forget(self.unit)

    def hide(self) -> None:
        """Hide the results, but keep them and their display options."""
        chosen = self._card.options
        self.second.show_nothing()
        self._card.forget(self.unit)
        self._card.show_options(chosen)

    def take(self, result: ComparisonResult) -> bool:
        """Store a comparison, unless it is about other data; return whether it was stored."""
        if self._request is None or not result.request.same_data(self._request):
            return False
        self.result = result
        return True

    def unaim(self) -> None:
        """Pick no run."""
        self.aim = None

    def show(self, problem: str = "") -> None:
        """Show the results in the open tab; the choices have a `problem` if they are no question."""
        request = self._request
        assert request is not None
        view, needed = self._view(), self._needed(request)
        same = self.result is None or self._running.work.busy or self.result.request.same(request)
        stale = bool(problem) or not same
        if self._card.tab == "needed":
            self._show_needed(needed)
        elif view is None:
            self._card.show_waiting(self._missing(request))
        else:
            self._show_view(view, f"{STALE} {problem or AGAIN}" if stale else "")
        self.second.show_results(view, needed, outdated=stale)

    def _view(self) -> ComparisonView | None:
        """Return the comparison for the pictures; None if there are no results yet."""
        if self.result is None:
            return None
        comparison, card = self.result.comparison, self._card
        card.offer_values(comparison.sweep.name, comparison.sweep.values)
        if not comparison.outcomes:
            return None
        return ComparisonView(comparison, card.index_in(comparison), card.mode, card.spread, self.aim)

    def _needed(self, request: ComparisonRequest) -> NeededEpsilons | None:
        """Return the epsilons found for a question."""
        needed, busy = self.needed, self._running.searching.busy
        return needed.view if needed is not None and (busy or needed.same(request)) else None

    def _missing(self, request: ComparisonRequest) -> str:
        """Say why there is no comparison to show."""
        if self._running.work.busy:
            return ""
        if self.result is not None:
            return CANCELLED
        return f"{READY} {ALONE}" if len(request.contenders) == 1 else READY

    def _show_view(self, view: ComparisonView, stale: str) -> None:
        comparison, card = view.comparison, self._card
        card.present(view)
        card.show_outdated(bool(stale))
        texts = [stale]
        if card.tab == "table":  # pictures have a sentence of their own
            if card.alone:
                texts.append(f"{card.question}: {view.sentence(self.unit, view.where)}")
            else:
                here = f"At {value_words(comparison.sweep.name, view.value)} (shaded)"
                texts += [f"{here}: {view.sentence(self.unit)}", WON, clamped_words(comparison, self.unit)]
        if card.tab != "time":
            texts.append(measured_words(comparison))
        shown = view.lines if card.tab == "frontier" else view.rows
        below = "" if card.alone or stale else view.left_out(shown)
        card.say("\n".join(filter(None, (" ".join(filter(None, texts)), below))))

    def _show_needed(self, needed: NeededEpsilons | None) -> None:
        if needed is None:
            why = "" if self._request is None else why_not_searched(self._request)
            self._card.show_waiting("" if self._running.searching.busy else why or CHOOSE)
            return
        self._card.open()
        self._card.show_result("needed", needed)

    # One run.

    def _on_point(self, x: float, y: float) -> None:
        canvas = self._card.canvas
        if canvas is None or self.result is None:
            return
        position = canvas.picture.pick(x, y)  # type: ignore[attr-defined]
        if position is not None:
            self._pick(self.result, position)

    def _on_nudged(self, across: int, up: int) -> None:
        if self.result is not None:
            position = step_aim(self.result.comparison, self.aim, across, up)
            if position is not None:
                self._pick(self.result, position)

    def _pick(self, result: ComparisonResult, position: tuple[int, int]) -> None:
        self.aim = position
        self._card.shown_otherwise.emit()
        self._picks.request(partial(self._running.comparer.pick, result, *position))

    def _on_picked(self, picked: PickedRun) -> None:
        curator = self._session.state.view == "curator"
        if picked.comparison is self.result and curator and self._card.tab == "frontier":
            set_text(self._card.run, picked_words(picked, self._session.state))


def step_aim(
    comparison: Comparison, aim: tuple[int, int] | None, across: int, up: int
) -> tuple[int, int] | None:
    """Return the outcome and run to which arrow keys move from the picked ones.

    `across` steps move along the sweep, `up` to other mechanisms.
    """
    drawn = [index for index, outcome in enumerate(comparison.outcomes) if outcome.runs]
    if not drawn:
        return None
    if aim is None:
        wanted = drawn[len(drawn) // 2]
    else:
        trial = comparison.outcomes[aim[0]].trial
        beside = [
            index
            for index in drawn
            if (comparison.outcomes[index].trial.contender == trial.contender) == bool(across)
            and (comparison.outcomes[index].trial.position == trial.position) == (not across)
        ]
        wanted = _next(comparison, aim[0], beside, across or up, bool(across))
    run = comparison.outcomes[wanted].median_run
    return None if run is None else (wanted, run)


def _next(comparison: Comparison, here: int, others: list[int], steps: int, across: bool) -> int:
    """Return the next of some outcomes, by value of the sweep or by median error."""

    def rank(index: int) -> tuple[float, int]:
        outcome = comparison.outcomes[index]
        return (outcome.trial.value if across else outcome.quantile(0.5)), index

    order = sorted({here, *others}, key=rank)
    position = order.index(here) + (1 if steps > 0 else -1)
    return order[min(max(position, 0), len(order) - 1)]


def picked_words(picked: PickedRun, state: SessionState) -> str:
    """Return the value, error and seed of a run as text."""
    result, trial = picked.comparison, picked.outcome.trial
    error, unit = float(picked.outcome.errors[picked.run]), result.request.unit
    label = result.comparison.contenders[trial.contender].label
    swept = value_words(result.comparison.sweep.name, trial.value)
    off = "no answer" if np.isnan(error) else f"error {quantity(error, unit)}"
    return (
        f"{label}, {swept}: run {grouped(picked.run + 1)} would have released "
        f"{_value_words(picked, state)} · "
        f"{off} · seed {result.comparison.seed}, simulated"
    )


def _value_words(picked: PickedRun, state: SessionState) -> str:
    trial = picked.outcome.trial
    query = getattr(trial.mechanism, "query", None)
    name = trial.mechanism.name if query is None else query.name
    release = Release(
        trial.mechanism.name,
        name,
        picked.value,
        trial.privacy,
        {},
        {},
        None,
        True,
        Private({}),
        exact=not trial.mechanism.inexact,
    )
    return released_words(ReleaseRecord.of(release, state))
