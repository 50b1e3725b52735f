"""Tables and records that the command line has read, with notes about them."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from app.model.wording.console import size
from engine.data.database import AnyDatabase

if TYPE_CHECKING:
    from app.model.kinds.base import DataChoice
    from engine.data import Table
    from engine.domain import Interval
    from engine.queries import Query


DatabaseT = TypeVar("DatabaseT", bound=AnyDatabase)


@dataclasses.dataclass(frozen=True)
class LoadedRecords(Generic[DatabaseT]):
    """Records within their public bounds."""

    database: DatabaseT  # values and weights are clamped to the bounds
    # name, unit: their name, and the unit of their values
    name: str
    unit: str
    moved: int | None  # number of records clamped to the bounds (private); None if the database counts them
    dropped: int  # number of rows without a value that were left out on request (private)
    notes: tuple[str, ...] = ()  # notes that use public facts only
    # notes about the format of the file, which depend on the records (private)
    detected: tuple[str, ...] = ()
    # columns, units: names and units of coordinates; for points only
    columns: tuple[str, ...] = ()
    units: tuple[str, ...] = ()
    # public statements about which rows count, and what a record is
    statements: Mapping[str, Any] = dataclasses.field(default_factory=dict)

    @property
    def clamped(self) -> int:
        """Number of records clamped to the bounds (private)."""
        return self.database.outside if self.moved is None else self.moved

    @property
    def sizes(self) -> dict[str, int]:
        """The public sizes by name: n (for a graph, the number of vertices), and edges if they are public."""
        facts = self.database.facts
        return {"n": self.database.n} | {name: facts[name] for name in ("edges",) if name in facts}

    @property
    def about_json(self) -> dict[str, Any]:
        """The columns in words (None for graphs), and the number of records (None if it is confidential)."""
        asked = self.name.rpartition(" (")[0] or None  # without the file
        return {"n": None if self.database.release_problem else self.database.n, "column": asked}

    @property
    def size_words(self) -> str:
        """The number of records, if it is public."""
        if self.database.release_problem:
            return "the number of records is confidential"
        return size(self.database.facts, self.database.n)

    def range_of(self, query: Query[Any]) -> Interval:
        """Return the public range of the results of `query`."""
        return query.value_range(self.database.domain, self.database.n)


@dataclasses.dataclass(frozen=True)
class LocatedTable:
    """A table with the fields from options and from an example's card."""

    table: Table
    example: str | None  # name of the bundled example; None for a file
    fields: dict[str, Any]  # columns and public facts, by fields of the choice for their kind
    notes: tuple[str, ...] = ()  # notes about the options
    # notes about the format of the file, which depend on the records (private)
    detected: tuple[str, ...] = ()
    # the column of persons, and the rule that combines the rows of a person
    person: tuple[str, str] | None = None

    def statements(self, choice: type[DataChoice]) -> dict[str, Any]:
        """Return the public statements about which rows count, and what a record is.

        `choice` is the class of the choice of this kind of data.
        """
        stated: dict[str, Any] = choice(**self.fields).statements
        if self.person is None:
            return stated
        column, rule = self.person
        return stated | {"person": column, "person_rule": rule}
