"""Convert Python objects from other libraries, one per cell, to Arrow columns."""

from __future__ import annotations

import datetime
import decimal
import math
import types
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

TIMES = (datetime.date, datetime.datetime, datetime.time, datetime.timedelta)
REAL = (int, float, decimal.Decimal)


def column_of(values: Sequence[Any]) -> Any:
    """Return cells as one Arrow column: of their common type, or as text.

    None and the empty text are missing.
    """
    import pyarrow as pa

    if {float} <= set(map(type, values)) <= {float, types.NoneType}:  # the usual numbers, and fast
        return pa.array(values, pa.float64())
    cells = [None if value is None or value == "" else _plain(value) for value in values]
    kinds = {type(cell) for cell in cells if cell is not None}
    if kinds == {datetime.time, datetime.timedelta}:  # a sheet holds times beyond 24 hours as durations
        cells = [_duration(cell) if isinstance(cell, datetime.time) else cell for cell in cells]
        kinds = {datetime.timedelta}
    if kinds and kinds <= {int, float}:
        if kinds == {int} and all(abs(cell) < 2**63 for cell in cells if cell is not None):
            return pa.array(cells, pa.int64())
        return pa.array([None if cell is None else _real(cell) for cell in cells], pa.float64())
    if kinds and kinds <= {datetime.date, datetime.datetime} and kinds != {datetime.date}:
        return pa.array([None if cell is None else _moment(cell) for cell in cells], pa.timestamp("us"))
    if len(kinds) <= 1:
        return pa.array(cells)
    return pa.array([None if cell is None else _text(cell) for cell in cells], pa.string())


def join_pieces(pieces: Iterable[Any]) -> Any:
    """Join pieces of a column, each with its own type, into one column."""
    import pyarrow as pa

    results = list(pieces)
    kinds = {piece.type for piece in results if not pa.types.is_null(piece.type)}
    if kinds == {pa.int64(), pa.float64()}:
        kinds = {pa.float64()}
    if len(kinds) > 1:
        return pa.chunked_array(
            [
                pa.array([None if c is None else _text(c) for c in piece.to_pylist()], pa.string())
                for piece in results
            ]
        )
    only = kinds.pop() if kinds else pa.null()
    return pa.chunked_array([piece.cast(only) for piece in results], only)


def _real(cell: float) -> float:
    try:
        return float(cell)
    except OverflowError:
        return math.copysign(math.inf, cell)


def _moment(cell: datetime.date) -> datetime.datetime:
    """Return a date or time stamp without a time zone: in UTC if it had one."""
    if isinstance(cell, datetime.datetime):
        return cell if cell.tzinfo is None else cell.astimezone(datetime.UTC).replace(tzinfo=None)
    return datetime.datetime.combine(cell, datetime.time())


def _duration(cell: datetime.time) -> datetime.timedelta:
    return datetime.datetime.combine(datetime.date.min, cell) - datetime.datetime.min


def _plain(value: Any) -> Any:
    """Convert a value to one of the few types of cells."""
    if type(value) in (int, float):
        return value
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, str):
        return value.encode(errors="replace").decode()  # unpaired surrogates, which JSON may contain
    if isinstance(value, datetime.time) and value.tzinfo is not None:
        return str(value)
    if isinstance(value, bool) or type(value) in (int, float, str, *TIMES):
        return value
    if isinstance(value, REAL):
        return float(value)
    if isinstance(value, bytes):
        return value.decode(errors="replace")
    return str(value)


def _text(cell: Any) -> str:
    """Write a cell as text for a column of mixed types: a whole number without a decimal point."""
    if isinstance(cell, float) and math.isfinite(cell) and cell == int(cell):
        return str(int(cell))
    return str(cell)
