"""`sensiscope budget`, and what `run` writes to the ledger."""

import os

import pytest
from payments import pay
from same_data import VARIANTS

from app.model.ledger import default_ledger
from engine.data import digest_of, file_identity, read_table, table_digest
from engine.ledger import Cost, Ledger, Limit
from engine.primitives import Concentrated
from engine.primitives.losses import is_installed
from engine.privacy import Privacy

MEDIAN = ("run", "median", "--lower", 0, "--upper", 20)


@pytest.fixture
def run(cli, ten, tmp_path):
    """Release the median of the classroom set on a ledger of its own."""
    return lambda *words: cli(*MEDIAN, "--data", ten, "--ledger", tmp_path / "l.sqlite", *words)


@pytest.fixture
def square(csv):
    return csv(["0,0", "0,1", "1,0", "1,1"], header="x,y", name="square.csv")


@pytest.fixture
def account(ten, tmp_path):
    return lambda: Ledger(tmp_path / "l.sqlite").account(table_digest(read_table(ten)))


def test_a_release_is_in_the_persons_ledger_and_says_what_is_spent(cli, ten, personal_folders):
    words = (*MEDIAN, "--data", ten, "--epsilon", 0.5, "--method", "smooth")
    first = cli(*words, "--json")
    spent = {"epsilon": 0.5, "delta": 0, "method": "basic", "basic": {"epsilon": 0.5, "delta": 0}}
    assert first.json["spent"] == spent
    assert first.spent == "ten.csv now, for one row of the file: 1 release, epsilon = 0.5, delta = 0\n"
    assert default_ledger().is_relative_to(personal_folders)
    (entry,) = Ledger(default_ledger()).account(table_digest(read_table(ten))).entries()
    assert (entry.value, entry.state) == (first.json["value"], "spent")
    assert entry.about["release"] == "median"
    assert entry.about["parameters"] == {
        **{"even": "lower", "clamp": "bounds", "constants": "tight", "split": 0.5, "error_share": 0.0},
        "covers": "data",
        **{"bound_method": "exact", "farthest": 100, "noise": "power-laplace", "g": 2.2},
    }
    # the data decide, not the name
    again = ten.with_name("again.csv")
    again.write_bytes(ten.read_bytes())
    second = cli(*MEDIAN, "--data", again, "--epsilon", 0.25, "--json").json["spent"]
    assert second["basic"]["epsilon"] == 0.75
    # what is said of it in text is the same
    assert "2 releases" in cli("budget", "--data", ten).out


def test_the_same_data_in_any_file_have_one_budget(cli, tmp_path):
    of = ("--column", "score", "--lower", 0, "--upper", 10, "--ledger", tmp_path / "ledger.sqlite")
    for number, (name, write) in enumerate(VARIANTS.items(), start=1):
        write(tmp_path / name)
        told = cli("run", "median", "--data", tmp_path / name, *of, "--epsilon", 0.5, "--json").json
        assert told["spent"]["basic"]["epsilon"] == number / 2, name
    assert len(cli("budget", "--ledger", tmp_path / "ledger.sqlite", "--json").json["datasets"]) == 1


def test_what_older_versions_kept_under_the_bytes_is_carried_over(cli, run, ten, tmp_path):
    cost = Cost(Privacy(1.0), Concentrated(0.5), "replace-one")
    old = Ledger(tmp_path / "l.sqlite").account(digest_of(ten), "ten.csv")
    pay(old, cost, {}, lambda: 1.0)
    assert "1 release" in cli("budget", "--data", ten, "--ledger", tmp_path / "l.sqlite").out
    sorted_file = ten.with_name("sorted.csv")
    head, *lines = ten.read_text("utf-8").splitlines()
    sorted_file.write_text("\n".join([head, *sorted(lines, reverse=True)]), "utf-8")
    ten.write_bytes(sorted_file.read_bytes())
    assert run("--epsilon", 0.5, "--json").json["spent"]["basic"]["epsilon"] == 1.5


def test_the_budget_of_a_file_that_is_not_utf_8(cli, refused, tmp_path):
    (tmp_path / "russian.csv").write_bytes("слово\nИван\n".encode("cp1251"))
    words = ("budget", "--data", tmp_path / "russian.csv")
    assert "state its encoding" in refused(*words)
    assert "nothing" in cli(*words, "--encoding", "cp1251").out


