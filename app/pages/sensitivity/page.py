"""What the pages about one number have in common: the data above, curves and noise below."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Collection, Hashable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar

from PySide6.QtWidgets import QVBoxLayout

from app.jobs.channels import Jobs, JobTask
from app.model.kinds.databases import DatabaseCache
from app.model.mechanism_choice import uses_noise
from app.model.page_spec import PageSpec
from app.model.references import module_of, resolve
from app.model.selection import Selection
from app.model.state import SessionState
from app.model.view_states import ViewState
from app.model.wording.expected import expected_words
from app.model.wording.neighbours import WORDS
from app.pages.audit.tabs import TAB as AUDIT
from app.pages.base.answering import CLAMPED, ESTIMATE, PictureRequest, publish_estimate, publish_picture
from app.pages.base.page import SHARED, Page
from app.pages.base.picture_panel import PicturePanel
from app.pages.base.results import PictureResult
from app.pages.sensitivity.data_panel import DataPlotPanel
from app.session import Session
from app.theme import Palette
from app.widgets.card import set_text
from engine.analysis.noise import certify_noise
from engine.progress import Progress

if TYPE_CHECKING:
    from app.widgets.plot_canvas import PlotCanvas

DATA = frozenset({"dataset", "column", "numbers", "edge_columns", "edges"})
TIMES_SENSITIVITY = "× S"
"""The unit of noise at scale 1: multiples of the sensitivity, whatever that is."""

DataView = Callable[[Selection, Any, Hashable, Progress], Any]
"""Makes what the picture of the data shows, of a selection, a database (None: public facts alone) and
what a person has chosen in it; None for nothing new."""


class SensitivityPage(Page):
    """Shows the session's data, their sensitivities and their noise, while it is open.

    Parameters
    ----------
    top : DataPlotPanel
        The picture of the data.
    before, after, public : sequence of DataView
        What it shows, as far as it is known before and after the curves; and what of it follows
        from public facts.
    """

    followed = (
        SHARED
        | DATA
        | {"vertices", "lower", "upper", "resolution", "modified_values", "removed_edges", "method"}
    )
    declared: ClassVar[PageSpec]
    card: PicturePanel

    def __init__(
        self,
        session: Session,
        jobs: Jobs,
        palette: Palette,
        top: DataPlotPanel,
        *,
        before: Sequence[DataView] = (),
        after: Sequence[DataView] = (),
        public: Sequence[DataView] = (),
    ) -> None:
        super().__init__(
            session, jobs, palette, PicturePanel("Sensitivity and noise", self.declared.pictures)
        )
        self._work = SensitivityWork(session.databases, self.declared.estimate, before, after, public)
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
        return (module_of(self.declared.pictures[0].drawn_by), *self.top.modules)

    @property
    def _tabs(self) -> Collection[str]:
        curator = self._session.state.view == "curator"
        return (*(spec.name for spec in self.declared.pictures if curator or spec.is_public), AUDIT)

    def _view_state(self) -> ViewState:
        return dataclasses.replace(super()._view_state(), options=self.card.options)

    def _apply_view_state(self, view_state: ViewState) -> None:
        self.card.show_options(view_state.options)
        super()._apply_view_state(view_state)

    def _make(self) -> None:
        self.top.make(self._palette, self._scale)

    def _follow(self, fields: frozenset[str], seen: SessionState) -> None:
        state = self._session.state
        if fields & {"view", "query"}:
            self._show_top()
        if "view" in fields:
            self.card.show_view(state.view == "curator")
            self.card.show_only(self._tabs)
        if fields & {"query", "vertices"} | (fields & DATA):
            self.card.show_words(WORDS[state.neighbours])
        if fields & (DATA | {"view"}) or state.reads != seen.reads:
            self.top.forget()
            self._view = None
            self._drop(state.unit if state.view == "curator" else TIMES_SENSITIVITY)

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
        public = state.view == "release"
        if uses_noise(state):
            self._certificates.request(partial(publish_certificates, setup), live=True)
        self.card.offer(setup)
        request = PictureRequest(setup, self.card.spec, self.card.options, self._last_release(), public)
        self.curves.request(partial(self._work.answer, request, self.top.choice), live=not public)

    def _on_drawn(self, drawn: PictureResult[PictureRequest]) -> None:
        if drawn.public != (self._session.state.view == "release"):
            return
        if drawn.picture == "view":
            self._show_view(drawn.result)
        elif drawn.picture == CLAMPED:
            self.clamped.emit(drawn.result)
        elif drawn.picture == ESTIMATE:
            self._show_estimate(drawn.result)
        else:
            self.card.show_result(drawn.picture, drawn.result)
            note = self.declared.picture(drawn.picture).note
            if note:
                self.card.show_note(resolve(note)(drawn.request.setup, drawn.result))

    def _show_view(self, view: Any) -> None:
        # drawing takes longer than anything else here, and epsilon changes nothing in it
        if view is not self._view:
            self._view = view
            self.top.show_view(view)

    def _show_estimate(self, estimate: Any) -> None:
        if self.card.tab != AUDIT:
            set_text(self.card.advice, resolve(self.declared.advice)(estimate, self._session.state.unit))
        self.judged.emit(expected_words(estimate, self._session.state.unit))

    @property
    def _shows_releases(self) -> bool:
        """Whether the newest release is to be marked in the open picture."""
        spec = self.card.spec
        return self._session.state.view == "curator" and spec is not None and spec.marks_releases

    def _last_release(self) -> float | None:
        """Return the newest release of the present query on the present data, where it is to be marked."""
        state = self._session.state
        for record in reversed(state.releases if self._shows_releases else ()):
            if self._session.is_here(record):
                return record.release.value if record.release.query == state.query else None
        return None


@dataclasses.dataclass(frozen=True)
class SensitivityWork:
    """What a worker does for the page, in the order in which people look at it."""

    databases: DatabaseCache
    estimate: str
    before: Sequence[DataView]
    after: Sequence[DataView]
    public: Sequence[DataView]

    def answer(self, request: PictureRequest, choice: Hashable, task: JobTask) -> None:
        """Publish the picture of the data, the one that is open, and what can be expected."""
        if request.public:
            self._publish_views(self.public, request, None, choice, task)
            if request.picture is None or request.picture.is_public:
                publish_picture(request, None, task)
            return
        data = self.databases.get(request.setup.source)
        self._publish_views(self.before, request, data, choice, task)
        task.publish(PictureResult(CLAMPED, data.outside, request))
        publish_picture(request, data, task)
        self._publish_views(self.after, request, data, choice, task)
        publish_estimate(self.estimate, request, data, task)

    def _publish_views(
        self,
        views: Sequence[DataView],
        request: PictureRequest,
        data: Any,
        choice: Hashable,
        task: JobTask,
    ) -> None:
        for view in views:
            found = view(request.setup, data, choice, task)
            if found is not None:
                task.publish(PictureResult("view", found, request, request.public))


def publish_certificates(setup: Any, task: JobTask) -> None:
    """Publish what the noise was found to give, then what the pairs in print give (public)."""
    task.publish(certify_noise(setup.mechanism, setup.privacy, publish=task.publish, progress=task))
