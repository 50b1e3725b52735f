"""Turn Python data (frames, series, arrays, dictionaries) into tables."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from engine.data.look_only import marks_of
from engine.data.names import name_columns, tidy_name
from engine.data.table import Table
from engine.errors import DataError

REMEDY = "give a data frame, a dictionary of columns, or an array of one or two dimensions"


def as_table(data: Any, name: str = "data") -> Table:
    """Return data from Python as a table.

    Parameters
    ----------
    data : object
        A `Table`, an Arrow table or record batch, or any object with Arrow's C stream interface.  A pandas or
        polars frame or series.  An xarray dataset or array, with one record per grid point.  A dictionary of
        columns.  A numpy array: structured, of shape (n,) with the column "value", or (n, d) with the columns
        "x1" to "xd".  A list of dictionaries, or of numbers.  NaN in a pandas frame means missing.
        Elsewhere NaN is missing once missing values are filled or dropped; see `Table.numbers`.
    name : str
        Name of the table in messages.

    Returns
    -------
    Table

    Raises
    ------
    DataError
        If the data are of another type.

    See Also
    --------
    read_table, Table, budget

    Examples
    --------
    >>> as_table({"age": [31, 45], "name": ["Ann", "Bo"]}).numbers("age").values.tolist()
    [31.0, 45.0]
    """
    if isinstance(data, Table):
        return data
    import pyarrow as pa

    try:
        result = _arrow(data)
    except (pa.ArrowException, TypeError, ValueError) as error:
        reason = " ".join(str(error).split())
        raise DataError(f"it cannot be read as columns; {REMEDY}", confidential=reason, source=name) from None
    if result is None:
        raise DataError(f"{type(data).__name__} is not a table; {REMEDY}", source=name)
    problem, treated, rows = marks_of(data)
    names = name_columns([tidy_name(str(one)) for one in result.column_names])
    named = result.rename_columns(names)
    return Table(name, named, format="Python", release_problem=problem, treated=treated, rows_of_person=rows)


def _arrow(data: Any) -> Any:
    """Return an Arrow table; None for other types."""
    import pyarrow as pa

    if isinstance(data, pa.Table):
        return data
    if isinstance(data, pa.RecordBatch):
        return pa.Table.from_batches([data])
    if hasattr(data, "to_dataframe") and hasattr(data, "coords"):  # xarray
        data = (data if hasattr(data, "data_vars") else data.rename(data.name or "value")).to_dataframe()
    if type(data).__module__.partition(".")[0] == "pandas":
        frame = data.to_frame(data.name or "value") if hasattr(data, "to_frame") else data
        named = [one for one in frame.index.names if one is not None]
        frame = frame.reset_index() if named else frame
        if not frame.columns.is_unique:
            frame = frame.set_axis(name_columns([tidy_name(str(one)) for one in frame.columns]), axis=1)
        return pa.Table.from_pandas(frame, preserve_index=False)
    if hasattr(data, "__arrow_c_stream__"):
        return _streamed(data)
    if isinstance(data, Mapping):
        return pa.table({str(name): pa.array(column) for name, column in data.items()})
    if isinstance(data, np.ndarray):
        return _array(data)
    if isinstance(data, list | tuple | range) and len(data):
        if isinstance(data[0], Mapping):
            return pa.Table.from_pylist(list(data))
        return _array(np.asarray(data, dtype=np.float64))
    return None


def _streamed(data: Any) -> Any:
    """Return an Arrow table from any object with Arrow's C stream interface."""
    import pyarrow as pa

    try:
        return pa.table(data)
    except (pa.ArrowException, TypeError):
        return pa.table({str(getattr(data, "name", "") or "value"): pa.chunked_array(data)})


def _array(values: Any) -> Any:
    import pyarrow as pa

    if values.dtype.names:
        return pa.table({name: np.ascontiguousarray(values[name]) for name in values.dtype.names})
    if values.ndim == 1:
        return pa.table({"value": values})
    if values.ndim == 2:
        return pa.table(
            {f"x{index}": np.ascontiguousarray(column) for index, column in enumerate(values.T, 1)}
        )
    return None
