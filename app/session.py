"""The model of a window: an immutable state, edits on an undo stack, and signals."""

from __future__ import annotations

import dataclasses
import time
import weakref
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, ClassVar

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QUndoCommand, QUndoGroup, QUndoStack

from app.model.dataset import Dataset, PointedRecord
from app.model.kept_data import DatabaseCache
from app.model.kinds.base import DataChoice, Fields, fields_of, with_choice
from app.model.ledger import AnyLedger, LazyLedger
from app.model.pages.registry import PAGE_KINDS
from app.model.pages.workspaces import DATA_VIEW, FIRST, RELEASED
from app.model.questions import AskedQuestion, asked_anew, released_row, with_released
from app.model.release_record import ReleaseRecord, with_stored
from app.model.state import PAGE_FIELDS, WORKSPACES, LessonPosition, SessionState, fields_of_step
from app.model.trusted_code import TrustedFunction
from app.model.views import RELEASE
from app.model.wording.edits import edit_words
from app.model.wording.numbers import within
from engine.catalog import kind_of
from engine.privacy import Privacy
from engine.questions.declarations import Declarations

MERGE_SECONDS = 1.0
"""Seconds within which consecutive edits of one thing merge into one undo step."""

DRAG = "drag "
"""How the name of a movement begins that may pause: it ends when the user lets go."""


MAX_BYTES = 2**30
"""Most memory of the data that undo steps hold; beyond it, opening data forgets the earlier steps."""


Place = tuple[str, str]
"""A page, and the workspace open on it ("" for none)."""


class Edit(QUndoCommand):
    """Replaces some fields of the state; undoing it leaves all other fields unchanged.

    The page of the edit is opened first, so that nothing changes out of sight.

    `text`: name of the step in the menu. `merge`: name of a continuous movement whose edits become one step.
    `state`: the state before. `stacks`: owner of `put`, which applies fields to a page.
    """

    _ids: ClassVar[dict[str, int]] = {}

    def __init__(
        self,
        text: str,
        merge: str,
        state: SessionState,
        fields: Fields,
        stacks: UndoStacks,
    ) -> None:
        super().__init__(text)
        self._stacks = weakref.ref(stacks)  # the stacks own this edit
        self._where = state.page, state.workspace
        self._merge = merge
        self._when = time.monotonic()
        self._before: Fields = {name: state.value(name) for name in fields}
        self._after = fields

    def id(self) -> int:
        """Return equal numbers for edits that may merge (Qt's rule)."""
        return self._ids.setdefault(self._merge, len(self._ids)) if self._merge else -1

    def mergeWith(self, other: QUndoCommand) -> bool:
        """Take over the newer edit if it belongs to the same movement."""
        assert isinstance(other, Edit)
        late = other._when - self._when > MERGE_SECONDS and not self._merge.startswith(DRAG)
        if late or other._where != self._where:
            return False
        self._after, self._when = other._after, other._when
        return True

    def describe(self, *, curator: bool = True) -> str:
        """Return the name of the step, with old and new value where they can be shown."""
        return edit_words(self.text(), _plain(self._before), _plain(self._after), curator=curator)

    def changes(self, name: str) -> bool:
        return name in self._after

    @property
    def datasets(self) -> set[Dataset]:
        """The data that the edit holds in memory."""
        values = (*self._before.values(), *self._after.values())
        return {value for value in values if isinstance(value, Dataset)}

    def redo(self) -> None:
        """Apply the edit."""
        self._apply(self._after)

    def undo(self) -> None:
        """Restore the previous values."""
        self._apply(self._before)

    def _apply(self, fields: Fields) -> None:
        stacks = self._stacks()
        if stacks is not None:
            stacks.put.emit(self._where, fields)


def _plain(fields: Fields) -> Fields:
    """Return the fields that hold no data."""
    return {name: value for name, value in fields.items() if not isinstance(value, Dataset | DataChoice)}


