"""How far readers have come in each lesson: a step, or its end; kept from one session to the next."""

from __future__ import annotations

from PySide6.QtCore import QSettings

DONE = "done"


class Bookmarks:
    """Keeps the name of a lesson and its step, and nothing else; without settings until the window closes."""

    def __init__(self, settings: QSettings | None = None) -> None:
        self._settings = settings
        self._kept: dict[str, str] = {}

    def step(self, lesson: str, steps: int) -> int:
        """Return where to go on, counted from 0: the first step of what was never begun, or is done."""
        stored = self._stored(lesson)
        return min(int(stored), steps - 1) if stored.isdecimal() else 0

    def is_done(self, lesson: str) -> bool:
        """Tell whether it was played to its end."""
        return self._stored(lesson) == DONE

    def keep(self, lesson: str, step: int) -> None:
        """Remember the step that is shown; what is done stays done."""
        if not self.is_done(lesson):
            self._store(lesson, str(step))

    def finish(self, lesson: str) -> None:
        """Remember that it was played to its end."""
        self._store(lesson, DONE)

    def _stored(self, lesson: str) -> str:
        if self._settings is None:
            return self._kept.get(lesson, "")
        return str(self._settings.value(f"lessons/{lesson}", ""))

    def _store(self, lesson: str, mark: str) -> None:
        if self._settings is None:
            self._kept[lesson] = mark
        else:
            self._settings.setValue(f"lessons/{lesson}", mark)
