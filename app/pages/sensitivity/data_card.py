"""The card above the curves of a page: the data as a picture in which records can be changed."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Hashable, Sequence
from typing import Any, ClassVar

from app.model.pages.audit import TAB as AUDIT
from app.model.selection import Selection
from app.model.state import RELEASE
from app.model.theme import Palette
from app.pages.base.page_part import PagePart
from app.pages.base.picture_panel import PicturePanel
from app.pages.base.request import PictureRequest, PictureResult, Publisher, Step
from app.session import Session
from app.widgets.stale_overlay import StaleOverlay
from engine.audit import MOVED
from engine.progress import Progress

TIMES_SENSITIVITY = "× Sᵦ"
"""The unit of noise at scale 1: multiples of the smooth sensitivity at its beta, whatever that is."""

MIN_HEIGHT_WITH_DATA = 760
"""Pixels in height from which the data are shown above an audit, which is of others."""

VIEW = "view"
"""The name of results for the picture of the data."""

INDEPENDENT = frozenset({"page", "view", "epsilon", "delta", "noise", "releases"})
"""Fields of the state that change nothing in the picture of the data."""

DataView = Callable[[Selection, Any, Hashable, Progress], Any]
"""Computes what the picture of the data shows, from a selection, a database (None: public facts alone) and
what the user has chosen in the picture; None for nothing new."""


@dataclasses.dataclass(frozen=True)
class PublishView:
    """Publishes what the picture of the data shows, if there is anything new."""

    view: DataView
    choice: Hashable

    def __call__(self, request: PictureRequest, data: Any, task: Publisher) -> None:
        """Publish it for a request."""
        result = self.view(request.setup, data, self.choice, task)
        if result is not None:
            task.publish(PictureResult(VIEW, result, request, request.public))


class DataCard(PagePart):
    """Shows the data of its page."""

    is_large: ClassVar[bool] = False  # whether it takes the space that an audit needs
    public_unit: ClassVar[str | None] = TIMES_SENSITIVITY
    shown_at_once: ClassVar[frozenset[str]] = frozenset()  # fields of the state that it follows by itself
    # computed before and after the curves; and from public facts, for the Release view
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
        """What the user has chosen in the picture and the view depends on."""
        return None

    @property
    def is_public(self) -> bool:
        """Whether there is something to see in the Release view, too."""
        return False

    def show_view(self, view: Any) -> None:
        """Show the result of a worker."""
        raise NotImplementedError

    def is_seen(self, card: PicturePanel, height: int, scale: float, *, curator: bool) -> bool:
        # where there is little space, an audit, which is of other data, has it
        low = height < MIN_HEIGHT_WITH_DATA and card.audit.choice.pair != MOVED
        little = self.is_large or scale > 1 or card.audit.folded or low
        return (curator or self.is_public) and not (card.tab == AUDIT and little)

    def steps(self, request: PictureRequest) -> tuple[Sequence[Step], Sequence[Step]]:
        before, after = self.views_before, self.views_after
        if request.public:
            before, after = self.public_views, ()
        return [PublishView(view, self.choice) for view in before], [
            PublishView(view, self.choice) for view in after
        ]

    def take(self, result: PictureResult, *, newest: bool) -> bool:
        if result.picture != VIEW:
            return False
        if newest:
            self.dim(False)
        # drawing takes longer than anything else here, and epsilon changes nothing in it
        public = self._session.state.view == RELEASE
        if result.public == public and result.result is not self._shown:
            self._shown = result.result
            self.show_view(result.result)
        return True

    def outdate(self, changed: frozenset[str]) -> None:
        if changed - INDEPENDENT - self.shown_at_once:
            self.dim(True)

    def ask(self) -> None:
        """Ask for another view of the same data."""
        self.dim(True)
        self.asked.emit()

    def dim(self, outdated: bool) -> None:
        """Dim the picture while it shows older choices."""
        if self.canvas is None:
            return
        if self._overlay is None:
            self._overlay = StaleOverlay(self.canvas)
        self._overlay.set_palette(self.canvas.theme)
        self._overlay.draw(outdated and self.canvas.has_result)

    def forget(self) -> None:
        self.dim(False)
        self._shown = None

    def set_palette(self, palette: Palette) -> None:
        if self.canvas is not None:
            self.canvas.set_palette(palette)

    def set_scale(self, scale: float) -> None:
        if self.canvas is not None:
            self.canvas.set_text_scale(scale)
