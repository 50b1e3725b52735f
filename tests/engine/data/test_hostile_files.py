"""Files that mislead: nothing is misread without a word, and what cannot be read is one line."""

import contextlib
import datetime
import json
import lzma
import sqlite3

import duckdb
import numpy as np
import openpyxl
import pyarrow as pa
import pytest
from pyarrow import parquet
from table_files import write

from engine.data import file_identity, read_table
from engine.data.reading_options import ReadingOptions
from engine.errors import DataError, ParameterError


def workbook(path, **sheets):
    book = openpyxl.Workbook()
    book.remove(book.active)
    for name, cells in sheets.items():
        sheet = book.create_sheet(name)
        for place, value in cells.items():
            sheet[place] = value
    book.save(path)
    return path


def grid(*rows, first=1, column="A"):
    letters = [chr(ord(column) + step) for step in range(26)]
    return {
        f"{letters[place]}{first + number}": cell
        for number, row in enumerate(rows)
        for place, cell in enumerate(row)
    }


def test_rows_of_a_sheet_that_begins_below_are_counted_from_the_top(tmp_path):
    path = workbook(
        tmp_path / "a.xlsx", s=grid(("name", "x"), ("r1", 1), ("r2", 2), ("r3", 3), first=3, column="B")
    )
    assert read_table(path).first_row == 4
    assert read_table(path, range="B3:C6").data.to_pydict() == {"name": ["r1", "r2", "r3"], "x": [1, 2, 3]}
    assert read_table(path, range="B5:C6", header="0").data.column(1).to_pylist() == [2, 3]
    assert read_table(path, header="3").n == 3
    for header in ("9", "99"):
        with pytest.raises(DataError, match=f"row {header} is not in the range"):
            read_table(path, header=header)


def test_amounts_that_could_be_two_things_stay_text_in_sheets_too(tmp_path):
    path = workbook(tmp_path / "a.xlsx", s=grid(("x",), ("1,234",), ("2,500",)))
    assert read_table(path).column("x").type == "text"
    assert read_table(path).reading.doubtful == ("x",)
    assert read_table(path, thousands=",").reading.doubtful == ()
    assert read_table(path, thousands=",").data.column("x").to_pylist() == [1234, 2500]
    path = workbook(tmp_path / "b.xlsx", s=grid(("x",), ("1.234",), ("2.500",)))
    assert read_table(path, thousands=".").data.column("x").to_pylist() == [1234, 2500]


@pytest.mark.parametrize(
    "texts",
    [
        ("$5", "€7"),
        ("50%", "0.5"),
        ("(5", "-3"),
        ("7)", "2"),
        ("+1 555 123", "+1 555 124"),
        ("192.168.100.200", "192.168.100.201"),
        ("1 234", "1'234"),
    ],
)
def test_unlike_things_are_no_numbers(tmp_path, texts):
    content = "id;x\n" + "".join(f"{place};{text}\n" for place, text in enumerate(texts))
    table = read_table(write(tmp_path, content))
    assert table.column("x").type == "text"
    assert table.reading.values["decimal"] == "."


def test_blank_lines_before_comments_at_the_end_are_no_records(tmp_path):
    assert read_table(write(tmp_path, "a,b\n1,2\n3,4\n\n# end\n"), comment="#").n == 2


@pytest.mark.parametrize(
    ("content", "name"),
    [
        (lzma.compress(b"a\n1\n")[:-9] + b"\0" * 9, "a.csv.xz"),
        (b"\xfd7zXZ" + bytes(range(200)), "a.xz"),
        (b"PK\x03\x04" + bytes(60), "a.xlsx"),
        (b"SQLite format 3\0" + bytes(200), "a.db"),
        (b'[{"x": "\\ud800"}, {"x": 1e999}]', "a.json"),
    ],
)
def test_damage_is_one_line_or_none(tmp_path, content, name):
    with pytest.raises(DataError) as caught:
        read_table(write(tmp_path, content, name)).numbers("x")
    assert "\n" not in str(caught.value)


