"""Stated missing values, and NaN, in tables that stay in their file: as in memory."""

import sqlite3

import duckdb
import numpy as np
import pyarrow as pa
import pytest
from pyarrow import feather, parquet

from engine import Box, Interval, Points, Sample, StoredSample, stored_column, stored_table
from engine.data.large_files import large_table
from engine.data.reading import read_table
from engine.errors import DataError
from engine.extras.stored import text_file
from engine.extras.stored.large_table import LargeTable

N = 1000
X = [float("nan") if i % 11 == 3 else -999.0 if i % 7 == 0 else i / 8 for i in range(N)]
Y = [None if i % 13 == 0 else 99.0 if i % 5 == 0 else float(i % 90) for i in range(N)]
BOUNDS = Interval(0, 100)


def write_csv(path, table):
    lines = zip(*table.to_pydict().values(), strict=True)
    text = "\n".join(",".join("" if cell is None else str(cell) for cell in cells) for cells in lines)
    path.write_text(f"x,y\n{text}\n")


def write_sqlite(path, table):
    with sqlite3.connect(path) as database:
        database.execute("CREATE TABLE t (x, y)")
        rows = zip(*table.to_pydict().values(), strict=True)
        database.executemany("INSERT INTO t VALUES (?, ?)", rows)


def write_duckdb(path, table):
    with duckdb.connect(str(path)) as database:
        database.register("cells", table)
        database.execute("CREATE TABLE t AS SELECT * FROM cells")


WRITERS = {
    "parquet": lambda path, table: parquet.write_table(table, path, row_group_size=150),
    "feather": lambda path, table: feather.write_feather(table, path, chunksize=150),
    "csv": write_csv,
    "duckdb": write_duckdb,
    "sqlite": write_sqlite,
}


@pytest.fixture(params=WRITERS)
def path(request, tmp_path, monkeypatch):
    monkeypatch.setattr(text_file, "PIECE", 3000)
    path = tmp_path / f"a.{request.param}"
    WRITERS[request.param](path, pa.table({"x": X, "y": Y}))
    return path


@pytest.mark.parametrize("stated", ["-999,99", "x=-999;y=99.0"])
def test_they_are_left_out_as_in_memory(path, stated):
    table, held = stored_table(path, missing_values=stated), read_table(path, missing_values=stated)
    for name in ("x", "y"):
        same = held.numbers(name, "drop")
        for sample in (
            table.sample(name, BOUNDS, "drop"),
            LargeTable(table).numbers(name, "drop").values.sample(BOUNDS),
        ):
            assert (sample.n, sample.dropped) == (same.values.size, same.dropped)
            expected = Sample(same.values, BOUNDS)
            np.testing.assert_array_equal(sample.ranks(1, sample.n), expected.ranks(1, sample.n))
            assert sample.outside == expected.outside
    same = held.points(["x", "y"], "drop")
    box = Box.of([0, 0], [100, 100])
    points = table.points(["x", "y"], box, "drop")
    assert points.dropped == same.dropped
    np.testing.assert_array_equal(points.values, Points(same.values, box).values)


def test_nan_is_missing_only_where_missing_values_are_left_out(path):
    if path.suffix == ".sqlite":
        pytest.skip("SQLite stores NaN as NULL")
    same = read_table(path).numbers("x", "drop")
    sample = StoredSample(stored_column(path, "x"), BOUNDS, "drop")
    assert (sample.n, sample.dropped) == (same.values.size, same.dropped)
    np.testing.assert_array_equal(sample.ranks(1, 9), Sample(same.values, BOUNDS).ranks(1, 9))
    with pytest.raises(DataError, match="NaN among them"):
        StoredSample(stored_column(path, "x"), BOUNDS).check()


@pytest.mark.parametrize("stated", ["?", "x=?"])
def test_a_stated_text_among_numbers_leaves_them_numbers(tmp_path, monkeypatch, stated):
    monkeypatch.setattr(text_file, "PIECE", 3000)
    values = [*map(float, range(N)), "?"]
    with sqlite3.connect(tmp_path / "a.sqlite") as database:
        database.execute("CREATE TABLE t (x)")
        database.executemany("INSERT INTO t VALUES (?)", [(value,) for value in values])
    (tmp_path / "a.csv").write_text("\n".join(["x,y", *(f"{value},1" for value in values)]))
    for name in ("a.csv", "a.sqlite"):
        sample = StoredSample(stored_column(tmp_path / name, "x", missing_values=stated), BOUNDS, "drop")
        assert (sample.n, sample.dropped) == (N, 1)


def test_a_large_file_keeps_them(path, monkeypatch):
    monkeypatch.setattr("engine.data.large_files.LARGE", 10)
    from engine.data.reading_options import ReadingOptions

    table = large_table(path, ReadingOptions(missing_values="-999"))
    assert table.sample("x", BOUNDS, "drop").dropped == sum(value != value or value == -999 for value in X)
    with pytest.raises(DataError, match="there is no column 'z'"):
        large_table(path, ReadingOptions(missing_values="z=1"))
