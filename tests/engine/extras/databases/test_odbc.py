"""Tables by ODBC, of a database of SQLite where its driver is installed."""

import builtins
import contextlib
import sqlite3

import pytest

from engine import DataError
from engine.data import file_identity
from engine.data.reading import begin_reading, read_table
from engine.data.reading_options import ReadingOptions
from engine.extras.databases import odbc

WRITING = [
    "INSERT INTO staff VALUES ('eve', 99, 1.5)",
    "UPDATE staff SET age = 0",
    "DELETE FROM staff",
    "DROP TABLE staff",
    "CREATE TABLE other (x)",
    "PRAGMA query_only = OFF",
    "ATTACH DATABASE 'other.db' AS other",
    "COMMIT",
    "SELECT 1 AS x; DELETE FROM staff",
    "SELECT 1 AS x) asked; DELETE FROM staff; SELECT * FROM (SELECT 1 AS x",
    "SELECT 1 AS x) asked; PRAGMA query_only = OFF; --",
    "SELECT 1 AS x) asked; COMMIT; DELETE FROM staff; SELECT * FROM (SELECT 1 AS x",
    "WITH gone AS (DELETE FROM staff RETURNING age) SELECT age FROM gone",
]


def content(path):
    with contextlib.closing(sqlite3.connect(path)) as database:
        return list(database.iterdump())


@pytest.fixture
def database(tmp_path):
    path = tmp_path / "staff.db"
    with contextlib.closing(sqlite3.connect(path)) as made:
        made.execute("CREATE TABLE staff (name TEXT, age INTEGER, pay REAL)")
        made.executemany("INSERT INTO staff VALUES (?, ?, ?)", [("ann", 40, 1.5), ("böb", None, 2.0)])
        made.execute('CREATE TABLE "no ""rows""" (x REAL)')
        made.execute("CREATE VIEW adults AS SELECT age FROM staff WHERE age > 17")
        made.commit()
    return path


@pytest.fixture
def address(tmp_path, database):
    pyodbc = pytest.importorskip("pyodbc", reason="the package comes with the extra 'databases'")
    if "SQLite3" not in pyodbc.drivers():
        pytest.skip("there is no driver of ODBC for SQLite on this machine")
    path = tmp_path / "staff.odbc"
    path.write_text(f"DRIVER=SQLite3;Database={database};PWD=secret\n")
    return path


def test_it_is_recognised_and_the_package_asked_for(tmp_path, monkeypatch):
    (tmp_path / "a.odbc").write_text("dsn = staff\n")
    assert begin_reading(tmp_path / "a.odbc").format == "odbc"
    found = builtins.__import__

    def without(name, *rest, **more):
        if name == "pyodbc":
            raise ImportError
        return found(name, *rest, **more)

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(DataError, match=r"pyodbc is needed .* pip install 'sensiscope\[databases\]'"):
        read_table(tmp_path / "a.odbc", connect=True)


def test_tables_views_and_queries_are_read(address):
    table = read_table(address, connect=True)
    assert table.data.to_pydict() == {"name": ["ann", "böb"], "age": [40, None], "pay": [1.5, 2.0]}
    assert set(table.reading.offered["table"]) == {"staff", 'no "rows"', "adults"}
    assert read_table(address, connect=True, table="adults").data.to_pydict() == {"age": [40]}
    query = "SELECT pay * 2 AS twice FROM staff ORDER BY age -- of both"
    assert read_table(address, connect=True, sql=query).data.to_pydict() == {"twice": [4.0, 3.0]}
    found = file_identity(
        read_table(address, connect=True, sql=query),
        address,
        reading=ReadingOptions.of({"sql": query}, connect=True),
    )
    assert found.digest == file_identity(read_table(address, connect=True), address).digest


@pytest.mark.parametrize("query", WRITING)
def test_a_query_that_writes_is_refused_and_leaves_all_as_it_was(tmp_path, address, database, query):
    before = content(database)
    with pytest.raises(DataError, match=r"is wrong, or would write .*; write one SELECT statement"):
        read_table(address, connect=True, sql=query)
    assert content(database) == before
    assert not (tmp_path / "other.db").exists()


def test_the_driver_alone_would_write(address, database):
    """What is refused above is a danger: the driver keeps to neither of the two ways to ask it not to."""
    import pyodbc

    with contextlib.closing(pyodbc.connect(address.read_text().strip(), readonly=True)) as open_to_all:
        open_to_all.execute(WRITING[0])
        open_to_all.commit()
    assert "eve" in str(content(database))


def test_a_server_that_cannot_be_told_to_refuse_is_asked_for_tables_alone(address, monkeypatch):
    monkeypatch.setattr(odbc, "READ_ONLY_STATEMENTS", {})
    assert read_table(address, connect=True, table="adults").n == 1
    with pytest.raises(DataError, match="SQLite cannot refuse queries that write; choose a"):
        read_table(address, connect=True, sql="SELECT age FROM staff")


@pytest.mark.parametrize(
    ("text", "words", "message"),
    [
        ("DRIVER=NoSuchDriver;PWD=secret", {}, "the database does not answer .*; check the driver"),
        (None, {"table": 'no "rows"'}, "there are column names but no records"),
        (None, {"table": "nobody"}, "it has no table 'nobody'; choose from staff"),
        (None, {"sql": "SELECT salary FROM staff"}, "no such column: salary"),
    ],
)
def test_what_goes_wrong_is_one_line_without_the_password(address, text, words, message):
    if text is not None:
        address.write_text(text)
    with pytest.raises(DataError, match=message) as caught:
        read_table(address, connect=True, **words)
    assert "secret" not in str(caught.value)
    assert "\n" not in str(caught.value)
