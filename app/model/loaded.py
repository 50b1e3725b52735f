"""What the command line has found: a table with what is said about it, and the records in it."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from app.model.wording.console import size
from engine.data.database import AnyDatabase

if TYPE_CHECKING:
    from engine.data import Table
    from engine.domain import Interval
    from engine.queries import Query


DatabaseT = TypeVar("DatabaseT", bound=AnyDatabase)


@dataclasses.dataclass(frozen=True)
class LoadedRecords(Generic[DatabaseT]):
    """Records within their public bounds.

    Attributes
    ----------
    database : Database
        Values and weights are clamped to the bounds.
    name, unit : str
        What they are called, and what their values are measured in.
    moved : int or None
        How many records the bounds moved (private); None where the database tells.
    dropped : int
        Rows without a value that were left out because the user said so (private).
    notes : tuple of str
        What is to be said about them, from public facts alone.
    detected : tuple of str
        What is to be said of how their file is written, which the records tell (private).
    columns, units : tuple of str
        Of points, what the coordinates are called and measured in.
    """

    database: DatabaseT
    name: str
    unit: str
    moved: int | None
    dropped: int
    notes: tuple[str, ...] = ()
    detected: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()
    units: tuple[str, ...] = ()

    @property
    def clamped(self) -> int:
        """How many records the bounds moved (private)."""
        return self.database.outside if self.moved is None else self.moved

    @property
    def sizes(self) -> dict[str, int]:
        """The public sizes by name: n, which of a graph is the number of vertices, and perhaps edges."""
        facts = self.database.facts
        return {"n": self.database.n} | {name: facts[name] for name in ("edges",) if name in facts}

    @property
    def size_words(self) -> str:
        """How many records there are, if that is public."""
        if self.database.release_problem:
            return "how many is confidential"
        return size(self.database.facts, self.database.n)

    def range_of(self, query: Query[Any]) -> Interval:
        """Return the public range of the results of `query`."""
        return query.value_range(self.database.domain, self.database.n)


@dataclasses.dataclass(frozen=True)
class LocatedTable:
    """A table, and what the options and an example's card say about it.

    Attributes
    ----------
    table : Table
    example : str or None
        The name of the bundled example that it is.
    fields : dict
        Columns and public facts, by the names that the choice of their kind has for them.
    notes : tuple of str
        What is to be said about the options.
    detected : tuple of str
        What is to be said of how the file is written, which the records tell (private).
    """

    table: Table
    example: str | None
    fields: dict[str, Any]
    notes: tuple[str, ...] = ()
    detected: tuple[str, ...] = ()
