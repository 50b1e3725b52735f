"""`sensiscope compare`: errors of several mechanisms, simulated from one seed."""

import contextlib
import csv
import math
import os
import sys

import pytest
from interrupting import interrupted
from matplotlib.image import imread

from app.commands.support.mechanism_spec import command_of

SALARIES = ("--example", "salaries", "--epsilon", 1)
HERE = ("--runs", 40, "--workers", 1)
KEYS = ["runs", "seed", "simulated", "sweep", "complete", "verdict", "mechanisms", "n", "column", "version"]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("median", ["median"]),
        ("median:laplace", ["median", "--method=laplace"]),
        (
            "median:smooth,noise=student-t,nu=3",
            ["median", "--method=smooth", "--noise=student-t", "--nu=3"],
        ),
        ("privtree,max-depth=4", ["privtree", "--max-depth=4"]),
        (
            "sample-aggregate,function=own.py:f,output_lower=-1:0,output_upper=1:2",
            [
                *("sample-aggregate", "--function=own.py:f"),
                *("--output-lower=-1,0", "--output-upper=1,2"),
            ],
        ),
    ],
)
def test_a_mechanism_in_one_word_is_a_command(text, words):
    assert command_of(text) == words


def test_all_methods_of_a_query(cli):
    found = cli("compare", "median:all", *SALARIES, "--delta", 1e-6, *HERE, "--json")
    assert found.status == 0, found.err
    assert found.err == ""
    content = found.json
    assert list(content) == KEYS
    assert content["simulated"] is True
    assert content["complete"] is True
    assert (content["runs"], content["seed"]) == (40, 1)
    assert content["sweep"] == {"name": "epsilon", "values": [1.0]}
    methods = [each["parameters"]["method"] for each in content["mechanisms"]]
    assert methods == [
        "smooth",
        "laplace",
        "gaussian",
        "exponential",
        "inverse-sensitivity",
        "piecewise-laplace",
        "propose-test-release",
    ]
    for each in content["mechanisms"]:
        assert (each["mechanism"], each["n"], each["runs"]) == ("median", 10_001, 40)
        spared = each["parameters"]["method"] not in ("gaussian", "propose-test-release")
        assert (each["epsilon"], each["delta"]) == (1, 0 if spared else 1e-6)
        assert 0 < each["errors"]["median"] <= each["errors"]["p95"]
        assert each["seconds_per_run"] > 0
        assert "problem" not in each
    medians = {each["label"]: each["errors"]["median"] for each in content["mechanisms"]}
    verdict = content["verdict"]
    assert verdict["best"] == min(medians, key=medians.get)
    exact = ("Exponential mechanism", "Inverse sensitivity", "Piecewise Laplace")
    assert verdict["best"] in ("Smooth sensitivity", *exact)
    assert verdict["ratio"] == pytest.approx(medians[verdict["other"]] / medians[verdict["best"]])
    assert isinstance(verdict["significant"], bool)


def test_the_same_seed_gives_the_same_errors(cli):
    def errors(*words):
        found = cli("compare", "median:laplace", *SALARIES, *HERE, "--json", *words).json
        return found["mechanisms"][0]["errors"]

    assert errors() == errors("--seed", 1) != errors("--seed", 2)


def test_what_does_not_fit_is_shown_with_its_reason(cli):
    words = ("compare", "mst:all", "--example", "karate", "--epsilon", 1, *HERE)
    outcomes = cli(*words, "--json").json["mechanisms"]
    problems = {each["parameters"]["method"]: each.get("problem", "") for each in outcomes}
    assert problems["smooth"] == problems["laplace"] == ""
    assert problems["gaussian"].startswith("Gaussian noise needs delta")
    without = next(each for each in outcomes if each["parameters"]["method"] == "exponential")
    assert without["errors"] == {"median": None, "mean": None, "p95": None}
    assert (without["runs"], without["seconds_per_run"]) == (0, None)
    assert "Exponential mechanism: a spanning tree cost has no rank" in cli(*words).out


def test_a_sweep_has_a_row_for_each_mechanism_and_value(cli, tmp_path):
    sheet = tmp_path / "errors.csv"
    words = ("--example", "salaries", "--sweep", "epsilon=0.1:10:3", *HERE)
    found = cli("compare", "median:smooth", "median:laplace", *words, "--json", "--csv", sheet)
    content = found.json
    assert content["sweep"] == {"name": "epsilon", "values": [0.1, 1.0, 10.0]}
    assert [each["value"] for each in content["mechanisms"]] == [0.1, 0.1, 1, 1, 10, 10]
    assert [each["epsilon"] for each in content["mechanisms"]] == [0.1, 0.1, 1, 1, 10, 10]
    assert [verdict["value"] for verdict in content["verdicts"]] == [0.1, 1, 10]
    assert content["verdict"] == content["verdicts"][-1]
    assert "do not share it" not in found.err  # the example is public
    rows = list(csv.DictReader(sheet.read_text().splitlines()))
    assert [row["label"] for row in rows] == [each["label"] for each in content["mechanisms"]]
    assert float(rows[0]["median"]) == content["mechanisms"][0]["errors"]["median"]
    assert "method = smooth" in rows[0]["parameters"]


