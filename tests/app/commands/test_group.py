"""`run --group`: what is promised to several records together, beside the release and in JSON."""

import pytest

from engine.primitives.gaussian import analytic_gaussian_sigma
from engine.privacy import Privacy

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
    assert content["group"] == {"size": 40, "epsilon": 40, "delta": 0, "rho": 1600 / 8}


def test_concentrated_privacy_is_left_where_delta_would_reach_1(cli):
    """g^2 rho of Gaussian noise, converted at the delta that was asked for."""
    asked = ("run", "mean", "--method", "gaussian", *SALARIES, "--delta", 1e-6, "--group", 15)
    out = cli(*asked).out
    assert "delta would reach 1; epsilon = 23.83, delta = 1e-06 by concentrated privacy" in out
    content = cli(*asked, "--json").json["group"]
    sigma = analytic_gaussian_sigma(Privacy(1.0, 1e-6))
    assert content == {
        "size": 15,
        "epsilon": None,
        "delta": None,
        "rho": pytest.approx(15**2 / (2 * sigma**2), rel=1e-9),
        "private": True,
    }


def test_a_record_that_is_left_empty_is_said_and_counts_twice(cli):
    asked = ("run", "mode", "--example", "admissions", "--column", "department", "--epsilon", 1)
    found = cli(*asked, "--relation", "zero-out")
    assert "epsilon = 1, delta = 0 between databases with one record left empty, n public" in found.out
    assert "the budget counts epsilon = 2, for one row of the file" in found.err
    content = cli(*asked, "--relation", "zero-out", "--json").json
    assert content["privacy"] == {"epsilon": 1, "delta": 0, "neighbours": "zero-out"}
    assert content["spent"]["epsilon"] == 4


def test_too_many_are_promised_nothing_and_that_is_said(cli):
    asked = ("run", "median", *SALARIES, "--noise", "laplace", "--delta", 1e-6, "--group", 40)
    assert "no guarantee for 40 records together" in cli(*asked).out
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
    assert "no group is protected" in found.err
