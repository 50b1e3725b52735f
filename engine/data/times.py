"""Parse texts as dates, times of day and durations: vectorized, by one regular expression per format."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.array_types import Bools, Ints
from engine.data.arrays import array_of, fill_null, text_array, try_cast

DAY = 86_400_000_000
"""Microseconds of a day."""

HOUR = 3_600_000_000
"""Microseconds of an hour."""

PIVOT = 69
"""The first two-digit year that is 19xx, as in POSIX: 69 is 1969, 68 is 2068."""

MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")

_D, _M = "(?P<day>[0-9]{1,2})", "(?P<month>[0-9]{1,2})"
_Y, _YY = "(?P<year>[0-9]{4})", "(?P<year>[0-9]{2})"
_NAME = (
    "(?P<name>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|"
    r"oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\.?"
)
_DTH = _D + "(?:st|nd|rd|th)?"

_WEEKDAY = r"(?:(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*[.,]* +)?"
_CLOCK = (
    "(?:(?:t|,? +|:)(?P<hour>[0-9]{1,2})(?::(?P<minute>[0-9]{2})(?::(?P<second>[0-9]{2})"
    r"(?:[.,](?P<fraction>[0-9]{1,9}))?)?)? ?(?P<half>[ap]\.?m\.?|)"
)
_COMPACT_CLOCK = (
    "(?:[t ](?P<hour>[0-9]{2}):?(?P<minute>[0-9]{2})(?::?(?P<second>[0-9]{2})"
    r"(?:[.,](?P<fraction>[0-9]{1,9}))?)?(?P<half>)"
)
_ZONE = r" ?(?P<zone>(?:z|utc|gmt)?(?:[-+][0-9]{1,2}(?::?[0-9]{2})?)?)(?: *\([a-z ]+\))?)?"


def _date_patterns() -> dict[str, str]:
    """Return the pattern of the date in each format of `engine.data.reading_options.DATES`."""
    patterns = {"YMD": "(?P<year>[0-9]{4})(?P<month>[0-9]{2})(?P<day>[0-9]{2})"}
    for year, digits in (("Y", _Y), ("YY", _YY)):
        for sign in "-./":
            between = r"\. ?" if sign == "." else sign
            for order in ((year, "M", "D"), ("D", "M", year), ("M", "D", year)):
                parts = [{"D": _D, "M": _M}.get(part, digits) for part in order]
                patterns[sign.join(order)] = between.join(parts)
        patterns[f"D-Mon-{year}"] = f"{_DTH}(?: of)?[-./ ]*{_NAME}[-./, ]*{digits}"
        patterns[f"Mon-D-{year}"] = f"{_NAME}[-./ ]*{_DTH}[-./, ]+{digits}"
        patterns[f"{year}-Mon-D"] = f"{digits}[-./ ]*{_NAME}[-./ ]*{_D}"
    return patterns


_DATE_PATTERNS = _date_patterns()


@functools.cache
def _pattern(date_format: str) -> str:
    clock = _COMPACT_CLOCK if date_format == "YMD" else _CLOCK
    return f"(?i)^{_WEEKDAY}{_DATE_PATTERNS[date_format]}{clock}{_ZONE}$"


_YEAR_LAST = (
    r"(?i)^((?:[a-z]{3},? +)?[a-z]{3} +[0-9]{1,2}),? +([0-9]{1,2}:[0-9:]{2,5})"
    "((?: +(?:[-+][0-9]{4}|utc|gmt))?) +([0-9]{4})$"
)
"""Jan 3 10:00:00 2020, as the C library writes it."""


def microseconds_of_dates(texts: Any, date_format: str) -> tuple[Ints, Bools]:
    """Parse texts as dates in one format, with an optional time of day and offset from UTC.

    Parameters
    ----------
    texts : pyarrow array of str
    date_format : str
        One of `engine.data.reading_options.DATES`.

    Returns
    -------
    microseconds : numpy.ndarray
        Since 1970-01-01 UTC; a time without an offset counts as UTC.
    valid : numpy.ndarray
        Whether each text is a date in this format.
    """
    if date_format == "Y-M-D":
        quick = _iso_timestamps(texts)
        if quick is not None:
            return array_of(fill_null(quick, 0)), array_of(texts.is_valid())
    return _by_distinct(texts, functools.partial(_parse_dates, date_format=date_format))


def _by_distinct(texts: Any, parse: Callable[[Any], tuple[Ints, Bools]]) -> tuple[Ints, Bools]:
    """Parse each distinct text once; missing ones are not valid."""
    import pyarrow.compute as pc

    encoded = pc.dictionary_encode(texts)
    encoded = encoded.combine_chunks() if hasattr(encoded, "combine_chunks") else encoded
    if not len(encoded.dictionary):
        return np.zeros(len(texts), dtype=np.int64), np.zeros(len(texts), dtype=bool)
    values, valid = parse(encoded.dictionary)
    positions = array_of(fill_null(encoded.indices, 0))
    return values[positions], valid[positions] & array_of(encoded.is_valid())


def _iso_timestamps(texts: Any) -> Any:
    """Return microseconds of ISO 8601 time stamps by Arrow's own parser; None if it refuses one."""
    import pyarrow as pa

    for kind in (pa.timestamp("us"), pa.timestamp("us", "UTC")):
        read = try_cast(texts, kind)
        if read is not None:
            return read.cast(pa.int64())
    return None


