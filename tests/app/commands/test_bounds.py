"""Bounds on the command line: chosen within a wide range, and paid for."""

import pytest


@pytest.fixture
def people(tmp_path):
    (tmp_path / "pay.csv").write_text("pay\n" + "".join(f"{20_000 + 4 * number}\n" for number in range(9000)))
    return "--data", tmp_path / "pay.csv"


def test_bounds_are_suggested_and_written_down(cli, people, tmp_path):
    where = (*people, "--lower", 0, "--upper", 1e9, "--epsilon", 2, "--ledger", tmp_path / "ledger")
    found = cli("bounds", *where, "--json")
    assert (found.json["lower"], found.json["upper"]) == (20_000, 100_000)  # but for one time in e^40
    assert found.json["privacy"]["epsilon"] == 2
    assert not found.json["simulated"]
    spent = cli("budget", *people, "--ledger", tmp_path / "ledger", "--json").json
    assert "bounds" in str(spent)
    text = cli("bounds", *where).out
    assert "suggested bounds" in text
    assert "--lower " in text


def test_a_simulation_spends_nothing_and_says_what_it_is(cli, people):
    found = cli("bounds", *people, "--lower", 0, "--upper", 1e6, "--epsilon", 1, "--seed", 3)
    assert found.out.startswith("SIMULATION with seed 3, not a release")
    assert found.spent == ""


def test_a_wide_range_and_enough_records_are_needed(cli, people, tmp_path):
    found = cli("bounds", *people, "--epsilon", 1)
    assert found.status == 2
    assert "a wide range that surely holds all values" in found.err
    few = tmp_path / "few.csv"
    few.write_text("x\n1\n2\n3\n")
    refused = cli("bounds", "--data", few, "--lower", 0, "--upper", 10, "--epsilon", 1, "--seed", 1)
    assert refused.status == 2
    assert "too few" in refused.err
