"""`run --relation zero-out` and missing values, and `run --pattern`: what is refused, and what simulates."""

import json

import pytest

ASKED = ("--column", "answer", "--categories", "x,y", "--epsilon", 1)


def file_of(folder, *answers):
    path = folder / "answers.csv"
    path.write_text(
        "answer,w\n" + "".join(f"{answer},{row}\n" for row, answer in enumerate(answers)), "utf-8"
    )
    return path


@pytest.mark.parametrize(
    ("missing", "why"),
    [
        (("--missing", "fill", "--fill", "x"), "changes two counts"),
        (("--missing", "drop"), "changes n, which is public"),
    ],
)
def test_the_line_of_refusal_is_the_same_whatever_the_file_holds(missing, why, cli, tmp_path):
    ledger = tmp_path / "ledger"
    words = ("--relation", "zero-out", *missing)
    said = set()
    for answers in (("x", "y", "x"), ("x", "", "y"), ("", "", ""), None):
        path = tmp_path / "none.csv" if answers is None else file_of(tmp_path, *answers)
        for mechanism in ("mode", "contingency-table", "sorted-histogram"):
            found = cli("run", mechanism, "--data", path, *ASKED, *words, "--ledger", ledger)
            said.add((found.status, found.out, found.err))
            found = cli("run", mechanism, "--data", path, *ASKED, *words, "--seed", 1, "--json")
            said.add((found.status, found.out, found.err))
            found = cli("audit", mechanism, "--data", path, *ASKED, *words)
            said.add((found.status, found.out, found.err))
    ((status, out, err),) = said
    assert (status, out) == (2, "")
    assert why in err
    assert "(replace-one), or refuse missing values" in err
    assert err.count("\n") == 1
    assert not ledger.exists()


def test_points_are_refused_alike(cli, tmp_path):
    path = file_of(tmp_path, "1", "2", "3")
    where = ("--data", path, "--column", "answer", "--lower", 0, "--upper", 4, "--epsilon", 1)
    for mechanism in ("histogram-noisy", "privtree", "counts", "lloyd", "metric-median", "stable-cell"):
        found = cli("run", mechanism, *where, "--relation", "zero-out", "--missing", "fill")
        assert (found.status, found.out) == (2, "")
        assert "changes two counts" in found.err
    found = cli("compare", "counts,relation=zero-out", "counts", *where, "--missing", "drop", "--runs", 2)
    assert found.status == 2
    assert "changes n" in found.err


@pytest.mark.parametrize("form", [("--json",), ()])
def test_between_replaced_records_a_filled_row_says_no_more_than_another(form, cli, tmp_path):
    """The same bytes but for the value, whichever row is empty, and however many are."""
    said = set()
    for answers in (("x", "y", "x"), ("x", "", "x"), ("x", "y", ""), ("", "", "")):
        words = ("--missing", "fill", "--fill", "x", "--seed", 1, *form)
        found = cli("run", "mode", "--data", file_of(tmp_path, *answers), *ASKED, *words)
        assert found.status == 0
        if form:
            without = {**json.loads(found.out), "value": None}
            said.add((json.dumps(without), found.err))
        else:
            said.add((found.out.replace(" y\n", " x\n"), found.err))
    assert len(said) == 1


def test_a_stated_pattern_of_blocks_simulates_and_spends_nothing(cli, tmp_path):
    ledger = tmp_path / "ledger"
    where = ("--example", "four-heaps", "--epsilon", 1)
    for mechanism in ("sample-aggregate", "clusters", "scored-choice"):
        found = cli("run", mechanism, *where, "--pattern", 3)
        assert found.out.startswith("SIMULATION with pattern 3, not a release\n")
        assert found.spent == ""
        content = cli("run", mechanism, *where, "--pattern", 3, "--json").json
        assert content["simulated"]
        assert "spent" not in content
    refused = cli("run", "clusters", *where, "--pattern", 3, "--ledger", ledger)
    assert refused.status == 2
    assert "a simulation with --pattern spends nothing" in refused.err
    both = cli("run", "clusters", *where, "--pattern", 3, "--seed", 2)
    assert both.out.startswith("SIMULATION with seed 2, ")
    assert not ledger.exists()


def test_a_pattern_of_starting_points_alone_makes_a_release(cli):
    found = cli("run", "lloyd", "--example", "four-heaps", "--epsilon", 1, "--pattern", 3)
    assert found.out.startswith("  released lloyd")
    assert found.spent