def _parse_dates(texts: Any, date_format: str) -> tuple[Ints, Bools]:
    import pyarrow.compute as pc

    if date_format.startswith("Mon-D-"):
        texts = pc.replace_substring_regex(texts, _YEAR_LAST, r"\1 \4 \2\3")
    parts = pc.extract_regex(texts, _pattern(date_format))
    valid = array_of(parts.is_valid()).copy()
    year, day = _whole(parts, "year"), _whole(parts, "day")
    if "YY" in date_format:
        year = np.where(year < PIVOT, year + 2000, year + 1900)
    month = _months(parts) if "Mon" in date_format else _whole(parts, "month")
    valid &= (year >= 1) & (month >= 1) & (month <= 12) & (day >= 1)
    months = np.where(valid, 12 * (year - 1970) + month - 1, 0).astype("M8[M]")
    days = months.astype("M8[D]") + np.maximum(day - 1, 0)
    valid &= days.astype("M8[M]") == months  # no 31 April
    clock, right = _clock(parts)
    offset, known = _offsets(parts)
    return days.astype(np.int64) * DAY + clock - offset, valid & right & known


def _text(parts: Any, name: str) -> Any:
    import pyarrow.compute as pc

    return fill_null(pc.struct_field(parts, name), "")


def _whole(parts: Any, name: str) -> Ints:
    """Return a group of digits as whole numbers; 0 where it is empty."""
    import pyarrow as pa
    import pyarrow.compute as pc

    text = _text(parts, name)
    numbers: Ints = array_of(pc.if_else(pc.equal(text, ""), "0", text).cast(pa.int64()))
    return numbers


def _months(parts: Any) -> Ints:
    import pyarrow.compute as pc

    begins = pc.utf8_slice_codeunits(pc.utf8_lower(_text(parts, "name")), 0, 3)
    places = pc.index_in(begins, value_set=text_array(MONTHS, begins.type))
    numbers: Ints = array_of(fill_null(places, -1)).astype(np.int64) + 1
    return numbers


def _micros(parts: Any) -> Ints:
    """Return the digits after the decimal sign of seconds as microseconds."""
    import pyarrow as pa
    import pyarrow.compute as pc

    text = pc.utf8_slice_codeunits(pc.utf8_rpad(_text(parts, "fraction"), 6, "0"), 0, 6)
    numbers: Ints = array_of(text.cast(pa.int64()))
    return numbers


