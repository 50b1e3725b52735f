"""Columns too large for memory stay in their files; what is said of them is the same."""

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import parquet

from app.commands.support import stored

BOUNDS = ("--lower", 0, "--upper", 100)


@pytest.fixture
def path(tmp_path):
    values = np.random.default_rng(3).normal(50, 20, 3000)
    path = tmp_path / "people.parquet"
    parquet.write_table(pa.table({"pay": values, "name": ["x"] * 3000}), path, row_group_size=500)
    return path


@pytest.fixture
def small(monkeypatch):
    monkeypatch.setattr(stored, "LARGE", 1000)


WORDS = [
    ("sensitivity", "median", "--beta", 0.1),
    ("sensitivity", "mean", "--beta", 0.1),
    ("run", "quantile", "--q", 0.9, "--epsilon", 1, "--seed", 1),
]


@pytest.mark.parametrize("words", WORDS, ids=lambda words: f"{words[0]} {words[1]}")
def test_the_same_numbers(cli, path, monkeypatch, words):
    where = (*words, "--data", path, "--column", "pay", *BOUNDS, "--json")
    held = cli(*where)
    monkeypatch.setattr(stored, "LARGE", 1000)
    found = cli(*where)
    assert found.json == held.json
    assert "people.parquet stays in its file: 3,000 records are read as often as is needed" in found.err


def test_what_the_table_says_beside_it(cli, path, small):
    found = cli("sensitivity", "median", "--data", path, "--column", "pay", *BOUNDS, "--beta", 1)
    assert "clamped to bounds" in found.out


def test_a_release_is_paid_from_the_account_of_the_file(cli, path, tmp_path, monkeypatch):
    where = ("--data", path, "--ledger", tmp_path / "l.sqlite")
    words = ("run", "median", *where, "--column", "pay", *BOUNDS, "--epsilon", 0.5)
    assert cli(*words).status == 0
    monkeypatch.setattr(stored, "LARGE", 1000)
    assert cli(*words).status == 0
    assert cli("budget", *where, "--json").json["spent"][0]["releases"] == 2


def test_mistakes_are_said_in_one_line(refused, path, small):
    words = ("sensitivity", "median", "--data", path, "--beta", 1)
    assert "there is no column 'salary'; try" in refused(*words, "--column", "salary", *BOUNDS)
    assert "does not hold numbers" in refused(*words, "--column", "name", *BOUNDS)
    assert "--lower" in refused(*words, "--column", "pay")
