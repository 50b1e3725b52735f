"""Tables of PostgreSQL, from a server that the test starts where there is one."""

import builtins
import os
import shutil
import statistics
import subprocess
from pathlib import Path

import pytest

from engine import DataError, Interval, Median, StoredSample, stored_column
from engine.data.reading import begin_reading, read_table, release_problem
from engine.data.reading_options import ReadingOptions


def address_file(folder, address, name="staff.postgresql"):
    (folder / name).write_text(f"{address}\n")
    return folder / name


def test_an_address_is_recognised_and_the_driver_asked_for(tmp_path, monkeypatch):
    path = address_file(tmp_path, "postgres://ann@localhost/staff")
    assert begin_reading(path).format == "postgresql"
    found = builtins.__import__

    def without_driver(name, *rest, **more):
        if name.startswith("adbc_driver"):
            raise ImportError
        return found(name, *rest, **more)

    monkeypatch.setattr(builtins, "__import__", without_driver)
    with pytest.raises(DataError, match=r"pip install 'sensiscope\[databases\]'"):
        read_table(path, connect=True)


def test_a_server_that_is_not_there_is_named_without_the_password(tmp_path):
    pytest.importorskip("adbc_driver_postgresql", reason="the driver comes with the extra 'databases'")
    path = address_file(tmp_path, "postgresql://ann:secret@127.0.0.1:1/staff")
    with pytest.raises(DataError, match="the server does not answer") as caught:
        read_table(path, connect=True)
    assert "secret" not in str(caught.value)


def programs():
    """Return the folder of the programs of a server."""
    found = shutil.which("initdb")
    places = [Path(found).parent] if found else sorted(Path("/usr/lib/postgresql").glob("*/bin"))
    return next((place for place in reversed(places) if (place / "initdb").exists()), None)


MORE = (
    "CREATE VIEW richer AS SELECT pay * 2 AS twice, name FROM staff",
    "CREATE VIEW richest(more) AS SELECT twice FROM richer",
    "CREATE MATERIALIZED VIEW copied AS SELECT pay FROM staff",
    "CREATE SCHEMA other",
    "CREATE TABLE other.staff (age int)",
    "CREATE TABLE parted (age int) PARTITION BY RANGE (age)",
    "CREATE TABLE parted_low PARTITION OF parted FOR VALUES FROM (0) TO (50)",
    "CREATE TABLE secured (age int)",
    "ALTER TABLE secured ENABLE ROW LEVEL SECURITY",
    "CREATE FUNCTION lower(float8) RETURNS bigint LANGUAGE sql AS 'SELECT count(*) FROM staff'",
    "CREATE FUNCTION mine(float8) RETURNS bigint LANGUAGE sql AS 'SELECT count(*) FROM staff'",
    "CREATE OPERATOR % (LEFTARG = float8, RIGHTARG = float8, FUNCTION = float8mi)",
)
ROW_BY_ROW = {
    "SELECT pay FROM staff": "",
    "SELECT Pay * 2 AS twice, abs(age) FROM public.staff": "",
    "SELECT twice FROM richer": "",
    "SELECT more FROM richest": "",
    "SELECT age FROM other.staff": "",
    "SELECT age FROM parted": "",
    "SELECT pay FROM well_paid": "by a condition",
    "SELECT pay FROM copied": "a copy of a query",
    "SELECT age FROM secured": "row security",
    "SELECT lower(pay) AS x FROM staff": "a 'lower' of its own",
    "SELECT mine(pay) AS x FROM staff": "a 'mine' of its own",
    "SELECT pay % 2 AS x FROM staff": "a '%' of its own",
    "SELECT relpages FROM pg_class": "belongs to the server",
    "SELECT ctid FROM staff": "is not a stored column",
    "SELECT age FROM staff ORDER BY age": "sorts the rows",
    "SELECT generate_series(1, age) AS x FROM staff": "several rows of one|same for one row",
}


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    dbapi = pytest.importorskip(
        "adbc_driver_postgresql.dbapi", reason="the driver comes with the extra 'databases'"
    )
    place, folder = programs(), tmp_path_factory.mktemp("server")
    if place is None:
        pytest.skip("there is no PostgreSQL server on this machine")
    before = []
    if os.getuid() == 0:  # it does not run as root
        if (
            shutil.which("runuser") is None
            or not subprocess.run(["id", "postgres"], capture_output=True).stdout
        ):
            pytest.skip("a PostgreSQL server does not run as root, and there is no user for it")
        before = ["runuser", "-u", "postgres", "--"]
        shutil.chown(folder, "postgres")
        for above in folder.parents[:3]:
            above.chmod(above.stat().st_mode | 0o011)
    control = [*before, place / "pg_ctl", "-D", folder / "data", "-w"]
    subprocess.run(
        [*before, place / "initdb", "-D", folder / "data", "-A", "trust", "-U", "postgres"], check=True
    )
    options = f"-c listen_addresses='' -k {folder}"
    subprocess.run([*control, "-o", options, "-l", folder / "log", "start"], check=True)
    try:
        found = f"postgresql://postgres@/postgres?host={folder}"
        with dbapi.connect(found, autocommit=True) as database, database.cursor() as cursor:
            cursor.execute(
                "CREATE TABLE staff (name text, pay float8, bonus numeric(8, 2), age int, born date)"
            )
            cursor.execute(
                "INSERT INTO staff SELECT 'p' || i, i * 1.5, CASE WHEN i % 10 > 0 THEN i / 4.0 END, i % 90, "
                "date '1970-01-01' + i FROM generate_series(1, 3000) i"
            )
            cursor.execute("CREATE VIEW well_paid AS SELECT pay FROM staff WHERE pay > 3000")
            cursor.execute("CREATE TABLE nobody (pay float8)")
            for statement in MORE:
                cursor.execute(statement)
        yield found
    finally:
        subprocess.run([*control, "-m", "immediate", "stop"], check=True)


