"""The databases that were made last, so that no page makes one again."""

from __future__ import annotations

import dataclasses
import threading
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
            made = self._newest[type(source)] = _Made(source)
        return made

    def keep_only(self, sources: Iterable[DatasetBuilder]) -> None:
        """Forget databases that none of these sources makes; one that is being made now is not kept."""
        known = list(sources)
        newest = list(self._newest.items())
        self._newest = {
            kind: made
            for kind, made in newest
            if any(type(source) is kind and source.same(made.source) for source in known)
        }
