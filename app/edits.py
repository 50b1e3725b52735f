"""Steps to undo: which fields of the session each changes, what has to be read for that, and their stacks."""

from __future__ import annotations

import dataclasses
import time
import weakref
from typing import Any, ClassVar, Self

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QUndoCommand, QUndoGroup, QUndoStack

from app.model.kept_data import DataShelf, KeptFields, WeakCell
from app.model.kinds.base import Fields
from app.model.state import SessionState
from app.model.wording.edits import edit_words

MERGE_SECONDS = 1.0
"""Edits of one thing that follow each other this quickly are one step to undo."""


Place = tuple[str, str]
"""A page, and the workspace that is open on it."""


class Edit(QUndoCommand):
    """Replaces some fields of the state; undoing it leaves all other fields alone.

    Whatever it does is done where it was made, which is opened first: nothing changes out of sight.

    `text`: what the step is called in the menu. `merge`: name of a continuous movement; its edits become one
    step. `state`: what there was before. `stacks`: says what is put where, `UndoStacks.put`.
    """

    _ids: ClassVar[dict[str, int]] = {}

    def __init__(
        self,
        text: str,
        merge: str,
        state: SessionState,
        fields: Fields,
        shelf: DataShelf,
        stacks: UndoStacks,
    ) -> None:
        super().__init__(text)
        self._stacks = weakref.ref(stacks)  # they own this
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

    def describe(self, *, curator: bool = True) -> str:
        """Say what is changed: from which value to which, where that can be said."""
        return edit_words(self.text(), self._before.plain, self._after.plain, curator=curator)

    def changes(self, name: str) -> bool:
        """Tell whether it gives a field, which holds no data, another value."""
        return name in self._after.plain

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
        values, stacks = fields.values(), self._stacks()
        assert values is not None, "data have to be read first: Session.undo and redo see to that"
        if stacks is not None:
            stacks.put.emit(self._where, values)


@dataclasses.dataclass(frozen=True)
class PendingStep:
    """A step to undo, or to do again, whose data have to be read first."""

    fields: KeptFields
    forward: bool  # whether it is done again

    @classmethod
    def of(cls, stack: QUndoStack, forward: bool) -> Self | None:
        """Return the next step in a direction; None where there is none, or all of it is there."""
        index = stack.index() if forward else stack.index() - 1
        edit = stack.command(index)
        fields = edit.to_be_read(forward) if isinstance(edit, Edit) else None
        return None if fields is None else cls(fields, forward)


class UndoStacks(QObject):
    """The steps that can be undone: those of one's own work, and those of a lesson while one is played."""

    MAX_STEPS: ClassVar[int] = 200

    # PendingStep: data have to be read again before a step can be undone or done again
    data_needed = Signal(object)
    leaving = Signal()  # steps are about to be undone or done again
    # Place, Fields: a step is done or undone: a place is to be opened, and its fields have new values
    put = Signal(object, object)

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.group = QUndoGroup(self)
        self.work, self.lesson = (QUndoStack(self.group) for _ in range(2))
        for stack in (self.work, self.lesson):
            stack.setUndoLimit(self.MAX_STEPS)
        self.work.setActive()
        self._goal = 0

    @property
    def active(self) -> QUndoStack:
        """The stack of now."""
        return self.group.activeStack()

    def describe_steps(self, *, curator: bool = True) -> list[str]:
        """Return what each step changes, the oldest first."""
        edits = (self.active.command(index) for index in range(self.active.count()))
        return [edit.describe(curator=curator) if isinstance(edit, Edit) else edit.text() for edit in edits]

    def has_changed(self, name: str) -> bool:
        """Tell whether a field has been given another value by a step that is not undone."""
        edits = (self.active.command(index) for index in range(self.active.index()))
        return any(isinstance(edit, Edit) and edit.changes(name) for edit in edits)

    def undo(self) -> None:
        """Undo the newest step; where data have to be read again, `data_needed` says so first."""
        self.leaving.emit()
        self._go_to(self.active.index() - 1)

    def redo(self) -> None:
        """Do again what was undone last; as `undo`."""
        self.leaving.emit()
        self._go_to(self.active.index() + 1)

    def go_to(self, index: int) -> None:
        """Undo, or do again, until so many steps are done; `data_needed` says what has to be read first."""
        self.leaving.emit()
        self._go_to(index)

    def _go_to(self, index: int) -> None:
        self._goal = min(max(index, 0), self.active.count())
        self._go()

    def take_step(self, step: PendingStep, results: list[tuple[WeakCell, Any]]) -> None:
        """Go on with what waited for data, unless something else was done meanwhile."""
        if step == PendingStep.of(self.active, step.forward):
            for cell, value in results:
                cell.fill(value)
            self._go()

    def _go(self) -> None:
        stack = self.active
        while stack.index() != self._goal:
            forward = self._goal > stack.index()
            step = PendingStep.of(stack, forward)
            if step is not None:
                self.data_needed.emit(step)
                return
            if forward:
                stack.redo()
            else:
                stack.undo()
