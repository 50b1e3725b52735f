"""Paths of recently opened files, newest first."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

from PySide6.QtCore import QObject, QSettings, Signal

KEY = "recent/files"
LONGEST = 4096
"""Largest stored text that is read, in characters."""


class RecentFiles(QObject):
    """Remembers recently opened files, at most `most`; each appears once, even if several links lead to it.

    The stored list is read each time, since another window may have changed it. Without a `store`, the list
    lasts until the window closes.
    """

    changed = Signal()

    def __init__(self, store: QSettings | None = None, most: int = 10, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._store = store
        self._most = most
        self._kept: tuple[Path, ...] = ()

    @property
    def paths(self) -> tuple[Path, ...]:
        """The files, newest first; some may no longer exist."""
        results = self._kept if self._store is None else _read(self._store.value(KEY, ""))
        return results[: self._most]

    def add(self, path: Path) -> None:
        """Move a file to the front."""
        file = path.resolve()
        self._keep((file, *(other for other in self.paths if other != file)))

    def remove(self, path: Path) -> None:
        file = path.resolve()
        self._keep(other for other in self.paths if other not in (file, path))

    def clear(self) -> None:
        """Remove all files from the list."""
        self._keep(())

    def limit(self, most: int) -> None:
        """Remember at most `most` files; drop the oldest ones."""
        self._most = most
        self._keep(self.paths)

    def _keep(self, paths: Iterable[Path]) -> None:
        self._kept = tuple(paths)[: self._most]
        if self._store is not None:
            self._store.setValue(KEY, json.dumps([str(path) for path in self._kept]))
        self.changed.emit()


def names(paths: Iterable[Path]) -> list[str]:
    """Return file names for a list; files with the same name also show their folder."""
    files = list(paths)
    known = [file.name for file in files]
    return [
        f"{file.name} ({file.parent.name or file.parent})" if known.count(file.name) > 1 else file.name
        for file in files
    ]


def texts(stored: object) -> list[str]:
    """Return the strings in a list stored as JSON; skip everything else."""
    try:
        result = json.loads(stored) if isinstance(stored, str) else []
    except (ValueError, RecursionError):
        return []
    listed = result if isinstance(result, list) else []
    return [one for one in listed if isinstance(one, str) and one.isprintable() and 0 < len(one) <= LONGEST]


def _read(stored: object) -> tuple[Path, ...]:
    """Return the absolute paths in a stored list, each once."""
    return tuple(dict.fromkeys(path for path in map(Path, texts(stored)) if path.is_absolute()))
