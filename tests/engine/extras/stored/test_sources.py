"""Of each kind of source the same is told as of the same column in memory."""

import contextlib
import pickle
import sqlite3

import duckdb
import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from pyarrow import csv, feather, parquet

from engine import Count, Interval, Maximum, Mean, Median, Minimum, Quantile, Sum, TrimmedMean, WinsorizedMean
from engine.data import large_files
from engine.data.large_files import large_table
from engine.data.order_statistics import Sample
from engine.data.reading import read_table
from engine.errors import DataError
from engine.extras.databases import duckdb as duckdb_tables
from engine.extras.stored import text_file
from engine.extras.stored.large_table import LargeTable
from engine.extras.stored.opening import stored_column, stored_table
from engine.extras.stored.sample import StoredSample

N = 3000
VALUES = np.random.default_rng(7).lognormal(3, 1, N).round(6)
BOUNDS = Interval(0, 100)
TABLE = pa.table({"name": [f'an "odd", name\n{i}' for i in range(N)], "pay": VALUES})
QUERIES = [
    Median(),
    Quantile(q=0.9),
    Minimum(),
    Maximum(),
    Mean(),
    Sum(),
    Count(),
    TrimmedMean(),
    WinsorizedMean(),
]


@pytest.fixture(autouse=True)
def small_pieces(monkeypatch):
    monkeypatch.setattr(text_file, "PIECE", 2000)
    monkeypatch.setattr(duckdb_tables, "PIECE", 500)


def as_parquet(folder):
    parquet.write_table(TABLE, folder / "a.parquet", row_group_size=300)
    return stored_column(folder / "a.parquet", "pay")


def as_feather(folder):
    feather.write_feather(TABLE, folder / "a.feather", chunksize=300)
    return stored_column(folder / "a.feather", "pay")


def as_csv(folder):
    csv.write_csv(TABLE, folder / "a.csv")
    return stored_column(folder / "a.csv", "pay")


def in_duckdb(folder):
    records = TABLE  # found by its name
    with duckdb.connect(str(folder / "a.duckdb")) as database:
        database.execute("CREATE TABLE people AS SELECT * FROM records")
        database.execute("CREATE VIEW few AS SELECT pay FROM people")
    assert records.num_rows == N
    return folder / "a.duckdb"


def as_duckdb(folder):
    return stored_column(in_duckdb(folder), "pay", table="people")


def as_duckdb_view(folder):
    return stored_column(in_duckdb(folder), "pay", table="few")


def as_duckdb_query(folder):
    return stored_column(in_duckdb(folder), "pay", sql="SELECT pay FROM people ORDER BY name")


def as_dask(folder):
    frame = pytest.importorskip("dask.dataframe", reason="Dask comes with the extra 'cluster'")
    return stored_column(frame.from_pandas(TABLE.to_pandas(), npartitions=5), "pay")


def in_sqlite(folder):
    with contextlib.closing(sqlite3.connect(folder / "a.sqlite")) as database, database:
        database.execute("CREATE TABLE people (name TEXT, pay, mixed, empty)")
        rows = ((row["name"], row["pay"], place or "no", None) for place, row in enumerate(TABLE.to_pylist()))
        database.executemany("INSERT INTO people VALUES (?, ?, ?, ?)", rows)
        database.execute("CREATE VIEW few AS SELECT pay FROM people")
    return folder / "a.sqlite"


def as_sqlite(folder):
    return stored_column(in_sqlite(folder), "pay")


def as_sqlite_query(folder):
    return stored_column(in_sqlite(folder), "pay", sql="SELECT pay FROM few WHERE 1; ")


SOURCES = [
    as_sqlite,
    as_sqlite_query,
    as_parquet,
    as_feather,
    as_csv,
    as_duckdb,
    as_duckdb_view,
    as_duckdb_query,
    as_dask,
]
SPILLED = [as_sqlite, as_sqlite_query, as_duckdb_view, as_duckdb_query]


@pytest.mark.parametrize("written", SOURCES)
def test_all_queries(tmp_path, written):
    column = written(tmp_path)
    assert column.records == N
    assert len(column.pieces) > 1 or written in SPILLED
    sample, held = StoredSample(column, BOUNDS), Sample(VALUES, BOUNDS)
    for query in QUERIES:
        assert query.value(sample) == query.value(held)
        assert query.smooth_sensitivity(sample, 0.1) == query.smooth_sensitivity(held, 0.1)
        np.testing.assert_array_equal(
            query.sensitivity_at_distance(sample, 20), query.sensitivity_at_distance(held, 20)
        )
    assert sample.outside == held.outside
    again = pickle.loads(pickle.dumps(sample))
    np.testing.assert_array_equal(again.ranks(500, 600), held.ranks(500, 600))


