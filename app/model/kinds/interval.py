"""Bounds of numbers, as the column of numbers and the weights of a graph have them."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Mapping

from app.model.kinds.base import BY_HAND, DataChoice
from app.model.wording.numbers import format_exact, with_unit
from engine.domain import Interval
from engine.errors import ParameterError
from engine.mechanisms.problem import Problem


@dataclasses.dataclass(frozen=True, eq=False)
class IntervalChoice(DataChoice):
    """Numbers between public bounds, some of which were changed by hand.

    Attributes
    ----------
    lower, upper : float or None
    resolution : float or None
        The declared step of what is released of them; None for the automatic grid.
    fills : mapping of str to float
        What stands for missing values of a column.
    modified_values : mapping of int to float
        The number of a record, and the value that it was given by hand.
    """

    lower: float | None = None
    upper: float | None = None
    resolution: float | None = None
    fills: Mapping[str, float] = dataclasses.field(default_factory=dict)
    modified_values: Mapping[int, float] = dataclasses.field(default_factory=dict, metadata=BY_HAND)

    def domain(self) -> Interval:
        """Return the declared bounds; `ParameterError` when they are missing or make no sense."""
        if self.lower is None:
            raise _undeclared("lower", "smallest")
        if self.upper is None:
            raise _undeclared("upper", "largest")
        return Interval(self.lower, self.upper, self.resolution)

    def undeclared(self) -> Problem | None:
        """Ask for the bounds that are missing, or say what is wrong with them."""
        if self.lower is None or self.upper is None:
            which = "both bounds" if self.lower is None and self.upper is None else "the other bound, too"
            problem = f"declare {which}, from what is known without the data"
            return Problem("lower" if self.lower is None else "upper", problem)
        return refused(Interval, self.lower, self.upper, self.resolution)

    def changed_values(self) -> Mapping[int, float]:
        return self.modified_values

    def report_bounds(self, unit: str) -> Iterator[tuple[str, str]]:
        """Yield the declared bounds, as a report has them."""
        yield "Declared bounds", bounds_words(self.lower, self.upper, unit)

    def report_resolution(self, unit: str) -> Iterator[tuple[str, str]]:
        """Yield the declared step, if there is one."""
        if self.resolution is not None:
            yield "Declared resolution", with_unit(format_exact(self.resolution), unit)


def bounds_words(low: float | None, high: float | None, unit: str) -> str:
    """Write declared bounds."""
    if low is None or high is None:
        return "not declared"
    return f"{format_exact(low)} to {with_unit(format_exact(high), unit)}"


def middle(low: float | None, high: float | None) -> float | None:
    """Return the middle of declared bounds."""
    return None if low is None or high is None else low / 2 + high / 2


def refused(check: Callable[..., object], *values: float | None) -> Problem | None:
    """Return what `check` has against what is declared."""
    try:
        check(*values)
    except ParameterError as error:
        return Problem(error.field, error.problem)
    return None


def _undeclared(field: str, which: str) -> ParameterError:
    return ParameterError(field, f"declare the {which} possible value, from what is known without the data")
