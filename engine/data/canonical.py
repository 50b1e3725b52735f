"""One column in a form that does not depend on the file it came from: what its cells say, not how.

The measure is delimited text, which knows no types: two columns are alike if, written as such, they would
be read as the same.  So a column of digits is one of numbers, however it is stored; "" and "NA" are missing.
"""

from __future__ import annotations

import dataclasses
import json
import re
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.array_types import Bools, Floats
from engine.data import cells
from engine.data.arrays import array_of, fill_null, scalar, text_array
from engine.data.names import is_number
from engine.shown import ShownInALine

Words = NDArray[np.uint64]

UNITS = {"s": 1, "ms": 10**3, "us": 10**6, "ns": 10**9}
"""Parts of a second that Arrow counts in."""

NO_TIME = np.uint64(1 << 63)
"""Stands for the parts of a second where there is no time at all."""

TRUE, FALSE = ("true", "True", "TRUE"), ("false", "False", "FALSE")


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class CanonicalColumn(ShownInALine):
    """The cells of a column; two columns with the same cells are equal in all of this.

    Attributes
    ----------
    kind : {"nothing", "number", "boolean", "date", "duration", "text"}
        "nothing" where all cells are missing.
    codes : tuple of ndarray of uint64, shape (n,)
        What tells each cell from all others of its kind.
    texts : pyarrow.LargeStringArray, optional
        What the codes do not tell: text, and whole numbers beyond the reach of doubles.
    """

    kind: str
    codes: tuple[Words, ...] = ()
    texts: Any = None


def canonical(column: Any) -> CanonicalColumn:
    """Return the cells of an Arrow column by what they say.

    Numbers are the doubles that are computed with: 1, 1.0 and 1e0 are the same, NaN is missing; a whole
    number that no double equals says so in full.  Dates are midnights, and points in time are counted in
    seconds and billionths, from whatever unit, in UTC where a zone is known.  A time of day is text.
    """
    from pyarrow import types

    if types.is_null(column.type) or column.null_count == len(column):
        return CanonicalColumn("nothing")
    kind = cells.kind(column.type)
    if kind == "number":
        return _numbers(column)
    if kind == "boolean":
        return _booleans(column)
    if types.is_time(column.type):
        return _texts(_times_of_day(column))
    return _times(column) if kind == "date" and not types.is_interval(column.type) else _texts(column)


def _numbers(column: Any) -> CanonicalColumn:
    import pyarrow as pa
    import pyarrow.compute as pc
    from pyarrow import types

    floats = column.cast(pa.float64(), safe=False)
    values: Floats = array_of(floats) + 0.0  # a copy, NaN where missing; -0.0 + 0.0 is 0.0
    nothing = np.isnan(values)
    if nothing.all():
        return CanonicalColumn("nothing")
    values[nothing] = np.nan  # one of many that there are
    lost = None
    if types.is_decimal(column.type):
        lost = array_of(column.is_valid()) & ~_equal(column, floats)
    elif types.is_integer(column.type) and column.type.bit_width == 64:
        lost = _beyond_doubles(array_of(fill_null(column, 0)))
    if lost is None or not lost.any():
        return CanonicalColumn("number", (values.view(np.uint64),))
    wrong = pa.array(lost)
    texts = pc.if_else(
        wrong, column.cast(pa.large_string()).combine_chunks(), scalar(None, pa.large_string())
    )
    return CanonicalColumn("number", (values.view(np.uint64),), texts)


def _equal(decimals: Any, floats: Any) -> Bools:
    """Tell which decimals are what their nearest doubles are, rounded to as many places."""
    import pyarrow as pa
    import pyarrow.compute as pc

    try:
        back = floats.cast(decimals.type, safe=False)
    except pa.ArrowException:  # a double may round beyond the digits of the type
        return np.zeros(len(decimals), dtype=bool)
    equal: Bools = array_of(fill_null(pc.equal(back, decimals), False))
    return equal


