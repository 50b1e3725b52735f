"""Quantiles of a column: a value for each share of the records."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any

from app.model.wording.console import columns, counted
from app.model.wording.console import number as console_number
from app.model.wording.numbers import number, share
from app.releases.answer import NO_INTERVAL, ReleasedAnswer
from app.releases.geometry import title_of
from app.releases.labels import title_words
from app.releases.shape import Shape, Table
from engine.mechanisms import Quantiles
from engine.progress import Progress, silent

if TYPE_CHECKING:
    from app.model.release_record import ReleaseRecord
    from app.plots.figure_panel import FigurePanel
    from app.releases.run import Run
    from engine.mechanisms.prepared import Prepared
    from engine.mechanisms.release import Release

LISTED = 3
"""How many quantiles are written out on a line."""


class QuantilesShape(Shape):
    """A value for each share."""

    name = "quantiles"
    heading = "Quantiles"
    short = "Quantiles"

    def words(self, record: ReleaseRecord) -> str:
        value = record.release.value
        pairs = [f"{share(at)} {number(one)}" for at, one in _pairs(value)]
        return (
            f"{counted(len(pairs), 'quantile')}: {', '.join(pairs[:LISTED])}{', …' * (len(pairs) > LISTED)}"
        )

    def table(self, record: ReleaseRecord, most: int | None = None) -> Table:
        return ["share", "value"], [list(pair) for pair in _pairs(record.release.value)[:most]]

    def lines(self, record: ReleaseRecord, most: int) -> list[str]:
        return [f"{share(at)} below {number(one)}" for at, one in _pairs(record.release.value)[:most]]

    def answer(self, record: ReleaseRecord) -> ReleasedAnswer:
        said = super().answer(record)
        return dataclasses.replace(said, lines=(*said.lines, NO_INTERVAL))

    def fits(self, record: ReleaseRecord) -> bool:
        value = record.release.value
        if not isinstance(value, dict):
            return False
        lists = [value.get("shares"), value.get("values")]
        return all(map(_is_numbers, lists)) and len(value["shares"]) == len(value["values"])

    def headline(self, run: Run, release: Release) -> str:
        return f"{counted(len(release.value['values']), 'quantile')} of {run.data.columns[0]}"

    def listing(self, run: Run, release: Release) -> str:
        rows = [[console_number(at), console_number(one)] for at, one in _pairs(release.value)]
        return columns(["share below", run.coordinates[0].title], rows)

    def panel(self, record: ReleaseRecord, progress: Progress = silent) -> FigurePanel | None:
        return _panel(title_words(record), record.release)

    def run_panel(self, run: Run, release: Release, prepared: Prepared, *, show_private: bool) -> FigurePanel:
        if not show_private:
            return _panel(run.title(release), release)
        return _panel(title_of(run.mechanism), release, prepared.diagnostics["true_value"])


def _panel(title: str, release: Release, true_value: Any = None) -> FigurePanel:
    from app.plots.figure_panel import FigurePanel
    from app.plots.histogram.category_bars import CategoryBars

    view = Quantiles.numbers(release.value).compared(true_value, simulated=release.simulated)
    return FigurePanel(title, CategoryBars, view, private=true_value is not None)


def _pairs(value: Any) -> list[tuple[float, float]]:
    return list(zip(value["shares"], value["values"], strict=True))


def _is_numbers(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(one, int | float) for one in value)
