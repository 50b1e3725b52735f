"""When garbage is collected: at leisure, only what is new, and everywhere only if left data need it."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Iterable
from typing import Any, ClassVar

from PySide6.QtCore import QObject

from app.pages.base.view import View
from app.session import Session
from app.widgets.deferred import deferred_call
from app.window.pages import Pages

DELAY = 500
"""Milliseconds after data were left: dialogs about them are deleted by then, and the next is drawn."""
PAUSE = 1500
"""Milliseconds in which neither the session nor a picture changes: nobody waits for anything then."""
SEARCHES = 3
"""Searches among the young, by Python itself, after which those that they left are searched at leisure."""
NEVER = 2**31 - 1


class Garbage(QObject):
    """Keeps searches for garbage short, and sees to it that data are freed that were left.

    Python itself searches among the young alone, which takes a millisecond.  What has grown old since the
    last time is searched when nothing happens, and left out of later searches: those are short, too, and
    none of them meets somebody who drags a record.  Pictures, most of what knows itself, need no search
    (`Picture.take_apart`).

    What was left ends with the last that knows it, without any search.  Where it does not, because
    something of it knows itself, it is searched for: among what is younger than the last import, and, if
    that is not enough, among all there is, which takes as long as some pictures.

    Parameters
    ----------
    pages : Pages
        They tell that modules were imported.
    """

    _open: ClassVar[weakref.WeakSet[Garbage]] = weakref.WeakSet()
    """Of all windows: what Python searches, and when, is one for all of them."""
    _searched_after = 0
    """As Python had it before the first was opened."""

    def __init__(self, session: Session, pages: Pages) -> None:
        super().__init__(session)
        self._session = session
        self._datasets = session.state.datasets
        self._left: list[weakref.ref[Any]] = []
        self._sought: list[weakref.ref[Any]] = []
        self._soon = deferred_call(self, self._collect, DELAY)
        self._everywhere = deferred_call(self, self._collect_everywhere)
        self._before = deferred_call(self, self._tidy)
        self._pause = deferred_call(self, self._search_new, PAUSE)
        if not Garbage._open:
            Garbage._searched_after = gc.get_threshold()[2]
            self._search_all(NEVER)
        Garbage._open.add(self)
        pages.made.connect(self._take_in)
        session.changed.connect(self._follow)

    def end(self) -> None:
        """Do no more; with the last window, let everything be searched again."""
        for timer in (self._soon, self._everywhere, self._before, self._pause):
            timer.stop()
        self._datasets, self._left, self._sought = frozenset(), [], []
        Garbage._open.discard(self)
        if not Garbage._open:
            self._search_all(Garbage._searched_after)
            gc.unfreeze()

    def _search_all(self, after: int) -> None:
        """Have Python search all there is after so many searches among the young."""
        gc.set_threshold(*gc.get_threshold()[:2], after)

    def _take_in(self, page: View) -> None:
        for channel in page.channels:
            channel.busy_changed.connect(self._wait)
        if page.card is not None:
            page.pictures.result.connect(self._spare)
            self._before.start()

    def _tidy(self) -> None:
        """Collect what there is of garbage before it is left out of searches with what is imported next."""
        gc.collect()

    def _spare(self, imported: bool) -> None:
        """Leave what was imported out of every later search: each would stop the window for 70 ms."""
        if imported:
            gc.freeze()

    def _wait(self, busy: bool = True) -> None:
        """Begin to wait for a pause anew."""
        self._pause.start()

    def _search_new(self) -> None:
        """Collect what has become garbage since the last time, and look at the rest no more."""
        if gc.get_count()[2] >= SEARCHES:
            gc.collect()
            gc.freeze()

    def _follow(self, fields: frozenset[str]) -> None:
        self._wait()
        if fields & {"dataset", "other_pages"}:
            before, self._datasets = self._datasets, self._session.state.datasets
            if left := before - self._datasets:
                self._left += [weakref.ref(dataset) for dataset in left if dataset.can_be_read_again]
                self._soon.start()

    def _collect(self) -> None:
        """Search if it is needed, among what is young."""
        self._sought += [*self._left, *self._session.databases.left()]
        self._left = []
        if _living(self._sought):
            gc.collect()
        if _living(self._sought) and gc.get_freeze_count():
            self._everywhere.start()  # in a turn of its own: each search may take as long as a picture
        else:
            self._sought = []

    def _collect_everywhere(self) -> None:
        """Search once among all: what is still there then is known elsewhere, as by Undo."""
        if _living(self._sought):
            gc.unfreeze()  # what was spared may be all that still knows the data
            gc.collect()
            gc.freeze()
        self._sought = []


def _living(references: Iterable[weakref.ref[Any]]) -> bool:
    """Tell whether any of the objects is still there."""
    return any(reference() is not None for reference in references)
