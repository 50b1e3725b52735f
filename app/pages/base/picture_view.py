"""What views with pictures have in common: a worker imports what draws them before anything is shown."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from app.jobs.channels import Channel, Jobs
from app.pages.base.plot_panel import PlotPanel
from app.pages.base.view import View
from app.session import Session
from app.theme import Palette
from app.widgets.picture_loading import load_pictures


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
    def modules(self) -> Sequence[str]:
        """What the pictures need, imported beforehand by a worker."""
        return ()

    def start(self) -> None:
        """Make the first pictures; called once the window has been painted."""
        if not self._made and not self.pictures.busy:
            self.pictures.request(partial(load_pictures, self.modules))

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
