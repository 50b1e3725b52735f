"""Releases in a few words: what was asked, what came out, how it was protected."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping
from typing import Any

from app.model.release_record import ReleaseRecord
from app.model.wording.formatting import format_like
from app.model.wording.grids import grid_words, unit_of, with_clamp
from app.model.wording.numbers import number
from app.releases.table import table_lines, table_of, table_words
from engine.aggregation.functions import FUNCTIONS
from engine.catalog import questions
from engine.mechanisms import MECHANISMS, BallMechanism, Release, SyntheticPoints
from engine.mechanisms.aggregators import AGGREGATORS
from engine.mechanisms.one_cluster import FINDERS
from engine.noise import NOISES
from engine.queries import QUERIES

MOST_POINTS = {"centers": 1, "points": 1, "numbers": 3}
"""How many of a set or a vector are written out; a tip tells all."""

MOST_COORDINATES = 3
"""How many coordinates of a point are written out."""

LINE, MOST_LINES = 100, 12
"""Letters of a line of a tip, and its lines."""

WRITTEN = LINE * MOST_LINES
"""More cells than any tip has room for."""

BALLS = [name for name, mechanism in MECHANISMS.items() if issubclass(mechanism, BallMechanism)]
"""What releases balls, or nothing in the place of one."""


def query_words(release: Release) -> str:
    """Name what was asked."""
    words = {**release.parameters, **release.noise}
    if release.query == "sample-aggregate":
        function = str(words.get("function", ""))
        return FUNCTIONS[function].label if function in FUNCTIONS else function
    query = questions()[release.query].label if release.query in questions() else release.query
    return f"{query} {words['q']:g}" if "q" in words else query


def value_words(record: ReleaseRecord) -> str:
    """Write the released value (a refusal is an answer too); of many numbers, the first ones."""
    value = record.release.value
    if value is None:
        return "refused" if record.release.query in QUERIES else "nothing found"
    if isinstance(value, dict):
        return ball_words(value) if record.release.query in BALLS else table_words(value)
    if record.release.query == "mode":
        return value if isinstance(value, str) else ", ".join(value)
    if record.release.query == "k-balls":
        found = [ball for ball in value if ball is not None]
        more = f": {ball_words(found[0])}" if found else ""
        return f"{len(found)} of {len(value)} balls{more}{', …' * (len(found) > 1)}"
    if isinstance(value, list):
        points = "points" if record.release.query == SyntheticPoints.name else "centers"
        noun = points if isinstance(value[0], list) else "numbers"
        most = MOST_POINTS[noun]
        more = ", …" if len(value) > most else ""
        return f"{len(value)} {noun}: {', '.join(map(_point, value[:most]))}{more}"
    error = record.release.error
    return format_like(value, error * 100 if error else abs(value) or 1.0, record.unit)


def rounded_words(record: ReleaseRecord) -> str:
    """Say of what released numbers are multiples, and whether they were clamped; "" where it is not known."""
    unit = unit_of(MECHANISMS.get(record.release.query), record.unit)
    words = grid_words(record.release.step, unit, record.coordinates)
    return f"rounded to {with_clamp(words, record.release.parameters)}" if words else ""


def ball_words(ball: Mapping[str, Any]) -> str:
    """Write a ball by center and radius, with the mean inside if there is one."""
    mean = f", mean {_point(ball['mean'])}" if "mean" in ball else ""
    return f"{_point(ball['center'])}, radius {number(ball['radius'])}{mean}"


def _point(value: Any) -> str:
    if not isinstance(value, list):
        return number(value)
    if len(value) > MOST_COORDINATES:
        return f"{len(value)} coordinates"
    return f"({', '.join(map(number, value))})"


def all_words(record: ReleaseRecord) -> str:
    """Write all numbers of a release, each with its name, in lines; "" for a single number."""
    value = record.release.value
    if isinstance(value, dict) and record.release.query not in BALLS:
        written = table_lines(value, record.coordinates, WRITTEN)
    else:
        header, rows = release_table(record, WRITTEN)
        if len(rows) * len(header) == 1:
            return ""
        names = header if len(header) > 1 else [""]
        written = [
            ", ".join(f"{name} {_cell(one)}".strip() for name, one in zip(names, row, strict=True))
            for row in rows
        ]
    return textwrap.fill("; ".join(written), LINE, max_lines=MOST_LINES, placeholder=" …")


def _cell(value: Any) -> str:
    """Write one number or label of a table; a dash where no ball was found."""
    return (value or "–") if isinstance(value, str) else number(value)


def mechanism_words(release: Release) -> str:
    """Name method, or aggregator and blocks, and noise."""
    method, family = release.mechanism, release.noise.get("family", "")
    noise = NOISES[family].label if family in NOISES else family
    if method in MECHANISMS and MECHANISMS[method].topic == "histograms":
        # the query has its name already
        return (noise if MECHANISMS[method].is_private else "exact counts") or MECHANISMS[method].label
    if method in MECHANISMS:
        aggregator = release.parameters.get("aggregator")
        if "finder" in release.parameters:
            return FINDERS[release.parameters["finder"]].label
        if aggregator not in AGGREGATORS:
            return MECHANISMS[method].label
        return f"{AGGREGATORS[aggregator].label} of {release.parameters['blocks']} blocks, {noise}"
    label = MECHANISMS[method].label if method in MECHANISMS else method
    return f"{label}, {noise}" if method == "smooth" and family in NOISES else label


def release_table(record: ReleaseRecord, most: int | None = None) -> tuple[list[str], list[list[Any]]]:
    """Return what was released as a table: a point, a ball or a cell in each row, or a number.

    Of a great many cells, the first `most` of them.
    """
    value = record.release.value
    if record.release.query in BALLS:
        balls = value if isinstance(value, list) else [value]
        means = (
            [f"mean {name}" for name in record.coordinates] if record.release.query == "screened-mean" else []
        )
        header = [*record.coordinates, "radius", *means]
        return header, [_ball_row(ball, len(header)) for ball in balls]
    if isinstance(value, dict):
        return table_of(value, record.coordinates, most)
    if record.release.query == "mode":
        return list(record.coordinates), [value if isinstance(value, list) else [value]]
    if isinstance(value, list) and isinstance(value[0], list):
        return list(record.coordinates), [list(point) for point in value]
    numbers = value if isinstance(value, list) else [value]
    return [query_words(record.release)], [[one] for one in numbers]


def _ball_row(ball: Mapping[str, Any] | None, size: int) -> list[Any]:
    """Return center, radius and mean one after the other; nothing where no ball was found."""
    if ball is None:
        return [""] * size
    return [*ball["center"], ball["radius"], *ball.get("mean", ())]
