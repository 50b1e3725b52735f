"""A file with the address of a database: no command connects to it without --connect."""

import sys

import pytest
from fake_odbc import ADDRESS, SHOWN, FakeOdbc, staff_database

BOUNDS = ("--column", "age", "--lower", "0", "--upper", "100")
VERBS = {
    "run": ("mean", *BOUNDS, "--epsilon", "1"),
    "bounds": (*BOUNDS, "--epsilon", "1"),
    "sensitivity": ("mean", *BOUNDS, "--epsilon", "1"),
    "compare": ("mean", *BOUNDS, "--epsilon", "1", "--runs", "3"),
    "audit": ("mean", *BOUNDS, "--epsilon", "1", "--runs", "1000"),
    "budget": (),
}


@pytest.fixture
def driver(monkeypatch, tmp_path):
    """Let a driver be there that connects to a database of five people."""
    made = FakeOdbc(staff_database(tmp_path))
    monkeypatch.setitem(sys.modules, "pyodbc", made)
    return made


@pytest.fixture
def innocent(tmp_path):
    """Return a text file that is an address."""
    path = tmp_path / "people.csv"
    path.write_text(ADDRESS, "utf-8")
    return str(path)


@pytest.mark.parametrize("verb", VERBS)
def test_nothing_is_connected_to_without_a_word(refused, driver, innocent, verb):
    line = refused(verb, *VERBS[verb], "--data", innocent)
    assert line.startswith("people.csv: it would run a driver and connect to " + SHOWN)
    assert "--connect" in line
    assert not driver.connected


@pytest.mark.parametrize("verb", ["run", "sensitivity"])
def test_it_is_connected_to_once_that_is_said(cli, driver, innocent, tmp_path, verb):
    more = ("--ledger", tmp_path / "ledger.sqlite") if verb == "run" else ()
    said = cli(verb, *VERBS[verb], "--data", innocent, "--connect", "--table", "staff", *more)
    assert said.status == 0, said.err
    assert set(driver.connected) == {ADDRESS}


def test_a_view_by_odbc_is_only_looked_at(refused, driver, innocent):
    line = refused("run", *VERBS["run"], "--data", innocent, "--connect", "--table", "old")
    assert "ODBC does not show the definitions of views" in line


def test_an_example_needs_no_connection(refused):
    assert "--connect" in refused("run", "mean", "--example", "salaries", "--epsilon", "1", "--connect")
