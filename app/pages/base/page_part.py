"""A card above the pictures of a page, with its own contents."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from PySide6.QtCore import Signal

from app.model.references import Loader
from app.model.selection import Selection
from app.model.view_states import WallView
from app.pages.base.picture_panel import PicturePanel
from app.pages.base.request import PictureRequest, PictureResult, Step
from app.widgets.card import Card

if TYPE_CHECKING:
    from app.widgets.plot_canvas import PlotCanvas


class PagePart(Card):
    """A part of a page, which follows its choices and results."""

    below_tabs: ClassVar[bool] = False  # whether it stands between the tabs and the pictures
    loaders: ClassVar[tuple[Loader, ...]] = ()  # modules for `make`, which a worker imports in advance
    # the unit of all pictures of the page in the Release view; None for that of the data
    public_unit: ClassVar[str | None] = None
    canvas: PlotCanvas | None = None  # its own picture, after `make`
    shows_answers: ClassVar[bool] = False  # whether possible answers can be drawn in its picture
    has_answers = False  # whether they are drawn now

    asked = Signal()  # another result is needed

    def make(self) -> None:
        """Make the picture, later than the widget, so that the window appears sooner."""

    def show_wall(self, wall: WallView | None) -> None:
        """Show the picture without title and tools; None: with them."""
        self.show_heading(wall is None)

    def is_seen(self, card: PicturePanel, height: int, scale: float, *, curator: bool) -> bool:
        """Return whether it is visible above the pictures of `card`, on a page of that height."""
        return True

    def show_setup(self, setup: Selection | None) -> None:
        """Show the contents for a selection, or for None."""

    def show_released(self, text: str) -> None:
        """Show the newest release, or that there is none yet; "" outside the Release view."""

    def steps(self, request: PictureRequest) -> tuple[Sequence[Step], Sequence[Step]]:
        """Return its work before and after the picture of a request."""
        return (), ()

    def take(self, result: PictureResult, *, newest: bool) -> bool:
        """Show a result; return whether it belongs to this part. `newest`: of the newest request."""
        return False

    def outdate(self, changed: frozenset[str]) -> None:
        """Dim contents that depend on changed fields of the state."""

    def forget(self) -> None:
        """Show nothing: the data have changed, or are hidden."""
