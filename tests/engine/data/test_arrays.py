"""Columns of Arrow become arrays as they are, without pandas."""

from decimal import Decimal

import numpy as np
import pyarrow as pa
import pytest

from engine.data.arrays import array_of, doubles, fill_null, mask_array, scalar, text_array


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


@pytest.mark.parametrize(
    "kind", [pa.int8(), pa.int64(), pa.uint64(), pa.float16(), pa.float32(), pa.float64()], ids=str
)
def test_doubles_are_those_of_arrow_bit_by_bit(kind):
    rng, numpy_type = np.random.default_rng(1), kind.to_pandas_dtype()
    values = rng.integers(0, 2**64, 64, dtype=np.uint64, endpoint=False).view(np.uint8).view(numpy_type)
    values = np.append(values[np.isfinite(values)], [numpy_type(0), -numpy_type(0)])
    whole = pa.array(values, kind)
    lacking = pa.array([None if index % 3 else value for index, value in enumerate(values.tolist())], kind)
    for column in (whole, whole.slice(3, 5), pa.chunked_array([whole, whole[:2]]), lacking):
        cast = column.cast(pa.float64(), safe=False)
        for missing in (np.nan, 7.0):
            expected = np.array([missing if one is None else one for one in cast.to_pylist()])
            np.testing.assert_array_equal(doubles(column, missing).view(np.int64), expected.view(np.int64))


def test_decimals_become_the_nearest_doubles():
    column = pa.array([Decimal("0.1"), None, Decimal("-2.5")])
    assert doubles(column, 1.0).tolist() == [0.1, 1.0, -2.5]


def test_nothing_is_copied_that_need_not_be():
    column = pa.array(np.arange(1000.0))
    assert np.shares_memory(array_of(column), array_of(pa.chunked_array([column])))
    assert not array_of(column).flags.writeable


@pytest.mark.parametrize("texts", [[], ["", "ä", "a,b\n", "\U0001f600"], ["1"]])
@pytest.mark.parametrize("kind", [pa.string(), pa.large_string()])
def test_texts_are_as_pyarrow_makes_them(texts, kind):
    made = text_array(texts, kind)
    made.validate(full=True)
    assert made.equals(pa.array(texts, kind))


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        (0, pa.int64()),
        (-1, pa.int32()),
        (2, pa.uint8()),
        (False, pa.bool_()),
        (True, pa.bool_()),
        (0.1, pa.float64()),
        (-1e-308, pa.float64()),
        (float("inf"), pa.float64()),
        ("", pa.string()),
        (None, pa.large_string()),
        (None, pa.int64()),
    ],
    ids=str,
)
def test_values_are_as_pyarrow_makes_them(value, kind):
    assert scalar(value, kind).equals(pa.scalar(value, kind))
    column = pa.chunked_array([pa.nulls(2, kind), pa.nulls(1, kind)])
    assert fill_null(column, value).equals(column.fill_null(pa.scalar(value, kind)))


@pytest.mark.parametrize("size", [0, 1, 7, 8, 9, 100])
def test_a_mask_holds_each_truth_value_at_its_place(size):
    values = np.random.default_rng(1).random(2 * size)[::2] < 0.5
    mask = mask_array(values)
    assert (mask.type, mask.to_pylist()) == (pa.bool_(), values.tolist())
