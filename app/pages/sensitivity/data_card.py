"""The card above the curves: a picture of the data with editable records."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Hashable, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from app.jobs.channels import Jobs
from app.model import lazy
from app.model.kinds.column import ColumnBuilder, ColumnChoice
from app.model.page_spec import PageSpec
from app.model.pages.audit import TAB as AUDIT
from app.model.selection import Selection
from app.model.view_states import WallView
from app.model.views import RELEASE
from app.model.wording.numbers import format_count
from app.pages.base.analysis_page import AnalysisPage, newest_release
from app.pages.base.page_part import PagePart
from app.pages.base.picture_panel import PicturePanel
from app.pages.base.request import PictureRequest, PictureResult, Publisher, Step
from app.session import Session
from app.widgets.card import caption
from app.widgets.layouts import QWIDGETSIZE_MAX
from app.widgets.stale_overlay import StaleOverlay
from app.widgets.style import THEME
from engine.analysis.memory import remembered
from engine.audit import MOVED
from engine.data.order_statistics import Sample
from engine.mechanisms.release import Release
from engine.progress import Progress

if TYPE_CHECKING:
    from app.plots.sensitivity.dot_strip import StripView


TIMES_SENSITIVITY = "× S*"
"""The unit of noise at scale 1: multiples of the smooth sensitivity at its beta."""

MIN_HEIGHT_WITH_DATA = 760
"""Least height, in pixels, at which the data are shown above an audit."""

VIEW = "view"
"""The name of results for the picture of the data."""

INDEPENDENT = frozenset({"page", "view", "epsilon", "delta", "noise", "releases"})
"""Fields of the state without effect on the picture of the data."""

DataView = Callable[[Selection, Any, Hashable, Progress], Any]
"""Computes the contents of the data picture; None if nothing is new.

