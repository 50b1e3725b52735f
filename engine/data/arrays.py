"""Columns of Arrow as arrays of numpy."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray


def array_of(column: Any) -> NDArray[Any]:
    """Return a column of numbers or truth values as an array; of numbers, NaN where one is missing.

    pyarrow's own ``to_numpy`` first imports pandas wherever that is installed, which nothing here needs: a
    third of a second, and 50 MB.  Nothing is copied that is in one piece, has no gaps, and is no truth value.

    Parameters
    ----------
    column : pyarrow.Array or pyarrow.ChunkedArray
        Of integers, floats or truth values; of the last, none may be missing.

    Returns
    -------
    ndarray
        Not to be written to.
    """
    import pyarrow as pa
    from pyarrow import types

    if column.null_count and not types.is_boolean(column.type):
        column = column.cast(pa.float64(), safe=False).fill_null(np.nan)
    pieces = column.chunks if isinstance(column, pa.ChunkedArray) else [column]
    found: list[NDArray[Any]]
    if types.is_boolean(column.type):
        found = [np.from_dlpack(piece.cast(pa.uint8())).view(np.bool_) for piece in pieces]
    else:
        found = [np.from_dlpack(piece) for piece in pieces]
    if len(found) == 1:
        return found[0]
    return np.concatenate(found) if found else np.empty(0, column.type.to_pandas_dtype())
