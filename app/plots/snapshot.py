"""A picture as it is on the screen, to be drawn again somewhere else, perhaps by a worker."""

from __future__ import annotations

import dataclasses
from typing import Any

from app.plots.base import Picture
from app.plots.figures import export_picture
from app.theme import LIGHT, Palette


@dataclasses.dataclass(frozen=True, eq=False)
class PictureSnapshot:
    """All that a picture needs to be drawn again.

    Attributes
    ----------
    picture_class : type of Picture
    result : object
        What is shown.
    unit, title : str
    log_y : bool or None
        As in `Picture`.
    private : bool
        Whether it was computed from raw data.
    """

    picture_class: type[Picture[Any]]
    result: Any
    unit: str
    title: str
    log_y: bool | None
    private: bool

    def again(self, palette: Palette = LIGHT) -> Picture[Any]:
        """Draw it in a figure of its own, which says if it is private."""
        return export_picture(
            self.picture_class,
            self.result,
            palette,
            self.unit,
            title=self.title,
            log_y=self.log_y,
            private=self.private,
        )