class UndoStacks(QObject):
    """The undo stacks: one for ordinary work, one for the lesson being played."""

    MAX_STEPS: ClassVar[int] = 200

    leaving = Signal()  # steps are about to be undone or redone
    # Place, Fields: a step was undone or redone: open its page and set the new values
    put = Signal(object, object)

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.group = QUndoGroup(self)
        self.work, self.lesson = (QUndoStack(self.group) for _ in range(2))
        for stack in (self.work, self.lesson):
            stack.setUndoLimit(self.MAX_STEPS)
        self.work.setActive()

    @property
    def active(self) -> QUndoStack:
        """The stack in use now."""
        return self.group.activeStack()

    def describe_steps(self, *, curator: bool = True) -> list[str]:
        """Return a description of each step, oldest first."""
        edits = (self.active.command(index) for index in range(self.active.count()))
        return [edit.describe(curator=curator) if isinstance(edit, Edit) else edit.text() for edit in edits]

    def has_changed(self, name: str) -> bool:
        """Return whether any step that is not undone changed a field."""
        edits = (self.active.command(index) for index in range(self.active.index()))
        return any(isinstance(edit, Edit) and edit.changes(name) for edit in edits)

    def undo(self) -> None:
        """Undo the newest step."""
        self.leaving.emit()  # first: it may take a step for what is half typed
        self.active.undo()

    def redo(self) -> None:
        """Redo the last undone step."""
        self.leaving.emit()
        self.active.redo()

    def go_to(self, index: int) -> None:
        """Undo or redo until `index` steps are done."""
        self.leaving.emit()
        self.active.setIndex(min(max(index, 0), self.active.count()))

    def push(self, edit: Edit) -> None:
        """Take a step; forget the earlier ones if their data fill too much memory."""
        if edit.datasets and self._bytes_with(edit) > MAX_BYTES:
            self.active.clear()
        self.active.push(edit)

    def _bytes_with(self, edit: Edit) -> int:
        edits = (self.active.command(index) for index in range(self.active.count()))
        held = (one.datasets for one in (*edits, edit) if isinstance(one, Edit))
        return sum(dataset.bytes_in_memory for dataset in set().union(*held))


class _Watch(QObject):
    """Forwards changes of some fields, or of all others, while its owner lives."""

    changed = Signal(object)

    def __init__(self, session: Session, fields: Collection[str], owner: QObject, *, others: bool) -> None:
        super().__init__(owner)
        self._fields = frozenset(fields)
        self._others = others
        session.changed.connect(self._pass_on)

    def _pass_on(self, fields: frozenset[str]) -> None:
        if fields - self._fields if self._others else fields & self._fields:
            self.changed.emit(fields)


class RecordPointer(QObject):
    """Holds the record under the mouse on the open page, for all views that can show it."""

    moved = Signal(object)  # PointedRecord or None

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.pointed: PointedRecord | None = None

    def point_at(self, pointed: PointedRecord | None) -> None:
        """Point at a record; None for no record."""
        if pointed != self.pointed:
            self.pointed = pointed
            self.moved.emit(pointed)


