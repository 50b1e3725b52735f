"""Read session files that an attacker may have written: check everything, run nothing."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

from app.documents.document import FORMAT, HEAD, Document, document_of
from app.documents.json_text import parse_json, read_text
from app.documents.schema import DocumentError, quote
from app.documents.writing import is_sealed_by
from app.model.ledger import AnyLedger
from engine import __version__
from engine.progress import Progress, part, silent


@dataclasses.dataclass(frozen=True)
class StoredSession:
    """A session file that was read.

    `key` says which key its digests were made with; `own` whether it was sealed with the key of one's own
    ledger: then nobody else has changed it.
    """

    path: Path
    document: Document
    key: str
    own: bool


def read_session(path: Path, keys: AnyLedger | None, progress: Progress = silent) -> StoredSession:
    """Read a session file; `DocumentError` if it is another kind of file or anything in it is invalid."""
    try:
        text = read_text(path, part(progress, 0.0, 0.3))
        progress(0.3, "reading the session")
        plain = parse_json(text)
        progress(0.6, "reading the session")
        document = document_in(plain, str(path.absolute().parent))
        return StoredSession(path, document, plain["key"], is_sealed_by(plain, keys))
    except DocumentError as error:
        raise error.of(path.name) from None


def document_in(plain: Any, folder: str) -> Document:
    """Return the document in parsed JSON; `folder` is that of its file."""
    if not isinstance(plain, dict) or "format" not in plain:
        raise DocumentError("", "is not a session file")
    _check_format(plain)
    HEAD.read({name: plain[name] for name in HEAD.fields if name in plain}, "")
    content = {name: value for name, value in plain.items() if name not in HEAD.fields}
    document: Document = document_of(folder).read(content, "")
    return document


def _check_format(plain: dict[str, Any]) -> None:
    """Refuse other versions of the format before anything else is checked."""
    version = plain["format"]
    if type(version) is not int or version < FORMAT:
        raise DocumentError("format", f"{quote(version)} is not a version of session files")
    if version > FORMAT:
        program = plain.get("program")
        newer = (
            f" ({program})" if isinstance(program, str) and program.isascii() and len(program) < 20 else ""
        )
        raise DocumentError(
            "", f"was saved by a newer Sensiscope{newer}; this is {__version__}, which cannot read it"
        )
