"""Unsaved changes: choices and releases count, the look does not."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

from app.documents import SessionSnapshot
from app.documents.document import SHARED
from app.model.kept_data import KeptChoice, WeakCell, WeakCells
from app.model.kinds.base import BY_HAND, DataChoice, Fields
from app.model.pages.registry import PAGE_KINDS
from app.model.release_record import ReleaseRecord
from app.model.state import SessionState
from app.model.view_states import ViewState


@dataclasses.dataclass(frozen=True, eq=False)
class SavedWork:
    """The saved choices and releases, for comparison with the current ones; never the data."""

    releases: tuple[ReleaseRecord, ...]
    shared: Fields
    table: WeakCell | None
    pages: Mapping[str, KeptPage]
    view_states: Mapping[str, ViewState]

    @classmethod
    def of(cls, work: SessionSnapshot, weak_cells: WeakCells) -> SavedWork:
        """Return the state of a session that was just saved."""
        state = work.state
        pages = {page: KeptPage.of(state.at(page).page_fields(), weak_cells) for page in PAGE_KINDS}
        table = None if state.table is None else weak_cells.cell(state.table)
        return cls(state.releases, _shared(state), table, pages, work.view_states)

    def is_same(self, now: SessionSnapshot) -> bool:
        """Return whether both would be saved alike, whatever page, view and picture are open."""
        state = now.state
        if self.releases != state.releases or self.shared != _shared(state):
            return False
        if state.table is not (None if self.table is None else self.table.value):
            return False
        pages = (page.is_same(state.at(name).page_fields()) for name, page in self.pages.items())
        return all(pages) and all(
            _chosen(self.view_states[name]) == _chosen(look) for name, look in now.view_states.items()
        )


@dataclasses.dataclass(frozen=True, eq=False)
class KeptPage:
    """The saved state of a page; `chosen` is all but the data."""

    chosen: Fields
    dataset: WeakCell | None
    data: KeptChoice

    @classmethod
    def of(cls, fields: Fields, weak_cells: WeakCells) -> KeptPage:
        """Return the saved state of the fields of a page."""
        dataset = fields["dataset"]
        cell = None if dataset is None else weak_cells.cell(dataset)
        return cls(_without_data(fields), cell, KeptChoice.of(fields["data"], weak_cells))

    def is_same(self, fields: Fields) -> bool:
        """Return whether choices are equal and the data are the same object, or restored by undoing."""
        dataset = None if self.dataset is None else self.dataset.value
        return (
            fields["dataset"] is dataset
            and self.data.is_found_in(fields["data"])
            and _same_choices(self.data.choice, fields["data"])
            and self.chosen == _without_data(fields)
        )


def _shared(state: SessionState) -> Fields:
    names = (*SHARED, "declarations", "questions", "sheet_budget")
    return {name: getattr(state, name) for name in names if name != "view"}


def _without_data(fields: Fields) -> Fields:
    return {name: value for name, value in fields.items() if name not in ("dataset", "data")}


def _same_choices(before: DataChoice, after: DataChoice) -> bool:
    kept = (*before.names(), *before.names(BY_HAND))
    return all(_same(getattr(before, name), getattr(after, name)) for name in kept)


def _same(before: Any, after: Any) -> bool:
    return _same_choices(before, after) if isinstance(before, DataChoice) else bool(before == after)


def _chosen(look: ViewState) -> ViewState:
    """Return the look without parts that change by themselves or by navigation."""
    choice = dataclasses.replace(look.audit.choice, pair="")
    audit = dataclasses.replace(look.audit, choice=choice, done=False)
    compare = dataclasses.replace(look.compare, done=False, searched=False)
    return dataclasses.replace(look, tab="", audit=audit, compare=compare)
