"""What may be asked of any database, what is public about it, and a few records of many."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any, Protocol, Self, TypeVar, runtime_checkable

import numpy as np

from engine.array_types import Ints
from engine.domain import Interval
from engine.errors import DataError, ParameterError
from engine.numerals import grouped
from engine.randomness import reproducible


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


@dataclasses.dataclass(frozen=True)
class PublicFacts:
    """What is public about data; it stands in their place where they may not be looked at.

    Attributes
    ----------
    domain : Interval, Box or CategoryDomain
        The public range of one record.
    n : int
        How many records there are.
    columns, units : tuple of str
        The names and units of their coordinates.

    Examples
    --------
    >>> from engine import Interval
    >>> PublicFacts(Interval(0, 100), 10).n
    10
    """

    domain: Any
    n: int
    columns: tuple[str, ...] = ()
    units: tuple[str, ...] = ()


@runtime_checkable
class Divisible(Protocol):
    """A database of which some records alone are a database, too."""

    @property
    def n(self) -> int:
        """How many records."""

    def only(self: DivisibleT, positions: Ints) -> DivisibleT:
        """Return the records at these positions, counted from 0."""


DivisibleT = TypeVar("DivisibleT", bound=Divisible)


def check_divisible(data: object) -> None:
    """Raise `DataError` for data of which no records can be left out: graphs."""
    if not isinstance(data, Divisible):
        raise DataError(
            "without some of its edges a graph is another graph, so that none can be left out; "
            "vary something else than n"
        )


def draw_subsample(data: DivisibleT, n: int, seed: int) -> DivisibleT:
    """Return n of the records, drawn without replacement, in the order in which they stand."""
    check_divisible(data)
    if not 1 <= n <= data.n:
        raise ParameterError(
            "n",
            f"{grouped(n)} records cannot be drawn of {grouped(data.n)}; choose a whole number from "
            f"1 to {grouped(data.n)}",
        )
    chosen = reproducible(seed).choice(data.n, n, replace=False, shuffle=False)
    return data.only(np.sort(chosen))
