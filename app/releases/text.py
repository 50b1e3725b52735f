"""Releases in words, for the history, reports and messages."""

from __future__ import annotations

import csv
import io
import textwrap
from datetime import datetime

from app.model.kinds.registry import KINDS
from app.model.release_record import ReleaseRecord
from app.model.report_document import ReportFigure
from app.model.wording.neighbours import WORDS
from app.model.wording.not_dp import NOT_DP
from app.model.wording.numbers import listed, number, quantity
from app.model.wording.releases import INEXACT, grid_words, unit_of, with_clamp, with_counted
from app.releases.labels import mechanism_class, query_words
from app.releases.registry import shape_of
from app.releases.shape import ReleasedAnswer, Table, half_width
from engine.catalog import questions
from engine.mechanisms import Release
from engine.progress import Progress, silent

LINE, MAX_LINES = 100, 12
"""Letters of a line of a tooltip, and its lines."""

WRITTEN = LINE * MAX_LINES
"""More cells than fit into a tooltip."""


def value_words(record: ReleaseRecord) -> str:
    """Write the released value (a refusal is an answer too); for many numbers, the first ones."""
    shape = shape_of(record.release)
    return shape.nothing if record.release.value is None else shape.summary(record)


def answer_of(record: ReleaseRecord) -> ReleasedAnswer:
    """Return the text on the card of a release."""
    shape = shape_of(record.release)
    return (
        ReleasedAnswer(shape.nothing.capitalize()) if record.release.value is None else shape.answer(record)
    )


def when_words(record: ReleaseRecord) -> str:
    """Return the time of a release, with its date unless it is of today."""
    when, now = record.when.astimezone(), datetime.now().astimezone()
    return f"{when:%H:%M:%S}" if when.date() == now.date() else f"{when:%Y-%m-%d %H:%M}"


def asked_words(record: ReleaseRecord) -> str:
    """Return the question and the column; the mean of a condition is a share of rows."""
    condition = record.subject.startswith("rows ") and ", rows" not in record.location
    is_share = condition and record.release.query == "mean"
    return f"{'Share' if is_share else query_words(record.release)} of {record.subject}"


def copied_words(record: ReleaseRecord) -> str:
    """Return a release for the clipboard: a single number with all of its digits, else the table as CSV."""
    return shape_of(record.release).exact(record) or table_csv(record)


def table_csv(record: ReleaseRecord) -> str:
    text = io.StringIO()
    header, rows = release_table(record)
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(header)
    writer.writerows(rows)
    return text.getvalue()


def release_table(record: ReleaseRecord, limit: int | None = None) -> Table:
    """Return the released value as a table: a point, a ball or a cell in each row, or a number.

    Of very many cells, the first `limit`.
    """
    return shape_of(record.release).table(record, limit)


def release_figure(record: ReleaseRecord, progress: Progress = silent) -> ReportFigure | None:
    """Return the figure of a release; None if it cannot be drawn."""
    return None if record.release.value is None else shape_of(record.release).drawing(record, progress)


def mechanism_words(release: Release) -> str:
    """Return the method, or aggregator and blocks, and the noise."""
    return shape_of(release).method(release)


def rounded_words(record: ReleaseRecord) -> str:
    """Return the grid of released numbers, and whether they are clamped; "" if unknown."""
    mechanism = mechanism_class(record.release)
    unit = unit_of(mechanism, record.unit)
    text = with_counted(grid_words(record.release.step, unit, record.coordinates), mechanism)
    return f"rounded to {with_clamp(text, record.release.parameters)}" if text else ""


def all_words(record: ReleaseRecord) -> str:
    """Write all numbers of a release, each with its name, in lines; "" for a single number."""
    lines = shape_of(record.release).lines(record, WRITTEN)
    return textwrap.fill("; ".join(lines), LINE, max_lines=MAX_LINES, placeholder=" …")


def kind_words(record: ReleaseRecord) -> str:
    """Return whether it is a release, and whether its guarantee holds."""
    if record.release.simulated:
        return "simulated, not a release"
    flaws = flaws_of(record)
    return f"release ({', '.join(flaws)})" if flaws else "release"


def flaws_of(record: ReleaseRecord) -> list[str]:
    """Return the flaws of the guarantee of a release."""
    return [
        text
        for flaw, text in (
            (not record.promises, "Not DP"),
            (record.looked, f"{declared_words(record)} taken from the data"),
            (record.edited, "data changed by hand"),
            (not record.release.exact, INEXACT),
            (record.elsewhere, "from another user's session"),
        )
        if flaw
    ]


def declared_words(record: ReleaseRecord) -> str:
    """Return the facts about the data that should be public."""
    query = questions().get(record.release.query)
    return "bounds" if query is None else KINDS[query.reads].declared


def details(record: ReleaseRecord) -> str:
    """Return everything about a release that can be shared."""
    release = record.release
    facts = {**release.parameters, **release.noise}
    rounded = rounded_words(record)
    lines = [
        f"{record.title}, {record.location}, {record.when:%Y-%m-%d %H:%M:%S}",
        cost_words(record),
        mechanism_words(release),
        all_words(record),
        f"{rounded[:1].upper()}{rounded[1:]}",
        ", ".join(f"{name} = {_plain(value)}" for name, value in facts.items() if value is not None),
    ]
    width = half_width(record)
    if width is not None:
        lines.append(f"95 % of such releases have an error below {quantity(width, record.unit)}")
    return "\n".join(line for line in lines if line)


def kept_words(record: ReleaseRecord) -> str:
    """Return the cost of a release in short, or why it has none."""
    if record.release.simulated:
        return "simulated"
    if not record.promises:
        return "Not DP"
    return ", ".join([f"ε = {number(record.release.privacy.epsilon)}", *([INEXACT] * bool(record.flaw))])


def cost_words(record: ReleaseRecord, brief: bool = False) -> str:
    """Return the cost of a release, its neighbours, and any flaw of the guarantee."""
    if not record.promises:
        return "no guarantee: no ε is large enough" if brief else NOT_DP
    cost = record.release.privacy
    neighbours = WORDS[record.release.neighbours]
    relation = f", {neighbours.between}" if brief else f": {neighbours.difference}"
    text = f"ε = {number(cost.epsilon)}, δ = {number(cost.delta)}{relation}"
    return f"{text}; {INEXACT if brief else record.flaw}" if record.flaw else text


def _plain(value: object) -> str:
    if isinstance(value, list):
        return f"({listed(map(_plain, value))})"
    return number(value) if isinstance(value, float) else str(value)
