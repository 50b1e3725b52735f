"""Where files lie, as a session file says it: inside its folder by the way from there, else in full."""

from __future__ import annotations

import dataclasses
import os
from pathlib import Path
from typing import Any

from app.documents.errors import DocumentError, quoted
from app.documents.kinds import Text


@dataclasses.dataclass(frozen=True)
class FilePlace:
    """A path; `folder` is that of the session file, "" where paths stay as they are."""

    folder: str = ""

    def plain(self, value: str | Path) -> str:
        """Return the way from the folder, with slashes, to a file in it; of others, the whole path."""
        path = Path(value).resolve()
        if self.folder and path.is_relative_to(self.folder):
            return path.relative_to(self.folder).as_posix()
        return str(path)

    def read(self, plain: Any, where: str) -> str:
        """Return the path in full; nothing is looked at on the disk."""
        text = Text(fewest=1).read(plain, where)
        if any(ord(letter) < 32 for letter in text):
            raise DocumentError(where, f"{quoted(text)} is no path")
        return os.path.normpath(os.path.join(self.folder, text))


HERE = FilePlace()
"""Paths as they are."""


def is_within(path: str, folder: str) -> bool:
    """Tell whether a file lies in the folder of a session, by its name and by all links on the way.

    Of a file that lies elsewhere by its name nothing is looked at.
    """
    named = Path(os.path.normpath(path))
    if not named.is_relative_to(folder):
        return False
    try:
        return named.resolve().is_relative_to(Path(folder).resolve())
    except (OSError, RuntimeError):
        return False
