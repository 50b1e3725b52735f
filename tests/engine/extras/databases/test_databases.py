"""What a cursor of any database returns becomes one table, however many rows are fetched at a time."""

import contextlib
import sqlite3
from pathlib import Path

import pytest

from engine.data.formats.file_format import DataFile
from engine.data.reading_options import ReadingOptions
from engine.errors import DataError
from engine.extras.databases.databases import answer_of, choose_table, fetch_rows, quoted

ROWS = [(1, "a", None), (2, None, None), (3.5, "c", None), (None, "4", None)]


@pytest.fixture
def cursor():
    with contextlib.closing(sqlite3.connect(":memory:")) as database:
        made = database.cursor()
        made.execute("CREATE TABLE t (x, y, z)")
        made.executemany("INSERT INTO t VALUES (?, ?, ?)", ROWS)
        yield made


def file(**options):
    return DataFile(Path("staff.db"), "staff.db", b"", ReadingOptions(**options))


@pytest.mark.parametrize("batch", [1, 3, 10])
def test_all_rows_arrive_with_one_type_for_each_column(cursor, batch):
    reports = []
    cursor.execute("SELECT * FROM t")
    table = fetch_rows(*answer_of(cursor, batch, lambda: reports.append(batch)), None, file())
    assert table.to_pydict() == {
        "x": [1.0, 2.0, 3.5, None],
        "y": ["a", None, "c", "4"],
        "z": [None] * 4,
    }
    assert len(reports) == -(-len(ROWS) // batch)


def test_of_columns_only_those_that_are_wanted_and_without_rows_all_are_there(cursor):
    cursor.execute("SELECT * FROM t")
    assert fetch_rows(*answer_of(cursor, 2, lambda: None), ["y"], file()).column_names == ["y"]
    cursor.execute("SELECT * FROM t WHERE x > 9")
    assert fetch_rows(*answer_of(cursor, 2, lambda: None), None, file()).to_pydict() == {
        "x": [],
        "y": [],
        "z": [],
    }


def test_what_is_no_table_is_refused(cursor):
    cursor.execute("SELECT x FROM t")
    with pytest.raises(DataError, match="'w'"):
        fetch_rows(*answer_of(cursor, 2, lambda: None), ["w"], file())
    cursor.execute("DELETE FROM t")
    with pytest.raises(DataError, match="write a SELECT statement"):
        fetch_rows(*answer_of(cursor, 2, lambda: None), None, file())


def test_the_first_table_is_wanted_unless_another_one_is_named():
    assert choose_table(file(), ["t", "u"]) == "t"
    assert choose_table(file(table="u"), ["t", "u"]) == "u"
    with pytest.raises(DataError, match="it has no table 'v'; choose from t, u"):
        choose_table(file(table="v"), ["t", "u"])
    with pytest.raises(DataError, match="no tables"):
        choose_table(file(), [])


def test_a_name_stands_between_marks_as_it_is(cursor):
    odd = 'no "rows" `here`'
    for mark in ('"', "`"):
        cursor.execute(f"CREATE TABLE {quoted(odd, mark)} (x)")
        cursor.execute(f"DROP TABLE {quoted(odd)}")
    assert quoted("t", "") == "t"
