"""Output files, checked before any work starts."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from engine.errors import SensiscopeError
from engine.optional_packages import not_installed

FIGURES = (".png", ".svg", ".pdf", ".pgf")


class OutputFile:
    """A file to be written at the end, checked at the start; an existing file is replaced.

    A failed save after a release would waste its budget, so the check writes a test file to the folder.
    `suffixes` are the allowed endings of its name. `SensiscopeError` if the file cannot be written.
    """

    def __init__(self, path: str, suffixes: Sequence[str] = FIGURES) -> None:
        self.path = Path(path)
        self.suffix = self.path.suffix.lower()
        if self.suffix not in suffixes:
            raise SensiscopeError(f"{path}: the name must end in {' or '.join(suffixes)}")
        if self.suffix in FIGURES and (missing := not_installed("matplotlib", "a figure")):
            raise SensiscopeError(missing)
        if self.path.is_dir():
            raise SensiscopeError(f"{path}: is a folder; add a file name")
        if not self.path.parent.is_dir():
            raise SensiscopeError(f"{path}: there is no folder {self.path.parent}")
        if self.path.exists() and not os.access(self.path, os.W_OK):
            raise SensiscopeError(f"{path}: no permission to replace this file")
        self._part = self.path.resolve().with_name(f".{self.path.name[:60]}.{os.getpid()}.part")
        self._write(b"", keep=False)

    def write(self, content: bytes) -> None:
        """Write the whole file; it appears under its name only when it is complete."""
        self._write(content, keep=True)

    def _write(self, content: bytes, keep: bool) -> None:
        try:
            self._part.write_bytes(content)
            if keep:
                self._part.replace(self.path.resolve())
        except OSError as error:
            raise SensiscopeError(f"{self.path}: cannot be written: {error.strerror}") from None
        finally:
            self._part.unlink(missing_ok=True)


def output(path: str | None, suffixes: Sequence[str] = FIGURES) -> OutputFile | None:
    """Return a checked `OutputFile`, or None without a path."""
    return None if path is None else OutputFile(path, suffixes)
