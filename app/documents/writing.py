"""Write session files: sealed with one's own key, read again as a test, and replaced atomically."""

from __future__ import annotations

import contextlib
import dataclasses
import os
import tempfile
from pathlib import Path
from typing import Any

from app.documents import SessionSnapshot
from app.documents.document import FORMAT, SHARED, Document, SavedQuestion, document_of
from app.documents.json_text import canonical_json, format_json, parse_json
from app.documents.page_documents import DataReference, PageDocument
from app.documents.schema import DocumentError
from app.model.dataset import Dataset
from app.model.kinds.base import FOUND, DataChoice, Fields, values_of
from app.model.ledger import AnyLedger
from app.model.pages.registry import PAGE_KINDS
from app.model.pages.workspaces import PICTURED
from app.model.questions import AskedQuestion
from app.model.release_record import ReleaseRecord
from app.model.state import SessionState
from app.model.view_states import ViewState
from engine import __version__
from engine.errors import SensiscopeError
from engine.progress import Progress, silent

SEALS, CHECKS = "session file", "session"
"""Purposes of the key: to seal files, and to verify that data are unchanged."""


def usable(ledger: AnyLedger) -> AnyLedger | None:
    """Return the ledger; None if it cannot be opened: then nothing can be keyed."""
    try:
        _ = ledger.key_id
    except SensiscopeError:
        return None
    return ledger


def save(work: SessionSnapshot, path: Path, ledger: AnyLedger, progress: Progress = silent) -> Path:
    """Write a session file (in a worker); return its path.

    `DocumentError` if something in it is invalid or it cannot be written: an earlier file stays.
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


def document_from(work: SessionSnapshot, ledger: AnyLedger | None) -> Document:
    """Return the document of a session; `DocumentError` if the data of a page are in no file."""
    state, view_states = work.state, work.view_states
    pages = {}
    for page in PAGE_KINDS:
        there = state.at(page)
        if there.dataset is not None:
            look = view_states.get(page, ViewState())
            published = there.dataset.content in state.published
            pages[page] = page_document(page, there.page_fields(), look, ledger, published=published)
    releases = tuple(record for record in state.releases if not record.release.simulated)
    return Document(
        page=state.page,
        room=state.workspace,
        shared=shared_fields(state),
        pages=pages,
        rooms={room: view_states[room] for room in PICTURED if room in view_states},
        releases=releases,
        table=table_reference(state, ledger),
        declarations=state.declarations,
        questions=tuple(_saved(asked, releases) for asked in state.questions),
        sheet_budget=state.sheet_budget,
    )


def table_reference(state: SessionState, ledger: AnyLedger | None) -> DataReference | None:
    """Return the reference to the table; None without one, `DocumentError` if it is in no file."""
    if state.table is None:
        return None
    return data_reference(state.table, "table", ledger, published=state.table.content in state.published)


def _saved(asked: AskedQuestion, releases: tuple[ReleaseRecord, ...]) -> SavedQuestion:
    index = releases.index(asked.released) if asked.released in releases else None
    return SavedQuestion(asked.question, index)


def shared_fields(state: SessionState) -> Fields:
    """Return the fields of the session that all pages share."""
    return {name: getattr(state, name) for name in SHARED}


def page_document(
    page: str, fields: Fields, look: ViewState, ledger: AnyLedger | None, *, published: bool = False
) -> PageDocument:
    """Return the document of a page; `DocumentError` if its data are in no file."""
    reference = data_reference(fields["dataset"], f"pages.{page}.data", ledger, published=published)
    return PageDocument.of(reference, fields, look)


def data_reference(
    dataset: Dataset, where: str, ledger: AnyLedger | None, *, published: bool = False
) -> DataReference:
    """Return the reference to data; `DocumentError` if they are in no file."""
    if dataset.example is None and dataset.path is None:
        problem = f"{dataset.title} is not in a file that can be opened again; save the data first"
        raise DocumentError(where, problem)
    return DataReference(
        example=dataset.example,
        path=None if dataset.path is None else str(dataset.path),
        digest="" if ledger is None else keyed_digest(dataset.digest, ledger),
        account="" if ledger is None else dataset.account_in(ledger).name,
        reading=dataset.reading,
        public=published,
    )


def keyed_digest(digest: str, ledger: AnyLedger) -> str:
    """Return a digest that lets only the owner of the key verify that the data are unchanged."""
    return ledger.keyed(CHECKS, digest.encode())


def plain_of(document: Document, folder: str, keys: AnyLedger | None) -> dict[str, Any]:
    """Return the JSON of a document; `DocumentError` if it could not be read again.

    Paths in `folder`, that of the session file, are relative; without `keys` the file has no seal.
    """
    kind = document_of(folder)
    content = kind.plain(document)
    kind.read(content, "")
    whole = {"format": FORMAT, "program": __version__, "key": keys.key_id if keys else "", **content}
    return {**whole, "seal": seal_of(whole, keys) if keys else ""}


def seal_of(plain: dict[str, Any], keys: AnyLedger) -> str:
    """Return the seal of this content, which only the owner of the key can compute."""
    return keys.keyed(SEALS, canonical_json(plain))


def is_sealed_by(plain: dict[str, Any], keys: AnyLedger | None) -> bool:
    """Return whether this key sealed the content."""
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
    """Replace the content of a file atomically: readers see all of the new content or all of the old one.

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


WORK = {*SHARED, "releases", "table", "declarations", "questions", "sheet_budget"} - {"view"}
"""The fields of the state, beside those of its pages, whose changes count."""


def is_same_work(before: SessionSnapshot, now: SessionSnapshot) -> bool:
    """Return whether two snapshots would be saved alike, whatever page, view and picture are open."""
    if not all(_same(getattr(before.state, name), getattr(now.state, name)) for name in WORK):
        return False
    pages = ((before.state.at(page).page_fields(), now.state.at(page).page_fields()) for page in PAGE_KINDS)
    return all(_same(fields[name], others[name]) for fields, others in pages for name in fields) and all(
        _chosen(before.view_states[name]) == _chosen(look) for name, look in now.view_states.items()
    )


def _same(before: Any, after: Any) -> bool:
    if isinstance(before, DataChoice) and type(before) is type(after):
        from_data = before.names(FOUND)
        values, others = values_of(before), values_of(after)
        return all(
            values[name] is others[name] if name in from_data else _same(values[name], others[name])
            for name in values
        )
    return before is after or bool(before == after)


def _chosen(look: ViewState) -> ViewState:
    """Return the look without parts that change by themselves or by navigation."""
    choice = dataclasses.replace(look.audit.choice, pair="")
    audit = dataclasses.replace(look.audit, choice=choice, done=False)
    compare = dataclasses.replace(look.compare, done=False, searched=False)
    return dataclasses.replace(look, tab="", audit=audit, compare=compare)
