"""Columns too large for memory stay in their files; what is said of them is the same."""

import contextlib

import duckdb
import numpy as np
import pyarrow as pa
import pytest
from pyarrow import csv, parquet

import engine
from app.commands import main
from engine import runners
from engine.data import large_files
from engine.extras.stored.cluster import ClusterTrials

BOUNDS = ("--lower", 0, "--upper", 100)


TABLE = pa.table({"pay": np.random.default_rng(3).normal(50, 20, 3000), "name": ["x"] * 3000})


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "people.parquet"
    parquet.write_table(TABLE, path, row_group_size=500)
    return path


@pytest.fixture
def text(tmp_path):
    path = tmp_path / "people.csv"
    csv.write_csv(TABLE, path)
    return path


@pytest.fixture
def database(tmp_path):
    people, path = TABLE, tmp_path / "people.duckdb"
    with duckdb.connect(str(path)) as database:
        database.execute("CREATE TABLE staff AS SELECT * FROM people")
    assert people.num_rows == 3000
    return path


@pytest.fixture
def small(monkeypatch):
    monkeypatch.setattr(large_files, "LARGE", 1000)


WORDS = [
    ("sensitivity", "median", "--beta", 0.1),
    ("sensitivity", "mean", "--beta", 0.1),
    ("run", "quantile", "--q", 0.9, "--epsilon", 1, "--seed", 1),
    ("run", "minimum", "--method", "exponential", "--epsilon", 1, "--seed", 1),
    ("run", "trimmed-mean", "--method", "inverse-sensitivity", "--epsilon", 1, "--seed", 1),
    ("run", "count", "--epsilon", 1, "--seed", 1),
    ("run", "winsorized-mean", "--epsilon", 1, "--seed", 1),
    ("run", "median", "--where", "pay > 20", "--epsilon", 1, "--seed", 1),
    ("run", "mean", "--by", "name", "--categories", "x,y", "--epsilon", 1, "--seed", 1),
]


@pytest.mark.parametrize(
    "words", WORDS, ids=lambda words: " ".join(words[:4:3] if "--method" in words else words[:2])
)
def test_the_same_numbers(cli, path, monkeypatch, words):
    where = (*words, "--data", path, "--column", "pay", *BOUNDS, "--json")
    held = cli(*where)
    monkeypatch.setattr(large_files, "LARGE", 1000)
    found = cli(*where)
    assert found.json == held.json
    assert "people.parquet stays on disk: the program reads its 3,000 records when needed" in found.err


def test_so_do_text_and_a_database(cli, text, database, monkeypatch, tmp_path):
    words = ("--column", "pay", *BOUNDS, "--json")
    for path in (text, database):
        where = ("--data", path, *words)
        sensitivity = ("sensitivity", "median", "--beta", 0.1, *where)
        held = cli(*sensitivity).json
        with monkeypatch.context() as small:
            small.setattr(large_files, "LARGE", 1000)
            found = cli(*sensitivity)
            assert found.json == held
            assert f"{path.name} stays on disk" in found.err
            ledger = ("--ledger", tmp_path / f"{path.name}.sqlite")
            assert cli("run", "median", *where, *ledger, "--epsilon", 0.5).status == 0
            spent = cli("budget", "--data", path, *ledger, "--json").json["spent"]
            assert spent["releases"] == 1


def test_what_the_table_says_beside_it(cli, path, small):
    found = cli("sensitivity", "median", "--data", path, "--column", "pay", *BOUNDS, "--beta", 1)
    assert "clamped to bounds" in found.out


def test_a_release_is_paid_from_the_account_of_the_file(cli, path, tmp_path, monkeypatch):
    where = ("--data", path, "--ledger", tmp_path / "l.sqlite")
    words = ("run", "median", *where, "--column", "pay", *BOUNDS, "--epsilon", 0.5)
    assert cli(*words).status == 0
    monkeypatch.setattr(large_files, "LARGE", 1000)
    assert cli(*words).status == 0
    assert cli("budget", *where, "--json").json["spent"]["releases"] == 2


