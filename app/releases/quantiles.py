"""Quantiles of a column: a value for each share of the records."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from app.model.wording.console import counted
from app.model.wording.numbers import number, share
from app.releases.run import RunRecord
from app.releases.shape import (
    NO_INTERVAL,
    ReleasedAnswer,
    Shape,
    Table,
    bars,
    console_table,
    first_words,
)
from engine.mechanisms import Quantiles
from engine.progress import Progress, silent

if TYPE_CHECKING:
    from app.model.release_record import ReleaseRecord
    from app.plots.figure_panel import FigurePanel

MAX_LISTED = 3
"""Most quantiles on a line."""


class QuantilesShape(Shape):
    """A value for each share."""

    name = "quantiles"
    heading = "Quantiles"
    short = "Distribution"

    def summary(self, record: ReleaseRecord) -> str:
        pairs = [f"{share(at)} {number(one)}" for at, one in _pairs(record.release.value)]
        return f"{counted(len(pairs), 'quantile')}: {first_words(pairs, MAX_LISTED)}"

    def table(self, record: ReleaseRecord, limit: int | None = None) -> Table:
        return ["share", "value"], [list(pair) for pair in _pairs(record.release.value)[:limit]]

    def lines(self, record: ReleaseRecord, limit: int) -> list[str]:
        return [f"{share(at)} below {number(one)}" for at, one in _pairs(record.release.value)[:limit]]

    def answer(self, record: ReleaseRecord) -> ReleasedAnswer:
        return super().answer(record).with_note(NO_INTERVAL)

    def fits(self, record: ReleaseRecord) -> bool:
        value = record.release.value
        if not isinstance(value, dict):
            return False
        lists = [value.get("shares"), value.get("values")]
        return all(map(_is_numbers, lists)) and len(value["shares"]) == len(value["values"])

    def headline(self, record: RunRecord) -> str:
        return f"{counted(len(record.release.value['values']), 'quantile')} of {record.coordinates[0]}"

    def listing(self, record: RunRecord) -> str:
        return console_table(["share below", record.run.coordinates[0].title], self.table(record)[1])

    def panel(self, record: ReleaseRecord, progress: Progress = silent) -> FigurePanel | None:
        return bars(record, Quantiles.numbers(record.release.value))


def _pairs(value: Any) -> list[tuple[float, float]]:
    return list(zip(value["shares"], value["values"], strict=True))


def _is_numbers(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(one, int | float) for one in value)
