"""What the pages about one number have in common: the data above, curves and noise below."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Hashable, Sequence
from typing import TYPE_CHECKING, Any

from PySide6.QtGui import QResizeEvent

from app.jobs.channels import Jobs
from app.model.page_spec import PageSpec
from app.model.pages.audit import TAB as AUDIT
from app.model.references import Loader
from app.model.selection import Selection
from app.model.state import SessionState
from app.model.theme import Palette
from app.pages.base.analysis_page import AnalysisPage
from app.pages.base.answering import PictureRequest, PictureWork, Publisher
from app.pages.base.results import PictureResult
from app.pages.sensitivity.data_panel import DataPlotPanel
from app.session import Session
from engine.audit import MOVED
from engine.progress import Progress

if TYPE_CHECKING:
    from app.widgets.plot_canvas import PlotCanvas

TIMES_SENSITIVITY = "× Sᵦ"
"""The unit of noise at scale 1: multiples of the smooth sensitivity at its beta, whatever that is."""

MIN_HEIGHT_WITH_DATA = 760
"""Pixels in height from which the data stand above an audit, which is of others."""

VIEW = "view"
"""What is published for the picture of the data."""

INDEPENDENT = frozenset({"page", "view", "epsilon", "delta", "noise", "releases"})
"""Fields of the state that change nothing in the picture of the data."""

DataView = Callable[[Selection, Any, Hashable, Progress], Any]
"""Makes what the picture of the data shows, of a selection, a database (None: public facts alone) and
what the user has chosen in it; None for nothing new."""


class SensitivityPage(AnalysisPage):
    """Shows the session's data, their sensitivities and their noise, while it is open.

    Parameters
    ----------
    top : DataPlotPanel
        The picture of the data.
    before, after, public : sequence of DataView
        What it shows, as far as it is known before and after the curves; and what of it follows
        from public facts.
    """

    def __init__(
        self,
        declared: PageSpec,
        session: Session,
        jobs: Jobs,
        palette: Palette,
        top: DataPlotPanel,
        *,
        before: Sequence[DataView] = (),
        after: Sequence[DataView] = (),
        public: Sequence[DataView] = (),
    ) -> None:
        super().__init__(declared, session, jobs, palette, top)
        self._before, self._after, self._public = before, after, public
        self._view: object = None
        self.top = top
        self.top.asked.connect(self._on_top_asked)
        self.card.asked.connect(self._show_top)
        self.card.audit.shown.connect(self._show_top)
        self.card.audit.changed.connect(self._show_top)

    @property
    def canvases(self) -> tuple[PlotCanvas | None, ...]:
        return (*super().canvases, self.top.canvas)

    @property
    def loaders(self) -> Sequence[Loader]:
        return (*super().loaders, *self.top.loaders)

    def set_palette(self, palette: Palette) -> None:
        super().set_palette(palette)
        if self._made:
            self.top.set_palette(palette)

    def set_scale(self, scale: float) -> None:
        """Show type at another size (presentation mode)."""
        self.top.set_scale(scale)
        super().set_scale(scale)
        self._show_top()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Show data and an audit where there is room for both."""
        super().resizeEvent(event)
        self._show_top()

    def _make(self) -> None:
        self.top.make(self._palette, self._scale)
        assert self.top.canvas is not None
        self.top.canvas.pointed.connect(self._session.pointer.point_at)

    def _follow(self, fields: frozenset[str], seen: SessionState) -> None:
        if fields & {"view", "query"}:
            self._show_top()
        super()._follow(fields, seen)

    def _outdate(self, changed: frozenset[str]) -> None:
        super()._outdate(changed)
        if changed - INDEPENDENT - self.top.shown_at_once:
            self.top.outdate(True)

    def _on_top_asked(self) -> None:
        self.top.outdate(True)
        self._ask.start()

    def _forget(self) -> None:
        self.top.outdate(False)
        self.top.forget()
        self._view = None
        self._drop(self._own_state.unit if self._curator else TIMES_SENSITIVITY)

    def _show_top(self) -> None:
        """Show the data, if they may be seen; where room is short, an audit, of other data, has theirs."""
        audit = self.card.audit
        low = self.height() < MIN_HEIGHT_WITH_DATA and audit.choice.pair != MOVED
        short = self.top.is_large or self._scale > 1 or audit.folded or low
        seen = self._curator or self.top.is_public
        self.top.setVisible(seen and not (self.card.tab == AUDIT and short))

    def _ask_beside(self, setup: Selection) -> None:
        super()._ask_beside(setup)
        if self.card.tab == AUDIT:
            request = PictureRequest(setup, None, self.card.arguments, public=not self._curator)
            self._put(request, self._job(request), live=self._curator)

    @property
    def _work(self) -> PictureWork:
        before, after, public = (
            tuple(ViewStep(view, self.top.choice) for view in views)
            for views in (self._before, self._after, self._public)
        )
        return PictureWork(self.declared.estimate, before, after, public=public)

    def _on_drawn(self, drawn: PictureResult[PictureRequest]) -> None:
        if drawn.picture != VIEW:
            super()._on_drawn(drawn)
            return
        if drawn.request is self.card.freshness.newest:
            self.top.outdate(False)
        # drawing takes longer than anything else here, and epsilon changes nothing in it
        if drawn.public != self._curator and drawn.result is not self._view:
            self._view = drawn.result
            self.top.show_view(drawn.result)


@dataclasses.dataclass(frozen=True)
class ViewStep:
    """Publishes what the picture of the data shows, if there is anything new."""

    view: DataView
    choice: Hashable

    def __call__(self, request: PictureRequest, data: Any, task: Publisher) -> None:
        """Publish it for a request."""
        result = self.view(request.setup, data, self.choice, task)
        if result is not None:
            task.publish(PictureResult(VIEW, result, request, request.public))
