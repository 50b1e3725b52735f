"""What a window ends with, as a session document: files and what is declared about them, and nothing else.

It holds no release, nothing that was changed by hand, and no digest of the data.  Bounds and lists of
categories that were taken from the data are in it, and it says that they were: they are what the user chose.
"""

from __future__ import annotations

import contextlib
from collections.abc import Mapping

from app.documents.document import Document
from app.documents.json_text import format_json, parse_json
from app.documents.page_documents import PageDocument
from app.documents.reading import document_in
from app.documents.schema import DocumentError
from app.documents.writing import page_document, plain_of, shared_fields
from app.model.kinds.base import Fields
from app.model.pages.registry import PAGE_KINDS
from app.model.state import SessionState, first_fields
from app.model.view_states import ViewState
from engine.errors import SensiscopeError

KEPT = ("dataset", "mechanism")
"""What is kept of a page, besides what is declared about its data."""


def last_session(state: SessionState, before: str) -> str:
    """Return what is kept of a session; of pages that were not opened, what was kept `before`.

    A page on which something impossible was left in a field stays as it was kept before, too.
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
    """Return the pages in what `last_session` has returned; `DocumentError` if it makes no sense."""
    return document_in(parse_json(text), "").pages if text else {}


def _written(first: str, pages: Mapping[str, PageDocument]) -> str:
    """Return a document of these pages; `DocumentError` if it could not be read again."""
    return format_json(plain_of(Document(first, "", shared_fields(SessionState()), pages, {}, ()), "", None))


def _page_fields(state: SessionState) -> Fields:
    kept = {name: getattr(state, name) for name in KEPT}
    return {**first_fields(state.page, state.remembered), **kept, "data": state.data.unmodified()}


def _before(text: str) -> Mapping[str, PageDocument]:
    """Return the pages that were kept before; none where that makes no sense."""
    try:
        return pages_of(text)
    except DocumentError:
        return {}
