"""Interfaces that all databases share, their public facts, and random subsamples."""

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
    """Records of any kind, and public facts about them."""

    @property
    def n(self) -> int:
        """The public size: number of records, or of vertices of a graph."""

    @property
    def domain(self) -> Any:
        """The public range of one record: an `Interval`, or a `Box` of intervals."""

    @property
    def resolution(self) -> float | None:
        """The public step to which results are rounded, if one is declared."""

    @property
    def records(self) -> int:
        """Number of records that can be replaced, the largest distance to another database."""

    @property
    def outside(self) -> int:
        """Number of records outside the public range before clamping (private)."""

    @property
    def facts(self) -> Mapping[str, Any]:
        """Public facts that belong to every release: bounds, resolution, sizes."""

    @property
    def release_problem(self) -> str:
        """Why no release may be made of the data, and how to change that (public); "" if one may."""

    def replaced(self, record: int, value: Any, /) -> Self:
        """Return the neighbour in which a record (from 0) has another value."""


class Database(AnyDatabase, Protocol):
    """Records that are numbers.

    Samples of numbers, weighted graphs and graphs whose edges are the records share this interface.
    Sensitivities, paths and mechanisms need only this one.
    """

    @property
    def domain(self) -> Interval:
        """The public range of one record."""


DatabaseT = TypeVar("DatabaseT", bound=Database)


class Walkable(Database, Protocol):
    """A database with paths to other databases, which replace one record at a time."""

    @property
    def far_ends(self) -> tuple[str, ...]:
        """Names of the distant databases to which a path leads."""

    def far_end(self: DatabaseT, name: str) -> DatabaseT:
        """Return the distant database with this name."""

    def steps(self: DatabaseT, end: DatabaseT) -> int:
        """Return the length of the path to `end`; `DataError` if none leads there."""

    def toward(self: DatabaseT, end: DatabaseT, count: int) -> DatabaseT:
        """Return the database after the first `count` steps to `end`."""


WalkableT = TypeVar("WalkableT", bound=Walkable)


@dataclasses.dataclass(frozen=True)
class PublicFacts:
    """Public facts about data, for code that must not look at the data.

    Attributes
    ----------
    domain : Interval, Box or CategoryDomain
        The public range of one record.
    n : int
        Number of records.
    columns, units : tuple of str
        Names and units of the coordinates.

    See Also
    --------
    Problem, Mechanism

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
    """A database whose subsets of records are databases, too."""

    @property
    def n(self) -> int:
        """Number of records."""

    def only(self: DivisibleT, positions: Ints) -> DivisibleT:
        """Return only the records at these positions, counted from 0."""


DivisibleT = TypeVar("DivisibleT", bound=Divisible)


def check_divisible(data: object) -> None:
    """Raise `DataError` for data whose records cannot be left out: graphs."""
    if not isinstance(data, Divisible):
        raise DataError("leaving out edges would make another graph; vary another setting than n")


def draw_subsample(data: DivisibleT, n: int, seed: int) -> DivisibleT:
    """Draw n of the records without replacement; they keep their order."""
    check_divisible(data)
    if not 1 <= n <= data.n:
        raise ParameterError(
            "n",
            f"{grouped(n)} records cannot be drawn from {grouped(data.n)}; choose a whole number "
            f"from 1 to {grouped(data.n)}",
        )
    chosen = reproducible(seed).choice(data.n, n, replace=False, shuffle=False)
    return data.only(np.sort(chosen))
