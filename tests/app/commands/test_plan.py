"""`sensiscope plan`: how many blocks, from public facts alone."""

import math

import pytest

from engine import catalog
from engine.aggregation.spaces import Wasserstein
from engine.domain import Box
from engine.mechanisms import OneCluster
from engine.mechanisms.planning import plan
from engine.privacy import Privacy

WHERE = ("--n", 100_000, "--lower", "0,0", "--upper", "1,1", "--epsilon", 1)


def test_json_is_the_planner_s(cli):
    found = cli("plan", "clusters", *WHERE, "--guess", 0.02, "--json")
    assert (found.status, found.err) == (0, "")
    content = found.json
    keys = [
        "mechanism",
        "query",
        "method",
        "n",
        "privacy",
        "noise",
        "parameters",
        "guess",
        "diameter",
        "blocks",
        "block_size",
    ]
    assert list(content) == [*keys, "block_error", "noise_error", "error", "enough", "needed", "version"]
    space = Wasserstein(Box.of([0, 0] * 3, [1, 1] * 3), 3)
    expected = plan(100_000, space, Privacy(1), catalog.noise("auto").usual(), 0.02, smallest=3, sensible=15)
    for name in ("n", "guess", "diameter", *keys[7:], "block_error", "noise_error", "error", "needed"):
        assert content[name] == getattr(expected, name)
    assert content["enough"] is (expected.needed <= 100_000)
    assert content["privacy"] == {"epsilon": 1, "delta": 0, "neighbours": "replace-one"}
    assert content["parameters"]["k"] == 3
    assert "blocks" not in content["parameters"]


def test_text(cli):
    found = cli("plan", "clusters", "--k", 2, *WHERE)
    assert found.status == 0
    assert "Clusters (k = 2), n = 100,000, 2 columns" in found.out
    assert "in a diameter of 2" in found.out
    enough = cli("plan", "clusters", *WHERE[:1], "1e10", *WHERE[2:]).out
    assert "enough records  yes" in enough
    assert "private" not in enough


def test_a_guess_is_two_percent_of_the_diameter_unless_it_is_given(cli):
    content = cli("plan", "mixture", "--k", 4, *WHERE, "--json").json
    assert content["guess"] == pytest.approx(0.02 * 8**0.5)


def test_one_pair_of_bounds_for_all_columns(cli, refused):
    words = ("plan", "clusters", "--n", 1000, "--epsilon", 1, "--columns", 5, "--json")
    assert cli(*words, "--lower", -1, "--upper", 2).json["parameters"]["lower"] == [-1] * 5
    assert cli(*words[:-3], "--columns", 2, "--lower", "0,1", "--upper", "1,2").status == 0
    assert "5 columns, but 2 pairs" in refused(*words, "--lower", "0,0", "--upper", "1,1")
    assert "0 columns" in refused(*words, "--columns", 0, "--lower", 0, "--upper", 1)


def test_more_records_more_privacy_and_a_better_guess_help(cli):
    def error(*words):
        return cli("plan", "clusters", *WHERE, *words, "--json").json["error"]

    usual = error()
    assert error("--n", 10**6) < usual
    assert error("--epsilon", 4) < usual
    assert error("--guess", 0.005) < usual
    assert error("--sampling", "subsets") > usual


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("lloyd", *WHERE), "try clusters, k-balls, mixture, one-cluster, sample-aggregate, screened-mean"),
        (("median", *WHERE), "no mechanism on blocks or for balls 'median'; try screened-mean"),
        (("clusters", *WHERE, "--n", 0), "at least 1"),
        (("clusters", *WHERE, "--n", 5), "5 records are too few for 3 blocks of 3"),
        (("clusters", *WHERE, "--n", "1e30"), "too large"),
        (("clusters", *WHERE, "--lower", 0), "--lower has 1"),
        (("clusters", *WHERE, "--guess", 0), "guess: 0 is not possible"),
        (("clusters", *WHERE, "--guess", 3), "at most 2.4"),
        (("clusters", *WHERE, "--epsilon", 0), "epsilon"),
        (("clusters", *WHERE, "--noise", "gaussian"), "delta above 0"),
        (("clusters", *WHERE, "--blocks", 3), "there is no option '--blocks'"),
        (
            (
                "sample-aggregate",
                *WHERE[:2],
                "--lower",
                0,
                "--upper",
                1,
                "--epsilon",
                1,
                "--function",
                "regression",
            ),
            "two",
        ),
        (("clusters", "--n", 10, "--epsilon", 1, "--lower", 0), "--upper"),
        (("one-cluster", *WHERE, "--guess", 0.1), "one-cluster uses no blocks"),
    ],
)
def test_what_cannot_be_planned(refused, words, message):
    assert message in refused("plan", *words)


BALLS = ("plan", "one-cluster", "--t", 500, *WHERE, "--delta", 1e-6)


def test_of_balls_it_is_said_what_each_way_promises(cli):
    square, privacy = Box.of([0, 0], [1, 1]), Privacy(1.0, 1e-6)
    content = cli(*BALLS, "--json").json
    assert content["auto"] == "overlapping-cells"
    for way, said in content["methods"].items():
        mechanism = OneCluster(t=500, method=way)
        if mechanism.problems(privacy, square, 100_000):
            assert list(said) == ["problem"]
            continue
        promise = mechanism.search.promise(square, 100_000, privacy)
        expected = (math.ceil(promise.promised), promise.factor, promise.needed)
        assert (said["promised_points"], said["factor"], said["needed"]) == expected
    assert [way for way, said in content["methods"].items() if "problem" in said] == [
        "balls",
        "thresholds",
        "published",
    ]


def test_of_balls_in_words(cli):
    text = cli(*BALLS).out
    assert "overlapping-cells (auto)  at least 176 of 500 points" in text
    needed = (
        OneCluster(t=500, method="wide-boxes")
        .search.promise(Box.of([0, 0], [1, 1]), 100_000, Privacy(1, 1e-6))
        .needed
    )
    assert f"nothing is promised for t = 500, only from t = {needed} on" in text
    assert "refused (delta): 0 is not possible" in cli(*BALLS[:-2]).out
