"""Releases to hand over: as text for a mail, as a page, and as a slide."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping

from app.model.release_record import ReleaseRecord
from app.model.theme import Palette
from app.model.wording.numbers import escape
from app.releases.text import answer_of, asked_words, flaws_of, kept_words, mechanism_words

PICTURE_WIDTH = 560
"""Width of the picture of a release, in pixels of ordinary type."""


@dataclasses.dataclass(frozen=True)
class Handout:
    """The releases of a dataset with their promise; all of it can be shared.

    `records` are the newest first; `promise` and `budget` are sentences about all of them together. A
    `brief` one lists only the first parts of each release.
    """

    title: str
    records: tuple[ReleaseRecord, ...] = ()
    promise: str = ""
    budget: str = ""
    brief: bool = False

    def first(self, count: int) -> Handout:
        """Return the newest releases alone, and how many are missing."""
        missing = f"{self.budget} Not shown: {len(self.records) - count} earlier releases.".strip()
        return dataclasses.replace(self, records=self.records[:count], budget=missing)

    def rows(self) -> list[tuple[str, str, str]]:
        """Return question, value, and interval with cost of each release."""
        return [(asked_words(one), _value(one), "; ".join(self._facts(one))) for one in self.records]

    def text(self) -> str:
        """Return plain text: a line for each release with its interval and cost, then the promise."""
        lines = (f"{question}: {value}; {facts}" for question, value, facts in self.rows())
        return "\n".join((self.title, "", *lines, "", *filter(None, (self.promise, self.budget))))

    def html(self, palette: Palette, scale: float = 1.0, pictures: Mapping[int, str] | None = None) -> str:
        """Return a page for Qt's rich text; `pictures` are addresses of images, by the index of a record."""
        rows = [self._row(index, palette, scale, pictures or {}) for index in range(len(self.records))]
        size = round(14 * scale)
        return (
            f'<body style="color: {palette.ink}; font-size: {size}px">'
            f'<p style="font-size: {round(22 * scale)}px; font-weight: 700">{escape(self.title)}</p>'
            f"<p>{escape(self.promise)} "
            f'<span style="color: {palette.muted}">{escape(self.budget)}</span></p>'
            f'<p></p><table cellpadding="{round(7 * scale)}" cellspacing="0">{"".join(rows)}</table></body>'
        )

    def _row(self, index: int, palette: Palette, scale: float, pictures: Mapping[int, str]) -> str:
        record = self.records[index]
        answer, about = answer_of(record), self._lines(record)
        lines = "".join(f"{escape(line)}<br>" for line in about)
        facts = escape(" · ".join(self._facts(record)[len(about) :]))
        row = (
            f'<tr><td width="{round(170 * scale)}" style="color: {palette.text(palette.released)}">'
            f'<span style="font-size: {round(26 * scale)}px; font-weight: 600">{escape(answer.value)}</span>'
            f"&nbsp;{escape(answer.unit)}</td><td><b>{escape(asked_words(record))}</b><br>{lines}"
            f'<span style="color: {palette.muted}">{facts}</span></td></tr>'
        )
        if index in pictures:
            width = round(PICTURE_WIDTH * scale)
            row += f'<tr><td></td><td><img src="{pictures[index]}" width="{width}"></td></tr>'
        return row

    def _lines(self, record: ReleaseRecord) -> tuple[str, ...]:
        answer = answer_of(record)
        return answer.lines if self.brief else (*answer.parts, *answer.notes)

    def _facts(self, record: ReleaseRecord) -> tuple[str, ...]:
        """Return the lines of the answer, then cost, flaws, method and time."""
        cost = kept_words(record)
        flaws = [flaw for flaw in flaws_of(record) if flaw not in cost]
        when = f"{record.when.astimezone():%Y-%m-%d %H:%M}"
        after = (*record.treatment.splitlines(), mechanism_words(record.release), when)
        return (*self._lines(record), cost, *flaws, *after)


def _value(record: ReleaseRecord) -> str:
    answer = answer_of(record)
    return f"{answer.value} {answer.unit}".rstrip()