def test_a_sweep_of_n_draws_so_many_records(cli, ten):
    words = ("--data", ten, "--lower", 0, "--upper", 20, "--epsilon", 1, *HERE)
    outcomes = cli("compare", "median:laplace", *words, "--sweep", "n=2:10:3", "--json").json["mechanisms"]
    assert [each["n"] for each in outcomes] == [2, 4, 10]


def test_parameters_of_parts_can_be_varied(cli):
    words = ("--example", "four-heaps", "--epsilon", 1, "--runs", 5, "--workers", 1)
    found = cli("compare", "clusters,k=2", "lloyd,k=2", *words, "--sweep", "blocks=5:20:2", "--json")
    blocks = [each["parameters"].get("blocks") for each in found.json["mechanisms"]]
    assert blocks == [5, None, 20, None]


def test_mechanisms_that_answer_the_same_question(cli):
    words = ("--example", "four-heaps", "--epsilon", 1, "--runs", 5, "--workers", 1)
    outcomes = cli("compare", "lloyd:all,k=2", *words, "--json").json["mechanisms"]
    assert {each["mechanism"] for each in outcomes} == {"lloyd", "clusters", "mixture", "k-means-on-cells"}
    assert {each["parameters"]["k"] for each in outcomes} == {2}


def test_noise_for_all_who_take_one(cli):
    words = ("compare", "median:all", "median:smooth,noise=lcp", *SALARIES, *HERE, "--noise", "student-t")
    outcomes = cli(*words, "--json").json["mechanisms"]
    noises = [each["parameters"].get("noise") for each in outcomes]
    assert noises == ["student-t", *[None] * 6, "lcp"]
    assert [each["label"] for each in outcomes if "Smooth" in each["label"]] == [
        outcomes[0]["label"],
        outcomes[-1]["label"],
    ]


def test_what_promises_nothing_has_no_epsilon(cli):
    words = ("--example", "airports", "--epsilon", 1, "--runs", 3, "--workers", 1)
    found = cli("compare", "histogram-recursive,t=20", "histogram-noisy", "privtree", *words, "--json")
    exact, noisy, _ = found.json["mechanisms"]
    assert (exact["epsilon"], exact["delta"]) == (None, None)
    assert noisy["epsilon"] == 1
    assert found.json["verdict"]["best"] != exact["label"]
    assert exact["errors"]["median"] < noisy["errors"]["median"]
    text = cli("compare", "histogram-recursive,t=20", *words[:2], "--runs", 3, "--workers", 1).out
    assert "NOT differentially private" in text


def test_errors_on_a_file_are_confidential(cli, ten):
    words = (
        "median:smooth",
        "median:laplace",
        "--data",
        ten,
        "--lower",
        0,
        "--upper",
        100,
        "--epsilon",
        1,
        *HERE,
    )
    assert "confidential: computed from raw data and not a release" in cli("compare", *words).out


def test_text_says_who_wins_and_that_the_data_are_public(cli):
    out = cli("compare", "median:smooth", "median:laplace", *SALARIES, *HERE).out
    assert "SIMULATION with seed 1; nothing is a release" in out
    assert "computed from public data, so nothing of it is confidential" in out
    assert "salary (salaries.csv), n = 10,001" in out
    assert "Smooth sensitivity wins: " in out
    assert out.replace("×", "").replace("–", "").isascii()


def test_errors_of_histograms_are_in_no_unit_of_the_data(cli):
    words = ("--example", "airports", "--epsilon", 1, "--runs", 3, "--workers", 1)
    assert "°" not in cli("compare", "privtree", *words).out


def test_which_epsilon_is_needed(cli):
    words = ("compare", "median:laplace", "median:exponential", *SALARIES, *HERE)
    asked = ("--within", 1000, "--share", 0.5)
    laplace, exponential = cli(*words, *asked, "--json").json["needed"]
    assert laplace["epsilon"] is None
    assert "100 is not enough" in laplace["problem"]
    assert 0 < exponential["low"] <= exponential["epsilon"] <= exponential["high"]
    text = cli(*words, *asked).out
    assert "epsilon for an error of at most 1000 $ in 50 % of releases" in text


