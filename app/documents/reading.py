"""Reading session files, which an attacker may have written: everything is checked, and nothing is done."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

from app.documents.data_reference import FilePlace
from app.documents.document import FORMAT, HEAD, Document, Keys, document_of
from app.documents.earlier_formats import upgraded
from app.documents.errors import DocumentError, quoted
from app.documents.text import parsed, read_text
from app.documents.writing import sealed_by
from engine import __version__
from engine.progress import Progress, part, silent


@dataclasses.dataclass(frozen=True)
class StoredSession:
    """A session file that was read.

    Attributes
    ----------
    path : Path
    document : Document
    key : str
        Which key its digests were made with.
    own : bool
        Whether it was sealed with the key of one's own ledger: then it was not changed by others.
    """

    path: Path
    document: Document
    key: str
    own: bool


def read_session(path: Path, keys: Keys | None, progress: Progress = silent) -> StoredSession:
    """Read a session file; no other file is looked at.

    Raises
    ------
    DocumentError
        If it is none, or anything in it makes no sense.
    """
    try:
        text = read_text(path, part(progress, 0.0, 0.3))
        progress(0.3, "reading the session")
        plain = parsed(text)
        progress(0.6, "reading the session")
        document = document_in(plain, str(path.absolute().parent))
        return StoredSession(path, document, plain["key"], sealed_by(plain, keys))
    except DocumentError as error:
        raise error.of(path.name) from None


def document_in(plain: Any, folder: str) -> Document:
    """Return the document that JSON stands for; `folder` is that of its file."""
    if not isinstance(plain, dict) or "format" not in plain:
        raise DocumentError("", "is no session file")
    _check_format(plain)
    HEAD.read({name: plain[name] for name in HEAD.fields if name in plain}, "")
    content = {name: value for name, value in plain.items() if name not in HEAD.fields}
    if plain["format"] < FORMAT:
        content = upgraded(content, FilePlace(folder))
    document: Document = document_of(folder).read(content, "")
    return document


def _check_format(plain: dict[str, Any]) -> None:
    """Refuse what another version has written, before anything else is looked at."""
    result = plain["format"]
    if type(result) is not int or result < 1:
        raise DocumentError("format", f"{quoted(result)} is no version of session files")
    if result > FORMAT:
        program = plain.get("program")
        newer = (
            f" ({program})" if isinstance(program, str) and program.isascii() and len(program) < 20 else ""
        )
        raise DocumentError(
            "", f"was saved by a newer Sensiscope{newer}; this is {__version__}, which cannot read it"
        )
