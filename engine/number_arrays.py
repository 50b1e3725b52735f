"""Arrays of numbers from everything that holds numbers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from engine.array_types import Floats
from engine.errors import DataError


def as_numbers(values: Any, dimensions: int) -> Floats:
    """Return numbers as an array with this many dimensions, not copied if it is one.

    Takes arrays, lists, series and frames of pandas or polars, Arrow columns, and iterators.
    """
    noun = "one column of numbers" if dimensions == 1 else "rows of numbers"
    if isinstance(values, str | bytes | set | frozenset | Mapping):
        advice = "give the numbers of one column" if dimensions == 1 else "give one row for each record"
        raise DataError(f"a {type(values).__name__} is not {noun}; {advice}")
    if (
        isinstance(values, Iterable)
        and not hasattr(values, "__array__")
        and not hasattr(values, "__getitem__")
    ):
        values = list(values)
    try:
        kept = np.asarray(values)
        if kept.dtype.kind in "mMc":  # times and complex numbers, which numpy would convert
            raise TypeError(f"an array of {kept.dtype}")
        array = np.ascontiguousarray(kept, dtype=np.float64)
    except (TypeError, ValueError) as error:
        advice = (
            "these are not points; give the same number of coordinates in each row"
            if dimensions == 2
            else "the values are not numbers; give one number for each record"
        )
        raise DataError(advice, confidential=str(error)) from None
    return array
