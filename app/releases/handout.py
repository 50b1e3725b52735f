"""Releases to hand over: as text for a mail, as a page, and as a slide."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from itertools import accumulate, islice

from app.model.release_record import ReleaseRecord
from app.model.theme import Palette
from app.model.wording.console import counted
from app.model.wording.numbers import escape
from app.releases.answers import PERHAPS_EMPTY, AnswerWithInterval, answers
from app.releases.shape import NO_INTERVAL
from app.releases.text import answer_of, asked_words, flaws_of, kept_words, mechanism_words
from engine.mechanisms.answer_rows import rows_of

TYPE = 14
"""Size of type, in pixels."""
ABOUT_WIDTH = 260
"""Width of the column of questions, in pixels of ordinary type."""
INTERVAL, NO_WRAP = "95\N{NO-BREAK SPACE}%\N{NO-BREAK SPACE}interval", 'style="white-space: nowrap"'
MAX_LISTED = 12
"""Most numbers of a release that have a line and an interval bar each."""


@dataclasses.dataclass(frozen=True)
class Handout:
    """The releases of a dataset with their promise; all of it can be shared.

    `records` are the newest first; `promise` and `budget` are sentences about all of them together.
    `brief`: only the first of very many parts of a release are listed. `making`: it says how each release was
    made. `abreast`: number of releases side by side. `narrow`: a question stands above its answer.
    """

    title: str
    records: tuple[ReleaseRecord, ...] = ()
    promise: str = ""
    budget: str = ""
    brief: bool = False
    making: bool = True
    abreast: int = 1
    narrow: bool = False

    @property
    def widths(self) -> tuple[int, int, int]:
        """The widths of a group, its value and its interval, in pixels of ordinary type."""
        if self.narrow:
            return 70, 85, 90
        return (140, 130, 220) if self.making else (100, 90, 190)

    def first(self, count: int) -> Handout:
        """Return the newest releases alone, and how many are missing."""
        missing = f"{self.budget} Not shown: {counted(len(self.records) - count, 'earlier release')}.".strip()
        return dataclasses.replace(self, records=self.records[:count], budget=missing)

    def rows(self) -> list[tuple[str, str, str]]:
        """Return question, value, and interval with cost of each release."""
        return [
            (asked_words(one), _value(one), "; ".join((*self.lines(one), *_making(one))))
            for one in self.records
        ]

    def text(self) -> str:
        """Return plain text: a line for each release with its interval and cost, then the promise."""
        lines = (f"{question}: {value}; {facts}" for question, value, facts in self.rows())
        return "\n".join((self.title, "", *lines, "", *filter(None, (self.promise, self.budget))))

    def html(self, palette: Palette, scale: float = 1.0, pictures: Mapping[str, str] | None = None) -> str:
        """Return a page for Qt's rich text.

        `pictures` are addresses of images: of a release by the index of its record, and of an interval by
        that and its position, such as "2:0".
        """
        page = _Page(self, palette, scale, pictures or {})
        title = f'<p style="{page.font(22)}; font-weight: 700">{escape(self.title)}</p>' if self.title else ""
        promise = f"<p>{escape(self.promise)}</p>" if self.promise else ""
        budget = f"<p>{page.muted(escape(self.budget))}</p>" if self.budget else ""
        above = f"{title}{promise}{budget}"
        return f'<body style="color: {palette.ink}; {page.font(TYPE)}">{above}{page.table()}</body>'

    def lines(self, record: ReleaseRecord) -> tuple[str, ...]:
        """Return the parts of an answer and the notes about it."""
        answer = answer_of(record)
        return answer.lines if self.brief else (*answer.parts, *answer.notes)


def _flaws(record: ReleaseRecord) -> list[str]:
    """Return why the promise does not hold for a release; also an audience sees it."""
    return ["simulated"] * record.release.simulated + flaws_of(record)


def _making(record: ReleaseRecord) -> tuple[str, ...]:
    """Return cost, flaws, treatment of rows, method and time of a release."""
    cost = kept_words(record)
    flaws = [flaw for flaw in _flaws(record) if flaw not in cost]
    when = f"{record.when.astimezone():%Y-%m-%d %H:%M}"
    return (cost, *flaws, *record.treatment.splitlines(), mechanism_words(record.release), when)


def _value(record: ReleaseRecord) -> str:
    answer = answer_of(record)
    return f"{answer.value} {answer.unit}".rstrip()


@dataclasses.dataclass(frozen=True)
class _Page:
    """Writes the releases of a handout as a table of rich text."""

    handout: Handout
    palette: Palette
    scale: float
    pictures: Mapping[str, str]

    def font(self, pixels: int) -> str:
        return f"font-size: {round(pixels * self.scale)}px"

    @property
    def _is_narrow(self) -> bool:
        return self.handout.narrow or not self.handout.making

    def muted(self, html: str) -> str:
        return f'<span style="color: {self.palette.muted}; {self.font(12)}">{html}</span>'

    def table(self) -> str:
        """Return all releases, in columns of about equal heights."""
        records, columns = self.handout.records, [""] * self.handout.abreast
        sizes = [len(listed(record)) + 2 for record in records]
        for index, (size, end) in enumerate(zip(sizes, accumulate(sizes), strict=True)):
            columns[(2 * end - size) * len(columns) // (2 * sum(sizes))] += self._row(index)
        tables = [self._table(column, 5 if self.handout.making else 2) for column in columns if column]
        cells = "".join(f'<td width="{100 // len(tables)}%">{table}</td>' for table in tables)
        return tables[0] if len(tables) == 1 else self._table(f"<tr>{cells}</tr>", 0)

    def _table(self, rows: str, padding: int) -> str:
        space = round(padding * self.scale)
        layout = f'width="100%" style="margin-top: {space}px" cellpadding="{space}" cellspacing="0"'
        return f"<table {layout}>{rows}</table>"

    def _row(self, index: int) -> str:
        record, rule = self.handout.records[index], f'style="border-top: 1px solid {self.palette.grid}'
        about = f"<b>{escape(asked_words(record))}</b>"
        shown = listed(record)
        has_ends = any(one.interval for one in shown)
        if len(shown) > 1 or (has_ends and self._is_narrow):
            about += f" {self.muted(INTERVAL if has_ends else NO_INTERVAL)}"
        if facts := _making(record) if self.handout.making else _flaws(record):
            about += f"<br>{self.muted(escape(' · '.join(facts)))}"
        answer = self._listed(index) if shown else self._described(index)
        first = f'{rule}; padding-left: 0"'
        if self.handout.narrow:
            return f"<tr><td {first}>{about}{answer}</td></tr>"
        width = round(ABOUT_WIDTH * self.scale)
        return f'<tr><td width="{width}" {first}>{about}</td><td {rule}">{answer}</td></tr>'

    def _value(self, text: str, unit: str) -> str:
        style = f"color: {self.palette.text(self.palette.released)}"
        value = f'<span style="{self.font(22)}; font-weight: 600">{escape(text)}</span>'
        return f'<span style="{style}">{value}&nbsp;{escape(unit)}</span>'

    def _described(self, index: int) -> str:
        """Return a value with lines about it, and its picture."""
        record, picture = self.handout.records[index], self.pictures.get(str(index))
        answer = answer_of(record)
        lines = "".join(f"<br>{escape(line)}" for line in self.handout.lines(record))
        image = f'<br><img src="{picture}">' if picture else ""
        above = "<br>" if self.handout.narrow else ""
        return f"{above}{self._value(answer.value, answer.unit)}{lines}{image}"

    def _listed(self, index: int) -> str:
        """Return a table of numbers with their intervals, each drawn on the scale of all."""
        record, answer = self.handout.records[index], answer_of(self.handout.records[index])
        shown, unit = listed(record), record.unit
        widths = [round(width * self.scale) for width in self.handout.widths[:2]]
        if len(shown) == 1:
            value = f'<td width="{sum(widths)}">{self._value(answer.value, answer.unit)}</td>'
            brief = self._is_narrow and shown[0].interval
            notes = (shown[0].interval_words(unit),) if brief else answer.notes
            return self._table(f"<tr>{value}<td>{'<br>'.join(map(escape, notes))}</td></tr>", 2)
        rows = ""
        for position, one in enumerate(shown):
            facts = [one.interval_words(unit)] * bool(one.interval) + [PERHAPS_EMPTY] * one.may_be_empty
            rows += (
                f'<tr><td width="{widths[0]}">{escape(one.group)}</td>'
                f'<td width="{widths[1]}" {NO_WRAP}><b>{escape(one.value_words(unit))}</b></td>'
                f"{self._ends(index, position, escape(' · '.join(facts)))}</tr>"
            )
        return self._table(rows, 1 if self._is_narrow else 2)

    def _ends(self, index: int, position: int, html: str) -> str:
        """Return a drawn interval, if there is one, and words about it."""
        name, width = f"{index}:{position}", round(self.handout.widths[2] * self.scale)
        if name not in self.pictures:
            return f'<td colspan="2" {NO_WRAP}>{html}</td>'
        return f'<td width="{width}"><img src="{self.pictures[name]}"></td><td {NO_WRAP}>{html}</td>'


def listed(record: ReleaseRecord) -> tuple[AnswerWithInterval, ...]:
    """Return the numbers of a release with a name or an interval, if so few that each has a line."""
    release = record.release
    count = 0 if release.value is None else len(tuple(islice(rows_of(release), MAX_LISTED + 1)))
    return answers(record) if 0 < count <= MAX_LISTED else ()
