"""What stands above the curves of a page: the data as a picture in which things can be moved."""

from __future__ import annotations

from collections.abc import Hashable
from typing import TYPE_CHECKING, Any, ClassVar

from PySide6.QtCore import Signal

from app.model.theme import Palette
from app.widgets.card import Card
from app.widgets.stale_overlay import StaleOverlay

if TYPE_CHECKING:
    from app.widgets.plot_canvas import PlotCanvas


class DataPlotPanel(Card):
    """A card that shows the data of its page.

    Signals
    -------
    asked()
        The user wants to see something that has to be computed.

    Attributes
    ----------
    canvas : PlotCanvas or None
        The picture, once `make` has made it.
    modules : tuple of str
        What `make` needs, imported beforehand by a worker.
    is_large : bool
        Whether it takes the room that an audit needs.
    shown_at_once : frozenset of str
        Fields of the state that it follows by itself.
    """

    modules: ClassVar[tuple[str, ...]] = ()
    is_large: ClassVar[bool] = False
    shown_at_once: ClassVar[frozenset[str]] = frozenset()

    asked = Signal()

    def __init__(self, title: str) -> None:
        super().__init__(title, private=True)
        self.canvas: PlotCanvas | None = None
        self._veil: StaleOverlay | None = None

    @property
    def choice(self) -> Hashable:
        """What the user has chosen in the picture, as far as the view depends on it."""
        return None

    @property
    def is_public(self) -> bool:
        """Whether there is something to see in the release view, too."""
        return False

    def make(self, palette: Palette, scale: float) -> None:
        """Make the picture; not done at first, so that the window is painted sooner."""
        raise NotImplementedError

    def set_palette(self, palette: Palette) -> None:
        """Take the colours of a theme."""
        if self.canvas is not None:
            self.canvas.set_palette(palette)

    def set_scale(self, scale: float) -> None:
        """Show type at another size."""
        if self.canvas is not None:
            self.canvas.set_text_scale(scale)

    def show_view(self, view: Any) -> None:
        """Show what a worker has made of the data."""
        raise NotImplementedError

    def outdate(self, outdated: bool) -> None:
        """Dim the picture while it is about older choices."""
        if self.canvas is None:
            return
        if self._veil is None:
            self._veil = StaleOverlay(self.canvas)
        self._veil.set_palette(self.canvas.theme)
        self._veil.draw(outdated and self.canvas.has_result)

    def forget(self) -> None:
        """Show nothing: the data are others now, or not to be seen."""
        raise NotImplementedError
