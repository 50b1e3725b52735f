"""The page "Histogram": cells with counts, what can be learned from them, and how they are attacked."""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Sequence
from functools import partial
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout

from app.jobs.channels import Jobs
from app.model.references import module_of
from app.model.selection import Selection, selection
from app.model.state import SessionState
from app.model.view_states import ViewState
from app.model.wording.expected import ExpectedWords
from app.pages.audit.tabs import TAB as AUDIT
from app.pages.base.page import SHARED
from app.pages.base.points_page import DATA, NOTHING, PointsPage
from app.pages.base.results import PictureResult
from app.pages.histogram.advice import BLIND, NOT_AIMED
from app.pages.histogram.analysis import HistogramAnalysis
from app.pages.histogram.mechanisms import NOTICE, alternatives, notice
from app.pages.histogram.plot_panel import HistogramPlotPanel
from app.pages.histogram.query_point import QueryPoint
from app.pages.histogram.request import HistogramRequest
from app.pages.histogram.tabs import DRAWN, OF_HISTOGRAMS, OF_OTHERS, OF_SHIFTED, PICTURES, PUBLIC
from app.session import Session
from app.theme import Palette
from app.widgets.card import set_text
from app.widgets.dialogs import save_dialog
from engine.analysis.histogram_cells import WITH_EMPTY
from engine.analysis.histogram_scenes import QueryMap
from engine.analysis.histogram_trees import default_facility_price
from engine.analysis.shared.projections import distinct_axes
from engine.domain import Interval
from engine.errors import ParameterError
from engine.histograms.attacks import BASELINE
from engine.mechanisms import CategoriesMechanism, ContingencyTable, ShiftedHistogram
from engine.mechanisms.base import Mechanism
from engine.mechanisms.histograms.exact import ExactHistogram

POINTS = "CSV table (*.csv);;Parquet file (*.parquet)"
PARTIAL = "Cancelled: the runs so far. Change anything, or open another picture, to start again."


