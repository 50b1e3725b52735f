"""Writing session files: sealed with one's own key, read again as a test, and put in place at once."""

from __future__ import annotations

import contextlib
import os
import tempfile
from pathlib import Path
from typing import Any

from app.documents.document import FORMAT, Document, Keys, document_of
from app.documents.errors import DocumentError
from app.documents.text import canonical, parsed, written
from engine import __version__
from engine.errors import SensiscopeError
from engine.progress import Progress, silent

SEALS = "session file"
"""What the key is used for."""


def plain_of(document: Document, folder: str, keys: Keys | None) -> dict[str, Any]:
    """Return what is written; `DocumentError` for what could not be read again.

    Parameters
    ----------
    folder : str
        The folder of the session file: what lies in it is named by the way from there.
    keys : Keys or None
        None: it will not be known as one's own.
    """
    kind = document_of(folder)
    content = kind.plain(document)
    kind.read(content, "")
    known = keys is not None
    whole = {
        "format": FORMAT,
        "program": __version__,
        "key": keys.key_id if known else "",  # type: ignore[union-attr]
        **content,
    }
    return {**whole, "seal": seal_of(whole, keys) if keys else ""}


def seal_of(plain: dict[str, Any], keys: Keys) -> str:
    """Return what only the owner of the key can write below this content."""
    return keys.keyed(SEALS, canonical(plain))


def write_session(document: Document, path: Path, keys: Keys | None, progress: Progress = silent) -> None:
    """Write a session file; where that fails, what was there before stays.

    Raises
    ------
    DocumentError
        If something in it makes no sense, or the file cannot be written.
    """
    try:
        text = written(plain_of(document, str(path.resolve().parent), keys))
        parsed(text)
    except DocumentError as error:
        problem = error.problem if not error.where else f"{error.where}: {error.problem}"
        raise DocumentError(path.name, f"was not written, because {problem}") from None
    progress(0.8, "writing the session")
    try:
        replace_file(path, text.encode())
    except OSError as error:
        raise DocumentError(str(path), f"cannot be written: {error.strerror or error}") from None


def replace_file(path: Path, content: bytes) -> None:
    """Let a file hold `content` at once: whoever reads it finds all of it, or what was there before.

    Only its owner may read it or write to it.

    Raises
    ------
    OSError
        If it cannot be written.
    """
    target = path.resolve()
    handle, name = tempfile.mkstemp(prefix=f".{target.name}.", suffix=".part", dir=target.parent)
    try:
        with open(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(handle)
        os.replace(name, target)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(name)
        raise


def sealed_by(plain: dict[str, Any], keys: Keys | None) -> bool:
    """Tell whether the content was written with this key."""
    import hmac

    if keys is None:
        return False
    try:
        rest = {name: value for name, value in plain.items() if name != "seal"}
        seal = seal_of(rest, keys)
    except SensiscopeError:
        return False
    given = plain.get("seal")
    return isinstance(given, str) and given.isascii() and hmac.compare_digest(given, seal)