Arguments: a selection, a database (None: public facts alone), and the user's choices in the picture.
"""


@dataclasses.dataclass(frozen=True)
class PublishView:
    """Publishes the contents of the data picture, if anything is new."""

    view: DataView
    choice: Hashable

    def __call__(self, request: PictureRequest, data: Any, task: Publisher) -> None:
        result = self.view(request.setup, data, self.choice, task)
        if result is not None:
            task.publish(PictureResult(VIEW, result, request, request.public))


class DataCard(PagePart):
    """Shows the data of its page."""

    below_tabs = shows_answers = True
    is_large: ClassVar[bool] = False  # whether it hides during an audit to save space
    public_unit: ClassVar[str | None] = TIMES_SENSITIVITY
    shown_at_once: ClassVar[frozenset[str]] = frozenset()  # fields of the state that it follows itself
    # computed before and after the curves, and from public facts for the Release view
    views_before: ClassVar[tuple[DataView, ...]] = ()
    views_after: ClassVar[tuple[DataView, ...]] = ()
    public_views: ClassVar[tuple[DataView, ...]] = ()

    def __init__(self, session: Session, title: str) -> None:
        super().__init__(title, private=True)
        self._session = session
        self._overlay: StaleOverlay | None = None
        self._shown: object = None

    @property
    def choice(self) -> Hashable:
        """The choices in the picture that affect the view."""
        return None

    @property
    def is_public(self) -> bool:
        """Whether it is also visible in the Release view."""
        return False

    def show_view(self, view: Any) -> None:
        """Show the result of a worker."""
        raise NotImplementedError

    def is_seen(self, card: PicturePanel, height: int, scale: float, *, curator: bool) -> bool:
        # in little space, an audit of other data takes precedence
        low = height < MIN_HEIGHT_WITH_DATA and card.audit.choice.pair != MOVED
        little = self.is_large or scale > 1 or low
        return (curator or self.is_public) and not (card.tab == AUDIT and little)

    def steps(self, request: PictureRequest) -> tuple[Sequence[Step], Sequence[Step]]:
        before, after = self.views_before, self.views_after
        if request.public:
            before, after = self.public_views if self.is_public else (), ()
        return [PublishView(view, self.choice) for view in before], [
            PublishView(view, self.choice) for view in after
        ]

    def take(self, result: PictureResult, *, newest: bool) -> bool:
        if result.picture != VIEW:
            return False
        if newest:
            self.dim(False)
        # drawing is the slowest part, and does not depend on epsilon
        public = self._session.state.view == RELEASE
        if result.public == public and result.result is not self._shown:
            self._shown = result.result
            self.show_view(result.result)
        return True

    def outdate(self, changed: frozenset[str]) -> None:
        if changed - INDEPENDENT - self.shown_at_once:
            self.dim(True)

    def ask(self) -> None:
        """Request another view of the same data."""
        self.dim(True)
        self.asked.emit()

    def dim(self, outdated: bool) -> None:
        """Dim the picture while it is outdated."""
        if self.canvas is None:
            return
        if self._overlay is None:
            self._overlay = StaleOverlay(self.canvas)
        self._overlay.draw(outdated and self.canvas.has_result)

    def forget(self) -> None:
        self.dim(False)
        self._shown = None


HEIGHT, LARGE, LARGER = 176, 148, 100
"""Height in pixels: ordinary, in large type (the curves need space), and added for each 100 % beyond
`MAX_SCALE`, so that no text is cut off.
"""
MAX_SCALE = 1.5
"""The largest font scale for which `LARGE` suffices."""
DRAG = "drag a dot and watch the curves"
AROUND = "the dots show how far the truth may be from the release"
STAYS = "a sample of the records; all stay in the file"


def is_of(release: Release, setup: Selection) -> bool:
    """Tell whether a release used this mechanism at this cost."""
    mechanism = setup.mechanism
    chosen = {**mechanism.query.settings(), **mechanism.settings()}
    same = all(release.parameters.get(name) == value for name, value in chosen.items())
    return same and release.mechanism == mechanism.name and release.privacy == mechanism.cost(setup.privacy)


def strip_view(setup: Selection, sample: Sample, choice: Hashable, progress: Progress) -> StripView:
    """Return the dots to show, with edited ones at their new positions (in a worker)."""
    query = setup.mechanism.query
    return remembered(sample, ("strip", query), lambda: _strip(setup.source, query, sample))


def _strip(source: Any, query: Any, sample: Sample) -> StripView:
    import numpy as np

    from app.plots.sensitivity.dot_strip import StripView, shown_indices

    assert isinstance(source, ColumnBuilder)
    indices = shown_indices(sample.n)
    if isinstance(source.values, np.ndarray):
        values = source.values[indices]
    else:  # they stay in their file
        indices, values = source.values.some(indices.size)
    for record, value in source.modified_values.items():
        values[indices == record] = value
    domain, span = sample.domain, query.span(sample)
    is_place = span is not None or query.value_range(domain, sample.n) == domain
    return StripView(
        values=domain.clamp(values),
        indices=indices,
        outside=(values < domain.lower) | (values > domain.upper),
        n=sample.n,
        clamped=sample.outside,
        domain=domain,
        true_value=query.value(sample) if is_place else None,
        label=query.label.lower(),
        span=span,
        rows=None if source.rows is None else source.rows[indices],
    )


def public_strip(setup: Selection, data: None, choice: Hashable, progress: Progress) -> StripView | None:
    """Return the public bounds, without records (public); None if the answer is no place between them."""
    from app.plots.sensitivity.dot_strip import StripView

    query, source = setup.mechanism.query, setup.source
    if query.value_range(source.domain, source.n) != source.domain:
        return None
    return StripView.of([], source.domain, None, query.label.lower(), alone=True)


class StripPanel(DataCard):
    """Shows the records as dots, and turns drags into edits of the session."""

    loaders = (lambda: lazy.DotStrip,)
    shown_at_once = frozenset({"modified_values"})
    # the curves come first: users watch them during a drag
    views_after = (strip_view,)
    public_views = (public_strip,)

    def __init__(self, session: Session) -> None:
        super().__init__(session, "Data")
        self.chosen: int | None = None  # the record that the arrow keys move
        self._dragged: int | None = None
        self._view: StripView | None = None
        self._released: float | None = None
        policy = self.sizePolicy()
        policy.setVerticalStretch(1)
        self.setSizePolicy(policy)
        self.body.setContentsMargins(12, 8, 12, 4)
        self.body.setSpacing(2)
        self.hint = caption(DRAG)
        self.hint.setWordWrap(False)
        self.head.insertWidget(1, self.hint)
        self.reset = self.add_tool("reset", "Put all dots back (Ctrl+0)")
        self.reset.clicked.connect(session.put_back)
        self.reset.hide()
        THEME.follow_scale(self.set_scale)

    @property
    def is_public(self) -> bool:
        return self.has_answers

    @property
    def _choice(self) -> ColumnChoice:
        return ColumnChoice.of(self._session.state)

    def make(self) -> None:
        from app.plots.sensitivity.dot_strip import DotStrip
        from app.widgets.plot_canvas import PlotCanvas

        self.canvas = PlotCanvas(DotStrip, "The data as a strip of dots")
        self.canvas.pressed.connect(self._on_pressed)
        self.canvas.moved.connect(self._on_moved)
        self.canvas.released.connect(self._on_released)
        self.canvas.nudged.connect(self._on_nudged)
        self.body.addWidget(self.canvas, 1)
        self.setTabOrder(self.reset, self.canvas)

    def show_wall(self, wall: WallView | None) -> None:
        super().show_wall(wall)
        # on the wall it takes its share of the height
        self.setMaximumHeight(self.minimumHeight() if wall is None else QWIDGETSIZE_MAX)

    def set_scale(self, scale: float) -> None:
        self.setFixedHeight(HEIGHT if scale <= 1 else LARGE + round(LARGER * max(0.0, scale - MAX_SCALE)))
        self.hint.setVisible(scale <= 1)  # the name of the data needs the space

    def show_view(self, view: StripView) -> None:
        assert self.canvas is not None
        self._view = dataclasses.replace(view, dragged=self.chosen, released=self._released)
        self.canvas.show_result(self._view)
        subject = self._session.state.subject
        self.set_title(subject if view.alone else f"{subject} · n = {format_count(view.n)}")
        self.reset.setVisible(bool(self._choice.modified_values) and not view.alone)
        self.hint.setText(AROUND if view.alone else DRAG if self._choice.can_change else STAYS)
        self.badge.setVisible(not view.alone)
        self.canvas.private = not view.alone

    def show_setup(self, setup: Selection | None) -> None:
        """Mark the newest release of this mechanism."""
        released = None
        if setup is not None:
            newest = newest_release(self._session, setup, exactly=False)
            released = newest.release.value if newest and is_of(newest.release, setup) else None
        if released != self._released:
            self._released = released
            if self._view is not None:
                self.show_view(self._view)

    def forget(self) -> None:
        super().forget()
        self._view = self.chosen = self._dragged = None
        self.set_title("Data")
        if self.canvas is not None:
            state = self._session.state
            self.canvas.forget(state.kind.unit(state.read_data, state.dataset))

    def choose(self, step: int) -> None:
        """Choose the dot `step` dots higher; at first the middle one."""
        view = self._view
        if view is None:
            return
        records = view.indices[view.values.argsort(kind="stable")].tolist()
        position = records.index(self.chosen) + step if self.chosen in records else len(records) // 2
        self.chosen = records[min(max(position, 0), len(records) - 1)]
        self.show_view(view)

    def nudge(self, hundredths: int) -> None:
        """Move the chosen dot by so many hundredths of the range."""
        if self.chosen is None:
            self.choose(0)
        view = self._view
        if view is None or self.chosen is None:
            return
        shown = float(view.values[view.indices.tolist().index(self.chosen)])
        value = view.domain.clamp(self._choice.modified_values.get(self.chosen, shown))
        self._move(self.chosen, float(value) + hundredths * view.domain.width / 100)

    def _move(self, record: int, value: float) -> None:
        assert self._view is not None
        if not self._choice.can_change:
            return
        domain = self._view.domain
        rounded = float(f"{domain.clamp(value):.6g}")
        self._session.move_point(record, float(domain.clamp(rounded)))

    def _on_pressed(self, x: float, y: float) -> None:
        assert self.canvas is not None
        if self._view is None or not self.canvas.has_result:
            return
        self._dragged = self.canvas.picture.nearest_dot(x, y)  # type: ignore[attr-defined]
        if self._dragged is not None:
            self.chosen = self._dragged
            self.show_view(self._view)

    def _on_moved(self, x: float, y: float) -> None:
        if self._dragged is not None and self._view is not None:
            self._move(self._dragged, x)

    def _on_released(self, x: float, y: float) -> None:
        self._dragged = None

    def _on_nudged(self, right: int, up: int) -> None:
        if up:
            self.choose(up)
        else:
            self.nudge(right)


class MedianPage(AnalysisPage):
    """The page of a numeric column: data, sensitivities and noise."""

    def __init__(self, declared: PageSpec, session: Session, jobs: Jobs) -> None:
        self.strip = StripPanel(session)
        super().__init__(declared, session, jobs, self.strip)
