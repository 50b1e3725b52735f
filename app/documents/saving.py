"""From a window's session to a document: what is kept, and what is left out."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Protocol

from app.documents.document import SHARED, Document, Keys
from app.documents.errors import DocumentError
from app.documents.page_documents import DataReference, PageDocument
from app.documents.session_snapshot import SessionSnapshot
from app.documents.writing import write_session
from app.model.dataset import AccountSource, Dataset
from app.model.kinds.base import Fields
from app.model.pages.registry import PAGE_KINDS
from app.model.pages.workspaces import PICTURED
from app.model.state import SessionState
from app.model.view_states import ViewState
from engine.errors import SensiscopeError
from engine.progress import Progress, silent

CHECKS = "session"
"""What the key is used for: to tell whether data are still the same."""


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


def document_from(work: SessionSnapshot, ledger: SessionLedger | None) -> Document:
    """Return what a session file keeps.

    Raises
    ------
    DocumentError
        If the data of a page are in no file.
    """
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
    reference = _reference_to(page, fields["dataset"], ledger)
    return PageDocument.of(dataclasses.replace(reference, public=published), fields, look)


def _reference_to(page: str, dataset: Dataset, ledger: SessionLedger | None) -> DataReference:
    if dataset.example is None and dataset.path is None:
        problem = f"{dataset.title} is no file that could be opened again; save the data first"
        raise DocumentError(f"pages.{page}.data", problem)
    return DataReference(
        example=dataset.example,
        path=None if dataset.path is None else str(dataset.path),
        digest="" if ledger is None else keyed_digest(dataset.digest, ledger),
        account="" if ledger is None else dataset.account_in(ledger).name,
        reading=dataset.reading,
    )


def keyed_digest(digest: str, ledger: SessionLedger) -> str:
    """Return what tells whether data are the same, to the owner of the key alone."""
    return ledger.keyed(CHECKS, digest.encode())


def save(work: SessionSnapshot, path: Path, ledger: SessionLedger, progress: Progress = silent) -> Path:
    """Write a session file (in a worker); return where it is.

    Raises
    ------
    DocumentError
        If something in it makes no sense, or the file cannot be written.
    """
    keys = usable(ledger)
    try:
        document = document_from(work, keys)
    except DocumentError as error:
        raise DocumentError(path.name, f"was not written: {error.problem}") from None
    write_session(document, path, keys, progress)
    return path
