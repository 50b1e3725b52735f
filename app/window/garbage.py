"""When garbage is collected: never what was imported, and everywhere only if left data need it."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QObject, QTimer

from app.pages.base.picture_view import PictureView
from app.pages.base.view import View
from app.session import Session
from app.window.pages import Pages

DELAY = 500
"""Milliseconds after data were left: dialogs about them are deleted by then, and the next is drawn."""


class Garbage(QObject):
    """Keeps searches for garbage short, and sees to it that data are freed that were left.

    What was left ends with the last that knows it, without any search.  Where it does not, because
    something of it knows itself, it is searched for: among what is younger than the last import, and, if
    that is not enough, among all there is, which takes as long as some pictures.

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
        self._left: list[weakref.ref[Any]] = []
        self._soon = self._timer(DELAY, self._collect)
        self._before = self._timer(0, self._tidy)
        pages.made.connect(self._take_in)
        session.changed.connect(self._follow)

    def _timer(self, milliseconds: int, slot: Callable[[], None]) -> QTimer:
        timer = QTimer(self)
        timer.setSingleShot(True)
        timer.setInterval(milliseconds)
        timer.timeout.connect(slot)
        return timer

    def end(self) -> None:
        """Let everything be searched again."""
        self._soon.stop()
        self._before.stop()
        self._datasets, self._left = frozenset(), []
        if self._spared:
            gc.unfreeze()

    def _take_in(self, page: View) -> None:
        if isinstance(page, PictureView):
            page.pictures.result.connect(self._spare)
            self._before.start()

    def _tidy(self) -> None:
        """Collect what there is of garbage before it is left out of searches with what is imported next."""
        gc.collect()

    def _spare(self, imported: bool) -> None:
        """Leave what was imported out of every later search: each would stop the window for 70 ms."""
        if imported:
            gc.freeze()
            self._spared = True

    def _follow(self, fields: frozenset[str]) -> None:
        if fields & {"dataset", "other_pages"}:
            before, self._datasets = self._datasets, self._session.state.datasets
            if left := before - self._datasets:
                self._left += [weakref.ref(dataset) for dataset in left if dataset.can_be_read_again]
                self._soon.start()

    def _collect(self) -> None:
        """Search if it is needed, once: what is still there then is known elsewhere, as by Undo."""
        left = [*self._left, *self._session.databases.left()]
        self._left = []
        if any(reference() is not None for reference in left):
            gc.collect()
        if self._spared and any(reference() is not None for reference in left):
            gc.unfreeze()  # what was spared may be all that still knows the data
            gc.collect()
            gc.freeze()
