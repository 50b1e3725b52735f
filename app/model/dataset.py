"""A table with its origin, and a record of it that is pointed at."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypeVar
from weakref import WeakValueDictionary

from engine.data.reading_options import DETECTED, ReadingOptions

if TYPE_CHECKING:
    from engine.data import FileIdentity, Numbers, Table, TableSketch
    from engine.data.formats.file_format import StaysInFile
    from engine.errors import NamesInDoubt
    from engine.progress import Progress


AccountT = TypeVar("AccountT", covariant=True)

Content = tuple[str, str, ReadingOptions]
"""What tells what was read from everything else that can be read: see `Dataset.content`."""


class AccountSource(Protocol[AccountT]):
    """A ledger, as far as accounts are looked for in it."""

    def account(
        self,
        digest: str,
        title: str = "",
        *,
        former: str = "",
        sketch: TableSketch | None = None,
        others: Sequence[str] = (),
    ) -> AccountT:
        """Return the account of a dataset."""


@dataclasses.dataclass(frozen=True, eq=False)
class Dataset:
    """A table, and where it came from.

    `digest` names the dataset for the budget: what is spent on data stays spent when they are opened
    again, moved, copied, sorted, or written in another format.  It is "table:…" of what a file says,
    "example:…" for what comes with the program, and private: who guesses the data can check the guess
    with it.  So is `former`, "sha256:…" of the bytes of a file, by which ledgers and sessions of older
    versions know it.  By the `sketch` of a file, which is private, too, others that are only similar are
    found.  `others` are digests of further tables that a query names.  `reading` says how a file is read,
    as far as that is stated.  `doubt` is there until it is stated whether a row holds the names of the
    columns or a record; till then it is taken for a record.
    """

    table: Table
    digest: str = dataclasses.field(repr=False)
    path: Path | None = None
    example: str | None = None
    former: str = dataclasses.field(default="", repr=False)
    reading: ReadingOptions = DETECTED
    sketch: TableSketch | None = dataclasses.field(default=None, repr=False)
    others: tuple[str, ...] = dataclasses.field(default=(), repr=False)
    doubt: NamesInDoubt | None = None
    _numbers: WeakValueDictionary[Any, Numbers] = dataclasses.field(
        default_factory=WeakValueDictionary, init=False, repr=False
    )

    def numbers(self, columns: tuple[str, ...], missing: str, fill: tuple[float, ...]) -> Numbers:
        """Return the numbers of columns as points: one array for all pages that look at the same."""
        key = (columns, missing, fill if missing == "fill" else ())
        match = self._numbers.get(key)
        if match is None:
            match = self._numbers[key] = self.table.points(columns, missing, fill)
        return match

    @classmethod
    def of_example(cls, name: str) -> Dataset:
        """Read a bundled example."""
        from engine.data import example_digest, load_example

        return cls(load_example(name), example_digest(name), example=name)

    @classmethod
    def of_file(cls, table: Table, path: Path, reading: ReadingOptions, progress: Progress) -> Dataset:
        """Find out which dataset a table is that was read from a file (in a worker)."""
        from engine.data import file_identity

        return cls._known(
            table, path, reading, file_identity(table, path, progress=progress, reading=reading)
        )

    @classmethod
    def of_stored(
        cls, stored: StaysInFile, path: Path, reading: ReadingOptions, progress: Progress
    ) -> Dataset:
        """Return a file that is too large to be read into memory (in a worker)."""
        from engine.data import ColumnsApart, file_identity
        from engine.data.large_files import stored_format
        from engine.data.reading import is_columnar
        from engine.data.reading_options import FoundReading
        from engine.progress import part

        match = stored_format(path, reading)
        assert match is not None
        text = f"{match.title}, which stays in its file"
        read = FoundReading(match.name, reading.stated)
        table = stored.as_table(text, read, part(progress, 0.0, 0.5))
        whole = ColumnsApart(path) if is_columnar(path) else stored
        known = file_identity(whole, path, progress=part(progress, 0.5, 1.0), reading=reading)
        return cls._known(table, path, reading, known)

    @classmethod
    def _known(cls, table: Table, path: Path, reading: ReadingOptions, known: FileIdentity) -> Dataset:
        results = {field.name: getattr(known, field.name) for field in dataclasses.fields(known)}
        return cls(table, path=path, reading=reading, **results)

    @classmethod
    def of_table(cls, table: Table) -> Dataset:
        """Return what is in no file; its budget is that of all files with the same table."""
        from engine.data.identity import table_identity

        digest, sketch = table_identity(table)
        return cls(table, digest, sketch=sketch)

    @property
    def title(self) -> str:
        """The name that users know it by."""
        return self.path.name if self.path else self.table.source

    @property
    def can_be_read_again(self) -> bool:
        """Whether they came from somewhere: others stay with Undo."""
        return self.path is not None or self.example is not None

    @property
    def stays_in_file(self) -> bool:
        """Whether its records are too many to be held: they are read as often as is needed."""
        return hasattr(self.table, "stored")

    @property
    def is_public(self) -> bool:
        """Whether the data are published or synthetic: nothing computed from them is confidential."""
        from engine.data import EXAMPLES

        return self.example is not None and EXAMPLES[self.example].public

    @property
    def content(self) -> Content:
        """What was read (private), whichever budget it shares.

        Where it is stated how a file is read, its digest may be that of what is read otherwise; then the
        bytes and all that is stated tell.
        """
        return self.digest, "" if self.reading == DETECTED else self.former, self.reading

    def column(self, name: str) -> Any:
        """Return the `engine.data.Column` of that name, or None."""
        return next((column for column in self.table.columns if column.name == name), None)

    def account_in(self, ledger: AccountSource[AccountT], *, public: bool = False) -> AccountT:
        """Return the account of these data; of public ones nothing is kept to find similar ones."""
        sketch = None if public else self.sketch
        return ledger.account(self.digest, self.title, former=self.former, sketch=sketch, others=self.others)


@dataclasses.dataclass(frozen=True)
class PointedRecord:
    """What is known of it.

    Attributes
    ----------
    record : int or None
        Its number, from 0, where it is known.
    values : mapping of str to float
        Its values by column; by "" the one of the only column that is read.
    """

    record: int | None
    values: Mapping[str, float] = dataclasses.field(default_factory=dict)