def test_another_way_to_read_a_file_is_not_another_budget(cli, tmp_path):
    (tmp_path / "pay.csv").write_text("1;1,5\n2;2,5\n3;2,25\n")
    (tmp_path / "named.csv").write_text("a;pay\n1;1,5\n2;2,5\n3;2,25\n")
    ledger = ("--ledger", tmp_path / "l.sqlite")
    bounds = ("--lower", 0, "--upper", 9, "--epsilon", 0.5, *ledger)
    ways = [(), ("--type", "a=category"), ("--delimiter", ";"), ("--header", "1", "--quote", "'")]
    for spent, way in enumerate(ways, start=1):
        data = ("--data", tmp_path / "named.csv", "--decimal", ",", *way)
        assert cli("run", "mean", *data, "--column", "pay", *bounds).status == 0
        assert cli("budget", "--json", *ledger, *data).json["spent"]["releases"] == spent
    named = ("--delimiter", ";")  # without names, records could decide about the delimiter
    for spent, way in enumerate((named, (*named, "--quote", "'")), start=1):
        data = ("--data", tmp_path / "pay.csv", "--header", 0, "--decimal", ",", *way)
        assert cli("run", "mean", *data, "--column", "column 2", *bounds).status == 0
        assert cli("budget", "--json", *ledger, *data).json["spent"]["releases"] == spent


@pytest.mark.skipif(os.name != "posix", reason="rights are told by other means")
def test_a_ledger_that_others_can_write_to_is_named(cli, run, tmp_path):
    assert "others" not in run("--epsilon", 0.5).err
    (tmp_path / "l.sqlite").chmod(0o666)
    for outcome in (run("--epsilon", 0.5), cli("budget", "--ledger", tmp_path / "l.sqlite")):
        [line] = [line for line in outcome.err.splitlines() if "others can write" in line]
        assert line.startswith(f"sensiscope: warning: {tmp_path / 'l.sqlite'}: ")


def test_the_tightest_rule_is_told_beside_the_basic_one(run, account):
    cost = Cost(Privacy(1.2), Concentrated(0.0121), "replace-one")
    for _ in range(2):
        pay(account(), cost, {}, lambda: 1.0)
    found = run("--epsilon", 0.02, "--method", "smooth", "--json")
    assert found.json["spent"]["method"] == "zcdp"
    assert found.json["spent"]["epsilon"] == pytest.approx(1.0, abs=5e-3)
    assert found.json["spent"]["delta"] == 1e-6
    assert found.json["spent"]["basic"]["epsilon"] == pytest.approx(2.42)
    assert "3 releases, epsilon = 2.42, delta = 0; by concentrated composition epsilon = 1.0" in found.spent


def test_simulations_and_mistakes_spend_nothing(run, refused, ten, tmp_path):
    path = tmp_path / "none.sqlite"
    simulated = run("--epsilon", 1, "--seed", 1)
    assert simulated.status == 2  # a ledger makes no sense then
    for words in (("--ledger", path), ("--overspend",)):
        assert "spends nothing" in refused(*MEDIAN, "--data", ten, "--epsilon", 1, "--seed", 1, *words)
    refused(*MEDIAN, "--data", ten, "--epsilon", -1, "--ledger", path)
    refused(*MEDIAN, "--data", ten, "--epsilon", 1, "--method", "gaussian", "--ledger", path)
    assert not path.exists() or Ledger(path).accounts() == []


def test_what_a_promise_lacks_stands_beside_the_sums(cli, square, tmp_path):
    where = ("--data", square, "--ledger", tmp_path / "l.sqlite")
    words = ("--column", "x", "--column", "y", "--lower", 0, "--upper", 1, "--epsilon", 1)
    cli("run", "synthetic", *words, *where, "--sampler", "metropolis", "--steps", 10)
    spent = cli("budget", *where).out
    assert "as if 1 release kept the promise, not verified to the last bit: the Metropolis chain" in spent
    of_all = cli("budget", *where[2:]).out
    assert (
        "square.csv: as if 1 release kept the promise, not verified to the last bit: the Metropolis" in of_all
    )
    (entry,) = cli("budget", *where, "--json").json["entries"]
    assert (entry["exact"], "Metropolis" in entry["inexact"]) == (False, True)


def test_a_simulation_says_nothing_of_a_budget(cli, ten):
    found = cli(*MEDIAN, "--data", ten, "--epsilon", 1, "--seed", 1, "--json")
    assert "spent" not in found.json
    assert found.spent == ""
    assert not default_ledger().exists()


