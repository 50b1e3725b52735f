"""Writing session files: sealed with one's own key, read again as a test, and put in place at once."""

from __future__ import annotations

import contextlib
import os
import tempfile
from pathlib import Path
from typing import Any, Protocol

from app.documents import SessionSnapshot
from app.documents.document import FORMAT, SHARED, Document, Keys, document_of
from app.documents.json_text import canonical_json, format_json, parse_json
from app.documents.page_documents import DataReference, PageDocument
from app.documents.schema import DocumentError
from app.model.dataset import AccountSource, Dataset
from app.model.kinds.base import Fields
from app.model.pages.registry import PAGE_KINDS
from app.model.pages.workspaces import PICTURED
from app.model.state import SessionState
from app.model.view_states import ViewState
from engine import __version__
from engine.errors import SensiscopeError
from engine.progress import Progress, silent

SEALS, CHECKS = "session file", "session"
"""What the key is used for: to seal files, and to tell whether data are still the same."""


class LedgerAccount(Protocol):
    """The account of a dataset in a ledger."""

    name: str


class SessionLedger(Keys, AccountSource[LedgerAccount], Protocol):
    """What the documents need of a ledger; all of it may raise a `SensiscopeError`."""


def usable(ledger: SessionLedger) -> SessionLedger | None:
    """Return the ledger; None where it cannot be opened, and nothing can be keyed."""
    try:
        _ = ledger.key_id
    except SensiscopeError:
        return None
    return ledger


def save(work: SessionSnapshot, path: Path, ledger: SessionLedger, progress: Progress = silent) -> Path:
    """Write a session file (in a worker); return its path.

    `DocumentError` if something in it makes no sense or it cannot be written: what was there before stays.
    """
    keys = usable(ledger)
    try:
        document = document_from(work, keys)
    except DocumentError as error:
        raise DocumentError(path.name, f"was not written: {error.problem}") from None
    try:
        text = format_json(plain_of(document, str(path.resolve().parent), keys))
        parse_json(text)
    except DocumentError as error:
        problem = error.problem if not error.where else f"{error.where}: {error.problem}"
        raise DocumentError(path.name, f"was not written, because {problem}") from None
    progress(0.8, "writing the session")
    try:
        replace_file(path, text.encode())
    except OSError as error:
        raise DocumentError(str(path), f"cannot be written: {error.strerror or error}") from None
    return path


def document_from(work: SessionSnapshot, ledger: SessionLedger | None) -> Document:
    """Return what a session file keeps; `DocumentError` if the data of a page are in no file."""
    state, view_states = work.state, work.view_states
    pages = {}
    for page in PAGE_KINDS:
        there = state.at(page)
        if there.dataset is not None:
            look = view_states.get(page, ViewState())
            published = there.dataset.content in state.published
            pages[page] = page_document(page, there.page_fields(), look, ledger, published=published)
    return Document(
        page=state.page,
        room=state.workspace,
        shared=shared_fields(state),
        pages=pages,
        rooms={room: view_states[room] for room in PICTURED if room in view_states},
        releases=tuple(record for record in state.releases if not record.release.simulated),
    )


def shared_fields(state: SessionState) -> Fields:
    """Return the fields that all pages share and that a session file keeps."""
    return {name: getattr(state, name) for name in SHARED}


def page_document(
    page: str, fields: Fields, look: ViewState, ledger: SessionLedger | None, *, published: bool = False
) -> PageDocument:
    """Return what is kept of a page; `DocumentError` if its data are in no file."""
    dataset: Dataset = fields["dataset"]
    if dataset.example is None and dataset.path is None:
        problem = f"{dataset.title} is no file that could be opened again; save the data first"
        raise DocumentError(f"pages.{page}.data", problem)
    reference = DataReference(
        example=dataset.example,
        path=None if dataset.path is None else str(dataset.path),
        digest="" if ledger is None else keyed_digest(dataset.digest, ledger),
        account="" if ledger is None else dataset.account_in(ledger).name,
        reading=dataset.reading,
        public=published,
    )
    return PageDocument.of(reference, fields, look)


def keyed_digest(digest: str, ledger: SessionLedger) -> str:
    """Return what tells whether data are the same, to the owner of the key alone."""
    return ledger.keyed(CHECKS, digest.encode())


def plain_of(document: Document, folder: str, keys: Keys | None) -> dict[str, Any]:
    """Return what is written; `DocumentError` for what could not be read again.

    Files in `folder`, that of the session file, are named by the way from there; without `keys` the file
    will not be known as one's own.
    """
    kind = document_of(folder)
    content = kind.plain(document)
    kind.read(content, "")
    whole = {"format": FORMAT, "program": __version__, "key": keys.key_id if keys else "", **content}
    return {**whole, "seal": seal_of(whole, keys) if keys else ""}


def seal_of(plain: dict[str, Any], keys: Keys) -> str:
    """Return what only the owner of the key can write below this content."""
    return keys.keyed(SEALS, canonical_json(plain))


def is_sealed_by(plain: dict[str, Any], keys: Keys | None) -> bool:
    """Tell whether the content was written with this key."""
    import hmac

    if keys is None:
        return False
    try:
        seal = seal_of({name: value for name, value in plain.items() if name != "seal"}, keys)
    except SensiscopeError:
        return False
    given = plain.get("seal")
    return isinstance(given, str) and given.isascii() and hmac.compare_digest(given, seal)


def replace_file(path: Path, content: bytes) -> None:
    """Let a file hold `content` at once: whoever reads it finds all of it, or what was there before.

    Only its owner may read it or write to it; `OSError` if it cannot be written.
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
