"""Which data these are: a digest of the bytes of a file, or the name of an example."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

from engine.errors import DataError
from engine.progress import Progress, silent

PIECE = 1 << 20
"""Bytes between two reports."""


def digest_of(path: str | os.PathLike[str], progress: Progress = silent) -> str:
    """Return ``sha256:`` and the SHA-256 of a file's bytes in hexadecimal digits (private).

    Parameters
    ----------
    path : path-like
    progress : Progress

    Returns
    -------
    str

    Raises
    ------
    DataError
        If the file cannot be read.

    Examples
    --------
    The digest of an empty file:

    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = pathlib.Path(folder, "empty")
    ...     file.touch()
    ...     digest_of(file)[:23]
    'sha256:e3b0c44298fc1c14'
    """
    file = Path(path)
    digest, done = hashlib.sha256(), 0
    try:
        with file.open("rb") as stream:
            size = max(1, os.fstat(stream.fileno()).st_size)
            while piece := stream.read(PIECE):
                digest.update(piece)
                done += len(piece)
                progress(min(1.0, done / size), "recognising the file")
    except OSError as error:
        raise DataError(
            f"it cannot be read: {error.strerror or error}; choose another file", source=str(file)
        ) from None
    return f"sha256:{digest.hexdigest()}"


def example_digest(name: str) -> str:
    """Return what stands for the digest of a bundled example: its name.

    Parameters
    ----------
    name : str

    Returns
    -------
    str

    Examples
    --------
    >>> example_digest("salaries")
    'example:salaries'
    """
    return f"example:{name}"
