"""Unsaved changes: choices and releases count, the look does not."""

from __future__ import annotations

import dataclasses
from typing import Any

from app.documents import SessionSnapshot
from app.documents.document import SHARED
from app.model.kinds.base import FOUND, DataChoice, values_of
from app.model.pages.registry import PAGE_KINDS
from app.model.view_states import ViewState

WORK = {*SHARED, "releases", "table", "declarations", "questions", "sheet_budget"} - {"view"}
"""The fields of the state, beside those of its pages, whose changes count."""


def is_same_work(before: SessionSnapshot, now: SessionSnapshot) -> bool:
    """Return whether two snapshots would be saved alike, whatever page, view and picture are open."""
    if not all(
        _same(getattr(before.state, name), getattr(now.state, name)) for name in WORK if name != "view"
    ):
        return False
    pages = ((before.state.at(page).page_fields(), now.state.at(page).page_fields()) for page in PAGE_KINDS)
    return all(_same(fields[name], others[name]) for fields, others in pages for name in fields) and all(
        _chosen(before.view_states[name]) == _chosen(look) for name, look in now.view_states.items()
    )


def _same(before: Any, after: Any) -> bool:
    if isinstance(before, DataChoice) and type(before) is type(after):
        read = before.names(FOUND)
        values, others = values_of(before), values_of(after)
        return all(
            values[name] is others[name] if name in read else _same(values[name], others[name])
            for name in values
        )
    return before is after or bool(before == after)


def _chosen(look: ViewState) -> ViewState:
    """Return the look without parts that change by themselves or by navigation."""
    choice = dataclasses.replace(look.audit.choice, pair="")
    audit = dataclasses.replace(look.audit, choice=choice, done=False)
    compare = dataclasses.replace(look.compare, done=False, searched=False)
    return dataclasses.replace(look, tab="", audit=audit, compare=compare)
