"""Counts and sums from the command line: a condition is a text, and counts have no unit."""

import pytest

DATA = ("--example", "salaries")


def test_a_condition_is_an_option(cli):
    asked = ("run", "count", "--where", "> 100000", *DATA, "--epsilon", 1, "--seed", 1)
    content = cli(*asked, "--show-private", "--json").json
    assert content["parameters"]["where"] == "> 100000"
    assert content["diagnostics"]["true_value"] == 1347
    assert content["diagnostics"]["global"] == 1
    assert "$\n" not in cli(*asked).out.split("simulated count", 1)[1].split("public bounds")[0]


def test_a_sum_has_the_unit_of_the_data_and_a_count_has_none(cli):
    sum_ = cli("sensitivity", "sum", *DATA, "--beta", 0.1).out
    count = cli("sensitivity", "count", *DATA, "--beta", 0.1).out
    assert "global sensitivity  500,000 $" in sum_
    assert "global sensitivity  1 " in count
    assert "A^(k)  exp" in count


@pytest.mark.parametrize(
    ("where", "words"),
    [
        ("> 1e9", "where: no value between 0 and 500000 satisfies it"),
        ("lots", "where: 'lots' is not a number; write for instance > 100, 10..20 or empty"),
    ],
)
def test_a_condition_that_makes_no_sense_is_one_line(cli, where, words):
    found = cli("run", "count", "--where", where, *DATA, "--epsilon", 1)
    assert found.status == 2
    assert words in found.err
    assert found.err.count("\n") == 1


def test_counts_can_be_compared(cli):
    found = cli(
        "compare",
        "count,where=> 100000",
        "count:laplace,where=> 100000",
        *DATA,
        "--epsilon",
        1,
        "--runs",
        20,
        "--workers",
        1,
    )
    assert found.status == 0, found.err
