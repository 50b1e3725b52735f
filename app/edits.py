"""One step to undo: which fields of the session it changes, and what has to be read for that."""

from __future__ import annotations

import dataclasses
import time
import weakref
from collections.abc import Callable
from typing import ClassVar, Self

from PySide6.QtGui import QUndoCommand, QUndoStack

from app.model.kept_data import DataShelf, KeptFields
from app.model.kinds.base import Fields
from app.model.state import SessionState

MERGE_SECONDS = 1.0
"""Edits of one thing that follow each other this quickly are one step to undo."""


Place = tuple[str, str]
"""A page, and the workspace that is open on it."""


class Edit(QUndoCommand):
    """Replaces some fields of the state; undoing it leaves all other fields alone.

    Whatever it does is done where it was made, which is opened first: nothing changes out of sight.

    Parameters
    ----------
    text : str
        What the step is called in the menu.
    merge : str
        Name of a continuous movement; its edits become one step.
    state : SessionState
        What there was before.
    fields : dict
    shelf : DataShelf
    put : callable
        A method of the session, which owns the stack that owns this: opens a place, and replaces fields.
    """

    _ids: ClassVar[dict[str, int]] = {}

    def __init__(
        self,
        text: str,
        merge: str,
        state: SessionState,
        fields: Fields,
        shelf: DataShelf,
        put: Callable[[Place, Fields], None],
    ) -> None:
        super().__init__(text)
        self._put = weakref.WeakMethod(put)
        self._where = state.page, state.workspace
        self._merge = merge
        self._when = time.monotonic()
        before = {name: state.value(name) for name in fields}
        self._before = KeptFields(state.page, before, state.dataset, shelf)
        self._after = KeptFields(state.page, fields, fields.get("dataset", state.dataset), shelf)

    def id(self) -> int:
        """Return the same number for edits that may merge, as Qt asks."""
        return self._ids.setdefault(self._merge, len(self._ids)) if self._merge else -1

    def mergeWith(self, other: QUndoCommand) -> bool:
        """Take over the newer edit, if it belongs to the same movement."""
        assert isinstance(other, Edit)
        if other._when - self._when > MERGE_SECONDS or other._where != self._where:
            return False
        self._after, self._when = other._after, other._when
        return True

    def to_be_read(self, forward: bool) -> KeptFields | None:
        """Return what has to be read again before this can be done or undone; None if all is there."""
        fields = self._after if forward else self._before
        return fields if fields.values() is None else None

    def redo(self) -> None:
        """Apply the edit."""
        self._apply(self._after)

    def undo(self) -> None:
        """Put back what was there."""
        self._apply(self._before)

    def _apply(self, fields: KeptFields) -> None:
        values, put = fields.values(), self._put()
        assert values is not None, "data have to be read first: Session.undo and redo see to that"
        if put is not None:
            put(self._where, values)


@dataclasses.dataclass(frozen=True)
class PendingStep:
    """A step to undo, or to do again, whose data have to be read first.

    Attributes
    ----------
    fields : KeptFields
        What reads them.
    forward : bool
        Whether it is done again.
    """

    fields: KeptFields
    forward: bool

    @classmethod
    def of(cls, stack: QUndoStack, forward: bool) -> Self | None:
        """Return the next step in a direction; None where there is none, or all of it is there."""
        place = stack.index() if forward else stack.index() - 1
        edit = stack.command(place)
        fields = edit.to_be_read(forward) if isinstance(edit, Edit) else None
        return None if fields is None else cls(fields, forward)
