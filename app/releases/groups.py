"""One number for each part of a table: a value by group, or where a condition holds."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from app.model.wording.console import counted
from app.model.wording.console import number as console_number
from app.model.wording.numbers import format_like, is_number, number
from app.releases.labels import query_words
from app.releases.number import number_line
from app.releases.run import RunRecord, truth_of
from app.releases.shape import ReleasedAnswer, Shape, Table, console_table, first_words
from engine.components import asked_of
from engine.mechanisms.answer_rows import AnswerRow, covers_population, rows_of
from engine.progress import Progress, silent

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from app.model.figure_style import FigureStyle
    from app.model.release_record import ReleaseRecord
    from app.plots.figure_panel import FigurePanel
    from app.releases.run import Run
    from engine.mechanisms.prepared import Prepared
    from engine.mechanisms.release import Release

MAX_LISTED = 3
"""Most groups on a line."""

NO_ANSWER = "no answer"
"""The answer of a part without records; the true one of a part is confidential."""


class GroupsShape(Shape):
    """A value for each group, or a single one where a condition holds."""

    name = "groups"
    heading = "Parts of a table"
    short = "Groups"
    each = "group"

    def summary(self, record: ReleaseRecord) -> str:
        values = parts_of(record.release)
        if not is_grouped(record.release):
            return _with_unit(record, values[0])
        texts = [f"{one.group} {_digits(one)}" for one in values]
        return f"{counted(len(values), 'group')}: {first_words(texts, MAX_LISTED)}"

    def table(self, record: ReleaseRecord, limit: int | None = None) -> Table:
        values = parts_of(record.release)[:limit]
        first = ["group"] if is_grouped(record.release) else []
        rows = [[*([one.group] if first else []), _value(one), *(one.interval or ("", ""))] for one in values]
        header = [*first, query_words(record.release).lower()]
        if not any(one.interval for one in values):
            return header, [row[: len(header)] for row in rows]
        return [*header, "95 % from", "to"], rows

    def lines(self, record: ReleaseRecord, limit: int) -> list[str]:
        if not is_grouped(record.release):
            one = parts_of(record.release)[0]
            return [text] if (text := _interval(record, one) or _ranks(record)) else []
        return [
            ", ".join(filter(None, (f"{one.group} {_with_unit(record, one)}", _interval(record, one))))
            for one in parts_of(record.release)[:limit]
        ]

    def answer(self, record: ReleaseRecord) -> ReleasedAnswer:
        if is_grouped(record.release):
            return super().answer(record)
        part = parts_of(record.release)[0]
        return ReleasedAnswer(_digits(part), record.unit, tuple(self.lines(record, 1)))

    def fits(self, record: ReleaseRecord) -> bool:
        value = record.release.value
        if not isinstance(value, dict):
            return is_number(value)
        groups = value.get("groups")
        return isinstance(groups, list) and all(map(_is_part, groups))

    def exact(self, record: ReleaseRecord) -> str:
        return "" if is_grouped(record.release) else repr(parts_of(record.release)[0].value)

    def panel(self, record: ReleaseRecord, progress: Progress = silent) -> FigurePanel | None:
        if not is_grouped(record.release):
            return None
        from app.plots.figure_panel import FigurePanel
        from app.plots.histogram.category_bars import CategoryBars
        from engine.mechanisms.categories.numbers import CategoryNumbers

        truth, values, asked = truth_of(record), parts_of(record.release), query_words(record.release)
        ends = np.array([one.interval or (math.nan, math.nan) for one in values])
        by = record.subject.partition(" by ")[2] or "group"
        numbers = CategoryNumbers(
            by,
            tuple(one.group for one in values),
            np.array([math.nan if one.value is None else one.value for one in values]),
            noun=f"{asked.lower()} [{record.unit}]" if record.unit else asked.lower(),
            intervals=None if record.looked or not any(one.interval for one in values) else ends,
        )
        view = numbers.compared(truth, simulated=record.release.simulated)
        return FigurePanel(f"{asked} by {by}", CategoryBars, view, private=truth is not None)

    # the command line

    def figure(self, record: RunRecord, style: FigureStyle) -> Figure:
        if is_grouped(record.release):
            return super().figure(record, style)
        from app.plots.figures import set_font

        database = record.run.data.database
        possible = asked_of(record.run.mechanism).value_range(database.domain.values, database.n)
        drawn = number_line(record.release, possible, record.unit, record.release.query, style)
        set_font(drawn, style.font)
        return drawn

    def value_json(self, release: Release) -> dict[str, Any]:
        if is_grouped(release):
            return {"value": release.value}
        part = parts_of(release)[0]
        return {"value": part.value, "interval": None if part.interval is None else list(part.interval)}

    def headline(self, record: RunRecord) -> str:
        if is_grouped(record.release):
            return counted(len(parts_of(record.release)), "group")
        part = parts_of(record.release)[0]
        value = NO_ANSWER if part.value is None else console_number(part.value, 8, record.unit)
        return ", ".join(filter(None, (value, _interval(record, part))))

    def listing(self, record: RunRecord) -> str:
        if not is_grouped(record.release):
            return ""
        header, rows = self.table(record)
        unit = f" [{record.unit}]" if record.unit else ""
        return console_table([header[0], f"{header[1]}{unit}", *header[2:]], rows, digits=7)

    def error(self, record: RunRecord) -> str:
        text, _, _ = super().error(record).partition(" in each ")
        return f"{text} in each {self.each}" if is_grouped(record.release) else text

    def remarks(self, record: RunRecord) -> Iterator[str]:
        ranks = record.release.parameters.get("rank_error")
        if ranks is not None:
            whose = "of its group" if is_grouped(record.release) else "of the records asked about"
            yield f"95 % within ± {console_number(ranks, 3)} ranks of the true {record.release.query} {whose}"

    def parameters(self, record: RunRecord) -> dict[str, Any]:
        shown = {"method": record.release.mechanism, **super().parameters(record)}
        return {name: value for name, value in shown.items() if name not in ("interval", "query")}

    def diagnostics(self, run: Run, prepared: Prepared) -> dict[str, Any]:
        truth = prepared.diagnostics["true_value"]
        values = [float(one) for one in truth]
        names = run.data.database.domain.groups
        shown: Any = dict(zip(names, values, strict=True)) if names else values[0]
        sizes = [int(one) for one in run.data.database.sizes]
        return {
            "true_value": shown,
            "sizes": dict(zip(names, sizes, strict=True)) if names else sizes[0],
            "clamped": run.data.clamped,
        }

    def truth_words(self, truth: Any) -> str:
        if not isinstance(truth, Mapping):
            return console_number(truth, 8)
        return first_words([f"{name} {console_number(one, 8)}" for name, one in truth.items()], 12)


def is_grouped(release: Release) -> bool:
    """Return whether a release has a value for each of several groups."""
    value = release.value
    return isinstance(value, dict) and [one.get("group") for one in value.get("groups", ())] != [""]


def parts_of(release: Release) -> list[AnswerRow]:
    """Return the released value of each part; a single part has no name."""
    return list(rows_of(release))


def _value(part: AnswerRow) -> Any:
    """Return a released number; `NO_ANSWER` for a public group without records."""
    return NO_ANSWER if part.value is None else part.value


def _digits(part: AnswerRow) -> str:
    """Write a value with the digits that its interval leaves."""
    if part.value is None:
        return NO_ANSWER
    if part.interval is None:
        return number(part.value)
    low, high = part.interval
    return format_like(part.value, 50 * (high - low) or abs(part.value) or 1.0)


def _with_unit(record: ReleaseRecord, part: AnswerRow) -> str:
    return _digits(part) if part.value is None else f"{_digits(part)} {record.unit}".rstrip()


def _interval(record: ReleaseRecord, part: AnswerRow) -> str:
    if part.interval is None or record.looked:
        return ""
    low, high = part.interval
    ends = (format_like(end, 50 * (high - low) or abs(end) or 1.0, record.unit) for end in part.interval)
    covered = " for the population" if covers_population(record.release) else ""
    return f"95 % interval{covered} {' to '.join(ends)}"


def _ranks(record: ReleaseRecord) -> str:
    ranks = record.release.parameters.get("rank_error")
    return "" if ranks is None else f"95 % within ± {number(ranks)} ranks"


def _is_part(row: Any) -> bool:
    if not isinstance(row, dict) or not isinstance(row.get("group"), str):
        return False
    interval = row.get("interval")
    ends = interval is None or (
        isinstance(interval, list) and len(interval) == 2 and all(map(is_number, interval))
    )
    return (row.get("value") is None or is_number(row["value"])) and ends
