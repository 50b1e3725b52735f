"""`run --group`: what is promised to several records together, beside the release and in JSON."""

import pytest

SALARIES = ("--example", "salaries", "--epsilon", 1, "--seed", 1)


def test_a_group_is_told_in_text_and_in_json(cli):
    out = cli("run", "median", *SALARIES, "--noise", "laplace", "--delta", 1e-6, "--group", 3)
    assert "epsilon = 3, delta = 1.111e-05 for 3 records together" in out.out
    content = cli(
        "run", "median", *SALARIES, "--noise", "laplace", "--delta", 1e-6, "--group", 3, "--json"
    ).json
    assert content["group"] == {"size": 3, "epsilon": 3, "delta": pytest.approx(1.1107338e-5)}


def test_what_costs_no_delta_promises_a_group_none(cli):
    content = cli(
        "run", "median", "--method", "exponential", *SALARIES, "--delta", 1e-6, "--group", 40, "--json"
    ).json
    assert content["group"] == {"size": 40, "epsilon": 40, "delta": 0}


def test_too_many_are_promised_nothing_and_that_is_said(cli):
    asked = ("run", "median", *SALARIES, "--noise", "laplace", "--delta", 1e-6, "--group", 40)
    assert "nothing is promised to 40 records together" in cli(*asked).out
    assert cli(*asked, "--json").json["group"] == {
        "size": 40,
        "epsilon": None,
        "delta": None,
        "private": False,
    }


def test_without_the_option_nothing_is_said(cli):
    assert "group" not in cli("run", "median", *SALARIES, "--json").json


def test_a_group_that_makes_no_sense_is_refused_before_the_release(cli):
    found = cli("run", "median", "--example", "salaries", "--epsilon", 1, "--group", 0)
    assert found.status != 0
    assert "group" in found.err
    assert found.spent == ""
    assert found.out == ""


def test_what_is_not_private_protects_no_group(cli):
    found = cli("run", "histogram-shifted", "--example", "four-heaps", "--group", 2)
    assert found.status != 0
    assert "protects no group" in found.err