def test_mistakes_are_said_in_one_line(refused, path, small):
    words = ("sensitivity", "median", "--data", path, "--beta", 1)
    assert "there is no column 'salary'; try" in refused(*words, "--column", "salary", *BOUNDS)
    assert "does not hold numbers" in refused(*words, "--column", "name", *BOUNDS)
    assert "--lower" in refused(*words, "--column", "pay")


@pytest.mark.parametrize("mechanism", ["privtree", "histogram-noisy", "clusters"])
def test_points_stay_too(cli, tmp_path, monkeypatch, mechanism):
    rng, path = np.random.default_rng(4), tmp_path / "places.parquet"
    parquet.write_table(pa.table({"x": rng.random(3000), "y": rng.random(3000)}), path, row_group_size=500)
    words = (
        "run",
        mechanism,
        "--data",
        path,
        "--column",
        "x",
        "--column",
        "y",
        "--lower",
        "0,0",
        "--upper",
        "1,1",
    )
    words = (*words, "--epsilon", 1, "--seed", 1, "--json")
    held = cli(*words)
    monkeypatch.setattr(large_files, "LARGE", 10_000)
    found = cli(*words)
    assert found.json == held.json
    assert "places.parquet stays on disk: the program reads its 3,000 records" in found.err


class AsIfElsewhere(contextlib.ExitStack):
    """Threads that stand for a cluster."""

    def __init__(self, address):
        super().__init__()
        self.runner, self.handed_over = runners.Runner(self.opened, 2, self), []
        self.enter_context(runners.running_on(self.runner))
        self.client = self

    def opened(self):
        self.handed_over.append(runners.runner())
        return runners.THREADS.opened()

    def trials(self, data):
        return ClusterTrials(data, self)

    def scatter(self, data, broadcast):
        return data


def without_times(found):
    if isinstance(found, list):
        return [without_times(one) for one in found]
    if isinstance(found, dict):
        return {name: without_times(one) for name, one in found.items() if "seconds" not in name}
    return found


@pytest.mark.parametrize(
    "words",
    [
        WORDS[0],
        ("run", "clusters", "--example", "three-clusters", "--epsilon", 1, "--seed", 1),
        ("compare", "median:smooth", "median:laplace", "--example", "salaries", "--epsilon", 1, "--runs", 20),
        ("audit", "mean", "--example", "salaries", "--epsilon", 1, "--runs", 1000, "--neighbour", "all"),
    ],
    ids=lambda words: words[0],
)
def test_a_cluster_does_the_work(cli, path, monkeypatch, words):
    if "--example" not in words:
        words = (*words, "--data", path, "--column", "pay", *BOUNDS)
        monkeypatch.setattr(large_files, "LARGE", 1000)
    alone = ("--workers", 1) if words[0] == "compare" else ()
    held, used = cli(*words, *alone, "--json"), []
    monkeypatch.setattr(engine, "Cluster", lambda address: used.append(AsIfElsewhere(address)) or used[0])
    found = cli(*words, "--json", "--cluster", "tcp://10.0.0.5:8786")
    assert without_times(found.json) == without_times(held.json)
    assert used[0].handed_over


def test_the_window_on_a_cluster(cli, path, monkeypatch):
    seen = []
    monkeypatch.setattr(engine, "Cluster", AsIfElsewhere)
    monkeypatch.setattr(main, "_open_window", lambda *words: seen.append(runners.runner()) or 0)
    assert cli(path, "--cluster", "tcp://10.0.0.5:8786").status == 0
    assert cli(path).status == 0
    assert [each.is_elsewhere for each in seen] == [True, False]


def test_two_kinds_of_workers(refused, monkeypatch):
    monkeypatch.setattr(engine, "Cluster", AsIfElsewhere)
    words = ("compare", "median", "--example", "salaries", "--epsilon", 1, "--workers", 2)
    assert "--workers and --cluster exclude each other" in refused(*words, "--cluster", "tcp://10.0.0.5:8786")
