"""A table whose records stay in their file tells what a table in memory tells, or refuses in one line."""

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import csv, parquet

from engine import Box, Interval, Median, Points, Sample, StoredSample, stored_table
from engine.data.edges import guess_columns
from engine.data.reading import read_table
from engine.errors import DataError
from engine.extras.stored import text_file
from engine.extras.stored.column import StoredColumn
from engine.extras.stored.large_table import LargeTable

N = 1000
RNG = np.random.default_rng(2)
CELLS = {
    "name": [f"p{i}" for i in range(N)],
    "pay": RNG.normal(50, 20, N).round(6),
    "age": [None if i % 7 == 0 else float(i % 90) for i in range(N)],
    "mixed": ["12" if i != 900 else "none" for i in range(N)],
}


@pytest.fixture(params=["parquet", "csv"])
def path(tmp_path, request, monkeypatch):
    monkeypatch.setattr(text_file, "PIECE", 3000)
    path, table = tmp_path / f"people.{request.param}", pa.table(CELLS)
    if request.param == "parquet":
        parquet.write_table(table, path, row_group_size=150)
    else:
        csv.write_csv(table, path)
    return path


def test_columns_numbers_and_points(path):
    large, held = LargeTable(stored_table(path)), read_table(path)
    assert large.n == held.n == N
    assert [(one.name, one.missing) for one in large.columns] == [("pay", 0), ("age", 143)]
    assert large.row(0) == held.row(0)
    assert large.preview(5) == [row[1:3] for row in held.preview(5)]
    bounds = Interval(0, 60)
    for name in ("pay", "age"):
        found, same = large.numbers(name, "drop"), held.numbers(name, "drop")
        assert (len(found.values), found.dropped) == (len(same.values), same.dropped)
        sample = found.values.sample(bounds)
        assert Median().smooth_sensitivity(sample, 0.1) == Median().smooth_sensitivity(
            Sample(same.values, bounds), 0.1
        )
        indices, values = found.values.some(100)
        assert 50 <= indices.size <= 100
        np.testing.assert_array_equal(values, same.values[indices])
    points, same = large.points(["pay", "age"], "drop"), held.points(["pay", "age"], "drop")
    box = Box.of([0, 0], [60, 60])
    np.testing.assert_array_equal(points.values.points(box).values, Points(same.values, box).values)


def test_what_it_has_not_is_refused_in_one_line(path):
    large = LargeTable(stored_table(path))
    with pytest.raises(DataError, match="its 1,000 records stay in the file"):
        large.data  # noqa: B018
    for name in ("name", "mixed", "wage"):
        with pytest.raises(DataError, match="it does not hold only numbers"):
            large.numbers(name)
    with pytest.raises(DataError, match="the value is missing in some records"):
        large.numbers("age")
    with pytest.raises(DataError, match="cannot fill missing values; leave out"):
        large.numbers("age", "fill", 0.0)
    assert guess_columns(large) is None


def test_a_part_of_the_records_in_memory(path):
    sample = StoredSample(StoredColumn.of(stored_table(path), "pay"), Interval(0, 60))
    places = RNG.integers(0, N, 500)
    np.testing.assert_array_equal(
        sample.only(places).values, Sample(CELLS["pay"][places], Interval(0, 60)).values
    )
    for refused in (lambda: sample.values, lambda: sample.far_end("lower"), lambda: sample.replaced(0, 1.0)):
        with pytest.raises(DataError, match="use a part of the records"):
            refused()


def test_a_value_that_is_not_finite_spoils_its_column_alone(tmp_path):
    values = CELLS["pay"].copy()
    values[700] = np.inf
    csv.write_csv(pa.table({"pay": CELLS["pay"], "bad": values}), tmp_path / "a.csv")
    large = LargeTable(stored_table(tmp_path / "a.csv"))
    assert large.numbers("pay").values.sample(Interval(0, 60)).ranks(1, 1).size == 1
    with pytest.raises(DataError, match="the value is not a finite number") as caught:
        large.numbers("bad").values.sample(Interval(0, 60)).ranks(1, 1)
    assert caught.value.row == 702  # below the names