class Session(QObject):
    """Holds the `SessionState`; every edit goes through `edit` and can be undone.

    Without a `ledger` it creates a temporary one.

    Edits in a lesson have their own undo stack, which ends with the lesson. A release is no edit: spent
    budget cannot be undone. Neither is the choice of view, so that Undo never shows confidential data, nor
    the choice of page: each page has its own data.
    """

    changed = Signal(object)  # frozenset of str: the fields of the state that have new values
    # the user has changed the mechanism; the data are still the previous ones
    mechanism_chosen = Signal()
    leaving = Signal()  # another page is about to open: half-typed input belongs to the present one
    shown = Signal()  # the user has opened a page or workspace, and not by undoing

    def __init__(self, parent: QObject | None = None, ledger: AnyLedger | None = None) -> None:
        super().__init__(parent)
        self._state = SessionState()
        self.ledger = LazyLedger() if ledger is None else ledger
        self._accounts: dict[str, str] = {}
        self.databases = DatabaseCache()
        self.pointer = RecordPointer(self)
        self.stacks = UndoStacks(self)
        self.stacks.leaving.connect(self.leaving)
        self.stacks.put.connect(self._put)
        self._before_lesson: SessionState | None = None
        self._before_released = ""

    @property
    def state(self) -> SessionState:
        return self._state

    @property
    def undo_stack(self) -> QUndoStack:
        """The undo stack in use: that of the lesson while one is played."""
        return self.stacks.active

    def announce_all(self) -> None:
        """Update everything that follows the session."""
        own = frozenset(field.name for field in dataclasses.fields(SessionState))
        self.changed.emit(own | fields_of(type(self._state.data)) | {"query", "parameters"})

    def edit(self, text: str, *, merge: str = "", **fields: Any) -> None:
        """Set fields as one undo step.

        `text`: name of the step in the menu ("change epsilon"). `merge`: name of a continuous movement whose
        edits become one step.
        """
        fields = self._state.resolved(fields)
        if any(self._state.value(name) != value for name, value in fields.items()):
            self._push(text, merge, fields)

    def _push(self, text: str, merge: str, fields: Fields) -> None:
        # invalid values fail here; an exception inside Qt would end the program
        fields = self._state.linked(fields)
        self.stacks.push(Edit(text, merge, self._state, fields, self.stacks))

    def _put(self, where: Place, fields: Fields) -> None:
        self._open(*where)
        if "questions" in fields and fields.get("table", self._state.table) is self._state.table:
            fields = {**fields, "questions": with_released(self._state.questions, fields["questions"])}
        self._replace(fields)

    def choose(self, name: str, *path: str) -> None:
        """Choose the component at a path (none: the mechanism), with its last used parameters."""
        before = self._state.mechanism.part(*path)
        if name != before.name:
            chosen = self._state.mechanism.with_part(self._state.known.specify(before.family, name), *path)
            self.edit(f"change the {kind_of(before.component)}", **self._state.choosing(chosen))
            self.mechanism_chosen.emit()

    def set_parameter(self, value: Any, *path: str, merge: str = "") -> None:
        """Set one parameter of the mechanism, or of its part at the path before the name."""
        chosen = self._state.mechanism.with_value(value, *path)
        self.edit(self._change_of(*path), merge=merge, **self._state.choosing(chosen))

    def forget_parameter(self, *path: str) -> None:
        """Reset a parameter to its default."""
        chosen = self._state.mechanism.without(*path)
        self.edit(self._change_of(*path), **self._state.choosing(chosen))

    def _change_of(self, *path: str) -> str:
        """Return the text of the step that changes a parameter, by its label: "change even n"."""
        *above, name = path
        declared = self._state.mechanism.part(*above).component.parameters()
        label = next((one.label for one in declared if one.name == name), name)
        return f"change {within(label)}"

    def move_point(self, index: int, value: float) -> None:
        """Change the value of one record."""
        values = {**self._state.data.changed_values(), index: value}
        self.edit("move a data point", merge=f"point {index}", modified_values=values)

    def put_back(self) -> None:
        """Undo all manual changes on this page, as one edit."""
        if self._state.modified:
            self.edit("reset manual changes", data=self._state.data.unmodified())

    def open_dataset(self, dataset: Dataset, text: str, page: str | None = None, **fields: Any) -> None:
        """Replace the data of a page (default: the open one).

        The first data of a page are no edit, since there is no empty page to return to. Later data open the
        page that they are for.
        """
        self.leaving.emit()
        page = page or self._state.page
        there = self._state.at(page)
        data = there.data.unmodified()
        values = {"dataset": dataset, "data": data, **with_choice(data, there.resolved(fields))}
        values = there.linked(values)
        if there.dataset is not None:
            self._show(page)
            self._push(text, "", values)
        elif page == self._state.page:
            self._replace(values)
        else:
            kept = {**there.page_fields(), **values}
            shared = {name: kept.pop(name) for name in set(values).difference(PAGE_FIELDS)}
            self._replace({**shared, "other_pages": {**self._state.other_pages, page: kept}})

    def show_page(self, page: str) -> None:
        """Open another page with its own data, or a workspace on the data of the present page.

        A lesson ends first: choosing a page means working on your own data.
        """
        self._show(page)
        self.shown.emit()

    def open_table(
        self,
        table: Dataset,
        declarations: Declarations,
        questions: tuple[AskedQuestion, ...] = (),
        *,
        text: str = "",
        **fields: Any,
    ) -> None:
        """Replace the table of the program, and all that is stated and asked about it, as one edit.

        Releases belong to the earlier table: its questions stay, without their answers.
        """
        self.leaving.emit()
        asked = asked_anew(questions)
        values = {"table": table, "declarations": declarations, "questions": asked, **fields}
        self._show(DATA_VIEW.name)
        self._push(text or f"open {table.title}", "", values)

    def restore_table(
        self,
        table: Dataset,
        declarations: Declarations,
        questions: tuple[AskedQuestion, ...],
        sheet_budget: Privacy,
    ) -> None:
        """Take the table and the sheet of the last session; no edit, since nothing was open before."""
        for row in questions:
            if row.released is not None:
                self.add_release(row.released, table.digest)
        self._replace(
            {
                "table": table,
                "declarations": declarations,
                "questions": questions,
                "sheet_budget": sheet_budget,
            }
        )

    def _show(self, page: str) -> None:
        self.leave_lesson()
        if page == RELEASED.name and self._state.workspace in FIRST:
            self._open(self._page_of_table, page)
        elif page in WORKSPACES:
            self._open(self._state.page, page)
        else:
            self._open(page, "")

    @property
    def _page_of_table(self) -> str:
        """The open page if it reads the table, else the first one that does."""
        reads = [name for name, data in PAGE_KINDS.items() if data.follows]
        return self._state.page if self._state.page in reads else reads[0]

    def begin_lesson(self, position: LessonPosition, page: str, chosen: Fields, **fields: Any) -> None:
        """Show a step of a lesson: a page with its own data and choices, and values of shared fields.

        Leaving the lesson restores the state before it.
        """
        self.leaving.emit()
        if self._before_lesson is None:
            self._before_lesson = self._state
        self.stacks.lesson.clear()
        self.stacks.lesson.setActive()
        self._replace(fields_of_step(position, page, chosen, fields))

    @property
    def work(self) -> SessionState:
        """The user's own state: during a lesson, the state before it."""
        return self._state if self._before_lesson is None else self._before_lesson

    def replace(self, state: SessionState, accounts: Mapping[str, str]) -> None:
        """Start with another state: its past cannot be undone, and no function is trusted yet.

        `accounts`: names of the accounts of its data, by digest.
        """
        self.leaving.emit()
        self._before_lesson = None
        for stack in (self.stacks.lesson, self.stacks.work):
            stack.clear()
        self.stacks.work.setActive()
        self._accounts |= accounts
        self._replace(vars(state))

    def leave_lesson(self) -> None:
        """Restore the state before the lesson, but keep trust in functions from files."""
        self.leaving.emit()
        before, self._before_lesson = self._before_lesson, None
        if before is not None:
            self.stacks.lesson.clear()
            self.stacks.work.setActive()
            self._replace(vars(before) | {"trusted": self._state.trusted})

    def show_view(self, view: str) -> None:
        """Switch between "curator" and "release"."""
        self._replace({"view": view})

    def choose_view(self, view: str, *, stay: bool = False) -> None:
        """Switch the view, as the user says: Release opens the page of the releases, Curator leaves it.

        With `stay` the open page stays.
        """
        other = view != self._state.view
        self.show_view(view)
        if not other or stay or self._state.lesson is not None:
            return
        if view == RELEASE:
            self._before_released = self._state.visible_view
            self.show_page(RELEASED.name)
        elif self._state.workspace == RELEASED.name:
            self.show_page(self._before_released or self._state.page)

    def trust(self, result: TrustedFunction) -> None:
        """Allow a function from a file to run; no edit, so that Undo changes no permission."""
        self._replace({"trusted": self._state.trusted | {result}})

    def add_release(self, record: ReleaseRecord, digest: str = "") -> None:
        """Append a record to the history, permanently; a lesson has its own history of simulations.

        `digest` belongs to the dataset whose account the record names.
        """
        if record.dataset:
            self._accounts[digest] = record.dataset
        if self._before_lesson is not None and not record.release.simulated:
            # the release began before the lesson and has spent budget
            before = self._before_lesson
            self._before_lesson = dataclasses.replace(before, releases=(*before.releases, record))
        else:
            self._replace({"releases": (*self._state.releases, record)})

    def release_question(self, key: int, record: ReleaseRecord, digest: str) -> None:
        """Append the release of a row of the sheet to the history, and lock the row."""
        self.add_release(record, digest)
        if self._before_lesson is not None:
            before = self._before_lesson
            self._before_lesson = dataclasses.replace(
                before, questions=released_row(before.questions, key, record)
            )
        self._replace({"questions": released_row(self._state.questions, key, record)})

    def is_here(self, record: ReleaseRecord) -> bool:
        """Return whether a release, or a simulation in this lesson step, is about the open data."""
        if self._state.dataset is None or record.location != self._state.location:
            return False
        return record.release.simulated or self.is_paid_here(record)

    def releases_here(self, stored: Sequence[ReleaseRecord]) -> list[ReleaseRecord]:
        """Return the releases of the open data, oldest first; in a lesson, its simulations.

        `stored`: those that the ledger has.
        """
        records = self._state.releases
        if self._state.lesson is not None:
            return list(records)
        return with_stored(list(filter(self.is_paid_here, records)), stored)

    def is_paid_here(self, record: ReleaseRecord) -> bool:
        """Return whether the account of the open data paid for a release."""
        dataset = self._state.visible_dataset
        account = None if dataset is None else self._accounts.get(dataset.digest)
        return account is not None and record.dataset == account

    def _open(self, page: str, workspace: str) -> None:
        there = self._state.at(page)
        names = ("page", "other_pages", *PAGE_FIELDS)
        self._replace({"workspace": workspace, **{name: getattr(there, name) for name in names}})

    def watch(self, fields: Collection[str], owner: QObject, slot: Callable[..., object]) -> None:
        """Call a slot of an owner when one of these fields changes."""
        _Watch(self, fields, owner, others=False).changed.connect(slot)

    def watch_others(self, fields: Collection[str], owner: QObject, slot: Callable[..., object]) -> None:
        """Call a slot of an owner when any field except these changes."""
        _Watch(self, fields, owner, others=True).changed.connect(slot)

    def _replace(self, fields: dict[str, Any]) -> None:
        before = self._state
        if any(before.value(name) is not value for name, value in fields.items()):
            self._state = before.replaced(fields)
            self._forget_unreachable()
            self.changed.emit(self._state.differences(before))

    def _forget_unreachable(self) -> None:
        """Drop databases that no page reads."""
        states = (self._state, *([self._before_lesson] if self._before_lesson else []))
        self.databases.keep_only(source for state in states for source in state.builders())
