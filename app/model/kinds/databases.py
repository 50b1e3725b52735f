"""The databases that were made last, so that no page makes one again."""

from __future__ import annotations

import dataclasses
import threading
import weakref
from collections.abc import Iterable
from typing import TYPE_CHECKING

from app.model.kinds.base import DatasetBuilder

if TYPE_CHECKING:
    from engine.data.database import Database


@dataclasses.dataclass
class _Made:
    source: DatasetBuilder
    database: Database | None = None


class DatabaseCache:
    """The newest database of each kind, kept as long as its source may be asked for; for all workers."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._newest: dict[type, _Made] = {}
        self._left: list[weakref.ref[Database]] = []

    def left(self) -> list[weakref.ref[Database]]:
        """Return which databases were let go and are still in memory, and ask about them no more."""
        left, self._left = _living(self._left), []
        return left

    def get(self, source: DatasetBuilder) -> Database:
        """Return the database of `source`, made only when it is not the newest one of its kind."""
        with self._lock:
            made = self._same(source)
            if made.database is None:
                made.database = source.build()
            return made.database

    def newest(self, source: DatasetBuilder) -> DatasetBuilder:
        """Return the newest source if it is the same, for what is remembered of public facts."""
        with self._lock:
            return self._same(source).source

    def _same(self, source: DatasetBuilder) -> _Made:
        made = self._newest.get(type(source))
        if made is None or not source.same(made.source):
            if made is not None:
                _forget(made)
            made = self._newest[type(source)] = _Made(source)
        return made

    def keep_only(self, sources: Iterable[DatasetBuilder]) -> None:
        """Forget databases that none of these sources makes; one that is being made now is not kept."""
        known = list(sources)
        for kind, made in list(self._newest.items()):
            if not any(type(source) is kind and source.same(made.source) for source in known):
                self._let_go(kind, made)

    def _let_go(self, kind: type, made: _Made) -> None:
        del self._newest[kind]
        if made.database is not None:
            self._left = [*_living(self._left), weakref.ref(made.database)]
        _forget(made)


def _forget(made: _Made) -> None:
    """Forget what was found out about a database: findings know it, and so it would never end by itself."""
    if made.database is not None:
        from engine.analysis.memory import forget

        forget(made.database)


def _living(references: list[weakref.ref[Database]]) -> list[weakref.ref[Database]]:
    return [reference for reference in references if reference() is not None]