def test_a_limit_is_kept_unless_a_person_says_otherwise(cli, run, account, ten, tmp_path):
    where = ("--data", ten, "--ledger", tmp_path / "l.sqlite")
    assert "limit" in cli("budget", *where, "--limit-epsilon", 1, "--limit-delta", 1e-6, "--slack", 1e-7).out
    assert account().limit == Limit(1.0, 1e-6, 1e-7)
    assert run("--epsilon", 0.75).status == 0
    beyond = run("--epsilon", 0.5)
    assert (beyond.status, beyond.out, beyond.spent) == (2, "", "")
    assert beyond.err.count("\n") == 1
    for words in (
        "epsilon 0.75",
        "epsilon 1.25",
        "limit of epsilon 1",
        "nothing was released",
        "(sensiscope budget --limit-epsilon E --limit-delta D)",
        "--overspend",
    ):
        assert words in beyond.err
    assert len(account().entries()) == 1
    over = run("--epsilon", 0.5, "--overspend")
    assert over.status == 0
    assert "the limit is epsilon = 1" in over.spent
    assert [entry.over for entry in account().entries()] == [False, True]
    assert "over the limit" in cli("budget", *where).out
    assert cli("budget", *where, "--no-limit").status == 0
    assert account().limit is None
    assert run("--epsilon", 0.5).status == 0


def test_what_promises_nothing_is_recorded(cli, tmp_path):
    words = (
        "run",
        "histogram-recursive",
        "--example",
        "geyser",
        "--t",
        50,
        "--ledger",
        tmp_path / "l.sqlite",
    )
    found = cli(*words, "--json")
    assert found.json["spent"]["basic"] == {"epsilon": None, "delta": None}
    assert "no guarantee at all" in found.spent
    assert "no promise" in cli("budget", "--ledger", tmp_path / "l.sqlite").out
    where = ("--example", "geyser", "--ledger", tmp_path / "l.sqlite")
    assert "the least" not in cli("budget", *where, "--limit-epsilon", 1).out
    # no limit would be large enough
    assert "remove the limit (sensiscope budget --no-limit)" in cli(*words).err


def test_a_limit_without_delta_says_what_gaussian_noise_needs(run, cli, ten, tmp_path):
    cli("budget", "--data", ten, "--ledger", tmp_path / "l.sqlite", "--limit-epsilon", 1)
    refused = run("--epsilon", 0.5, "--delta", 1e-6, "--method", "gaussian").err
    assert "raise the limit (sensiscope budget --limit-epsilon E --limit-delta D)" in refused


def test_all_datasets_and_one_of_them(cli, run, ten, tmp_path):
    ledger = ("--ledger", tmp_path / "l.sqlite")
    assert cli("budget", *ledger).out.startswith("  nothing is spent")
    assert not (tmp_path / "l.sqlite").exists()  # to look makes no ledger
    run("--epsilon", 0.5)
    cli("run", "triangles", "--example", "karate", "--epsilon", 2, *ledger)
    cli("run", "median", "--example", "salaries", "--epsilon", 1, *ledger)
    cli("budget", "--example", "salaries", "--limit-epsilon", 3, *ledger)
    rows = [line.split() for line in cli("budget", *ledger).out.splitlines()[1:4]]
    assert [(row[0], row[1], row[2], row[-1]) for row in rows] == [
        ("ten.csv", "1", "0.5", "none"),
        ("karate", "1", "4", "none"),
        ("salaries", "1", "1", "3"),
    ]
    content = cli("budget", "--json", *ledger).json
    assert list(content) == ["ledger", "begun_after", "datasets", "version"]
    assert [each["title"] for each in content["datasets"]] == ["ten.csv", "karate", "salaries"]
    one = cli("budget", "--data", ten, "--json", *ledger).json
    assert list(one) == [
        *("name", "title", "limit", "spent", "spent_of_a_vertex", "recounted", "entries", "version"),
    ]
    spent = one["spent"]
    assert spent["basic"] == {"epsilon": 0.5, "delta": 0}
    assert spent["zcdp"]["epsilon"] > spent["basic"]["epsilon"]
    (entry,) = one["entries"]
    assert entry["row"] == {"epsilon": 0.5, "delta": 0}
    assert (entry["epsilon"], entry["state"], entry["about"]["of"]) == (0.5, "spent", "x (ten.csv)")
    # the digest of the data is nowhere
    known = file_identity(read_table(ten), ten)
    for digest in (known.digest, known.former):
        assert digest.partition(":")[2] not in str(content) + str(one)
    assert "nothing" in cli("budget", "--example", "geyser", *ledger).out


