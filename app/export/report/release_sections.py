"""Each release: its value, cost, method and caveats."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

from app.model.kinds.base import bounds_words
from app.model.kinds.registry import KINDS
from app.model.release_record import ReleaseRecord
from app.model.report_document import MAX_ROWS, Block, FactList, Paragraph, ReportSection, ReportTable
from app.model.wording.not_dp import NOT_DP
from app.model.wording.numbers import number, quantity
from app.model.wording.releases import sentence
from app.releases.registry import shape_of
from app.releases.shape import interval_words
from app.releases.text import (
    asked_words,
    cost_words,
    mechanism_words,
    release_figure,
    release_table,
    rounded_words,
    value_words,
)
from engine.catalog import entries, questions
from engine.progress import Progress, parts, silent

NOTHING = "No releases of these data yet."
SIMULATED = "Simulated with a seed, not a release: anyone who knows the seed can subtract the noise."
LOOKED = (
    "The {what} were taken from the data. The guarantee needs {what} that are known "
    "without looking at the data; it does not hold here."
)
ELSEWHERE = (
    "From a session file that was saved on another computer or changed since: this ledger "
    "has no record of the release, and its cost is not in the budget."
)
MOVED = "The data were changed by hand before: the release is about changed data."
REFUSED = "The mechanism refused to answer. Its budget is spent all the same."
REAL = "The guarantee holds for real numbers; the last digits of this release may reveal more."
GREEK = {"alpha": "α", "beta": "β"}
"""Names of the smoothing parameters of noise."""

OWN_LINES = frozenset({"lower", "upper", "resolution", "family", "columns", "categories", "clamp"})
"""Parameters with a line or a column of their own."""


def release_sections(
    records: tuple[ReleaseRecord, ...], figures: bool, progress: Progress = silent
) -> Iterator[ReportSection]:
    """Yield a heading, and a section for each release, the first one first."""
    if not records:
        yield ReportSection("Releases", (Paragraph(NOTHING),))
        return
    yield ReportSection("Releases", ())
    for index, here in enumerate(parts(len(records), progress), 1):
        record = records[index - 1]
        yield ReportSection(
            f"{index}. {asked_words(record)}",
            tuple(_blocks(record, figures, here)),
            level=3,
        )


def _blocks(record: ReleaseRecord, figures: bool, progress: Progress) -> Iterator[Block]:
    yield from (Paragraph(text, warns=True) for text in flaws(record))
    yield FactList(tuple(_facts(record)))
    figure = release_figure(record, progress) if figures else None
    yield from (block for block in (figure, _table(record)) if block is not None)


def flaws(record: ReleaseRecord) -> Iterator[str]:
    """Yield the caveats of a release."""
    release = record.release
    if release.simulated:
        yield SIMULATED
    if not record.promises:
        yield NOT_DP
    if record.looked:
        query = questions().get(record.release.query)
        what = "bounds" if query is None else KINDS[query.reads].public
        yield LOOKED.format(what=what)
    if record.edited:
        yield MOVED
    if record.elsewhere:
        yield ELSEWHERE
    if release.value is None and record.promises:
        yield REFUSED
    if record.flaw:
        yield f"{sentence(record.flaw)} {REAL}"


def _facts(record: ReleaseRecord) -> Iterator[tuple[str, str]]:
    release = record.release
    yield ("Simulated value" if release.simulated else "Released value"), value_words(record)
    exact = "" if release.value is None else shape_of(release).exact(record)
    if exact:
        yield "With all digits", exact
    if release.error is not None and release.value is not None:
        yield (
            "Error",
            f"95 % of such releases are within ± {quantity(release.error, record.unit)} of the truth",
        )
    elif "interval" in release.parameters or "rank_interval" in release.parameters:
        yield "Interval", sentence(interval_words(record)).rstrip(".")
    rounded = rounded_words(record)
    if rounded:
        yield "Grid", sentence(rounded).rstrip(".")
    yield "Privacy", cost_words(record, brief=True)
    yield "Read from", record.location
    yield from _bounds(record)
    yield "Made by", mechanism_words(release)
    yield from _settings("Noise", release.noise)
    yield from _settings("Parameters", release.parameters)
    yield "Made on", f"{record.when:%Y-%m-%d %H:%M:%S %Z}, with Sensiscope {release.version}"


def _bounds(record: ReleaseRecord) -> Iterator[tuple[str, str]]:
    known = record.release.parameters
    low, high, step = known.get("lower"), known.get("upper"), known.get("resolution")
    if isinstance(low, list):
        # what is released of blocks need not lie along the columns
        names = record.coordinates if len(record.coordinates) == len(low) else [""] * len(low)
        unit = record.unit
        for name, lower, upper in zip(names, low, high or (), strict=True):
            yield f"Bounds of {name}".removesuffix(" of "), bounds_words(lower, upper, unit)
    elif low is not None:
        yield "Bounds", bounds_words(low, high, record.unit)
    if step is not None:
        yield "Resolution", quantity(step, record.unit)


def _settings(title: str, known: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield all parameters on one line, by the names that forms give them."""
    labels = _labels() | (GREEK if title == "Noise" else {})
    settings = [
        labels.get(name, name.replace("_", " "))
        + (": " if isinstance(value, str) else " = ")
        + _plain(_called(name, value))
        for name, value in known.items()
        if name not in OWN_LINES and value is not None
    ]
    if settings:
        yield title, "; ".join(settings)


@cache
def _labels() -> dict[str, str]:
    """Return the labels of parameters in forms; parameters that share a label keep their names."""
    results: dict[str, set[str]] = {}
    for entry in entries():
        for declared in entry.parameters:
            results.setdefault(declared.name, set()).add(declared.label)
    return {name: next(iter(labels)) for name, labels in results.items() if len(labels) == 1}


def _called(kind: str, value: Any) -> Any:
    """Return the label of a part of a mechanism; other values unchanged."""
    return next((entry.label for entry in entries() if (entry.kind, entry.name) == (kind, value)), value)


def _plain(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Mapping):
        return ", ".join(f"{name} {_plain(part)}" for name, part in value.items())
    if isinstance(value, list | tuple):
        shown = ", ".join(map(_plain, value[:6]))
        return f"({shown}{', …' * (len(value) > 6)})"
    return number(value, 5) if isinstance(value, int | float) else str(value)


def _table(record: ReleaseRecord) -> ReportTable | None:
    """Return the released value as rows, one per point, ball or cell; None for a single number."""
    if record.release.value is None:
        return None
    header, rows = release_table(record)
    if len(header) * len(rows) <= 1:
        return None
    unit = f" ({record.unit})" if record.unit else ""
    named = [name + unit * (name in record.coordinates or name == "radius") for name in header]
    title = "Simulated values" if record.release.simulated else "Released values"
    if len(rows) > MAX_ROWS and shape_of(record.release).ranks:
        count = header.index("count")
        title, rows = f"{title}, the fullest first", sorted(rows, key=lambda row: -row[count])
    return ReportTable.of(title, named, rows)
