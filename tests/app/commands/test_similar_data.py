"""Data that resemble others with an account: the command line refuses to release, and says what to say."""

import contextlib
import sqlite3

import numpy as np
import pytest

MEDIAN = ("run", "median", "--column", "x", "--lower", -5, "--upper", 5, "--epsilon", 0.5)
CELLS = [f"{x:.3f},{y:.3f}" for x, y in np.random.default_rng(1).normal(size=(300, 2))]


@pytest.fixture
def ledger(tmp_path):
    return "--ledger", tmp_path / "ledger.sqlite"


@pytest.fixture
def half(cli, csv, ledger):
    """Half of the people; on all of them 0.5 was spent."""
    assert cli(*MEDIAN, "--data", csv(CELLS, "all people.csv", "x,y"), *ledger).status == 0
    return csv(CELLS[:150], "half.csv", "x,z")


def test_it_is_refused_with_what_answers_it(refused, half, ledger):
    words = (
        "half.csv: the data resemble all people.csv, on which epsilon = 0.5 was spent; nothing was released: "
        "add --same-data-as 'all people.csv' if they are the same data, or --other-data if they are other "
        "data"
    )
    assert refused(*MEDIAN, "--data", half, *ledger) == words
    bounds = ("bounds", "--column", "x", "--lower", -1e6, "--upper", 1e6, "--epsilon", 20)
    assert refused(*bounds, "--data", half, *ledger) == words


def test_the_same_data_have_one_budget(cli, half, ledger):
    found = cli(*MEDIAN, "--data", half, *ledger, "--same-data-as", "all people.csv", "--json")
    assert found.json["spent"]["basic"]["epsilon"] == 1.0
    assert cli(*MEDIAN, "--data", half, *ledger, "--json").json["spent"]["basic"]["epsilon"] == 1.5
    assert len(cli("budget", "--json", *ledger).json["datasets"]) == 1


def test_other_data_have_their_own(cli, half, ledger):
    for spent in (0.5, 1.0):
        words = ("--other-data",) if spent == 0.5 else ()
        found = cli(*MEDIAN, "--data", half, *ledger, *words, "--json")
        assert found.json["spent"]["basic"]["epsilon"] == spent


def test_the_budget_says_it_and_simulations_need_no_answer(cli, refused, half, ledger):
    told = cli("budget", "--data", half, *ledger)
    assert (
        "note: the data resemble all people.csv, on which epsilon = 0.5 was spent; a release will ask"
        in told.err
    )
    assert "resemble" not in cli("budget", "--example", "salaries", *ledger).err
    assert cli(*MEDIAN, "--data", half, "--seed", 1).status == 0
    assert "--other-data: a simulation" in refused(*MEDIAN, "--data", half, "--seed", 1, "--other-data")


def test_names_that_are_none_or_several_are_refused(cli, refused, half, csv, ledger, tmp_path):
    there = (*MEDIAN, "--data", half, *ledger)
    assert "there is no dataset of the ledger 'all peple'; try all people.csv" in refused(
        *there, "--same-data-as", "all peple"
    )
    assert "not allowed with" in refused(*there, "--same-data-as", "x", "--other-data")
    other = (*there[:-1], tmp_path / "other.sqlite")
    assert "the ledger is empty" in refused(*other, "--same-data-as", "x")
    # another one of the same name
    (tmp_path / "all people.csv").write_text("x,y\n" + "\n".join(CELLS[:200]))
    cli(*MEDIAN, "--data", tmp_path / "all people.csv", *ledger, "--other-data")
    names = [each["name"] for each in cli("budget", "--json", *ledger).json["datasets"]]
    assert f"--same-data-as {names[1][:12]} " in refused(*there)
    assert f"choose one: {names[0][:12]}, {names[1][:12]}" in refused(
        *there, "--same-data-as", "all people.csv"
    )
    told = cli(*there, "--same-data-as", names[0][:12], "--json").json
    assert told["spent"]["basic"]["epsilon"] == 1.0


@pytest.mark.parametrize(
    "asked",
    [
        ("--table", "older", "--column", "age"),
        ("--sql", "SELECT age FROM older", "--column", "age"),
        ("--sql", "SELECT age AS visits FROM people", "--column", "visits"),
    ],
)
def test_what_is_made_of_a_table_is_paid_by_the_table(cli, tmp_path, ledger, asked):
    """A view is no dataset of its own; another table that a query names may as well be one of its own."""
    path, mean = tmp_path / "a.db", ["--lower", "0", "--upper", "99", "--epsilon", "1"]
    with contextlib.closing(sqlite3.connect(path)) as database:
        database.execute("CREATE TABLE people AS SELECT 1 AS id, 20 AS age UNION SELECT 2, 30")
        database.execute("CREATE TABLE visits AS SELECT 1 AS id, 3 AS days UNION SELECT 2, 4")
        database.execute("CREATE VIEW older AS SELECT age, id FROM people")
        database.commit()
    assert cli("run", "mean", "--data", path, *asked, *mean, *ledger).status == 0
    for table in ("people", "older" if "older" in " ".join(asked) else "visits"):
        spent = cli("budget", "--data", path, "--table", table, "--json", *ledger).json["spent"]
        assert spent["basic"]["epsilon"] == 1, table


def test_a_query_over_two_tables_is_paid_by_nobody_for_nothing_is_released(refused, tmp_path, ledger):
    path, mean = tmp_path / "a.db", ["--column", "age", "--lower", "0", "--upper", "99", "--epsilon", "1"]
    with contextlib.closing(sqlite3.connect(path)) as database:
        database.execute("CREATE TABLE people AS SELECT 1 AS id, 20 AS age UNION SELECT 2, 30")
        database.execute("CREATE TABLE visits AS SELECT 1 AS id, 3 AS days UNION SELECT 2, 4")
        database.commit()
    query = "SELECT age FROM people JOIN visits USING (id)"
    assert "joins tables" in refused("run", "mean", "--data", path, "--sql", query, *mean, *ledger)
    assert not (tmp_path / "ledger.sqlite").exists()