class HistogramPage(PointsPage):
    """Shows the cells of a histogram level by level, and what follows from them."""

    name = "histogram"
    followed = SHARED | DATA | {"bounds", "categories"}
    card: HistogramPlotPanel

    saved = Signal(object)
    """Synthetic points are in a file; a line that says so."""

    def __init__(self, session: Session, jobs: Jobs, palette: Palette) -> None:
        super().__init__(session, jobs, palette, HistogramPlotPanel())
        self._work = HistogramAnalysis(session.databases)
        self._setup: Selection | None = None
        self._query = QueryPoint()
        self._held: tuple[Interval, ...] | None = None
        self._make_request: HistogramRequest | None = None
        self.card.pointed.connect(self._on_pointed)
        self.card.nudged.connect(self._on_nudged)
        self.card.dropped.connect(self._on_dropped)
        self.card.points_wanted.connect(self.ask_points)
        self.saving = jobs.channel("synthetic points")
        self.saving.result.connect(self.saved)
        self.saving.failed.connect(self.failed)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.card, 1)

    @property
    def modules(self) -> Sequence[str]:
        """What the pictures need."""
        return tuple(dict.fromkeys(map(module_of, PICTURES.values())))

    def cancel(self) -> None:
        """Stop drawing, and playing."""
        self.card.levels.stop()
        super().cancel()

    def _show_cancelled(self) -> None:
        """Say so below what was compared so far, which holds of fewer runs, else in place of a picture."""
        canvas = self.canvas
        if self.card.tab == "compare" and canvas is not None and canvas.has_result:
            set_text(self.card.advice, PARTIAL)
        else:
            super()._show_cancelled()

    @property
    def _tabs(self) -> Collection[str]:
        return self.card.shown

    def _view_state(self) -> ViewState:
        # never the place itself, which may tell of the data
        attack = self.card.attacks.aim or self._query.attack
        moved = self._query.moves(None if self._setup is None else self._setup.source.domain)
        view_state = dataclasses.replace(self.card.view_state, attack=attack, moved=moved)
        return dataclasses.replace(super()._view_state(), histogram=view_state)

    def _apply_view_state(self, view_state: ViewState) -> None:
        self.card.restore_view_state(view_state.histogram)
        self._query.restore(None, view_state.histogram.moved)
        super()._apply_view_state(view_state)

    def _follow(self, fields: frozenset[str], seen: SessionState) -> None:
        state = self._session.state
        curator = state.view == "curator"
        if "view" in fields:
            self.card.show_view(curator)
            self.card.forget_levels()
        if "releases" in fields:
            self.card.draws.show_real()
        if fields & (DATA | {"view", "query", "categories"}):
            self._drop(state.unit)
            self._make_request = None
        if "bounds" in fields or fields & (DATA | {"view"}):
            # where an attack has put it may tell of the data
            self._query.forget()
            self.card.attacks.settle()
        try:
            setup = selection(state)
        except ParameterError:
            self._setup = None
            kind = state.kind_of_mechanism
            if state.reads == CategoriesMechanism.reads:  # no tab of what was there before
                self.card.show_only(("bars",))
            self.card.show_kind(issubclass(kind, ShiftedHistogram), "" if kind.is_private else NOTICE)
            return
        self._setup = setup
        mechanism = setup.mechanism
        shifted = isinstance(mechanism, ShiftedHistogram)
        tabs = OF_OTHERS.get(mechanism.name, OF_SHIFTED if shifted else OF_HISTOGRAMS)
        if setup.mechanism.reads == "categories":
            tabular = isinstance(mechanism, ContingencyTable) and len(setup.source.columns) > 1
            tabs = ("table",) if tabular else ("bars",)
        drawn_whole = len(setup.source.columns) <= WITH_EMPTY
        hidden = {"levels"} if drawn_whole else set()
        shown = (tab for tab in tabs if (curator or tab in PUBLIC) and tab not in hidden)
        self.card.show_only((*shown, AUDIT))
        self.card.show_directions(setup.source.columns)
        if setup.mechanism.reads != "categories":
            self.card.sites.offer(default_facility_price(setup.source.domain, setup.source.n), setup.unit)
        random = not isinstance(mechanism, ExactHistogram) or mechanism.is_random
        self.card.show_kind(shifted, notice(setup), random=random)

    def _ask_about(self, setup: Selection) -> None:
        card, curator = self.card, self._session.state.view == "curator"
        mechanism: Mechanism[Any] = setup.mechanism
        problems = mechanism.problems(setup.privacy, setup.source.domain, setup.source.n)
        if problems:
            self._explain(problems[0].message)
            return
        released = self._newest(setup, exactly=curator) if self._shows_releases else None
        real = released is not None and not (curator and card.draws.simulated)
        if not curator and (released is None or released.value is None):
            card.show_waiting(NOTHING)
            return
        card.draws.say_source(real)
        self._make_request = request = HistogramRequest(
            setup,
            card.tab,
            card.directions.axes,
            card.draws.seed,
            released if real else None,
            card.levels.level,
            card.records and curator,
            card.grid,
            card.per_area,
            self._query.within(setup.source.domain),
            card.attacks.aim if card.tab == "isolation" else None,
            card.closely,
            card.attacks.near,
            self._held,
            card.attacks.factor,
            card.attacks.sweep,
            card.sites.price,
            alternatives(self._session.state) if card.tab == "compare" else (),
            not curator,
        )
        canvas = card.open()
        if curator:
            self.curves.request(partial(self._work.answer, request), live=True)
        else:
            canvas.private = False
            self.curves.request(partial(self._work.public, request))

    def _on_drawn(self, drawn: PictureResult[HistogramRequest]) -> None:
        curator = self._session.state.view == "curator"
        if not self._is_about(drawn.request.setup) or not (curator or drawn.public):
            return
        if drawn.picture == "clamped":
            self.clamped.emit(drawn.result)
        elif drawn.picture == "judgement":
            found, unit = drawn.result, self._session.state.unit
            self.judged.emit(found and ExpectedWords(found.expected(unit)))
        elif drawn.picture == "levels":
            self.card.offer_levels(drawn.result.deepest)
            if self.card.tab == "levels":
                self.card.show_result("levels", drawn.result.table)
        elif drawn.picture == "aim":
            self._on_aimed(drawn.request.attack, drawn.result)
        elif drawn.picture == "advice":
            if drawn.request.tab == self.card.tab:
                set_text(self.card.advice, drawn.result)
        elif drawn.picture == "problem":
            self.card.show_waiting(drawn.result)
        elif self.canvas is None or self.canvas.picture.result is not drawn.result:
            self.card.show_result(drawn.picture, drawn.result)
            if drawn.picture == "cells":
                self.card.show_closely(drawn.result.is_closeup)

    def ask_points(self) -> None:
        """Ask where to save points drawn from the histogram that is shown."""
        request = self._make_request
        if request is None or self.canvas is None or not self.canvas.has_result:
            return
        real = request.released is not None
        name = f"{request.setup.mechanism.name}-synthetic{'' if real else '-simulated-not-private'}.csv"
        title = "Save synthetic points" + (", derived from private data" * (not real))
        dialog = save_dialog(self, title, name, POINTS)
        dialog.fileSelected.connect(self.save_points)
        dialog.open()

    def save_points(self, path: str) -> None:
        """Save points drawn from the histogram that is shown, as far as this view allows."""
        request, curator = self._make_request, self._session.state.view == "curator"
        if request is not None and (curator or request.released is not None):
            self.saving.request(partial(self._work.save_points, request, path))

    def _on_aimed(self, attack: tuple[str, int] | None, aim: QueryMap) -> None:
        """Take the place where the query point is now; move it on by as much as a person had done before."""
        moved = self._query.put(attack, tuple(aim.query.tolist()))
        self.card.attacks.settle()
        blind = attack is not None and attack[0] == BASELINE
        words = BLIND if blind else NOT_AIMED * (not aim.aimed)
        set_text(self.card.advice, "" if moved else words)
        if moved:
            self._ask.start()

    def _on_pointed(self, x: float, y: float) -> None:
        view = self.canvas.picture.result if self.canvas else None
        if isinstance(view, QueryMap):
            self._held = view.window  # which must not move below the pointer
            self._move_query(view.moved(x, y).tolist())

    def _on_dropped(self) -> None:
        self._held = None
        if self.card.attacks.near:
            self._ask.start()

    def _on_nudged(self, right: int, up: int) -> None:
        view = self.canvas.picture.result if self.canvas else None
        if isinstance(view, QueryMap):
            self._move_query(view.stepped(right, up).tolist())

    def _move_query(self, drawn: list[float]) -> None:
        """Put the query point elsewhere along the directions that are drawn."""
        if self._setup is None:
            return
        axes = distinct_axes(self.card.directions.axes, len(self._setup.source.columns))
        if not self._query.move(axes, drawn):
            return
        self.card.attacks.settle()
        set_text(self.card.advice, "")
        self._ask.start()

    @property
    def _shows_releases(self) -> bool:
        return self.card.tab in DRAWN
