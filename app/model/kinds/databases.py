"""The databases that were made last, so that no page makes one again."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any

from app.model.kinds.base import DatasetBuilder

if TYPE_CHECKING:
    from engine.data.database import Database


class DatabaseCache:
    """The newest database of each kind, kept until its source changes; shared by all worker threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._newest: dict[type, tuple[Any, Any]] = {}

    def get(self, source: DatasetBuilder) -> Database:
        """Return the database of `source`, made only when it is not the newest one of its kind."""
        with self._lock:
            kept, database = self._newest.get(type(source), (None, None))
            if kept is None or not source.same(kept):
                database = source.build()
                self._newest[type(source)] = (source, database)
            return database
