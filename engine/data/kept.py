"""What queries have found out about one database, kept beside it."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterator
from typing import Any, TypeVar

from engine.progress import Progress

FoundT = TypeVar("FoundT")

_PATIENCE = 0.05
"""Seconds between two checks whether the wait is cancelled."""


class Kept:
    """Findings by name (private), so that nothing is computed twice.

    Several threads may ask about the same data at once; one works at a time, and the next
    one finds what it left.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._findings: dict[str, Any] = {}

    def __reduce__(self) -> tuple[type[Kept], tuple[()]]:
        """Arrive in another process without findings, which are found there anew."""
        return Kept, ()

    @contextlib.contextmanager
    def use(self, name: str, find: Callable[[], FoundT], progress: Progress) -> Iterator[FoundT]:
        """Lend the finding `name` to one thread; `find` is called if there is none yet."""
        while not self._lock.acquire(timeout=_PATIENCE):
            progress(0.0, "waiting for other work on the same data")
        try:
            if name not in self._findings:
                self._findings[name] = find()
            result: FoundT = self._findings[name]
            yield result
        finally:
            self._lock.release()