def test_a_figure_of_errors_or_of_the_sweep(cli, drawn, tmp_path):
    words = ("compare", "median:smooth", "median:exponential", "--example", "salaries", *HERE)
    assert cli(*words, "--epsilon", 1, "--plot", tmp_path / "one.png").status == 0
    assert cli(*words, "--sweep", "epsilon=0.1:10:3", "--plot", tmp_path / "two.svg").status == 0
    for figure in drawn:
        assert "Confidential: computed from raw data" in figure
    assert "Errors of simulated releases" in drawn[0]
    assert "Errors against epsilon" in drawn[1]


def test_numbers_are_finite_or_null(cli):
    outcome = cli(
        "compare", "median:propose-test-release,bound=1", *SALARIES, "--delta", 1e-6, *HERE, "--json"
    )
    each = outcome.json["mechanisms"][0]
    assert each["refused"] == 40
    assert each["errors"] == {"median": None, "mean": None, "p95": None}
    assert all(value is None or math.isfinite(value) for value in each["errors"].values())


@pytest.mark.slow
def test_processes_find_what_one_process_finds(cli):
    words = ("compare", "median:laplace", "median:exponential", *SALARIES, "--runs", 20, "--json")
    both = [cli(*words, "--workers", number).json for number in (1, 2)]
    for content in both:
        for each in content["mechanisms"]:
            del each["seconds_per_run"]
    assert both[0] == both[1]


@pytest.mark.parametrize("at", [0.3, 0.6])
def test_a_cancelled_comparison_keeps_what_there_is(cli, monkeypatch, at):
    """Whatever cancels, here a report after some trials: what there is is printed, and status 130 says so."""
    from app.commands import compare
    from engine.progress import Cancelled

    def report(fraction, message=""):
        if fraction > at:
            raise Cancelled

    monkeypatch.setattr(compare, "stop_on_interrupt", lambda progress: contextlib.nullcontext(report))
    words = ("--sweep", "epsilon=0.1:10:4", "--example", "salaries", *HERE, "--within", 1e5, "--json")
    outcome = cli("compare", "median:laplace", *words)
    assert outcome.status == 130
    assert "stopped by Ctrl+C; these are the results so far" in outcome.err
    content = outcome.json
    assert content["complete"] is False
    assert 1 <= len(content["mechanisms"]) <= 4
    assert (len(content["mechanisms"]) == 4) == (at > 0.5)
    assert content["mechanisms"][0]["runs"] == 40
    assert "needed" not in content


def test_errors_and_audits_are_one_picture_and_one_answer(cli, tmp_path):
    picture = tmp_path / "both.png"
    words = (
        "compare",
        "mean:laplace",
        "mean:smooth",
        "--example",
        "one-to-ten",
        "--runs",
        1000,
        "--workers",
        1,
        "--epsilon",
        1,
        "--audit",
    )
    outcome = cli(*words, "--json", "--plot", picture)
    assert outcome.status == 0, outcome.err
    content = outcome.json
    assert content["complete"] is True
    for audit, row in zip(content["audits"], content["mechanisms"], strict=True):
        assert audit["label"] == row["label"]
        assert audit["verdict"] == "consistent"
        assert 0 <= audit["epsilon_lower_bound"] < 1
    height, width, _ = imread(picture).shape
    assert width > 2.5 * height  # two beside each other
    text = cli(*words).out
    for audit in content["audits"]:
        assert f"{audit['label']}" in text
        assert f"consistent, epsilon is at least {audit['epsilon_lower_bound']:.3g} (the worst of" in text
    assert "All that were audited are consistent with epsilon = 1, which is no proof." in text


@pytest.mark.skipif(os.name == "nt", reason="POSIX signals")
@pytest.mark.slow
def test_ctrl_c_prints_what_there_is_within_a_second(start):
    runs = ("--sweep", "epsilon=0.1:10:300", "--runs", 100_000, "--workers", 1, "--json")
    started = """
import sys
import engine.comparison.comparing as comparing
real = comparing.in_turn
def told(data, schedule, progress):
    put = schedule.put
    def once(piece, found):
        put(piece, found)
        print("one", file=sys.stderr, flush=True)
    schedule.put = once
    return real(data, schedule, progress)
comparing.in_turn = told
from app.__main__ import main
main()
"""
    process = start(
        "compare", "median:laplace", "--example", "salaries", *runs, program=(sys.executable, "-c", started)
    )
    assert process.stderr.readline() == "one\n"
    status, seconds = interrupted(process)
    out, err = process.stdout.read(), process.stderr.read()
    assert status == 130, err
    assert seconds < 1.0
    assert '"complete": false' in out
    assert "Traceback" not in err


def test_a_reason_stands_once_for_all_values_of_a_sweep(cli):
    words = ("compare", "median:all", "--example", "one-to-ten", "--sweep", "epsilon=1:4:3", *HERE)
    assert cli(*words).out.count("Gaussian noise needs delta") == 1
