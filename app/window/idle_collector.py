"""Garbage collection while the window is idle."""

from __future__ import annotations

import gc
import weakref
from typing import Any, ClassVar

from PySide6.QtCore import QObject, QTimer

from app.pages.base.view import View
from app.session import Session
from app.window.pages import Pages

PAUSE_MS = 1500
"""Milliseconds without a change before a collection."""
MIN_SEARCHES = 3
"""Collections of young objects after which a full one is worthwhile."""
NEVER = 2**31 - 1


class IdleCollector(QObject):
    """Restrict Python's collector to young objects, and collect the others in a pause.

    Otherwise a full collection blocks the window for 70 to 460 ms, even while a record is dragged. In a pause
    one takes at most 35 ms, because survivors are frozen.

    Data of closed pages usually end by reference counting. Those in a reference cycle need a full collection:
    they may be as large as everything else.
    """

    _open: ClassVar[weakref.WeakSet[IdleCollector]] = weakref.WeakSet()  # one for each window
    _usual: ClassVar[tuple[int, int, int]] = gc.get_threshold()

    def __init__(self, session: Session, pages: Pages) -> None:
        super().__init__(session)
        self._session = session
        self._datasets = session.state.datasets
        self._left: list[weakref.ref[Any]] = []
        self._pause = QTimer(self, singleShot=True, interval=PAUSE_MS)
        self._pause.timeout.connect(self._collect)
        if not self._open:
            IdleCollector._usual = gc.get_threshold()
            gc.set_threshold(*self._usual[:2], NEVER)
        self._open.add(self)
        pages.made.connect(self._add_page)
        session.changed.connect(self._follow)

    def end(self) -> None:
        """Stop; with the last window, Python searches everything again."""
        self._pause.stop()
        self._datasets, self._left = frozenset(), []
        self._open.discard(self)
        if not self._open:
            gc.set_threshold(*self._usual)
            gc.unfreeze()

    def _add_page(self, page: View) -> None:
        gc.freeze()  # pages stay until the end: later searches need not look at them
        for channel in page.channels:
            channel.busy_changed.connect(self._wait)

    def _wait(self, _: object = None) -> None:
        self._pause.start()

    def _follow(self, fields: frozenset[str]) -> None:
        self._wait()
        if fields & {"dataset", "other_pages"}:
            before, self._datasets = self._datasets, self._session.state.datasets
            left = before - self._datasets
            self._left += [weakref.ref(dataset) for dataset in left if dataset.can_be_read_again]

    def _collect(self) -> None:
        left, self._left = [*self._left, *self._session.databases.left()], []
        if gc.get_count()[2] >= MIN_SEARCHES or _any_alive(left):
            gc.collect()
            if _any_alive(left):
                gc.unfreeze()  # a frozen object may be the last that knows them
                gc.collect()
            gc.freeze()


def _any_alive(references: list[weakref.ref[Any]]) -> bool:
    return any(reference() is not None for reference in references)
