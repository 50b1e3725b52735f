"""Addresses in files are followed only after they were confirmed, and shown without their passwords."""

import dataclasses
import gzip
import pickle
import sys

import pytest
from fake_odbc import ADDRESS, SHOWN, FakeOdbc, staff_database

from engine import DataError, stored_column, stored_table
from engine.data import file_identity
from engine.data.large_files import large_table
from engine.data.reading import begin_reading, read_table, release_problem
from engine.data.reading_options import ReadingOptions
from engine.errors import UnconfirmedAddress
from engine.extras.databases.databases import MAX_LENGTH, mask_address


@pytest.fixture
def driver(monkeypatch, tmp_path):
    """Let a driver be there that connects to a database of five people."""
    made = FakeOdbc(staff_database(tmp_path))
    monkeypatch.setitem(sys.modules, "pyodbc", made)
    return made


def written(folder, address, name="innocent.csv"):
    path = folder / name
    path.write_text(address + "\n", "utf-8")
    return path


OPENINGS = {
    "read_table": read_table,
    "stored_table": stored_table,
    "stored_column": lambda path: stored_column(path, "age"),
    "release_problem": release_problem,
    "large_table": large_table,
    "a query": lambda path: read_table(path, sql="select age from staff"),
    "a wrong confirmation": lambda path: read_table(path, connect="yes"),
}


@pytest.mark.parametrize(
    "address", [ADDRESS, "\n dsn = staff", "postgresql://ann:secret@db.example.org/staff"]
)
@pytest.mark.parametrize("opens", OPENINGS.values(), ids=OPENINGS)
def test_opening_a_file_connects_to_nothing(driver, tmp_path, address, opens):
    refused = []
    try:
        opens(written(tmp_path, address))
    except DataError as error:
        refused.append(error)
    assert not driver.connected
    for error in refused:
        if not isinstance(error, UnconfirmedAddress):
            assert "it can only be read as a whole" in str(error)  # as ODBC always is
            continue
        assert "--connect on the command line, connect=True in Python" in str(error)
        assert "secret" not in str(error)
        assert "\n" not in str(error)
        assert mask_address(address) in str(error)


def test_an_address_in_a_packed_file_is_not_followed_either(driver, tmp_path):
    path = tmp_path / "people.csv.gz"
    path.write_bytes(gzip.compress(ADDRESS.encode()))
    with pytest.raises(UnconfirmedAddress) as caught:
        read_table(path)
    assert caught.value.path == path
    assert begin_reading(path).format == "delimited"
    assert not driver.connected


def test_it_is_followed_once_that_is_said(driver, tmp_path):
    table = read_table(written(tmp_path, ADDRESS), table="staff", connect=True)
    assert table.n == 5
    assert driver.connected == [ADDRESS]


def test_only_the_very_address_that_was_confirmed_is_followed(driver, tmp_path):
    path = written(tmp_path, ADDRESS)
    with pytest.raises(UnconfirmedAddress) as caught:
        read_table(path, table="staff")
    found = pickle.loads(pickle.dumps(caught.value))
    assert (found.path, found.address, str(found)) == (path, SHOWN, str(caught.value))
    assert read_table(path, table="staff", connect=found.fingerprint).n == 5
    written(tmp_path, ADDRESS.replace("db.", "other."))
    with pytest.raises(UnconfirmedAddress):
        read_table(path, table="staff", connect=found.fingerprint)
    assert driver.connected == [ADDRESS]


def test_whoever_finds_out_which_data_they_are_follows_it_too(driver, tmp_path):
    path = written(tmp_path, ADDRESS)
    reading = ReadingOptions.of({"sql": "select age from staff"}, connect=True)
    table = read_table(path, connect=True, sql=reading.sql)
    assert not table.release_problem
    whole = read_table(path, connect=True, table="staff")
    assert file_identity(table, path, reading=reading).digest == file_identity(whole, path).digest
    assert "ODBC does not show" in release_problem(path, dataclasses.replace(reading, sql="", table="old"))


def test_a_confirmation_is_no_way_to_read_a_file():
    confirmed = ReadingOptions.of({}, connect=True)
    assert confirmed == ReadingOptions()
    assert confirmed.keywords == confirmed.stated == {}
    assert "any" not in repr(confirmed)


def test_an_address_that_nobody_can_look_through_is_refused(driver, tmp_path):
    path = written(tmp_path, "Driver=good.so;" + " " * MAX_LENGTH + ";Driver=evil.so")
    with pytest.raises(DataError, match="the address has more than 2,000 characters"):
        read_table(path, connect=True)
    assert not driver.connected


@pytest.mark.parametrize("password", ["{x}};Driver=/tmp/evil.so;X={b}", "{x;Driver=/tmp/evil.so", "{a;b=c}"])
def test_nothing_but_a_password_is_hidden(driver, tmp_path, password):
    path = written(tmp_path, f"DSN=staff;Pwd={password}")
    with pytest.raises(DataError, match="may read it as another part") as caught:
        read_table(path, connect=True)
    assert "evil" not in str(caught.value)
    assert not driver.connected


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"Driver=a.so;" + b" " * 10**7, "the address has more than 2,000 characters"),
        ("DSN=müller".encode("cp1252"), "the address is not UTF-8"),
    ],
)
def test_what_is_no_address_is_one_line(driver, tmp_path, content, problem):
    (tmp_path / "a.odbc").write_bytes(content)
    with pytest.raises(DataError, match=problem):
        read_table(tmp_path / "a.odbc", connect=True)
    assert not driver.connected


@pytest.mark.parametrize(
    ("address", "shown"),
    [
        (ADDRESS, SHOWN),
        ("postgresql://ann:se:cret@host/db", "postgresql://ann:…@host/db"),
        (
            "postgresql://ann@host/db?password=secret&sslmode=require",
            "postgresql://ann@host/db?password=…&sslmode=require",
        ),
        ("postgres://host/db?user=a&sslpassword=secret", "postgres://host/db?user=a&sslpassword=…"),
        # what is connected to cannot be made to look like something else
        ("postgresql://a:b@evil/db?options=c@good", "postgresql://a:…@evil/db?options=c@good"),
        ("Driver=pwd=/tmp/evil.so", "Driver=pwd=/tmp/evil.so"),
        ("DSN=a;Password = my secret ;UID=b", "DSN=a;Password = …;UID=b"),
        ("DSN=a\n;PWD={never ends;UID=b", "DSN=a ;PWD=…"),
        ("DSN=a\u202egp.evil\x1b[2J", "DSN=a?gp.evil?[2J"),
    ],
)
def test_passwords_are_hidden_and_nothing_else(address, shown):
    assert mask_address(address) == shown
