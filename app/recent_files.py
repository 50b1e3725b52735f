"""The files that were opened last: their paths and nothing else, newest first."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

from PySide6.QtCore import QObject, QSettings, Signal

KEY = "recent/files"
LONGEST = 4096
"""Characters of a text that is believed."""


class RecentFiles(QObject):
    """Remembers which files were opened last, each once, whatever links lead to it.

    What is stored is read anew each time, as another window may have opened a file.

    Parameters
    ----------
    store : QSettings, optional
        Where they are kept; without it, until the window closes.
    most : int
        How many.

    Signals
    -------
    changed()
    """

    changed = Signal()

    def __init__(self, store: QSettings | None = None, most: int = 10, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._store = store
        self._most = most
        self._kept: tuple[Path, ...] = ()

    @property
    def paths(self) -> tuple[Path, ...]:
        """The files, newest first; whether they are still there is not known."""
        results = self._kept if self._store is None else _read(self._store.value(KEY, ""))
        return results[: self._most]

    def add(self, path: Path) -> None:
        """Put a file in front."""
        file = path.resolve()
        self._keep((file, *(other for other in self.paths if other != file)))

    def remove(self, path: Path) -> None:
        """Forget a file."""
        file = path.resolve()
        self._keep(other for other in self.paths if other not in (file, path))

    def clear(self) -> None:
        """Forget all."""
        self._keep(())

    def limit(self, most: int) -> None:
        """Remember at most so many; the oldest are forgotten."""
        self._most = most
        self._keep(self.paths)

    def _keep(self, paths: Iterable[Path]) -> None:
        self._kept = tuple(paths)[: self._most]
        if self._store is not None:
            self._store.setValue(KEY, json.dumps([str(path) for path in self._kept]))
        self.changed.emit()


def names(paths: Iterable[Path]) -> list[str]:
    """Return what files are called in a list: those of one name with the folder they lie in."""
    files = list(paths)
    known = [file.name for file in files]
    return [
        f"{file.name} ({file.parent.name or file.parent})" if known.count(file.name) > 1 else file.name
        for file in files
    ]


def texts(stored: object) -> list[str]:
    """Return the texts in a list that was stored as JSON; anything else is passed over."""
    try:
        result = json.loads(stored) if isinstance(stored, str) else []
    except (ValueError, RecursionError):
        return []
    listed = result if isinstance(result, list) else []
    return [one for one in listed if isinstance(one, str) and one.isprintable() and 0 < len(one) <= LONGEST]


def _read(stored: object) -> tuple[Path, ...]:
    """Return the absolute paths in what was stored, each once."""
    return tuple(dict.fromkeys(path for path in map(Path, texts(stored)) if path.is_absolute()))