def test_large_whole_numbers_and_halves_of_letters(tmp_path):
    records = [{"x": 2**53 + 1, "y": 2**70, "z": "a\ud800"}, {"x": 0.5, "y": 1, "z": "b"}]
    table = read_table(write(tmp_path, json.dumps(records), "a.json"))
    assert table.data.column("x").to_pylist() == [float(2**53 + 1), 0.5]
    assert table.data.column("y").to_pylist() == [float(2**70), 1.0]


def test_dates_beside_times_in_a_sheet(tmp_path):
    rows = grid(("d",), (datetime.date(2020, 1, 2),), (datetime.datetime(2020, 1, 2, 12),))
    table = read_table(workbook(tmp_path / "a.xlsx", s=rows), types={"d": "days"})
    assert table.data.column("d").to_pylist() == [18263.0, 18263.5]


@pytest.mark.parametrize(
    "column",
    [
        pa.array([1], pa.time64("us")),
        pa.array([1], pa.duration("s")),
        pa.array([[1]]),
        pa.array([b"\xff"]),
        pa.array(["x"]),
    ],
    ids=str,
)
@pytest.mark.parametrize("kind", ["days", "number"])
def test_columns_that_cannot_be_cast(tmp_path, column, kind):
    parquet.write_table(pa.table({"x": column}), tmp_path / "a.parquet")
    with pytest.raises(DataError) as caught:
        read_table(tmp_path / "a.parquet", types={"x": kind})
    assert "\n" not in str(caught.value)


def test_days_of_gaps_alone_and_of_parts_of_a_second(tmp_path):
    nothing, fine = pa.nulls(2, pa.string()), pa.array([1, 86_400_000_000_001], pa.timestamp("ns"))
    parquet.write_table(pa.table({"x": nothing, "y": fine}), tmp_path / "a.parquet")
    table = read_table(tmp_path / "a.parquet", types={"x": "days", "y": "days"})
    assert table.data.column("x").null_count == 2
    assert table.data.column("y").to_pylist() == [0.0, 1.0]


STATED = [
    {"delimiter": "§"},
    {"delimiter": "\0"},
    {"delimiter": "\n"},
    {"encoding": "idna"},
    {"encoding": "undefined"},
    {"sql": "SELECT '\ud800'"},
]


@pytest.mark.parametrize("stated", STATED, ids=lambda stated: ascii(stated))
def test_what_can_be_stated_is_checked(tmp_path, stated):
    with pytest.raises(ParameterError):
        read_table(write(tmp_path, "a,b\n1,2\n"), **stated)


def test_queries_of_duckdb(tmp_path):
    with duckdb.connect(str(tmp_path / "a.duckdb")) as database:
        database.execute("CREATE TABLE t AS SELECT 1 AS a")
    doubled = read_table(tmp_path / "a.duckdb", sql="SELECT a, a FROM t")
    assert doubled.data.to_pydict() == {"a": [1], "a 2": [1]}
    with pytest.raises(DataError, match="write one SELECT statement"):
        read_table(tmp_path / "a.duckdb", sql="SELECT a FROM t; SELECT 2 AS a")


def test_nothing_is_put_beside_a_database(tmp_path):
    with sqlite3.connect(tmp_path / "a.db") as database:
        database.execute("PRAGMA journal_mode=WAL")
        database.execute("CREATE TABLE t (x INTEGER)")
        database.execute("INSERT INTO t VALUES (1)")
    database.close()
    assert read_table(tmp_path / "a.db").n == 1
    assert [path.name for path in tmp_path.iterdir()] == ["a.db"]


