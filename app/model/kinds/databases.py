"""The databases that were made last, so that no page makes one again."""

from __future__ import annotations

import threading
from collections.abc import Iterable
from typing import TYPE_CHECKING

from app.model.kinds.base import DatasetBuilder

if TYPE_CHECKING:
    from engine.data.database import Database


class DatabaseCache:
    """The newest database of each kind, kept as long as its source may be asked for; for all workers."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._newest: dict[type, tuple[DatasetBuilder, Database]] = {}

    def get(self, source: DatasetBuilder) -> Database:
        """Return the database of `source`, made only when it is not the newest one of its kind."""
        with self._lock:
            kept = self._newest
            newest = kept.get(type(source))
            if newest is None or not source.same(newest[0]):
                newest = kept[type(source)] = (source, source.build())
            return newest[1]

    def keep_only(self, sources: Iterable[DatasetBuilder]) -> None:
        """Forget databases that none of these sources makes; one that is being made now is not kept."""
        known = list(sources)
        kept = ((kind, newest) for kind, newest in list(self._newest.items()))
        self._newest = {
            kind: newest
            for kind, newest in kept
            if any(type(source) is kind and source.same(newest[0]) for source in known)
        }