@pytest.mark.slow
def test_tables_queries_and_mistakes(address, tmp_path):
    path = address_file(tmp_path, address)
    table = read_table(path, connect=True, table="staff")
    assert [(column.type, column.missing) for column in table.columns] == [
        ("text", 0),
        ("number", 0),
        ("number", 300),
        ("number", 0),
        ("date", 0),
    ]
    assert {"nobody", "staff", "well_paid"} <= set(table.reading.offered["table"])
    assert table.numbers("bonus", "drop").values.sum() == sum(i / 4 for i in range(1, 3001) if i % 10)
    assert read_table(path, connect=True, table="well_paid").n == 1000
    asked = read_table(path, connect=True, sql="SELECT age, pay FROM staff WHERE age = 7", columns=["age"])
    assert asked.numbers("age").values.tolist() == [7.0] * 34
    data = StoredSample(stored_column(path, "bonus", connect=True, table="staff"), Interval(0, 1000), "drop")
    assert Median().value(data) == statistics.median_low(i / 4 for i in range(1, 3001) if i % 10)
    for words, mistake in {
        "would write; write a SELECT statement": {"sql": "DELETE FROM staff"},
        "the query is wrong": {"sql": "SELECT wage FROM staff"},
        "it has no table 'clients'": {"table": "clients"},
        "no records": {"table": "nobody"},
        "has no delimiter": {"delimiter": ";"},
    }.items():
        with pytest.raises(DataError, match=words):
            read_table(path, connect=True, **mistake)
    assert read_table(path, connect=True, table="staff").n == 3000


@pytest.mark.slow
def test_what_is_row_by_row(address, tmp_path):
    path = address_file(tmp_path, address)
    for query, reason in ROW_BY_ROW.items():
        problem = release_problem(path, ReadingOptions.of({"sql": query}, connect=True))
        assert any(part in problem for part in reason.split("|")) if reason else not problem, (query, problem)
    view = read_table(path, connect=True, table="richer")
    assert (view.release_problem, view.reading.stored_table) == ("", "staff")
    assert "by a condition" in read_table(path, connect=True, table="well_paid").release_problem
    with pytest.raises(DataError, match="the query is wrong") as caught:
        read_table(path, connect=True, sql="SELECT CAST(name AS int) AS x FROM staff")
    assert "p1" not in str(caught.value)
