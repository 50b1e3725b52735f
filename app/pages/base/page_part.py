"""A card above the pictures of a page, with something of its own to show."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from PySide6.QtCore import Signal

from app.model.references import Loader
from app.model.selection import Selection
from app.model.theme import Palette
from app.pages.base.picture_panel import PicturePanel
from app.pages.base.request import PictureRequest, PictureResult, Step
from app.widgets.card import Card

if TYPE_CHECKING:
    from app.widgets.plot_canvas import PlotCanvas


class PagePart(Card):
    """A part of a page that follows its choices and results."""

    loaders: ClassVar[tuple[Loader, ...]] = ()  # what `make` needs, imported beforehand by a worker
    # the unit of all pictures of the page in the Release view; None for that of the data
    public_unit: ClassVar[str | None] = None
    canvas: PlotCanvas | None = None  # a picture of its own, once `make` has made it

    asked = Signal()  # the user wants to see something that has to be computed

    def make(self, palette: Palette, scale: float) -> None:
        """Make the picture; not done at first, so that the window is painted sooner."""

    def set_palette(self, palette: Palette) -> None:
        """Take the colours of a theme."""

    def set_scale(self, scale: float) -> None:
        """Show type at another size."""

    def is_seen(self, card: PicturePanel, height: int, scale: float, *, curator: bool) -> bool:
        """Return whether it stands above the pictures of `card`, on a page of that height."""
        return True

    def show_setup(self, setup: Selection | None) -> None:
        """Show what follows from a selection; None where there is none."""

    def steps(self, request: PictureRequest) -> tuple[Sequence[Step], Sequence[Step]]:
        """Return the work for it before the picture of a request, and after."""
        return (), ()

    def take(self, result: PictureResult, *, newest: bool) -> bool:
        """Show a result; return whether it is one of its own.  `newest`: of the newest request."""
        return False

    def outdate(self, changed: frozenset[str]) -> None:
        """Dim what depends on fields of the state that have changed."""

    def forget(self) -> None:
        """Show nothing: the data are others now, or not to be seen."""
