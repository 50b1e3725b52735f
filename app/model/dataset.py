"""Tables with their origin, and the record under the mouse."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any
from weakref import WeakValueDictionary

from engine.data.reading_options import DETECTED, ReadingOptions

if TYPE_CHECKING:
    from app.model.ledger import AnyLedger
    from engine.data import FileIdentity, Numbers, Table, TableSketch
    from engine.data.formats.file_format import StaysInFile
    from engine.errors import NamesInDoubt
    from engine.ledger import Account
    from engine.progress import Progress
    from engine.questions.declarations import Declarations


Content = tuple[str, str, ReadingOptions]
"""Identifies the records that were read: see `Dataset.content`."""

OF_LESSON = "lesson:"
"""Start of the digest of values that a lesson brings."""


@dataclasses.dataclass(frozen=True, eq=False)
class Dataset:
    """A table with its origin.

    `digest` names the dataset for the budget: spent budget stays spent if the data are opened again, moved,
    copied, sorted or saved in another format. It is "table:…" for the contents of a file, "example:…" for
    bundled data, and private: it confirms a correct guess of the data. `former` is the "sha256:…" of the
    bytes of a file, private too; ledgers and sessions of older versions use it. The private `sketch` of a
    file finds similar data. `others` are digests of further tables that a query names. `reading` has the
    stated reading options. `doubt` is set until you state whether the first row is a header; until then it
    counts as a record. `persons` has the column that identifies a person, and the rule that has combined the
    rows of each person.
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
    persons: tuple[str, str] | None = None
    _numbers: WeakValueDictionary[Any, Numbers] = dataclasses.field(
        default_factory=WeakValueDictionary, init=False, repr=False
    )

    _combined: dict[tuple[str, str], Dataset] = dataclasses.field(
        default_factory=dict, init=False, repr=False
    )

    def combine(self, person: str, rule: str) -> Dataset:
        """Return the data with one row for each person (in a worker)."""
        from engine.data.rows import combine_rows

        key = (person, rule)
        if key not in self._combined:
            table = combine_rows(self.table, person, rule)
            self._combined[key] = dataclasses.replace(self, table=table, persons=key)
        return self._combined[key]

    def records(self, declarations: Declarations) -> Dataset | None:
        """Return the data whose rows are the records that pages read; None until they are combined.

        None, too, where a person keeps several rows: pages promise privacy to a single record.
        """
        if not declarations.person:
            return self
        if declarations.most_rows is not None:
            return None
        return self._combined.get((declarations.person, declarations.person_rule))

    def numbers(self, columns: tuple[str, ...], missing: str, fill: tuple[float, ...]) -> Numbers:
        """Return columns as points; pages that use the same columns share one array."""
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
        """Identify the dataset of a table that was read from a file (in a worker)."""
        from engine.data import file_identity

        return cls._known(
            table, path, reading, file_identity(table, path, progress=progress, reading=reading)
        )

    @classmethod
    def of_stored(
        cls, stored: StaysInFile, path: Path, reading: ReadingOptions, progress: Progress
    ) -> Dataset:
        """Return a file that is too large for memory (in a worker)."""
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
        """Return a dataset without a file; it shares its budget with all files that hold the same table."""
        from engine.data.identity import table_identity

        digest, sketch = table_identity(table)
        return cls(table, digest, sketch=sketch)

    @property
    def title(self) -> str:
        """The name shown to users."""
        return self.path.name if self.path else self.table.source

    @property
    def bytes_in_memory(self) -> int:
        """The size of the table in memory, in bytes."""
        return 0 if self.stays_in_file else int(self.table.data.nbytes)

    @property
    def stays_in_file(self) -> bool:
        """Whether the records are too many for memory; they are read whenever they are needed."""
        return hasattr(self.table, "stored")

    @property
    def is_public(self) -> bool:
        """Whether the data are published or synthetic, so that no result is confidential."""
        from engine.data import EXAMPLES

        of_example = self.example is not None and EXAMPLES[self.example].public
        return of_example or self.digest.startswith(OF_LESSON)

    @property
    def content(self) -> Content:
        """Identifies the records that were read (private), whichever budget they share.

        With stated reading options, different readings of one file can share a digest. The bytes of the file
        and the options then identify the records.
        """
        return self.digest, "" if self.reading == DETECTED else self.former, self.reading

    def column(self, name: str) -> Any:
        """Return the `engine.data.Column` of that name, or None."""
        return next((column for column in self.table.columns if column.name == name), None)

    def account_in(self, ledger: AnyLedger, *, public: bool = False) -> Account:
        """Return the account of these data; for public data, it stores nothing to find similar ones."""
        sketch = None if public else self.sketch
        return ledger.account(self.digest, self.title, former=self.former, sketch=sketch, others=self.others)


@dataclasses.dataclass(frozen=True)
class PointedRecord:
    """The record under the mouse."""

    record: int | None  # its number, from 0, if known
    # its values by column; under "" the value of the only column that is read
    values: Mapping[str, Any] = dataclasses.field(default_factory=dict)
