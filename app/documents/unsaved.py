"""Whether anything was changed that a session file keeps: choices and releases, not where one looks."""

from __future__ import annotations

import dataclasses
from typing import Any

from app.documents.document import SHARED
from app.documents.session_snapshot import SessionSnapshot
from app.model.kinds.base import BY_HAND, FOUND, DataChoice, Fields
from app.model.pages.registry import PAGE_KINDS
from app.model.view_states import ViewState


def same_work(saved: SessionSnapshot, now: SessionSnapshot) -> bool:
    """Tell whether both would be saved alike, whatever page, view and picture are open."""
    before, after = saved.state, now.state
    if before.releases != after.releases:
        return False
    if any(getattr(before, name) != getattr(after, name) for name in SHARED if name != "view"):
        return False
    pages = (_same_page(before.at(page).page_fields(), after.at(page).page_fields()) for page in PAGE_KINDS)
    return all(pages) and all(
        _chosen(saved.view_states[name]) == _chosen(look) for name, look in now.view_states.items()
    )


def _same_page(before: Fields, after: Fields) -> bool:
    """Tell whether choices are equal, and data the same: not read anew."""
    chosen = (bool(value == after[name]) for name, value in before.items() if name not in ("dataset", "data"))
    return before["dataset"] is after["dataset"] and _same_data(before["data"], after["data"]) and all(chosen)


def _same_data(before: DataChoice, after: DataChoice) -> bool:
    read = (getattr(before, name) is getattr(after, name) for name in before.names(FOUND))
    kept = (*before.names(), *before.names(BY_HAND))
    return all(read) and all(_same(getattr(before, name), getattr(after, name)) for name in kept)


def _same(before: Any, after: Any) -> bool:
    return _same_data(before, after) if isinstance(before, DataChoice) else bool(before == after)


def _chosen(look: ViewState) -> ViewState:
    """Return a look without what changes by itself, or by looking elsewhere."""
    choice = dataclasses.replace(look.audit.choice, pair="")
    audit = dataclasses.replace(look.audit, choice=choice, done=False)
    compare = dataclasses.replace(look.compare, done=False, searched=False)
    return dataclasses.replace(look, tab="", audit=audit, compare=compare)