TEXTS = {
    "missing at the end": "a,pay\nx,1\ny,\nz,3\nw,",
    "blank lines at the end": "a,pay\nx,1\ny,2\n\n\n",
    "one column, blank lines": "pay\n1\n\n3\n\n",
    "other line ends": "a,pay\r\nx,1\r\ny,2\r\n",
    "decimal commas and groups": 'a;pay\nx;"1.807,95"\ny;" 12,5 "\nz;NA\nw;3,25\n',
    "currencies": 'a,pay\nx,"$1,807.95"\ny,12\nz,"$2,000.00"\n',
    "titles": "Pay of all\n\na\tpay\nx\t1\ny\t2e3\n",
    "a mark": "\ufeffa,pay\nx,1\ny,2\n",
    "quoted breaks": 'a,pay\n"x\n1,2",1\n"""y""",2\n',
}


@pytest.mark.parametrize("name", TEXTS)
@pytest.mark.parametrize("piece", [5, 12, 1 << 20])
def test_text_is_read_as_ever(tmp_path, monkeypatch, name, piece):
    """Whatever it is cut into."""
    monkeypatch.setattr(text_file, "PIECE", piece)
    path = tmp_path / "a.csv"
    path.write_bytes(TEXTS[name].encode())
    table = read_table(path)
    column = stored_column(path, "pay")
    found = np.concatenate(list(column.over(range(len(column.pieces)), np.copy, lambda *_: None, "")))
    np.testing.assert_array_equal(found, table.numbers("pay", missing="drop").values)
    assert column.records == table.n
    sample = StoredSample(column, Interval(0, 5000), "drop")
    assert (sample.n, sample.dropped) == (found.size, table.n - found.size)


def test_letters_of_another_encoding(tmp_path):
    path = tmp_path / "a.csv"
    path.write_bytes("männer;Größe\né;1,5\nü;2\n".encode("cp1252"))
    column = stored_column(path, "Größe", encoding="cp1252")
    np.testing.assert_array_equal(StoredSample(column, BOUNDS).ranks(1, 2), [1.5, 2])


@pytest.mark.parametrize(
    ("text", "words", "row"),
    [
        ("a,pay\n" + "x,1\n" * 50 + "y,many\nz,2\n", "the value is not a number", 52),
        ("a,pay\n" + "x,1\n" * 50 + "y\nz,2\n", "it has fewer cells than the header, which has 2", 52),
        ("a,pay\n" + "x,1\n" * 50 + "y,inf\nz,2\n", "the value is not a finite number", 52),
        ("a,pay\n" + "x,1\n" * 50 + "y,nan\nz,2\n", "choose to drop missing values, NaN among them", None),
        ("a,pay\n" + "x,1\n" * 50 + '"y,2\n', "a quoted cell is not closed", None),
        ("a,pay\n" + "x,1\n" * 50 + "y,2\rz,3\nw,1\n", "different line breaks", None),
        ("a,pay\n", "there are no records", None),
    ],
)
def test_mistakes_in_text_are_named(tmp_path, monkeypatch, text, words, row):
    monkeypatch.setattr(text_file, "PIECE", 64)
    path = tmp_path / "a.csv"
    path.write_text(text, newline="")
    with pytest.raises(DataError, match=words) as caught:
        StoredSample(stored_column(path, "pay"), BOUNDS).check()
    assert row is None or caught.value.row == row


def test_missing_values_in_a_database_and_in_a_frame(tmp_path):
    with duckdb.connect(str(tmp_path / "a.duckdb")) as database:
        database.execute("CREATE TABLE t (pay DECIMAL(8, 2))")
        database.execute(
            "INSERT INTO t SELECT CASE WHEN i % 3 = 0 THEN NULL ELSE i / 4 END FROM range(3000) r(i)"
        )
        database.execute("DELETE FROM t WHERE pay > 700 AND pay < 710")
    columns = [stored_column(tmp_path / "a.duckdb", "pay")]
    frame = pytest.importorskip("dask.dataframe", reason="Dask comes with the extra 'cluster'")
    held = np.array([i / 4 for i in range(3000) if i % 3 and not 700 < i / 4 < 710])
    numbers = np.where(np.arange(held.size + 5) < held.size, np.append(held, np.zeros(5)), np.nan)
    columns.append(stored_column(frame.from_pandas(pd.DataFrame({"pay": numbers}), npartitions=3), "pay"))
    for column in columns:
        with pytest.raises(DataError, match="the value is missing in"):
            StoredSample(column, Interval(0, 800))
        sample, same = StoredSample(column, Interval(0, 800), "drop"), Sample(held, Interval(0, 800))
        assert Median().smooth_sensitivity(sample, 0.1) == Median().smooth_sensitivity(same, 0.1)
        assert Mean().value(sample) == Mean().value(same)


