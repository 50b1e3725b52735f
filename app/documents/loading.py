"""From a document to a session: read the data again and compare them with the saved digests."""

from __future__ import annotations

import dataclasses
import os
import stat
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

from app.documents import SessionSnapshot
from app.documents.document import Document
from app.documents.page_documents import DataReference, PageDocument
from app.documents.reading import StoredSession
from app.documents.schema import DocumentError
from app.documents.writing import keyed_digest, usable
from app.model.dataset import Content, Dataset
from app.model.kept_data import read_dataset
from app.model.kinds.base import Fields
from app.model.ledger import AnyLedger
from app.model.pages.registry import PAGE_KINDS
from app.model.pages.workspaces import DATA_VIEW
from app.model.questions import AskedQuestion
from app.model.release_record import ReleaseRecord
from app.model.state import SessionState
from engine.errors import NamesInDoubt
from engine.progress import Progress, part, parts, silent

SAME, OTHER, UNKNOWN = "same", "other", "unknown"
"""Results of comparing data with those of the saved session."""

NOTHING_CONFIRMED: Mapping[str, str] = MappingProxyType({})

PRESENT, MISSING, STRANGE = "found", "missing", "strange"
"""Kinds of path: an ordinary file, nothing, or a folder or device."""


@dataclasses.dataclass(frozen=True, eq=False)
class LoadedSession:
    """A session that was read completely.

    `accounts` has the names of the accounts of all data, by their digests; `checked`, for each page with a
    file, `SAME`, `OTHER` or `UNKNOWN`.
    """

    kept: StoredSession
    work: SessionSnapshot
    accounts: Mapping[str, str]
    checked: Mapping[str, str]

    @property
    def unvouched(self) -> bool:
        """Whether it has releases or files that cannot be verified on this computer."""
        return not self.kept.own and bool(self.work.state.releases or self.checked)


def files_of(document: Document) -> dict[str, str]:
    """Return the file of each page that has one, and of the table."""
    return {name: data.path for name, data in _references(document).items() if data.path is not None}


def _references(document: Document) -> dict[str, DataReference]:
    """Return the references to the data of all pages, and to the table."""
    table = {} if document.table is None else {DATA_VIEW.name: document.table}
    return {**{name: page.data for name, page in document.pages.items()}, **table}


def strangers(kept: StoredSession) -> tuple[str, ...]:
    """Return the files that only a session from elsewhere asks for; ask the user before reading them."""
    folder = str(kept.path.absolute().parent)
    files = dict.fromkeys(files_of(kept.document).values())
    return () if kept.own else tuple(file for file in files if not is_within(file, folder))


def is_within(path: str, folder: str) -> bool:
    """Return whether a file lies in the folder of a session, by its name and by all links on the way.

    Touch the disk only if the name lies in the folder.
    """
    named = Path(os.path.normpath(path))
    if not named.is_relative_to(folder):
        return False
    try:
        return named.resolve().is_relative_to(Path(folder).resolve())
    except (OSError, RuntimeError):
        return False


def look_at(file: str) -> str:
    """Return the kind of a path, without reading it."""
    try:
        mode = os.stat(file).st_mode
    except (OSError, ValueError):
        return MISSING
    return PRESENT if stat.S_ISREG(mode) else STRANGE


def load_session(
    kept: StoredSession,
    files: Mapping[str, Path],
    ledger: AnyLedger,
    progress: Progress = silent,
    confirmed: Mapping[str, str] = NOTHING_CONFIRMED,
) -> LoadedSession:
    """Read all data of a session (in a worker).

    `files` says where the file of each page is now; `confirmed` has, of files with an address that was
    confirmed, `ReadingOptions.connect`. `DataError` or `DocumentError` if something cannot be read or no
    longer fits the session.
    """
    keys, document = usable(ledger), kept.document
    known = kept.own
    pages: dict[str, Fields] = {}
    checked: dict[str, str] = {}
    names: dict[str, str] = {}
    published: set[Content] = set()
    opened: dict[Any, Dataset] = {}
    references = _references(document)
    steps = parts(len(references), progress)
    table: Dataset | None = None
    for (name, data), here in zip(references.items(), steps, strict=True):
        dataset = _dataset(name, data, files, confirmed, opened, part(here, 0.0, 0.7))
        if name in document.pages:
            read = _records(dataset, data, document)
            pages[name] = _page_fields(name, document.pages[name], read, part(here, 0.7, 1.0))
        else:
            table = dataset
        same = not known or _same(data, dataset, ledger)
        if data.public and known and same:  # the same data, saved with one's own key
            published.add(dataset.content)
        if data.path is not None:
            checked[name] = (SAME if same else OTHER) if known else UNKNOWN
        if keys is not None and data.account:
            # releases of other data stay with the account that the file names
            names[data.account] = dataset.account_in(keys).name if same else data.account
    accounts = {}
    if keys is not None:
        accounts = {dataset.digest: dataset.account_in(keys).name for dataset in opened.values()}
    releases = tuple(_rename(record, names, known) for record in document.releases)
    questions = (
        AskedQuestion(saved.question, None if saved.released is None else releases[saved.released])
        for saved in document.questions
    )
    state = SessionState(
        table=table,
        declarations=document.declarations,
        questions=tuple(questions),
        sheet_budget=document.sheet_budget,
        **document.shared,
        **pages[document.page],
        page=document.page,
        workspace=document.room,
        other_pages={name: fields for name, fields in pages.items() if name != document.page},
        releases=releases,
        published=frozenset(published),
    )
    view_states = {name: page.look for name, page in document.pages.items()}
    work = SessionSnapshot(state, {**view_states, **document.rooms})
    return LoadedSession(kept, work, accounts, checked)


