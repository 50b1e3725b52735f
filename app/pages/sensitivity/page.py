"""What the pages about one number have in common: the data above, curves and noise below."""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Sequence
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QVBoxLayout

from app.jobs.channels import Jobs
from app.model.selection import Selection
from app.model.state import SessionState
from app.model.view_states import ViewState
from app.model.wording.neighbours import WORDS
from app.pages.audit.tabs import TAB as AUDIT
from app.pages.base.page import SHARED, Page
from app.pages.base.results import PictureResult
from app.pages.sensitivity import advice as sensitivity_advice
from app.pages.sensitivity import analysis as sensitivity_work
from app.pages.sensitivity.analysis import SensitivityAnalysis, SensitivityRequest
from app.pages.sensitivity.data_panel import DataPlotPanel
from app.pages.sensitivity.error_estimates import ErrorEstimate
from app.pages.sensitivity.plot_panel import SensitivityPlotPanel
from app.pages.sensitivity.tabs import PUBLIC, TABS
from app.session import Session
from app.theme import Palette
from app.widgets.card import set_text

if TYPE_CHECKING:
    from app.widgets.plot_canvas import PlotCanvas

DATA = frozenset({"dataset", "column", "numbers", "edge_columns", "edges"})
BOUNDS = frozenset({"vertices", "lower", "upper", "resolution"})
TIMES_SENSITIVITY = "× S"
"""The unit of noise at scale 1: multiples of the sensitivity, whatever that is."""


class SensitivityPage(Page):
    """Shows the session's data, their sensitivities and their noise, while it is open.

    Parameters
    ----------
    top : DataPlotPanel
        The picture of the data.
    answers : SensitivityAnalysis
        What works out what is to be seen.
    """

    followed = (
        SHARED
        | DATA
        | {"vertices", "lower", "upper", "resolution", "modified_values", "removed_edges", "method"}
    )
    card: SensitivityPlotPanel

    def __init__(
        self, session: Session, jobs: Jobs, palette: Palette, top: DataPlotPanel, answers: SensitivityAnalysis
    ) -> None:
        super().__init__(session, jobs, palette, SensitivityPlotPanel())
        self._answers = answers
        self._view: object = None
        self.top = top
        self.top.asked.connect(self._ask.start)
        self.card.asked.connect(self._show_top)
        self.card.audit.shown.connect(self._show_top)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(8)
        self._column.addWidget(self.top)
        self._column.addWidget(self.card, 1)

    @property
    def canvases(self) -> tuple[PlotCanvas | None, ...]:
        """The curves, and the data."""
        return self.canvas, self.top.canvas

    def set_palette(self, palette: Palette) -> None:
        """Take the colours of a theme."""
        super().set_palette(palette)
        if self._made:
            self.top.set_palette(palette)

    def set_scale(self, scale: float) -> None:
        """Show type at another size (presentation mode)."""
        self.top.set_scale(scale)
        super().set_scale(scale)
        self._show_top()

    @property
    def modules(self) -> Sequence[str]:
        """What the pictures need."""
        return ("app.plots.sensitivity.against_k", *self.top.modules)

    @property
    def _tabs(self) -> Collection[str]:
        return TABS if self._session.state.view == "curator" else PUBLIC

    def _view_state(self) -> ViewState:
        return dataclasses.replace(
            super()._view_state(), target=self.card.target, seed=self.card.simulation.seed
        )

    def _apply_view_state(self, view_state: ViewState) -> None:
        self.card.simulation.choose(view_state.seed)
        self.card.show_target(view_state.target)
        super()._apply_view_state(view_state)

    def _make(self) -> None:
        self.top.make(self._palette, self._scale)

    def _follow(self, fields: frozenset[str], seen: SessionState) -> None:
        state = self._session.state
        curator = state.view == "curator"
        if fields & {"view", "query"}:
            self._show_top()
        if "view" in fields:
            self.card.show_view(curator)
        if fields & {"query", "vertices"} | (fields & DATA):
            self.card.show_words(WORDS[state.neighbours])
            self.card.show_targets(state.reads, state.value("vertices") or 0)
        if fields & (DATA | {"view"}) or state.reads != seen.reads:
            self.top.forget()
            self._view = None
            self._drop(state.unit if curator else TIMES_SENSITIVITY)

    def _show_top(self) -> None:
        """Show the data, if they may be seen; where room is short, an audit, of other data, has theirs."""
        seen = self._session.state.view == "curator" or self.top.is_public
        short = self._scale > 1 or self.card.audit.folded
        self.top.setVisible(seen and not (self.card.tab == AUDIT and short))

    def _ask_about(self, setup: Selection) -> None:
        self.card.open()
        self._ask_beside(setup)

    def _ask_beside(self, setup: Selection) -> None:
        state = self._session.state
        if state.uses_noise:
            self._certificates.request(partial(sensitivity_work.certificate, setup), live=True)
        request = SensitivityRequest(
            setup, self.card.tab, self.card.target, self.card.simulation.seed, self.top.choice
        )
        answer = self._answers.public if state.view == "release" else self._answers.answer
        self.curves.request(partial(answer, request), live=state.view == "curator")

    def _on_drawn(self, drawn: PictureResult[SensitivityRequest]) -> None:
        curator = self._session.state.view == "curator"
        if drawn.public:
            if not curator:
                self._show_public(drawn)
        elif not curator:
            return
        elif drawn.picture == "view":
            self._show_view(drawn)
        elif drawn.picture == "clamped":
            self.clamped.emit(drawn.result)
        elif drawn.picture == "judgement":
            self._show_judgement(drawn.result)
        elif drawn.picture == "distribution":
            self.card.show_simulation(drawn.result, self._last_release())
        elif drawn.picture == "noise":
            self._show_noise(drawn)
        else:
            self.card.show_result(drawn.picture, drawn.result)

    def _show_public(self, drawn: PictureResult[SensitivityRequest]) -> None:
        if drawn.picture == "view":
            self._show_view(drawn)
        else:
            self._show_noise(drawn)

    def _show_view(self, drawn: PictureResult[SensitivityRequest]) -> None:
        # drawing takes longer than anything else here, and epsilon changes nothing in it
        if drawn.result is not self._view:
            self._view = drawn.result
            self.top.show_view(drawn.result)

    def _show_noise(self, drawn: PictureResult[SensitivityRequest]) -> None:
        setup = drawn.request.setup
        self.card.show_result("noise", drawn.result)
        self.card.show_families(
            sensitivity_advice.absent(drawn.result, setup.privacy, self._session.state.uses_noise)
        )

    def _show_judgement(self, estimate: ErrorEstimate) -> None:
        unit = self._session.state.unit
        words = sensitivity_advice.warnings(estimate, unit) or [sensitivity_advice.summary(estimate, unit)]
        if self.card.tab != AUDIT:
            set_text(self.card.advice, " ".join(words))
        self.judged.emit(estimate)

    @property
    def _shows_releases(self) -> bool:
        """Whether the newest release is to be marked in the open picture."""
        return self._session.state.view == "curator" and self.card.tab == "distribution"

    def _last_release(self) -> float | None:
        """Return the newest release of the present query on the present data."""
        state = self._session.state
        for record in reversed(state.releases):
            if self._session.is_here(record):
                return record.release.value if record.release.query == state.query else None
        return None
