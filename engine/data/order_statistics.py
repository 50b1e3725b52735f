"""The one thing that queries on order statistics ask of data: values by rank.

The same queries serve an array in memory, a file scanned in batches and a
distributed table, as long as each can say which values stand at the ranks a to b.
"""

from __future__ import annotations

import math
from typing import Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from engine.domain import Interval
from engine.errors import DataError


class OrderStatistics(Protocol):
    """A sample of n values, clamped to a public interval, seen through its ranks."""

    @property
    def n(self) -> int:
        """Number of records (public)."""

    @property
    def domain(self) -> Interval:
        """The public interval [L, U] to which the values are clamped."""

    def ranks(self, first: int, last: int) -> NDArray[np.float64]:
        """Return the clamped values at the ranks `first` to `last`, in order.

        Ranks count from 1 and include both ends; those below 1 hold L, those above
        n hold U, as in the formulas of the literature (x_i = 0 for i <= 0).
        """

    def total(self, first: int, last: int) -> float:
        """Return the correctly rounded sum of the values at those ranks."""
