"""When garbage is collected: never what was imported, and soon what was left behind by data."""

from __future__ import annotations

import gc

from PySide6.QtCore import QObject, QTimer

from app.pages.base.picture_view import PictureView
from app.pages.base.view import View
from app.session import Session
from app.window.pages import Pages

DELAY = 500
"""Milliseconds after data were left: dialogs about them are deleted by then, and the next is drawn."""


class Garbage(QObject):
    """Keeps searches for garbage short, and frees data that cannot be reached any more.

    Pictures and databases know each other, and dialogs their parts: all that is freed by a search alone,
    and the next one might come when many more of such data are in memory.

    Parameters
    ----------
    pages : Pages
        They tell that modules were imported.
    """

    def __init__(self, session: Session, pages: Pages) -> None:
        super().__init__(session)
        self._session = session
        self._spared = False
        self._datasets = session.state.datasets
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.setInterval(DELAY)
        self._soon.timeout.connect(self._collect)
        pages.made.connect(self._take_in)
        session.changed.connect(self._follow)

    def end(self) -> None:
        """Let everything be searched again."""
        self._soon.stop()
        self._datasets = frozenset()
        if self._spared:
            gc.unfreeze()

    def _take_in(self, page: View) -> None:
        if isinstance(page, PictureView):
            page.pictures.result.connect(self._spare)

    def _spare(self, imported: bool) -> None:
        """Leave what was imported out of every later search: each would stop the window for 70 ms."""
        if imported:
            gc.freeze()
            self._spared = True

    def _follow(self, fields: frozenset[str]) -> None:
        if fields & {"dataset", "other_pages"}:
            before, self._datasets = self._datasets, self._session.state.datasets
            if before - self._datasets:
                self._soon.start()

    def _collect(self) -> None:
        """Look everywhere: what was spared may be all that still knows the data that were left."""
        gc.unfreeze()
        gc.collect()
        if self._spared:
            gc.freeze()
