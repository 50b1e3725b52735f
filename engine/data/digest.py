"""What names a dataset, wherever its file lies and whatever it is called: a digest of all its bytes.

A digest is private like the data: who guesses the data can check the guess with it.
"""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

from engine.errors import DataError
from engine.progress import Progress, silent

CHUNK = 1 << 20
"""Bytes between two reports: about a millisecond."""


def file_digest(path: str | os.PathLike[str], progress: Progress = silent) -> str:
    """Return "sha256:" and the digest of a file, in hexadecimal (private).

    Raises
    ------
    DataError
        If it cannot be read.
    """
    found = hashlib.sha256()
    try:
        with Path(path).open("rb") as file:
            size = os.fstat(file.fileno()).st_size
            while chunk := file.read(CHUNK):
                found.update(chunk)
                progress(min(file.tell() / max(size, 1), 1.0), f"reading {Path(path).name}")
    except OSError as error:
        raise DataError(f"cannot be read: {error.strerror or error}", source=str(path)) from error
    return f"sha256:{found.hexdigest()}"
