"""Open data in a job, with questions where needed; replace the old data only at the end."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, QSettings, Signal

from app.jobs.channels import Channel, Failure, Jobs
from app.model.dataset import Dataset
from app.model.declaring import declarations_of
from app.model.kept_data import (
    OpenedData,
    for_first_page,
    read_again,
    read_dataset,
    read_example,
    read_example_table,
    read_fields,
    read_file,
    read_first,
    restore_table,
)
from app.model.kinds.base import Fields, only
from app.model.kinds.column import public_groups
from app.model.kinds.declared import treatment
from app.model.kinds.page_data import declared_part
from app.model.pages.registry import PAGE_KINDS
from app.model.pages.workspaces import COMPARE, DATA_VIEW
from app.model.questions import AskedQuestion
from app.model.release_record import ReleaseRecord
from app.model.state import SessionState
from app.panels.reading_form import points_in_doubt
from app.session import Session
from engine.data.reading_options import DETECTED, ReadingOptions
from engine.errors import SensiscopeError
from engine.mechanisms.facts import facts_of
from engine.questions.declarations import Declarations

KEY, TABLE_KEY = "last session", "last table"
"""The keys of the last session and of its table in the settings."""


class OpenController(QObject):
    """Load data for the pages; a failed load leaves the session unchanged.

    Results belong to the page that was open at the request.
    """

    reading_needed = Signal(object)  # Dataset: the user must now say how its file is read
    opened = Signal(object)  # Dataset: the session has new data
    failed = Signal(object)  # Failure: a load that ended with an error
    # Path: what the page ended with is not there any more; an example takes its place
    missing = Signal(object)
    unreadable = Signal(str)  # the stored last session makes no sense; the message says where

    def __init__(self, session: Session, jobs: Jobs) -> None:
        super().__init__(session)
        self._session = session
        self._fallback = False
        # the file that is read, or was read the last time, and how; None for what is decided already
        self.asked: tuple[Path, ReadingOptions] | None = None
        # the columns that are read, or were read the last time; None if the last request named none
        self.chosen: tuple[Dataset, Fields] | None = None
        # the file whose columns were guessed, while they are read and if they cannot be read
        self.guessed: Dataset | None = None
        self._again: dict[Path, tuple[Callable[[ReadingOptions], None], ReadingOptions]] = {}
        session.mechanism_chosen.connect(self.fit)
        self._channels = {
            page: jobs.channel(f"read for {page}", self._on_result, self._on_failed) for page in PAGE_KINDS
        }
        self.table = jobs.channel("read the table", self._on_table, self._on_failed)
        self._shows = False  # whether the user sees how the table is read before it is taken
        self._restored: QSettings | None = None  # where the last table was looked for
        self._kept_table: Fields | None = None  # of the last session, while it is read
        self._to_page = ""  # the page that opens after the table; "" for Data
        self._for_page = ""  # the page with files of its own that the file belongs to; "" for the table
        session.shown.connect(self.follow_table)

    @property
    def channels(self) -> tuple[Channel, ...]:
        """The readings of all pages."""
        return tuple(self._channels.values())

    @property
    def reading(self) -> Channel:
        """The reading of the table while it goes on, else those of the page that is open."""
        return self.table if self.table.busy else self._channels[self._session.state.page]

    def begin(self, settings: QSettings | None = None) -> None:
        """Load the first data of the open page: those of last time, else an example."""
        state = self._session.state
        example = PAGE_KINDS[state.page].example
        empty = state.dataset is None and not self.reading.busy
        if not empty or (settings is not None and self._restore_table(settings)) or self.follow_table():
            return
        if (settings is None or not self._restore(settings)) and example:
            self.open_example(example)

    def open_file(self, path: str | Path, reading: ReadingOptions = DETECTED) -> None:
        """Read a file for the open page, or as the table if the page follows it.

        A lesson ends first, since the file is for one's own work on that page.
        """
        if PAGE_KINDS[self._session.state.page].follows:
            self.open_table(path, reading)
            return
        if self._session.state.lesson is not None:
            self._session.show_page(self._session.state.page)
        self._request(read_file, Path(path), reading, fallback=True)
        self.asked = (Path(path), reading)
        self._again[Path(path)] = partial(self.open_file, path), reading

    # The table of the program.

    def open_table(self, path: str | Path, reading: ReadingOptions = DETECTED) -> None:
        """Read a file as the table; `reading_needed` announces a question about how it is read."""
        self._request_table(partial(read_dataset, Path(path), reading, asks=True))
        self.asked = (Path(path), reading)
        self._again[Path(path)] = partial(self.open_table, path), reading

    def read_in_another_way(self, dataset: Dataset, reading: ReadingOptions) -> None:
        """Read a file in another way, and show the result before it is taken.

        The answer to a question about the first row needs no second look.
        """
        assert dataset.path is not None
        again = self.open_file if self._for_page else self.open_table
        again(dataset.path, reading)
        self._shows = dataset.doubt is None

    def ask_reading(self) -> None:
        """Ask how the file of the open page, or of the table, is read."""
        state = self._session.state
        self._for_page = state.page if self.page_has_files else ""
        dataset = state.dataset if self._for_page else state.table
        if dataset is not None:
            self.reading_needed.emit(dataset)

    def take(self, dataset: Dataset) -> None:
        """Take a file as it was read, for the page that it was opened for, or as the table."""
        if self._for_page:
            self.open_guessed(dataset)
        else:
            self.take_table(dataset)

    def open_guessed(self, dataset: Dataset) -> None:
        """Open a file on the page of its own, with the columns whose names tell their role."""
        self.open_fields(dataset, PAGE_KINDS[self._session.state.page].guess(dataset.table))
        self.guessed = dataset

    def open_blank(self, dataset: Dataset) -> None:
        """Open a file on the page of its own without columns, which the user then chooses."""
        self.open_fields(dataset, PAGE_KINDS[self._session.state.page].blank())

    def open_table_example(self, name: str, page: str = "") -> None:
        """Open a bundled example as the table, with the public facts on its card, and show a page."""
        self._request_table(partial(read_example_table, name))
        self._to_page = page

    @property
    def page_has_files(self) -> bool:
        """Whether the open page has files of its own, since it reads no columns of the table."""
        state = self._session.state
        return state.workspace in ("", COMPARE.name) and not PAGE_KINDS[state.page].follows

    def choose_example(self, name: str) -> None:
        """Open a bundled example on the open page; it replaces the table if the page follows it."""
        state = self._session.state
        if state.table is not None and state.lesson is None and PAGE_KINDS[state.page].follows:
            self.open_table_example(name, state.page)
        else:
            self.open_example(name)

    def take_table(self, dataset: Dataset) -> None:
        """Replace the table; what is stated about columns stays if the new table has all of them."""
        self._session.leave_lesson()  # the file is for one's own work
        state, example = self._session.state, dataset.example
        declarations, questions = state.declarations, state.questions
        names = {column.name for column in dataset.table.columns}
        stated = {column.name for column in declarations.columns} | {declarations.person} - {""}
        if example is not None:
            declarations, questions = declarations_of(example), ()
        elif not stated <= names:
            declarations, questions = Declarations(), ()
        fields = self._own(dataset)
        self._session.open_table(dataset, declarations, questions, **fields)
        if self._to_page:
            self._session.show_page(self._to_page)
        self.opened.emit(dataset)

    def show_on_data(self) -> None:
        """Show the page Data; without a table, the data of the page become the table."""
        state = self._session.state
        dataset = state.dataset
        if state.table is not None or dataset is None:
            self._session.show_page(DATA_VIEW.name)
            return
        known = Declarations() if dataset.example is None else declarations_of(dataset.example)
        self._session.open_table(dataset, PAGE_KINDS[state.page].declare(state.data, dataset, known))

    def follow_table(self) -> bool:
        """Let the open page read the declared columns of the table; return whether it is read now."""
        state = self._session.state
        table, data = state.records, PAGE_KINDS[state.page]
        with_data = state.workspace in ("", COMPARE.name) and state.lesson is None
        if table is None or not with_data or not data.follows or self.reading.busy:
            return False
        if state.dataset is table:
            return self._follow_treatment()
        fields = data.from_table(table, state.declarations)
        if fields is None:
            return False
        self.open_fields(table, fields)
        return True

    def _follow_treatment(self) -> bool:
        """Read the columns of the page again if their missing values are treated in another way now."""
        state = self._session.state
        columns = state.kind.columns_of(state.read_data)
        if not columns or state.dataset is None:
            return False
        declared = [state.declarations.column(name) for name in columns]
        wanted = treatment(declared, state.dataset)
        group = getattr(state.read_data, "group", None)
        if group is not None and group not in public_groups(state.declarations, state.dataset):
            wanted["group"] = None
        if all(getattr(state.read_data, name, value) == value for name, value in wanted.items()):
            return False
        self.open_fields(state.dataset, {**state.data.declared, **state.data.with_part(state.reads, wanted)})
        return True

    def _request_table(self, work: Any) -> None:
        self._fallback = self._shows = False
        self._kept_table = None
        self._to_page = self._for_page = ""
        self.asked = self.chosen = self.guessed = None
        self.table.request(work)

    def _on_table(self, dataset: Dataset) -> None:
        kept, self._kept_table = self._kept_table, None
        if kept is not None:
            paid = [one if self._is_paid(one, dataset) else None for one in kept["releases"]]
            questions = tuple(
                AskedQuestion(row.question, None if row.released is None else paid[row.released])
                for row in kept["rows"]
            )
            self._session.restore_table(dataset, kept["declarations"], questions, kept["sheet_budget"])
            self.begin(self._restored)
        elif dataset.doubt is not None or self._shows or points_in_doubt(dataset.table.reading):
            self.reading_needed.emit(dataset)
        else:
            self.take_table(dataset)

    def _is_paid(self, record: ReleaseRecord, dataset: Dataset) -> bool:
        """Return whether the account of these data paid for a release: they may have changed since."""
        try:
            return dataset.account_in(self._session.ledger, public=True).goes_by(record.dataset)
        except SensiscopeError:
            return False

    def start_with(self, path: str | Path) -> None:
        """Read the file of a new window; its columns decide the page."""
        self._read_first(Path(path), DETECTED)

    def read_confirmed(self, path: Path, connect: str) -> None:
        """Read the last requested file again, with the user's confirmation."""
        if path in self._again:
            again, reading = self._again[path]
            again(dataclasses.replace(reading, connect=connect))

    def show_held(self, dataset: Dataset) -> None:
        """Ask for the column of data without a file; the columns decide the page."""
        self._fallback = True
        self.reading.request(partial(for_first_page, dataset))

    def open_example(self, name: str) -> None:
        """Open a bundled example, with the public facts on its card."""
        self._request(read_example, name)

    def open_fields(self, dataset: Dataset, fields: Fields) -> None:
        """Open a dataset with the chosen `fields`, as its kind loads them."""
        self._request(read_fields, dataset, fields)
        self.chosen = (dataset, fields)

    def choose(self, **changed: Any) -> None:
        """Choose other columns of the same file."""
        state = self._session.state
        if state.dataset is None or all(state.value(name) == new for name, new in changed.items()):
            return
        if state.follows_table:
            self.open_fields(state.dataset, self._declared(changed))
            return
        self.open_fields(state.dataset, PAGE_KINDS[state.page].on_change(state, changed))

    def _declared(self, changed: Fields) -> Fields:
        """Return the fields to read after a change, with what is declared about new columns."""
        state = self._session.state
        assert state.dataset is not None
        fields = {**state.data.declared, **changed}
        before, after = state.data, dataclasses.replace(state.data, **only(type(state.data), changed))
        for kind in PAGE_KINDS[state.page].kinds:
            part = after.read_by(kind.name)
            columns = kind.columns_of(part)
            if columns and columns != kind.columns_of(before.read_by(kind.name)):
                declared = declared_part(kind, columns, state.dataset, state.declarations)
                fields |= after.with_part(kind.name, declared)
        return fields

    def fit(self) -> None:
        """Drop surplus columns; if an example has none, open another one."""
        state = self._session.state
        if state.dataset is None:
            return
        kind, most = state.kind, facts_of(state.asked).most_columns
        names = kind.columns_of(state.data.read_by(kind.name))
        if most is not None and len(names) > most:
            self.choose(**state.data.with_part(kind.name, {"columns": names[:most]}))
        elif not names and state.dataset.example:
            self.open_example(PAGE_KINDS[state.page].example_of(kind))

    def cancel(self) -> None:
        """Stop all readings, which belong to a session that is left."""
        for channel in (*self.channels, self.table):
            channel.cancel()

    def remember(self, settings: QSettings) -> None:
        """Store what `begin` needs for each page: choices, never data."""
        from app.documents.last_session import last_session, last_table

        settings.setValue(KEY, last_session(self._session.work, str(settings.value(KEY, ""))))
        if self._restored is not None:
            settings.setValue(TABLE_KEY, last_table(self._session.work))

    def _restore_table(self, settings: QSettings) -> bool:
        """Read the table of the last session, once, before the pages; return whether it is read now."""
        from app.documents.last_session import table_in
        from app.documents.schema import DocumentError

        if self._restored is not None:
            return False
        self._restored = settings
        try:
            kept = table_in(str(settings.value(TABLE_KEY, "")))
        except DocumentError as error:
            settings.remove(TABLE_KEY)
            self.unreadable.emit(str(error))
            return False
        if kept is None or self._session.state.table is not None:
            return False
        path = Path(kept["table"].path or "")
        if not path.is_file():
            self.missing.emit(path)
            return False
        declarations, reading = kept["declarations"], kept["table"].reading
        self._request_table(partial(restore_table, path, reading, declarations))
        self._kept_table = kept
        self.asked = (path, reading)
        return True

    def _restore(self, settings: QSettings) -> bool:
        """Open what the page ended with; False when that is not possible any more."""
        from app.documents.last_session import pages_of
        from app.documents.schema import DocumentError

        try:
            kept = pages_of(str(settings.value(KEY, ""))).get(self._session.state.page)
        except DocumentError as error:
            settings.remove(KEY)  # it is said once, and not for each page
            self.unreadable.emit(str(error))
            return False
        if kept is None or kept.data.path is None:
            return False
        path = Path(kept.data.path)
        if not path.is_file():
            self.missing.emit(path)
            return False
        self._read_again(path, dict(kept.fields), kept.data.reading)
        return True

    def _read_first(self, path: Path, reading: ReadingOptions) -> None:
        self._fallback, self._shows = True, False
        self.asked, self.guessed = (path, reading), None
        self._again[path] = partial(self._read_first, path), reading
        self.reading.request(partial(read_first, path, reading))

    def _read_again(self, path: Path, fields: Fields, reading: ReadingOptions) -> None:
        self._request(read_again, path, reading, fields, fallback=True)
        self.asked = (path, reading)  # how it is read may not have been stated by an earlier version
        self._again[path] = partial(self._read_again, path, fields), reading

    def _request(self, work: Any, *arguments: Any, fallback: bool = False) -> None:
        """Start to read; with `fallback` an example replaces unreadable data."""
        self._fallback, self._shows = fallback, False
        self.asked = self.chosen = self.guessed = None
        page = self._session.state.page
        self._channels[page].request(partial(work, page, *arguments))

    def _on_result(self, result: OpenedData) -> None:
        self.chosen = self.guessed = None  # else they kept the data
        if not result.page:
            self._on_table(result.dataset)
            return
        if result.fields is None:
            self._on_file(result.page, result.dataset)
            return
        there = self._session.state.at(result.page)
        same = result.dataset is there.dataset
        other = result.fields.get("group") != there.value("group")
        text = f"change the {'group' if other else 'column'}" if same else f"open {result.dataset.title}"
        fields = PAGE_KINDS[result.page].after_read(there, result.dataset, result.fields)
        fields = {**self._first(result), **self._own(result.dataset), **fields}
        self._session.open_dataset(result.dataset, text, result.page, **fields)
        self.opened.emit(result.dataset)

    def _on_file(self, page: str, dataset: Dataset) -> None:
        """Open a file on its page, or ask first how it is read."""
        self._session.show_page(page)
        self._for_page = page
        if dataset.doubt is not None or self._shows or points_in_doubt(dataset.table.reading):
            self.reading_needed.emit(dataset)
        else:
            self.open_guessed(dataset)

    def _first(self, result: OpenedData) -> Fields:
        """Return what belongs to an example that nothing was open before, and nothing chosen."""
        state, data = self._session.state, PAGE_KINDS[result.page]
        empty = state.dataset is None and state.table is None and not state.other_pages
        first = empty and state.epsilon == SessionState.epsilon
        if data.epsilon is None or not first or result.dataset.example != data.example:
            return {}
        return {"epsilon": data.epsilon}

    def _own(self, dataset: Dataset) -> Fields:
        """Return what belongs to the first file of the user's own: epsilon as usual, if none was chosen.

        That of an example goes with the example, which it makes an example of.
        """
        session = self._session
        epsilon, examples = session.state.epsilon, all(one.example for one in session.state.datasets)
        of_example = any(page.epsilon == epsilon for page in PAGE_KINDS.values())
        if dataset.example or not (examples and of_example) or session.stacks.has_changed("epsilon"):
            return {}
        return {"epsilon": SessionState.epsilon}

    def _on_failed(self, failure: Failure) -> None:
        self.failed.emit(failure)
        if self._kept_table is not None:
            self._kept_table = None
            self.begin(self._restored)
        if self._fallback:
            # a page is never empty, whatever was wrong with the file
            self.begin()
