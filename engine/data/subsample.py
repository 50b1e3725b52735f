"""A few records of many, drawn without replacement."""

from __future__ import annotations

from typing import Protocol, TypeVar, runtime_checkable

import numpy as np

from engine.array_types import Ints
from engine.errors import DataError, ParameterError
from engine.numerals import grouped
from engine.randomness import reproducible


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


def subsampled(data: DivisibleT, n: int, seed: int) -> DivisibleT:
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
