"""Progress in each lesson, stored across sessions."""

from __future__ import annotations

from PySide6.QtCore import QSettings

DONE = "done"
GROUP = "lessons"
DIGITS = 5
"""Stored for a finished lesson; no lesson has so many steps."""

NUMBERED = (
    *("01-global-sensitivity", "02-local-noise-leaks", "03-smooth-sensitivity", "04-choosing-noise"),
    *("05-spanning-tree", "06-sample-and-aggregate", "07-two-clusters", "08-center-of-attention"),
    *("09-small-cluster", "10-histograms", "11-what-epsilon-means", "12-comparing", "13-the-last-bit"),
)
"""The names of lessons in earlier versions, in their order."""


class Bookmarks:
    """Stores the step reached in each lesson; without `settings`, only until the window closes."""

    def __init__(self, settings: QSettings | None = None) -> None:
        self._settings = settings
        self._kept: dict[str, str] = {}
        if settings is not None:
            _rename_numbered(settings)

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


def _rename_numbered(settings: QSettings) -> None:
    """Move the progress stored by earlier versions to today's names."""
    settings.beginGroup(GROUP)
    for former in NUMBERED:
        mark = settings.value(former)
        if mark is not None:
            settings.setValue(former.split("-", 1)[1], mark)
            settings.remove(former)
    settings.endGroup()