def test_a_damaged_ledger_releases_nothing_until_it_is_set_aside(cli, run, refused, tmp_path):
    path = tmp_path / "l.sqlite"
    run("--epsilon", 0.5)
    path.write_bytes(path.read_bytes()[:5000])
    damaged = path.read_bytes()
    for _ in range(2):
        found = run("--epsilon", 0.5)
        assert (found.status, found.out) == (2, "")
        assert "is damaged" in found.err
    assert "is damaged" in refused("budget", "--ledger", path)
    assert path.read_bytes() == damaged
    aside = cli("budget", "--ledger", path, "--set-aside")
    assert (aside.status, aside.err.count("\n")) == (0, 1)
    assert "renamed to l.sqlite.damaged-1" in aside.err
    assert "begun after" in aside.out
    assert (tmp_path / "l.sqlite.damaged-1").read_bytes() == damaged
    assert "not damaged" in refused("budget", "--ledger", path, "--set-aside")
    assert run("--epsilon", 0.5).status == 0
    assert cli("budget", "--ledger", path, "--json").json["begun_after"].endswith("l.sqlite.damaged-1")


def test_an_unwritable_ledger_is_said_before_there_is_a_value(run, cli, ten, tmp_path):
    for path in (tmp_path, tmp_path / "ten.csv" / "l.sqlite"):
        found = cli(*MEDIAN, "--data", ten, "--epsilon", 1, "--ledger", path)
        assert (found.status, found.out) == (2, "")
        assert str(path) in found.err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--limit-epsilon", 1), "a limit belongs to one dataset"),
        (("--no-limit",), "a limit belongs to one dataset"),
        (("--example", "salaries", "--limit-delta", 1e-6), "--limit-epsilon"),
        (("--example", "salaries", "--limit-epsilon", 1, "--no-limit"), "leave one of them out"),
        (("--example", "salaries", "--limit-epsilon", 0), "epsilon: 0 is not possible"),
        (("--example", "salaries", "--limit-epsilon", 1, "--slack", 1), "slack: 1 is not possible"),
        (("--example", "salary"), "salaries"),
        (("--data", "none.csv"), "none.csv"),
        (("--example", "salaries", "--data", "x.csv"), "not allowed with"),
    ],
)
def test_mistakes_are_one_line(refused, words, said):
    assert said in refused("budget", *words)
    assert not default_ledger().exists()


def test_names_from_outside_send_nothing_to_the_terminal(cli, ten, tmp_path):
    ledger = ("--ledger", tmp_path / "l.sqlite")
    strange = ten.with_name("a\x1b[31m\nb.csv")
    strange.write_bytes(ten.read_bytes())
    assert cli(*MEDIAN, "--data", strange, "--epsilon", 1, *ledger).status == 0
    for words in (("budget",), ("budget", "--data", strange)):
        found = cli(*words, *ledger)
        assert "\x1b" not in found.out
        assert "\\x1b" in found.out


@pytest.mark.skipif(not is_installed(), reason="dp-accounting is missing (extra 'accounting')")
def test_privacy_losses_stand_beside_the_rules(cli, tmp_path, monkeypatch):
    ledger = ("--ledger", tmp_path / "l.sqlite")
    release = ("run", "mean", "--example", "one-to-ten", "--epsilon", 0.5, "--method", "laplace")
    assert cli(*release, *ledger).status == 0
    asked = ("budget", *ledger, "--example", "one-to-ten")
    words = "epsilon = 0.5, delta = 1e-06 by privacy losses, if the releases were fixed before"
    assert words in cli(*asked).out
    spent = cli(*asked, "--json").json["spent"]["pld"]
    assert (spent["epsilon"], spent["delta"]) == (pytest.approx(0.5, abs=1e-4), 1e-6)
    monkeypatch.setattr("engine.primitives.losses.is_installed", lambda: False)
    assert "by privacy losses: dp-accounting is not installed; install it with: pip" in cli(*asked).out
    assert cli(*asked, "--json").json["spent"]["pld"] is None
