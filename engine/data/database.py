"""What queries, mechanisms and pictures may ask of any database."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol, Self, TypeVar

from engine.domain import Interval
from engine.errors import DataError


class AnyDatabase(Protocol):
    """Records of any kind, and what is public about them."""

    @property
    def n(self) -> int:
        """The public size: number of records, or of vertices of a graph."""

    @property
    def domain(self) -> Any:
        """The public range of one record: an `Interval`, or a `Box` of them."""

    @property
    def resolution(self) -> float | None:
        """The public step to which results are rounded, if one is declared."""

    @property
    def records(self) -> int:
        """How many records there are to replace: no database is farther away."""

    @property
    def outside(self) -> int:
        """How many records were out of that range before they were clamped to it (private)."""

    @property
    def facts(self) -> Mapping[str, Any]:
        """What is public and belongs to every release: bounds, resolution, sizes."""

    @property
    def release_problem(self) -> str:
        """Why no release may be made of it, and what to do instead (public); "" where one may be."""

    def replaced(self, record: int, value: Any, /) -> Self:
        """Return the neighbour in which a record (from 0) has another value."""


def check_bounded(data: Any) -> None:
    """Raise `DataError` for data without public bounds, such as a list."""
    if not hasattr(data, "domain"):
        raise DataError(
            f"public bounds are missing: a {type(data).__name__} has none; give Sample(values, (lower, "
            "upper)) for one column, Points(rows, (lower, upper)) for several"
        )


class Database(AnyDatabase, Protocol):
    """Records that are numbers.

    A sample of numbers, a graph with weights and a graph of which the edges are the
    records all answer to it, so that sensitivities, paths and mechanisms are written once.
    """

    @property
    def domain(self) -> Interval:
        """The public range of one record."""


DatabaseT = TypeVar("DatabaseT", bound=Database)


class Walkable(Database, Protocol):
    """A database from which a path leads to another one, record by record."""

    @property
    def far_ends(self) -> tuple[str, ...]:
        """The names of databases far away, to which a path leads."""

    def far_end(self: DatabaseT, name: str) -> DatabaseT:
        """Return the database of that name."""

    def steps(self: DatabaseT, end: DatabaseT) -> int:
        """Return the length of the path to `end`; `DataError` if none leads there."""

    def toward(self: DatabaseT, end: DatabaseT, count: int) -> DatabaseT:
        """Return the database after the first `count` steps to `end`."""


WalkableT = TypeVar("WalkableT", bound=Walkable)