def _beyond_doubles(values: NDArray[Any]) -> Bools:
    """Tell which whole numbers have more than 53 bits between the first one and the last."""
    if not len(values) or -(2**53) <= values.min() <= values.max() <= 2**53:
        return np.zeros(len(values), dtype=bool)
    size = np.abs(values).view(np.uint64)  # the least one, -2^63, becomes itself, and 2^63 as such
    last = np.maximum(size & (~size + np.uint64(1)), np.uint64(1))
    beyond: Bools = size // last > np.uint64(2**53)
    return beyond


def _booleans(column: Any) -> CanonicalColumn:
    import pyarrow as pa

    return CanonicalColumn("boolean", (array_of(fill_null(column.cast(pa.uint8()), 2)).astype(np.uint64),))


def _times(column: Any) -> CanonicalColumn:
    import pyarrow as pa
    from pyarrow import types

    if types.is_date(column.type):
        column = column.cast(pa.timestamp("s" if types.is_date32(column.type) else "ms"))
    values = array_of(fill_null(column.cast(pa.int64()), 0))
    seconds, rest = np.divmod(values, UNITS[column.type.unit])
    parts = (rest * (10**9 // UNITS[column.type.unit])).view(np.uint64)
    parts[~array_of(column.is_valid())] = NO_TIME
    kind = "duration" if types.is_duration(column.type) else "date"
    return CanonicalColumn(kind, (seconds.view(np.uint64), parts))


def _times_of_day(column: Any) -> Any:
    """Write times of day without zeros at the end of a fraction of a second."""
    import pyarrow as pa
    import pyarrow.compute as pc

    written = column.cast(pa.large_string())
    return pc.replace_substring_regex(pc.replace_substring_regex(written, r"(\.\d*?)0+$", r"\1"), r"\.$", "")


def _texts(column: Any) -> CanonicalColumn:
    """Return text as what it spells: numbers, true and false, dates; or as it is."""
    import pyarrow as pa
    import pyarrow.compute as pc

    try:
        texts = column.cast(pa.large_string())
    except pa.ArrowException:  # lists, objects and bytes have no text of their own
        spelled = (json.dumps(value, sort_keys=True, default=repr) for value in column.to_pylist())
        texts = pa.chunked_array([pa.array(spelled, pa.large_string())])
    missing = text_array(cells.MISSING_WORDS, pa.large_string())
    texts = pc.if_else(pc.is_in(texts, value_set=missing), scalar(None, pa.large_string()), texts)
    if texts.null_count == len(texts):
        return CanonicalColumn("nothing")
    first = texts[texts.is_valid().index(True).as_py()].as_py()
    if first.strip() in cells.MISSING_WORDS or is_number(first):
        numbers = cells.parsed(cells.spelled_numbers(texts))
        if numbers is not None:
            return canonical(numbers)
    if first in TRUE + FALSE and _all_in(texts, TRUE + FALSE):
        true = pc.is_in(texts, value_set=text_array(TRUE, pa.large_string()))
        return _booleans(pc.if_else(texts.is_valid(), true, None))
    if re.match(r"\d{4}-\d\d-\d\d", first):
        for unit, zone in (("s", None), ("ns", None), ("s", "UTC"), ("ns", "UTC")):
            match = _cast(texts, pa.timestamp(unit, zone))
            if match is not None:
                return _times(match)
    return CanonicalColumn("text", (), texts.combine_chunks())


def _all_in(texts: Any, labels: tuple[str, ...]) -> bool:
    import pyarrow as pa
    import pyarrow.compute as pc

    result = pc.is_in(texts.drop_null(), value_set=text_array(labels, pa.large_string()))
    return bool(pc.all(result).as_py() is not False)


def _cast(texts: Any, type: Any) -> Any | None:
    import pyarrow as pa

    try:
        return texts.cast(type)
    except pa.ArrowException:
        return None
