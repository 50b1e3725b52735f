"""What is said of the rows that the table of the data shows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.model.wording.formatting import format_count
from app.model.wording.numbers import number

if TYPE_CHECKING:
    from engine.data.browsing import NumberSummary, TextSummary

LONGEST = 30
"""Letters of a value that is quoted."""
DIGITS = 5


def rows_words(shown: int, n: int) -> str:
    """Say how many records are shown."""
    if shown == n:
        return f"{format_count(n)} records" if n != 1 else "1 record"
    return f"{format_count(shown)} of {format_count(n)} records"


def summary_words(summary: NumberSummary | TextSummary | None) -> str:
    """Say what a column holds in the rows that are shown."""
    from engine.data.browsing import NumberSummary

    if summary is None or not summary.count:
        return "no value in these records"
    said = [f"{format_count(summary.distinct)} different values"]
    if isinstance(summary, NumberSummary):
        said += [
            f"min {number(summary.least, DIGITS)}",
            f"quartiles {number(summary.lower_quartile, DIGITS)} and "
            f"{number(summary.upper_quartile, DIGITS)}",
            f"median {number(summary.median, DIGITS)}",
            f"mean {number(summary.mean, DIGITS)}",
            f"max {number(summary.most, DIGITS)}",
        ]
    else:
        said += [f"{_short(text)} × {format_count(count)}" for text, count in summary.common]
    return " · ".join([*said, *([f"{format_count(summary.missing)} missing"] if summary.missing else [])])


def _short(text: str) -> str:
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"