def _clock(parts: Any) -> tuple[Ints, Bools]:
    """Return microseconds since midnight, and whether each time exists."""
    import pyarrow.compute as pc

    hour, minute, second = (_whole(parts, name) for name in ("hour", "minute", "second"))
    valid = (minute < 60) & (second < 60)
    half = pc.utf8_lower(_text(parts, "half"))
    morning, evening = (array_of(pc.starts_with(half, letter)) for letter in "ap")
    twelve = morning | evening
    valid &= np.where(twelve, (hour >= 1) & (hour <= 12), hour <= 24)
    hour = np.where(twelve, hour % 12, hour) + 12 * evening
    total = hour * HOUR + (60 * minute + second) * 1_000_000 + _micros(parts)
    return total, valid & (total <= DAY)


def _offsets(parts: Any) -> tuple[Ints, Bools]:
    """Return the offsets from UTC in microseconds, and whether each exists."""
    import pyarrow.compute as pc

    zone = pc.extract_regex(
        _text(parts, "zone"),
        "^[A-Za-z]*(?P<sign>[-+]?)(?P<hour>[0-9]{0,2}):?(?P<minute>(?:[0-9]{2})?)$",
    )
    hour, minute = _whole(zone, "hour"), _whole(zone, "minute")
    sign = np.where(array_of(pc.equal(_text(zone, "sign"), "-")), -1, 1)
    return sign * (60 * hour + minute) * 60_000_000, (hour <= 15) & (minute < 60)


_NUMBER = "[0-9]{1,9}"
_REAL = r"[0-9]{1,9}(?:\.[0-9]{1,9})?"

_CLOCK_TIME = (
    f"(?i)^(?:(?P<days>[-+]?{_NUMBER}) ?d(?:ays?)?,? ?)?(?P<sign>[-+\u2212]?)(?P<hour>{_NUMBER})"
    r"(?::(?P<minute>[0-9]{2})(?::(?P<second>[0-9]{2})(?:[.,](?P<fraction>[0-9]{1,9}))?)?"
    r" ?(?P<half>[ap]\.?m\.?|)| ?(?P<whole>[ap]\.?m\.?))$"
)
"""8:30, 8:30:15.5 PM, 8 PM, -0:30, 27:15:00, 0 days 01:30:00, -1 day, 23:30:00."""

_UNITS = (
    f"(?i)^(?P<sign>[-+\u2212]?)(?:P?(?:(?P<week>{_REAL}) ?W(?:eeks?)?)?,? ?"
    f"(?:(?P<days>{_REAL}) ?D(?:ays?)?)?,? ?T?"
    f"(?:(?P<hour>{_REAL}) ?H(?:(?:ou)?rs?)?)?,? ?(?:(?P<minute>{_REAL}) ?M(?:in(?:ute)?s?)?)?,? ?"
    f"(?:(?P<second>{_REAL}) ?S(?:ec(?:ond)?s?)?)?)$"
)
"""1h 30m, 90 min, 2 days, and PT1H30M as in ISO 8601."""


def microseconds_of_hours(texts: Any) -> tuple[Ints, Bools]:
    """Parse texts as times of day or durations.

    Parameters
    ----------
    texts : pyarrow array of str
        8:30, 8:30 PM, 27:15:00, 0 days 01:30:00, PT1H30M or 1h 30m: two parts are hours and minutes.

    Returns
    -------
    microseconds : numpy.ndarray
    valid : numpy.ndarray
        Whether each text is a time or a duration.
    """
    return _by_distinct(texts, _parse_hours)