def _dataset(
    name: str,
    data: DataReference,
    files: Mapping[str, Path],
    confirmed: Mapping[str, str],
    opened: dict[Any, Dataset],
    progress: Progress,
) -> Dataset:
    """Return the data of a page, or the table; the same data are read once."""
    example = data.example
    opened_as = (files[name], data.reading) if example is None else example
    if opened_as not in opened:
        if example is not None:
            opened[opened_as] = Dataset.of_example(example)
        else:
            connect = confirmed.get(str(files[name]), "")
            reading = dataclasses.replace(data.reading, connect=connect)
            try:
                opened[opened_as] = read_dataset(files[name], reading, progress)
            except NamesInDoubt as error:
                raise NamesInDoubt(str(files[name]), error.row, error.likely) from None
    return opened[opened_as]


def _records(dataset: Dataset, data: DataReference, document: Document) -> Dataset:
    """Return the data of a page; a page that follows the table has one row for each person, if stated."""
    table, declarations = document.table, document.declarations
    origin = (data.example, data.path, data.reading)
    follows = table is not None and origin == (table.example, table.path, table.reading)
    if not follows or not declarations.person or declarations.most_rows is not None:
        return dataset
    return dataset.combine(declarations.person, declarations.person_rule)


def with_headers(kept: StoredSession, files: Mapping[str, str], headers: Mapping[str, str]) -> StoredSession:
    """Return a session that lacks header rows, with the user's answers by file."""
    pages, table = dict(kept.document.pages), kept.document.table
    for name, data in _references(kept.document).items():
        header = headers.get(str(Path(files[name]))) if name in files else None
        if header is None:
            continue
        stated = dataclasses.replace(data, reading=dataclasses.replace(data.reading, header=header))
        if name in pages:
            pages[name] = dataclasses.replace(pages[name], data=stated)
        else:
            table = stated
    document = dataclasses.replace(kept.document, pages=pages, table=table)
    return dataclasses.replace(kept, document=document)


def _page_fields(name: str, page: PageDocument, dataset: Dataset, progress: Progress) -> Fields:
    chosen = dict(page.fields)
    read = {**PAGE_KINDS[name].read(dataset, chosen, progress), "dataset": dataset}
    fields = page.page_fields(name, read)
    many = fields["data"].records
    for key, moved in (("edits", "modified_values"), ("absent", "removed_edges")):
        beyond = [position for position in chosen.get(moved, ()) if position >= many]
        if beyond:
            where = f"pages.{name}.desk.{key}"
            raise DocumentError(where, f"there is no record {beyond[0]:,}; the data have {many:,} records")
    return fields


def _same(data: DataReference, dataset: Dataset, ledger: AnyLedger) -> bool:
    """Return whether the data of one's own session are unchanged, by the current or an earlier digest."""
    digests = (dataset.digest, dataset.former)
    return data.path is None or data.digest in (keyed_digest(each, ledger) for each in digests)


def _rename(record: ReleaseRecord, names: Mapping[str, str], own: bool) -> ReleaseRecord:
    """Return a release under the current name of its account, which may have been joined with another.

    A release from another's session gets the name that its data have in one's own ledger, which knows nothing
    of the release.
    """
    if own:
        return dataclasses.replace(record, dataset=names.get(record.dataset, record.dataset))
    return dataclasses.replace(record, dataset=names.get(record.dataset, ""), elsewhere=True)
