"""Bounds of numbers, as the column of numbers and the weights of a graph have them."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Self

from app.model.kinds.base import DataChoice
from engine.domain import Interval
from engine.errors import ParameterError


@dataclasses.dataclass(frozen=True, eq=False)
class IntervalChoice(DataChoice):
    """Numbers between public bounds, some of which were changed by hand.

    Attributes
    ----------
    lower, upper : float or None
    resolution : float or None
        The declared step of what is released of them; None for the automatic grid.
    modified_values : mapping of int to float
        The number of a record, and the value that it was given by hand.
    """

    lower: float | None = None
    upper: float | None = None
    resolution: float | None = None
    modified_values: Mapping[int, float] = dataclasses.field(default_factory=dict)

    def domain(self) -> Interval:
        """Return the declared bounds; `ParameterError` when they are missing or make no sense."""
        if self.lower is None:
            raise _undeclared("lower", "smallest")
        if self.upper is None:
            raise _undeclared("upper", "largest")
        return Interval(self.lower, self.upper, self.resolution)

    def is_modified(self, reads: str) -> bool:
        """Tell whether any value was changed by hand."""
        return bool(self.modified_values)

    def changed_values(self) -> Mapping[int, float]:
        """Return the values that were given by hand."""
        return self.modified_values

    def unmodified(self) -> Self:
        """Return the choice without values that were changed by hand."""
        return dataclasses.replace(self, modified_values={})


def _undeclared(field: str, which: str) -> ParameterError:
    return ParameterError(field, f"declare the {which} possible value, from what is known without the data")