def _parse_hours(texts: Any) -> tuple[Ints, Bools]:
    import pyarrow.compute as pc

    clock = pc.extract_regex(texts, _CLOCK_TIME)
    valid = array_of(fill_null(clock.is_valid(), False)).copy()
    half = _joined(clock, "half", "whole")
    morning, evening = (array_of(pc.match_substring_regex(half, f"(?i)^{letter}")) for letter in "ap")
    hour, minute, second = (_whole(clock, name) for name in ("hour", "minute", "second"))
    twelve = morning | evening
    valid &= (minute < 60) & (second < 60) & (~twelve | ((hour >= 1) & (hour <= 12)))
    hour = np.where(twelve, hour % 12, hour) + 12 * evening
    total = _signs(clock) * (hour * HOUR + (60 * minute + second) * 1_000_000 + _micros(clock))
    total += _signed(clock, "days") * DAY
    units = pc.extract_regex(texts, _UNITS)
    sizes = {"week": 168 * HOUR, "days": DAY, "hour": HOUR, "minute": HOUR // 60, "second": HOUR // 3600}
    amounts = [(_real(units, name), size) for name, size in sizes.items()]
    in_units = array_of(fill_null(units.is_valid(), False)) & ~valid
    in_units &= np.any([~np.isnan(amount) for amount, _ in amounts], axis=0)
    by_units = np.sum([np.nan_to_num(amount) * size for amount, size in amounts], axis=0)
    return np.where(in_units, _signs(units) * np.rint(by_units).astype(np.int64), total), valid | in_units


def _joined(parts: Any, first: str, second: str) -> Any:
    """Return two groups, at most one of them not empty, as one."""
    import pyarrow.compute as pc

    return pc.if_else(pc.equal(_text(parts, first), ""), _text(parts, second), _text(parts, first))


def _signs(parts: Any) -> Ints:
    import pyarrow.compute as pc

    return np.where(array_of(pc.match_substring_regex(_text(parts, "sign"), "[-\u2212]")), -1, 1)


def _signed(parts: Any, name: str) -> Ints:
    """Return a group of digits with a sign as whole numbers; 0 where it is empty."""
    import pyarrow as pa
    import pyarrow.compute as pc

    text = pc.replace_substring(_text(parts, name), "+", "")
    numbers: Ints = array_of(pc.if_else(pc.equal(text, ""), "0", text).cast(pa.int64()))
    return numbers


def _real(parts: Any, name: str) -> NDArray[np.float64]:
    """Return a group as real numbers; NaN where it is empty."""
    import pyarrow as pa
    import pyarrow.compute as pc

    text = _text(parts, name)
    numbers = pc.if_else(pc.equal(text, ""), "nan", text).cast(pa.float64())
    return np.asarray(array_of(numbers), dtype=np.float64)


def durations_as_text(column: Any) -> Any:
    """Return a column of durations as text: 27:15:00, or with up to six decimals of seconds."""
    import pyarrow as pa

    whole = in_microseconds(column).to_pylist()
    return pa.chunked_array([[None if one is None else _duration_as_text(one) for one in whole]], pa.string())


def in_microseconds(column: Any) -> Any:
    """Return a column of times of day or durations as whole microseconds."""
    import pyarrow as pa
    from pyarrow import types

    if types.is_time(column.type):
        return column.cast(pa.time64("us"), safe=False).cast(pa.int64())
    if types.is_interval(column.type):
        whole = [_of_interval(one.as_py()) for one in column]
        return pa.array(whole, pa.int64())
    return column.cast(pa.duration("us"), safe=False).cast(pa.int64())


def _of_interval(interval: Any) -> int | None:
    """Return a (months, days, nanoseconds) interval in microseconds; `OverflowError` if it has months."""
    if interval is None:
        return None
    months, days, nanoseconds = interval
    if months:
        raise OverflowError("a month has no fixed number of hours")
    return int(days) * DAY + int(nanoseconds) // 1000


def _duration_as_text(microseconds: int) -> str:
    seconds, rest = divmod(abs(microseconds), 1_000_000)
    text = f"{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}"
    if rest:
        text += f".{rest:06}".rstrip("0")
    return f"-{text}" if microseconds < 0 else text