def test_another_sheet_is_another_dataset_whatever_stands_on_the_first(tmp_path):
    def digest(path, **stated):
        return file_identity(read_table(path, **stated), path, reading=ReadingOptions.of(stated)).digest

    lookup, pay = grid(("code",), (1,), (2,)), grid(("pay",), (5,), (6,))
    one = workbook(tmp_path / "one.xlsx", pay=pay, lookup=lookup)
    two = workbook(tmp_path / "two.xlsx", pay={**pay, "A2": 7}, lookup=lookup)
    assert (
        digest(one, sheet="lookup") == digest(two, sheet="lookup") == digest(one, sheet="lookup", header="1")
    )
    assert digest(one) == digest(one, sheet="pay") == digest(one, range="A1:A2")
    assert digest(one) != digest(two)
    assert digest(one) != digest(one, sheet="lookup")


@pytest.mark.parametrize("kind", ["half", "nan"])
def test_statistics_that_cannot_be_trusted_are_not(tmp_path, kind):
    from engine import Interval
    from engine.data.order_statistics import Sample
    from engine.extras.stored.opening import stored_column
    from engine.extras.stored.sample import StoredSample

    values = (
        np.random.default_rng(1).integers(10, 99, 2000).astype(np.float16 if kind == "half" else np.float64)
    )
    parquet.write_table(pa.table({"x": values}), tmp_path / "a.parquet", row_group_size=100)
    column = stored_column(tmp_path / "a.parquet", "x")
    if kind == "half":
        assert all(piece.lower == -np.inf for piece in column.pieces)
    sample, held = StoredSample(column, Interval(0, 100)), Sample(values.astype(float), Interval(0, 100))
    for first in (1, 500, 1990):
        np.testing.assert_array_equal(sample.ranks(first, first + 9), held.ranks(first, first + 9))


def test_statistics_that_lie_are_named(tmp_path):
    import dataclasses

    from engine import Interval
    from engine.extras.stored.opening import stored_column
    from engine.extras.stored.sample import StoredSample

    parquet.write_table(pa.table({"x": np.arange(100.0)}), tmp_path / "a.parquet", row_group_size=10)
    column = stored_column(tmp_path / "a.parquet", "x")
    lying = dataclasses.replace(column.pieces[3], upper=31.0)
    wrong = dataclasses.replace(column, pieces=(*column.pieces[:3], lying, *column.pieces[4:]))
    with pytest.raises(DataError, match="its statistics of the records from 31 on are wrong"):
        StoredSample(wrong, Interval(0, 100)).ranks(50, 60)


@pytest.mark.parametrize(
    ("query", "tables"),
    [
        ("SELECT x FROM people", "people"),
        ("SELECT v.x FROM visits v JOIN PEOPLE USING (x)", "people visits"),
        ('SELECT "a""b".x, peoples.x AS y FROM "a""b", peoples', 'a"b peoples'),
        ("SELECT 1 AS x", "people"),  # of none: the first one
    ],
)
def test_a_query_is_known_by_all_tables_that_it_names(tmp_path, query, tables):
    path, alone = tmp_path / "a.db", {}
    with contextlib.closing(sqlite3.connect(path)) as database:
        for value, name in enumerate(("people", "visits", 'a"b', "peoples")):
            quoted = name.replace('"', '""')
            database.execute(f'CREATE TABLE "{quoted}" AS SELECT {value} AS x UNION SELECT 9')
        database.commit()
    for name in ("people", "visits", 'a"b', "peoples"):
        alone[file_identity(read_table(path, table=name), path).digest] = name
    found = file_identity(read_table(path, sql=query), path, reading=ReadingOptions(sql=query))
    assert {alone[each] for each in (found.digest, *found.others)} == set(tables.split())


@pytest.mark.parametrize("mark", ["1", "1,30", "ann", "-", '"', " ", ",", "#1"])
def test_no_record_is_left_out_by_how_it_begins(mark):
    with pytest.raises(ParameterError, match="a record may begin with it"):
        ReadingOptions.of({"comment": mark})
