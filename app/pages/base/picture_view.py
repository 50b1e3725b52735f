"""What views with pictures have in common: a worker imports what draws them before anything is shown."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from app.jobs.channels import Channel, Jobs
from app.model.references import Loader
from app.model.theme import Palette
from app.pages.base.plot_panel import PlotPanel
from app.pages.base.view import View
from app.session import Session
from app.widgets.picture_loading import load_pictures

if TYPE_CHECKING:
    from app.widgets.plot_canvas import PlotCanvas


class PictureView(View):
    """A view whose pictures are made once they are imported.

    Attributes
    ----------
    card : PlotPanel
        Shows them.
    """

    card: PlotPanel

    def __init__(self, session: Session, jobs: Jobs, palette: Palette) -> None:
        super().__init__(session, palette)
        self._made = False
        self.pictures: Channel = jobs.channel(f"pictures of {self.name}")
        self.pictures.result.connect(self._on_pictures)

    @property
    def loaders(self) -> Sequence[Loader]:
        """What loads the pictures beforehand, in a worker."""
        return ()

    @property
    def canvas(self) -> PlotCanvas | None:
        return self.card.canvas

    @property
    def canvases(self) -> tuple[PlotCanvas | None, ...]:
        return self.canvas, None if self.two is None else self.two.canvas

    def show_tab(self, tab: str) -> None:
        self.card.show_tab(tab)

    def set_palette(self, palette: Palette) -> None:
        super().set_palette(palette)
        if self._made:
            self.card.set_palette(palette)

    def set_scale(self, scale: float) -> None:
        """Show type at another size (presentation mode)."""
        super().set_scale(scale)
        self.card.set_scale(scale)

    def rewrite(self) -> None:
        from app.widgets.plot_canvas import PlotCanvas

        for canvas in self.card.findChildren(PlotCanvas):
            canvas.restyle()
        self.set_scale(self._scale)

    def start(self) -> None:
        """Make the first pictures; called once the window has been painted."""
        if not self._made and not self.pictures.busy:
            self.pictures.request(partial(load_pictures, self.loaders))

    def _make(self) -> None:
        """Make the first pictures."""

    def _on_pictures(self, _: bool) -> None:
        self._make()
        self._made = True
        self.set_palette(self._palette)
        self._begin()

    def _begin(self) -> None:
        """Show what there is, now that there are pictures."""
        self.refresh()
