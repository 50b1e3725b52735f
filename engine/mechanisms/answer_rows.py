"""Released numbers with their 95 % intervals, read from a release."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping
from typing import Any, Protocol

from engine.domain import Interval
from engine.numerals import short
from engine.parameters import plain_parameters
from engine.queries import QUERIES


class Answered(Protocol):
    """The public part of a release that holds its numbers and their error."""

    @property
    def value(self) -> Any: ...

    @property
    def error(self) -> float | None: ...

    @property
    def query(self) -> str: ...

    @property
    def parameters(self) -> Mapping[str, Any]: ...


@dataclasses.dataclass(frozen=True)
class AnswerRow:
    """A released number of a group, a cell, a condition or a rank; of "" where there is only one.

    The value is None if the mechanism gave no answer.  Both ends are None without a public interval.
    """

    group: str
    value: float | None
    low: float | None = None
    high: float | None = None

    @property
    def interval(self) -> tuple[float, float] | None:
        """The ends of the 95 % interval; None if there is no public one."""
        return None if self.low is None or self.high is None else (self.low, self.high)


def rows_of(release: Answered) -> Iterator[AnswerRow]:
    """Yield the released numbers of groups, cells, conditions or ranks, or the only number.

    The interval of a cell holds its true count with probability at least 95 %: see `AddedNoise.intervals`.
    Yields nothing for other values, such as points.
    """
    value = release.value
    if not isinstance(value, Mapping):
        if value is None or isinstance(value, int | float):
            yield _with_error(release, "", value, release.parameters)
    elif "groups" in value:
        yield from (
            _with_error(release, str(row.get("group", "")), row["value"], row) for row in value["groups"]
        )
    elif "counts" in value:
        intervals = value.get("intervals") or [None] * len(value["counts"])
        for rank, (count, interval) in enumerate(zip(value["counts"], intervals, strict=True), 1):
            row = count if isinstance(count, Mapping) else {"count": count, "interval": interval}
            yield _with_error(release, row.get("condition", f"{rank}."), row["count"], row)
    else:
        tables = value.get("margins") or [value]
        for cell in (cell for table in tables for cell in table.get("cells", ())):
            yield _with_error(release, _cell_name(cell), cell["count"], cell)


def covers_population(release: Answered) -> bool:
    """Return whether the intervals that a release has paid for hold the value of the population."""
    return release.parameters.get("covers") == "population" and bool(release.parameters.get("error_share"))


def _with_error(release: Answered, group: str, value: float | None, row: Mapping[str, Any]) -> AnswerRow:
    """Return a number with its own interval, or with that of the error of the release."""
    interval, error = row.get("interval"), release.error
    if interval is None and error is not None and value is not None:
        interval = value - error, value + error
        possible = None if group else possible_range(release)
        if possible is not None and possible.lower <= interval[1] and interval[0] <= possible.upper:
            interval = possible.clamp(interval[0]), possible.clamp(interval[1])
    return AnswerRow(group, value, *map(float, interval or ()))


def _cell_name(cell: Mapping[str, Any]) -> str:
    if "categories" in cell:
        return ", ".join(cell["categories"])
    sides = zip(cell["lower"], cell["upper"], strict=True)
    return ", ".join(f"{short(low)} to {short(high)}" for low, high in sides)


def possible_range(release: Answered) -> Interval | None:
    """Return the public range of a released number.

    None for a question that the catalog lacks, and where the range depends on the number of records: a
    release does not state that.
    """
    known = release.parameters
    if release.query not in QUERIES:
        return None
    query = QUERIES[release.query]
    settings = {one.name: known[one.name] for one in plain_parameters(query) if one.name in known}
    domain = Interval(known["lower"], known["upper"]) if "lower" in known else Interval(0.0, 1.0)
    sizes = [int(known["vertices"])] if "vertices" in known else [2, 3]
    ranges = [query(**settings).value_range(domain, n) for n in sizes]
    return ranges[0] if ranges[0] == ranges[-1] else None
