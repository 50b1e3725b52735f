"""Frames, series, arrays and dictionaries of Python programs become tables."""

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from engine.data import as_table
from engine.errors import DataError

COLUMNS = {"name": ["Ann", "Bo", None], "pay": [1.5, 2.5, None]}


class Spoken:
    """Speaks Arrow's C stream interface and nothing else, as frames of other libraries do."""

    def __init__(self, data):
        self._data = data

    def __arrow_c_stream__(self, requested_schema=None):
        return self._data.__arrow_c_stream__(requested_schema)


@pytest.mark.parametrize(
    "data",
    [
        COLUMNS,
        pa.table(COLUMNS),
        pa.table(COLUMNS).to_batches()[0],
        pd.DataFrame(COLUMNS),
        pd.DataFrame(COLUMNS).set_index("name"),
        Spoken(pa.table(COLUMNS)),
        [{"name": "Ann", "pay": 1.5}, {"name": "Bo", "pay": 2.5}, {"name": None, "pay": None}],
    ],
    ids=["dict", "table", "batch", "pandas", "indexed", "stream", "records"],
)
def test_frames(data):
    table = as_table(data)
    assert table.data.column("name").to_pylist() == COLUMNS["name"]
    assert table.numbers("pay", "drop").values.tolist() == [1.5, 2.5]


@pytest.mark.parametrize(
    "data",
    [
        pd.Series([1.5, 2.5]),
        pa.chunked_array([[1.5, 2.5]]),
        Spoken(pa.chunked_array([[1.5, 2.5]])),
        np.array([1.5, 2.5]),
        [1.5, 2.5],
        (1.5, 2.5),
    ],
    ids=["pandas", "chunked", "stream", "numpy", "list", "tuple"],
)
def test_one_column_is_called_value(data):
    assert as_table(data).numbers("value").values.tolist() == [1.5, 2.5]


def test_points_and_structured_arrays():
    points = np.arange(6.0).reshape(3, 2)
    np.testing.assert_array_equal(as_table(points).points(["x1", "x2"]).values, points)
    structured = np.array([(1, 2.5)], dtype=[("a", "i4"), ("b", "f8")])
    assert as_table(structured).data.to_pydict() == {"a": [1], "b": [2.5]}


@pytest.mark.parametrize(
    "data", ["people.csv", 3, None, np.zeros((2, 2, 2)), {"a": [1], "b": [1, 2]}, ["x"], []]
)
def test_what_is_no_table_is_refused_in_one_line(data):
    with pytest.raises(DataError, match="give a data frame, a dictionary of columns, or an array") as caught:
        as_table(data)
    assert "\n" not in str(caught.value)


def test_a_frame_without_records_and_a_table_itself():
    with pytest.raises(DataError, match="no records"):
        as_table(pd.DataFrame({"a": []}))
    table = as_table({"a": [1]})
    assert as_table(table) is table
