"""Queries that are not row by row: `run` refuses in one line, and nothing tells how many rows there are."""

import contextlib
import sqlite3

import pytest

BOUNDS = ("--lower", "0", "--upper", "100")
MEAN = ("--column", "age", *BOUNDS, "--method", "laplace")
SICK = "select age from p where hiv = 1"
MANY = (
    "with recursive s(i) as (select 1 union all select i+1 from s where i<1000) select p.hiv as age from p, s"
)
NOBODY = "select age from p where hiv = 9"
INSTEAD = "; choose a stored table and one of its columns"


@pytest.fixture
def staff(tmp_path):
    """Return a database of 211 people, 37 of whom are sick."""
    path = tmp_path / "staff.db"
    with contextlib.closing(sqlite3.connect(path)) as made:
        made.execute("create table p (age integer, hiv integer)")
        made.executemany("insert into p values (?, ?)", [(20 + i % 60, int(i < 37)) for i in range(211)])
        made.execute(f"create view sick as {SICK}")
        made.execute(f"create view nobody as {NOBODY}")
        made.commit()
    return str(path)


@pytest.fixture
def ledger(tmp_path):
    return tmp_path / "ledger.json"


@pytest.mark.parametrize(
    "asked",
    [("--sql", SICK), ("--sql", MANY), ("--sql", NOBODY), ("--table", "sick"), ("--table", "nobody")],
    ids=["condition", "recursion", "nobody", "view", "empty view"],
)
@pytest.mark.parametrize("more", [(), ("--json",), ("--show-private",)])
def test_run_refuses_in_one_line_that_knows_no_row(cli, staff, ledger, asked, more):
    said = cli(
        "run", "mean", "--data", staff, *asked, *MEAN, "--epsilon", "1", "--ledger", str(ledger), *more
    )
    assert (said.status, said.out) == (2, "")
    assert "allows no release: " in said.err
    assert INSTEAD in said.err
    assert said.err.count("\n") == 1
    assert not ledger.exists()


def test_the_answer_to_nobody_is_refused_like_any_other(cli, staff, ledger):
    """Whether there is a single row tells of people, too."""
    some, none = (
        cli(
            "run", "mean", "--data", staff, "--sql", f"select age from p where hiv = {who}", *MEAN,
            "--epsilon", "1", "--ledger", str(ledger),
        )
        for who in (1, 9)
    )  # fmt: skip
    assert some == none


def test_a_row_by_row_query_is_released(cli, staff, ledger):
    said = cli(
        "run", "mean", "--data", staff, "--sql", "select age as years, age from p", *MEAN,
        "--epsilon", "1", "--ledger", str(ledger), "--json",
    )  # fmt: skip
    assert said.status == 0
    assert not said.json["simulated"]


def test_bounds_are_a_release_too(cli, staff, ledger):
    said = cli(
        "bounds", "--data", staff, "--sql", SICK, "--column", "age", "--lower", "0", "--upper", "1e6",
        "--epsilon", "1", "--ledger", str(ledger),
    )  # fmt: skip
    assert (said.status, said.out) == (2, "")
    assert "by a condition" in said.err


LOOKING = {
    "run": ("mean", *MEAN, "--epsilon", "1", "--seed", "1"),
    "sensitivity": ("mean", "--column", "age", *BOUNDS, "--epsilon", "1"),
    "compare": (
        "mean",
        "--column",
        "age",
        *BOUNDS,
        "--epsilon",
        "1",
        "--runs",
        "3",
    ),
    "audit": ("mean", *MEAN, "--epsilon", "1", "--runs", "1000"),
}


@pytest.mark.parametrize("verb", LOOKING)
def test_looking_goes_on_and_is_called_confidential(cli, staff, verb):
    first, *more = LOOKING[verb]
    said = cli(verb, first, "--data", staff, "--sql", SICK, *more)
    assert said.status == 0
    assert "note: this is confidential, n included: this query allows no release" in said.err
    if verb != "sensitivity":  # which is confidential as a whole
        assert "37" not in said.out.partition("confidential: computed")[0]
    assert "public: both databases" not in said.out
