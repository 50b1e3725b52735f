"""Columns of Arrow become arrays as they are, without pandas."""

import numpy as np
import pyarrow as pa
import pytest

from engine.data.arrays import array_of


@pytest.mark.parametrize(
    "column",
    [
        pa.array([1.5, None, float("inf")]),
        pa.array([1, -2, 3], pa.int8()),
        pa.array([1, None], pa.uint16()),
        pa.array([2**63, 1], pa.uint64()),
        pa.array([0.5], pa.float16()),
        pa.array([True, False, True, True]).slice(1),
        pa.array([1.0, 2.0, 3.0]).slice(1, 1),
        pa.array([], pa.float64()),
        pa.chunked_array([[1.0, None], [], [3.0]]),
        pa.chunked_array([[True], [False, True]]),
        pa.chunked_array([], pa.float64()),
        pa.chunked_array([], pa.bool_()),
    ],
    ids=str,
)
def test_values_and_type_are_as_pyarrow_gives_them(column):
    options = {} if isinstance(column, pa.ChunkedArray) else {"zero_copy_only": False}
    expected, found = column.to_numpy(**options), array_of(column)
    assert found.dtype == expected.dtype
    np.testing.assert_array_equal(found, expected)


def test_nothing_is_copied_that_need_not_be():
    column = pa.array(np.arange(1000.0))
    assert np.shares_memory(array_of(column), array_of(pa.chunked_array([column])))
    assert not array_of(column).flags.writeable
