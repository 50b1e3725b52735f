"""The databases that were made last, so that no page makes one again."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from app.model.kinds.base import DatasetBuilder

if TYPE_CHECKING:
    from engine.data.database import Database


class DatabaseCache:
    """The newest database of each kind, kept until its source changes; shared by all worker threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._newest: dict[type, tuple[DatasetBuilder, Database]] = {}

    def get(self, source: DatasetBuilder) -> Database:
        """Return the database of `source`, made only when it is not the newest one of its kind."""
        with self._lock:
            newest = self._newest.get(type(source))
            if newest is None or not source.same(newest[0]):
                newest = self._newest[type(source)] = (source, source.build())
            return newest[1]