def test_what_cannot_be_opened_is_said_in_one_line(tmp_path):
    path = in_duckdb(tmp_path)
    with pytest.raises(DataError, match="would write; write a SELECT statement"):
        stored_table(path, sql="DELETE FROM people")
    with pytest.raises(DataError, match="it has no table 'staff'"):
        stored_table(path, table="staff")
    with pytest.raises(DataError, match="there are no records"):
        stored_table(path, sql="SELECT * FROM people WHERE pay < 0")
    with pytest.raises(DataError, match="has no delimiter to be stated"):
        stored_table(path, delimiter=";")
    with pytest.raises(DataError, match="there is no column 'salary'"):
        stored_column(path, "salary", table="people")
    with duckdb.connect(str(tmp_path / "b.duckdb")) as database:
        database.execute("CREATE TABLE t (pay DOUBLE)")
        with pytest.raises(DataError, match="it cannot be read"):
            stored_table(tmp_path / "b.duckdb")
    (tmp_path / "a.csv").write_text("# no\npay\n1\n")
    with pytest.raises(DataError, match="read as a whole"):
        stored_table(tmp_path / "a.csv", comment="#")


def test_ten_thousand_columns(tmp_path):
    names = [f"c{i}" for i in range(10_000)]
    path = tmp_path / "wide.csv"
    path.write_text(
        "\n".join([",".join(names), *[",".join(map(str, range(i, i + 10_000))) for i in range(3)]])
    )
    sample = StoredSample(stored_column(path, "c9999"), Interval(0, 20_000))
    np.testing.assert_array_equal(sample.ranks(1, 3), [9999, 10_000, 10_001])


def test_cells_of_sqlite_have_types_of_their_own(tmp_path):
    path = in_sqlite(tmp_path)
    table = stored_table(path)
    assert [str(kind) for kind in table.schema.types] == ["string", "double", "string", "double"]
    assert table.head(2).column("mixed").to_pylist() == ["no", "1"]
    with pytest.raises(DataError, match="it does not hold numbers"):
        stored_column(path, "mixed")
    with pytest.raises(DataError, match="the query would write"):
        stored_column(path, "pay", sql="DELETE FROM people")
    with pytest.raises(DataError, match="the query is wrong"):
        stored_column(path, "pay", sql="SELECT pay FROM nobody")


def test_a_large_sqlite_database_stays_where_it_is(tmp_path, monkeypatch):
    path = in_sqlite(tmp_path)
    assert large_table(path) is None
    monkeypatch.setattr(large_files, "LARGE", 1000)
    found = large_table(path)
    assert (found.n, LargeTable(found).numbers("pay").values.dropped) == (N, 0)


def test_a_column_that_hides_the_numbers_of_rows_is_read_like_any_other(tmp_path):
    file = tmp_path / "a.duckdb"
    with duckdb.connect(str(file)) as database:
        database.execute(
            "CREATE TABLE t AS SELECT nullif(range, 5) AS rowid, range::DOUBLE AS x FROM range(3000)"
        )
    read = stored_table(file)
    assert read.n == N
    loaded = [value for piece in range(len(read.sizes)) for value in read.load(piece, ["x"])["x"].to_pylist()]
    assert loaded == list(range(N))


@pytest.mark.parametrize("kind", ["parquet", "feather"])
def test_names_that_are_missing_or_occur_twice_are_those_of_a_small_file(tmp_path, kind):
    columns = [VALUES, 2 * VALUES, [str(value) for value in VALUES], 3 * VALUES]
    path, table = tmp_path / f"a.{kind}", pa.table(columns, names=["pay", "pay", "", "bonus"])
    if kind == "parquet":
        parquet.write_table(table, path, row_group_size=300)
    else:
        with pa.ipc.new_file(path, table.schema) as file:
            file.write_table(table, max_chunksize=300)
    large = stored_table(path)
    assert large.schema.names == read_table(path).data.column_names == ["pay", "pay 2", "column 3", "bonus"]
    assert large.head(2).column("pay 2").to_pylist() == (2 * VALUES[:2]).tolist()
    for name, factor in {"pay": 1, "pay 2": 2, "bonus": 3}.items():
        assert Median().value(StoredSample(stored_column(path, name), BOUNDS)) == Median().value(
            Sample(factor * VALUES, BOUNDS)
        )
    both = large.load(1, ["pay 2", "pay"])
    assert both.column_names == ["pay 2", "pay"]
    assert both.column("pay").to_pylist() == VALUES[300:600].tolist()
