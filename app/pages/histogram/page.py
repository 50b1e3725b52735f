"""The page "Histogram": cells with counts, what can be learned from them, and how they are attacked."""

from __future__ import annotations

import dataclasses
from collections.abc import Collection
from functools import partial
from typing import Any

from PySide6.QtWidgets import QVBoxLayout

from app.jobs.channels import Channel, Jobs
from app.model.page_spec import PageSpec
from app.model.pages.histogram import PICTURES, SPECS, made_by
from app.model.pages.histogram_options import QueryOptions
from app.model.picture_spec import PictureSpec
from app.model.references import resolve
from app.model.selection import Selection, selection
from app.model.state import SessionState
from app.model.view_states import ViewState
from app.model.wording.expected import ExpectedWords
from app.pages.audit.tabs import TAB as AUDIT
from app.pages.base.answering import CLAMPED, ESTIMATE, PictureRequest
from app.pages.base.page import SHARED
from app.pages.base.points_page import DATA, NOTHING, DeclaredPointsPage
from app.pages.base.results import PictureResult
from app.pages.histogram.advice import BLIND, NOT_AIMED, count_words
from app.pages.histogram.analysis import answer, save_points
from app.pages.histogram.mechanisms import NOTICE, notice
from app.pages.histogram.plot_panel import HistogramPlotPanel
from app.pages.histogram.query_point import QueryPoint
from app.releases.counts import NO_TABLE
from app.session import Session
from app.theme import Palette
from app.widgets.card import set_text
from app.widgets.dialogs import SaveDialog
from engine.analysis.histogram_cells import WITH_EMPTY
from engine.analysis.histogram_scenes import CellMap, QueryMap
from engine.analysis.histogram_trees import default_facility_price
from engine.analysis.shared.projections import distinct_axes
from engine.domain import Interval
from engine.errors import ParameterError
from engine.histograms.attacks import BASELINE
from engine.mechanisms import CategoriesMechanism, ShiftedHistogram
from engine.mechanisms.base import Mechanism
from engine.mechanisms.histograms.exact import ExactHistogram

POINTS = "CSV table (*.csv);;Parquet file (*.parquet)"
PARTIAL = "Cancelled: the runs so far. Change anything, or open another picture, to start again."


class HistogramPage(DeclaredPointsPage):
    """Shows the cells of a histogram level by level, and what follows from them."""

    followed = SHARED | DATA | {"bounds", "categories"}
    card: HistogramPlotPanel

    def __init__(self, declared: PageSpec, session: Session, jobs: Jobs, palette: Palette) -> None:
        super().__init__(declared, session, jobs, palette, HistogramPlotPanel(declared))
        self._setup: Selection | None = None
        self._query = QueryPoint()
        self._held: tuple[Interval, ...] | None = None
        self._make_request: PictureRequest | None = None
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
        attack, seed = self.card.attacks.aim or self._query.attack or (None, QueryOptions().attack_seed)
        moved = self._query.moves(None if self._setup is None else self._setup.source.domain)
        view_state = super()._view_state()
        point = {"attack": attack, "attack_seed": seed, "moved": moved}
        return dataclasses.replace(view_state, options={**view_state.options, **point})

    def _apply_view_state(self, view_state: ViewState) -> None:
        self._query.restore(None, view_state.options.get("moved", ()))
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
        shown = [spec for spec in PICTURES if spec.of in made_by(setup) and (curator or spec.is_public)]
        if len(setup.source.columns) <= WITH_EMPTY:  # all is drawn already
            shown = [spec for spec in shown if spec.name != "levels"]
        self.card.show_only((*(spec.name for spec in shown), AUDIT))
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
        spec, source = SPECS[card.tab], setup.source
        problem = spec.why_absent(setup)
        if problem:
            self.curves.cancel()
            card.show_waiting(problem)
            return
        arguments = {**spec.arguments_of(self._session.state), "records": card.records and curator}
        if QueryOptions in spec.options:
            attack, seed = card.attacks.aim or (None, 1)
            query = self._query.within(source.domain)
            arguments |= {"query": query, "attack": attack, "attack_seed": seed, "window": self._held}
        released = released if real else None
        self._make_request = request = PictureRequest(
            setup, spec, card.options, released, not curator, arguments
        )
        canvas = card.open()
        if not curator:
            canvas.private = False
        self.curves.request(partial(answer, request, self._session.databases), live=curator)

    def _on_drawn(self, drawn: PictureResult[PictureRequest]) -> None:
        curator = self._session.state.view == "curator"
        if not self._is_about(drawn.request.setup) or not (curator or drawn.public):
            return
        if drawn.picture == CLAMPED:
            self.clamped.emit(drawn.result)
        elif drawn.picture == ESTIMATE:
            error = drawn.result
            self.judged.emit(None if error is None else ExpectedWords(count_words(error.typical)))
        elif drawn.result is None:
            self.card.show_waiting(NO_TABLE)
        else:
            spec = SPECS[drawn.picture]
            if self.canvas is None or self.canvas.picture.result is not drawn.result:
                self._show_picture(spec, drawn.request, drawn.result)
            if spec.note and spec.name == self.card.tab:  # beside a picture of before, too
                set_text(self.card.advice, resolve(spec.note)(drawn.request.setup, drawn.result))

    def _show_picture(self, spec: PictureSpec, request: PictureRequest, result: Any) -> None:
        """Show a result, and what the tools say of it."""
        if isinstance(result, CellMap):
            self.card.offer_levels(result.deepest)
            self.card.show_closely(result.is_closeup)
        elif isinstance(result, QueryMap):
            asked = request.arguments
            if asked["attack"] is not None:
                self._on_aimed((asked["attack"], asked["attack_seed"]), result)
            elif asked["query"] is None:
                self._on_aimed(None, result)
        self.card.show_result(spec.name, result)

    @property
    def channels(self) -> tuple[Channel, ...]:
        """What is worked on here, and the saving of points."""
        return (*super().channels, self.saving)

    def ask_points(self) -> None:
        """Ask where to save points drawn from the histogram that is shown."""
        request = self._make_request
        if request is None or self.canvas is None or not self.canvas.has_result:
            return
        real = request.released is not None
        name = f"{request.setup.mechanism.name}-synthetic{'' if real else '-simulated-not-private'}.csv"
        title = "Save synthetic points" + (", derived from private data" * (not real))
        dialog = SaveDialog(self, title, name, POINTS)
        dialog.fileSelected.connect(self.save_points)
        dialog.open()

    def save_points(self, path: str) -> None:
        """Save points drawn from the histogram that is shown, as far as this view allows."""
        request, curator = self._make_request, self._session.state.view == "curator"
        if request is not None and (curator or request.released is not None):
            self.saving.request(partial(save_points, request, self._session.databases, path))

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
        spec = SPECS.get(self.card.tab)
        return spec is not None and spec.marks_releases
