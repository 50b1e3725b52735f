"""How far readers have come in each lesson: a step, or its end; kept from one session to the next."""

from __future__ import annotations

from PySide6.QtCore import QSettings

DONE = "done"
GROUP = "lessons"
DIGITS = 5
"""A stored number of as many is none of a step."""

NUMBERED = (
    *("01-global-sensitivity", "02-local-noise-leaks", "03-smooth-sensitivity", "04-choosing-noise"),
    *("05-spanning-tree", "06-sample-and-aggregate", "07-two-clusters", "08-center-of-attention"),
    *("09-small-cluster", "10-histograms", "11-what-epsilon-means", "12-comparing", "13-the-last-bit"),
)
"""What earlier versions called lessons: with their places in the list before the names of today."""


class Bookmarks:
    """Keeps the name of a lesson and its step, and nothing else; without settings until the window closes."""

    def __init__(self, settings: QSettings | None = None) -> None:
        self._settings = settings
        self._kept: dict[str, str] = {}
        if settings is not None:
            _rename_numbered(settings)

    def step(self, lesson: str, steps: int) -> int:
        """Return where to go on, counted from 0: the first step of what was never begun, or is done."""
        stored = self._read(lesson)
        return min(int(stored), steps - 1) if stored.isdecimal() and len(stored) < DIGITS else 0

    def is_done(self, lesson: str) -> bool:
        """Tell whether it was played to its end."""
        return self._read(lesson) == DONE

    def keep(self, lesson: str, step: int) -> None:
        """Remember the step that is shown; what is done stays done."""
        if not self.is_done(lesson):
            self._store(lesson, str(step))

    def finish(self, lesson: str) -> None:
        """Remember that it was played to its end."""
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
    """Carry the marks of earlier versions over to the names of today."""
    settings.beginGroup(GROUP)
    for former in NUMBERED:
        mark = settings.value(former)
        if mark is not None:
            settings.setValue(former.split("-", 1)[1], mark)
            settings.remove(former)
    settings.endGroup()
