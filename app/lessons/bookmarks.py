"""Progress in each lesson, stored across sessions."""

from __future__ import annotations

from PySide6.QtCore import QSettings

DONE = "done"
GROUP = "lessons"
DIGITS = 5
"""Stored for a finished lesson; no lesson has so many steps."""


class Bookmarks:
    """Stores the step reached in each lesson; without `settings`, only until the window closes."""

    def __init__(self, settings: QSettings | None = None) -> None:
        self._settings = settings
        self._kept: dict[str, str] = {}

    def step(self, lesson: str, steps: int) -> int:
        """Return the step to continue with, counted from 0; 0 for a lesson that is new or finished."""
        stored = self._read(lesson)
        return min(int(stored), steps - 1) if stored.isdecimal() and len(stored) < DIGITS else 0

    def is_done(self, lesson: str) -> bool:
        """Tell whether the lesson is finished."""
        return self._read(lesson) == DONE

    def keep(self, lesson: str, step: int) -> None:
        """Store the step; a finished lesson stays finished."""
        if not self.is_done(lesson):
            self._store(lesson, str(step))

    def finish(self, lesson: str) -> None:
        """Store that the lesson is finished."""
        self._store(lesson, DONE)

    def _read(self, lesson: str) -> str:
        if self._settings is None:
            return self._kept.get(lesson, "")
        return str(self._settings.value(f"{GROUP}/{lesson}", ""))

    def _store(self, lesson: str, mark: str) -> None:
        if self._settings is None:
            self._kept[lesson] = mark
        else:
            self._settings.setValue(f"{GROUP}/{lesson}", mark)
