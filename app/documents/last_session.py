"""The last session of a window: its files, the choices about them, and the sheet with its releases.

It holds no manual changes or digests. Bounds and categories taken from the data are in it, marked as such.
"""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from typing import Any

from app.documents.document import BUDGET, DECLARATIONS, QUESTION, Document, SavedQuestion, check_released
from app.documents.json_text import format_json, parse_json
from app.documents.page_documents import PageDocument, data_of
from app.documents.reading import document_in
from app.documents.releases import ShownRelease
from app.documents.schema import ABSOLUTE, DocumentError, ListOf, OptionalOf, Record, Whole
from app.documents.writing import data_reference, page_document, plain_of, shared_fields
from app.model.kinds.base import Fields
from app.model.pages.registry import PAGE_KINDS
from app.model.state import SessionState, first_fields
from app.model.view_states import ViewState
from engine.errors import SensiscopeError
from engine.privacy import Privacy

KEPT = ("dataset", "mechanism")
"""Fields kept of a page, besides the declarations about its data."""


def last_session(state: SessionState, before: str) -> str:
    """Return the last session; pages that were not opened keep what `before` says.

    So does a page with an impossible value left in a field.
    """
    pages = dict(_before(before))
    for page in PAGE_KINDS:
        there = state.at(page)
        if there.dataset is None:
            continue
        if there.dataset.path is None:
            pages.pop(page, None)
            continue
        with contextlib.suppress(SensiscopeError):
            kept = page_document(page, _page_fields(there), ViewState(), None)
            _written(page, {page: kept})
            pages[page] = kept
    if not pages:
        return ""
    return _written(state.page if state.page in pages else next(iter(pages)), pages)


def pages_of(text: str) -> Mapping[str, PageDocument]:
    """Return the pages in the text that `last_session` returned; `DocumentError` if it is invalid."""
    return document_in(parse_json(text), "").pages if text else {}


def _written(first: str, pages: Mapping[str, PageDocument]) -> str:
    """Return a document of these pages; `DocumentError` if it could not be read again."""
    return format_json(plain_of(Document(first, "", shared_fields(SessionState()), pages, {}, ()), "", None))


def _page_fields(state: SessionState) -> Fields:
    kept = {name: getattr(state, name) for name in KEPT}
    return {**first_fields(state.page, state.remembered), **kept, "data": state.data.unmodified()}


def _before(text: str) -> Mapping[str, PageDocument]:
    """Return the pages kept before; none if the text is invalid."""
    try:
        return pages_of(text)
    except DocumentError:
        return {}


def _kind() -> Record:
    """Return the kind of the last table, with the statements, questions and releases about it.

    `released` is the position of the release of each question, from 0.
    """
    return Record(
        dict,
        {
            "table": data_of(ABSOLUTE),
            "declarations": DECLARATIONS,
            "questions": ListOf(QUESTION, 10_000),
            "sheet_budget": BUDGET,
            "released": ListOf(OptionalOf(Whole()), 10_000),
            "releases": ListOf(ShownRelease(), 10_000),
        },
        later={"sheet_budget": Privacy(1.0), "released": (), "releases": ()},
    )


def last_table(state: SessionState) -> str:
    """Return the last table without its data, and its sheet; "" if there is none in a file."""
    if state.table is None or state.table.path is None:
        return ""
    made = tuple(asked.released for asked in state.questions if asked.released is not None)
    kept = {
        "table": data_reference(state.table, "table", None),
        "declarations": state.declarations,
        "questions": tuple(asked.question for asked in state.questions),
        "sheet_budget": state.sheet_budget,
        "released": tuple(made.index(one.released) if one.released else None for one in state.questions),
        "releases": made,
    }
    kind = _kind()
    plain = kind.plain(kept)
    try:
        kind.read(plain, "")
    except SensiscopeError:
        return ""
    return format_json(plain)


def table_in(text: str) -> dict[str, Any] | None:
    """Return what `last_table` kept; `DocumentError` if the text is invalid."""
    if not text:
        return None
    kept: dict[str, Any] = _kind().read(parse_json(text), "")
    released = kept["released"] or (None,) * len(kept["questions"])
    if len(released) != len(kept["questions"]):
        raise DocumentError("released", "must have one entry for each question")
    rows = map(SavedQuestion, kept["questions"], released)
    kept["rows"] = tuple(rows)
    check_released(kept["rows"], len(kept["releases"]))
    return kept
