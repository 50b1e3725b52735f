"""Columns of Arrow as arrays of numpy, and values as those of Arrow, without importing pandas.

Wherever pandas is installed, pyarrow imports it for ``pa.array``, ``pa.scalar`` and ``to_numpy``: a third of
a second, and 50 MB, which nothing here needs.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray


def array_of(column: Any) -> NDArray[Any]:
    """Return a column of numbers or truth values as an array; of numbers, NaN where one is missing.

    Nothing is copied that is in one piece, has no gaps, and is no truth value.
    """
    import pyarrow as pa
    from pyarrow import types

    if column.null_count and not types.is_boolean(column.type):
        column = fill_null(column.cast(pa.float64(), safe=False), np.nan)
    pieces = column.chunks if isinstance(column, pa.ChunkedArray) else [column]
    results: list[NDArray[Any]]
    if types.is_boolean(column.type):
        results = [np.from_dlpack(piece.cast(pa.uint8())).view(np.bool_) for piece in pieces]
    else:
        results = [np.from_dlpack(piece) for piece in pieces]
    if len(results) == 1:
        return results[0]
    return np.concatenate(results) if results else np.empty(0, column.type.to_pandas_dtype())


def text_array(texts: Sequence[str], arrow_type: Any = None) -> Any:
    """Return texts as an array of Arrow, of large strings or of what they are cast to."""
    import pyarrow as pa

    encoded = [text.encode() for text in texts]
    offsets = np.cumsum([0, *map(len, encoded)], dtype=np.int64)
    buffers = [None, pa.py_buffer(offsets), pa.py_buffer(b"".join(encoded))]
    array = pa.Array.from_buffers(pa.large_string(), len(texts), buffers)
    return array if arrow_type is None else array.cast(arrow_type)


def scalar(value: object, arrow_type: Any) -> Any:
    """Return a text, number or truth value as one of Arrow; None for a missing one."""
    import pyarrow as pa

    return pa.nulls(1, arrow_type)[0] if value is None else text_array([str(value)], arrow_type)[0]


def fill_null(column: Any, value: object) -> Any:
    """Return a column of Arrow with a value where one is missing."""
    return column.fill_null(scalar(value, column.type))


def try_cast(values: Any, arrow_type: Any) -> Any | None:
    """Return values as those of another type of Arrow; None if one of them is none of it."""
    import pyarrow as pa

    try:
        return values.cast(arrow_type)
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError):
        return None
