"""Marks the record that is pointed at, in all pictures of the open page that have a place for it."""

from __future__ import annotations

from PySide6.QtCore import QObject

from app.model.pointed import PointedRecord
from app.session import Session
from app.window.pages import Pages


class Pointing(QObject):
    """Passes on what is pointed at, in a picture or in the table of the data."""

    def __init__(self, session: Session, pages: Pages) -> None:
        super().__init__(pages)
        self._pages = pages
        session.pointer.moved.connect(self._mark)

    def _mark(self, pointed: PointedRecord | None) -> None:
        for canvas in self._pages.shown.canvases:
            if canvas is not None and canvas.surface is not None:
                canvas.surface.point_at(pointed)
