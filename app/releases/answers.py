"""The answers of a release: one number for each group, each with its interval."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from app.model.wording.numbers import format_like, number, quantity
from app.releases.groups import NO_ANSWER
from app.releases.registry import shape_of
from engine.data.categories import OTHER
from engine.mechanisms.answer_rows import AnswerRow, covers_population, rows_of

if TYPE_CHECKING:
    from app.model.release_record import ReleaseRecord

NEEDS_ROWS = ("median", "quantile", "mean", "sum")
"""Queries whose answer for a group without rows is noise alone."""
PERHAPS_EMPTY = "may be empty"


@dataclasses.dataclass(frozen=True)
class AnswerWithInterval(AnswerRow):
    """One released number in words.

    `ranks`: with 95 % probability, at most so many records lie between the value and the true answer; None
    for a group, whose number of records is confidential.
    `of_population`: whether the interval holds the value of the population, sampling included.
    `may_be_empty`: whether the number is noise alone if no row is in its group.
    """

    ranks: float | None = None
    of_population: bool = False
    may_be_empty: bool = False

    def value_words(self, unit: str = "") -> str:
        """Write the value, with as many digits as the interval supports."""
        if self.value is None:
            return NO_ANSWER
        if self.interval is None:
            return quantity(self.value, unit)
        return format_like(self.value, _size(self.interval), unit)

    def interval_words(self, unit: str = "") -> str:
        """Write the interval, or its width in ranks; "none" if there is neither."""
        if self.interval is None:
            return "none" if self.ranks is None else f"within {number(self.ranks)} ranks"
        ends = " to ".join(format_like(end, _size(self.interval)) for end in self.interval)
        covered = "for the population" if self.of_population else ""
        return " ".join(part for part in (ends, unit, covered) if part)


def answers(record: ReleaseRecord) -> tuple[AnswerWithInterval, ...]:
    """Return the answers of a release, in the order of its groups or cells; all of it is public."""
    rows = tuple(rows_of(record.release)) or tuple(_without_intervals(record))
    ranks = record.release.parameters.get("rank_error")
    ends = ((None, None) if record.looked else (row.low, row.high) for row in rows)
    covers, unsure = covers_population(record.release), OTHER if record.release.query in NEEDS_ROWS else None
    return tuple(
        AnswerWithInterval(
            row.group, row.value, low, high, None if row.group else ranks, covers, row.group == unsure
        )
        for row, (low, high) in zip(rows, ends, strict=True)
    )


def scale_of(results: Sequence[AnswerWithInterval]) -> tuple[float, float] | None:
    """Return the scale on which the intervals of groups are drawn; None without such intervals."""
    drawn = (one for one in results if one.group and one.interval and not one.may_be_empty)
    # in releases of earlier versions a value may be outside its interval
    ends = [end for one in drawn for end in (one.low, one.value, one.high) if end is not None]
    return (min(ends), max(ends)) if ends and min(ends) < max(ends) else None


def _without_intervals(record: ReleaseRecord) -> list[AnswerRow]:
    """Return the numbers of a value without groups or cells, such as quantiles."""
    _, rows = shape_of(record.release).table(record)
    return [AnswerRow(_name(row[:-1]), row[-1]) for row in rows if not isinstance(row[-1], str)]


def _size(interval: tuple[float, float]) -> float:
    """Return a size of numbers that the digits of an interval fit."""
    return 50 * (interval[1] - interval[0]) or abs(interval[1]) or 1.0


def _name(cells: list[Any]) -> str:
    return ", ".join(cell if isinstance(cell, str) else number(cell) for cell in cells)
