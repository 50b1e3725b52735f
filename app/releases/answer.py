"""A released value as the event that it is: what stands large, and the lines below it."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable
from itertools import islice
from typing import TYPE_CHECKING

from app.model.wording.formatting import format_like
from app.model.wording.numbers import quantity, share

if TYPE_CHECKING:
    from app.model.release_record import ReleaseRecord
    from engine.domain import Interval

LINES = 2
"""How many points, cells or balls are written out."""

NO_INTERVAL = "No public interval: the error depends on the data."
LOOKED = "No interval: what should be public was taken from the data."
OUTSIDE = "The noise led out of the possible range."


@dataclasses.dataclass(frozen=True)
class ReleasedAnswer:
    """What the card of a release shows; all of it can be shared.

    Attributes
    ----------
    value, unit : str
        What stands large, and its unit beside it.
    lines : tuple of str
        Parts of the value, and how far it may be off where that is public.
    """

    value: str
    unit: str = ""
    lines: tuple[str, ...] = ()


def first_lines(lines: Iterable[str]) -> tuple[str, ...]:
    """Return the first lines of a value; dots at their end say that there are more."""
    first = list(islice(lines, LINES + 1))
    if len(first) <= LINES:
        return tuple(first)
    return (*first[: LINES - 1], f"{first[LINES - 1]} …")


def half_width(record: ReleaseRecord) -> float | None:
    """Return the half-width that holds 95 % of the errors; None where it is not public.

    It is not where the scale of the noise follows from the data, nor where bounds were taken from them.
    """
    return None if record.looked else record.release.error


def interval_words(record: ReleaseRecord, possible: Interval | None) -> str:
    """Write the interval that holds the true value in 95 % of all releases, as far as it is public."""
    width, value = half_width(record), record.release.value
    if width is None:
        return _no_interval(record)
    low, high = value - width, value + width
    if possible is not None and (high < possible.lower or low > possible.upper):
        return OUTSIDE
    if possible is not None:  # the truth is a possible result
        low, high = possible.clamp(low), possible.clamp(high)
    ends = (format_like(end, 10 * width, record.unit) for end in (low, high))
    paid = record.release.parameters.get("error_share") if "error_bar" in record.release.noise else 0
    return f"95 % interval {' to '.join(ends)}{f', for {share(paid)} of ε' if paid else ''}"


def error_words(record: ReleaseRecord, of_each: str) -> str:
    """Write how far each of several numbers may be off, as far as that is public."""
    width = half_width(record)
    if width is None:
        return _no_interval(record)
    return f"95 % within ± {quantity(width, record.unit)} in each {of_each}"


def _no_interval(record: ReleaseRecord) -> str:
    return LOOKED if record.looked else NO_INTERVAL
