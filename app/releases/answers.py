"""The answers of a release: one number for each group, each with its interval."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any

from app.model.wording.numbers import format_like, number, quantity
from app.releases.groups import GroupsShape, parts_of
from app.releases.number import possible_range
from app.releases.registry import shape_of
from app.releases.shape import half_width

if TYPE_CHECKING:
    from app.model.release_record import ReleaseRecord


@dataclasses.dataclass(frozen=True)
class AnswerWithInterval:
    """One released number.

    Attributes
    ----------
    group : str
        The group or cell; "" for the only answer.
    value : float or None
        None if the mechanism gave no answer.
    low, high : float or None
        Ends of the 95 % interval; None if there is no public one.
    ranks : float or None
        With 95 % probability, at most so many records lie between the value and the true answer.
    """

    group: str
    value: float | None
    low: float | None = None
    high: float | None = None
    ranks: float | None = None

    @property
    def interval(self) -> bool:
        """Whether there is an interval."""
        return self.low is not None and self.high is not None

    def value_words(self, unit: str = "") -> str:
        """Write the value, with as many digits as the interval supports."""
        if self.value is None:
            return "no answer"
        if self.low is None or self.high is None:
            return quantity(self.value, unit, 5)
        return format_like(self.value, self._width, unit)

    def interval_words(self, unit: str = "") -> str:
        """Write the interval, or its width in ranks; "not public" if there is neither."""
        if self.low is None or self.high is None:
            return "not public" if self.ranks is None else f"within {number(self.ranks)} ranks"
        return " to ".join(format_like(end, self._width, unit) for end in (self.low, self.high))

    @property
    def _width(self) -> float:
        assert self.low is not None
        assert self.high is not None
        return 50 * (self.high - self.low) or abs(self.high) or 1.0


def answers(record: ReleaseRecord) -> tuple[AnswerWithInterval, ...]:
    """Return the answers of a release, in the order of its groups or cells; all of it is public."""
    shape, value = shape_of(record.release), record.release.value
    ranks = record.release.parameters.get("rank_error")
    if shape.name == GroupsShape.name:
        parts = parts_of(record.release)
        ends = (one.interval or (None, None) for one in parts)
        return tuple(
            AnswerWithInterval(one.group, one.value, low, high, ranks)
            for one, (low, high) in zip(parts, ends, strict=True)
        )
    if value is None or isinstance(value, int | float):
        return (dataclasses.replace(_with_error("", value, record), ranks=ranks),)
    _, rows = shape.table(record)
    return tuple(_with_error(_name(row[:-1]), row[-1], record) for row in rows if _is_number(row[-1]))


def _with_error(group: str, value: float | None, record: ReleaseRecord) -> AnswerWithInterval:
    width = half_width(record)
    if value is None or width is None:
        return AnswerWithInterval(group, value)
    low, high = value - width, value + width
    possible = None if group else possible_range(record)
    if possible is not None and possible.lower <= high and low <= possible.upper:
        low, high = max(low, possible.lower), min(high, possible.upper)
    return AnswerWithInterval(group, value, low, high)


def _name(cells: list[Any]) -> str:
    return ", ".join(cell if isinstance(cell, str) else number(cell) for cell in cells)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
