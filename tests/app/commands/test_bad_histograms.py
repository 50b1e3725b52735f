"""Whatever is wrong with a histogram: one line that says what would be right."""

import numpy as np
import pytest

AIRPORTS = ("--example", "airports")
SHIFTED = ("histogram-shifted", *AIRPORTS)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ((*SHIFTED, "--t", 1), "t: 1 is not possible; it must be a whole number at least 2"),
        ((*SHIFTED, "--t", 0), "t: 0 is not possible"),
        ((*SHIFTED, "--t", "few"), "--t: 'few' is not a whole number"),
        (
            (*SHIFTED, "--max-depth", 40),
            "--max-depth: 40 is not possible; it must be a whole number at least 1",
        ),
        ((*SHIFTED, "--max-depth", 0), "--max-depth: 0 is not possible"),
        ((*SHIFTED, "--method", "a"), "--method: histogram-shifted is a mechanism of its own"),
        ((*SHIFTED, "--noise", "laplace"), "--noise: histogram-shifted has its own noise"),
        ((*SHIFTED, "--resolution", 1), "--resolution: histogram-shifted has a grid of its own"),
        ((*SHIFTED, "--blocks", 10), "--blocks: histogram-shifted does not use it"),
        ((*SHIFTED, "--price", 0), "price: 0 is not possible; it must be a finite number above 0"),
        ((*SHIFTED, "--points", 7), "--points: name the file for the points with --synthetic FILE"),
        ((*SHIFTED, "--synthetic", "x.txt"), "x.txt: the name must end in .csv or .parquet"),
        ((*SHIFTED, "--synthetic", "nowhere/x.csv"), "nowhere/x.csv: there is no folder nowhere"),
        ((*SHIFTED, "--synthetic", "x.csv", "--points", 0), "points: 0 cannot be drawn; it must be 1 to"),
        (("noisy-average", *AIRPORTS, "--epsilon", 1, "--synthetic", "x.csv"), "--synthetic: noisy-average"),
        (
            ("histogram-noisy", *AIRPORTS, "--epsilon", 1, "--bins", 1025),
            "bins: 1,025 bins on each of 2 axes make more than 1,048,576 cells; choose at most 1,024",
        ),
        (("histogram-noisy", *AIRPORTS, "--epsilon", 1, "--bins", 0), "bins: 0 is not possible"),
        (("histogram-noisy", *AIRPORTS, "--epsilon", 1, "--noise", "gaussian"), "delta: 0 is not possible"),
        (("histogram-noisy", *AIRPORTS, "--epsilon", 1, "--t", 10), "--t: histogram-noisy has no such"),
        ((*SHIFTED, "--price", "inf"), "price: inf is not possible"),
        (
            ("noisy-average", *AIRPORTS, "--epsilon", 1, "--estimates"),
            "--estimates: noisy-average is no hist",
        ),
        (
            ("noisy-average", *AIRPORTS, "--epsilon", 1, "--price", 3),
            "--price: noisy-average is no histogram",
        ),
        (("histogram-shift", *AIRPORTS), "try histogram-shifted"),
        (
            (*SHIFTED, "--column", "nosuch"),
            "airports.csv: there is no column 'nosuch'; try longitude, latitude",
        ),
        (
            ("mode", "--example", "admissions", "--column", "nosuch", "--epsilon", 1),
            "admissions.csv: there is no column 'nosuch'; try department, gender, admitted",
        ),
    ],
)
def test_what_cannot_be_a_histogram(refused, words, message):
    assert message in refused("run", *words)


@pytest.mark.parametrize("budget", [("--epsilon", 1), ("--delta", 0), ("--epsilon", 1, "--delta", 1e-6)])
def test_a_budget_would_mean_nothing(refused, budget):
    message = refused("run", *SHIFTED, *budget)
    assert message.startswith(
        "histogram-shifted is not differentially private and takes no --epsilon, --delta; leave them out"
    )


@pytest.mark.parametrize("words", [("median", "--example", "salaries"), ("clusters", *AIRPORTS)])
def test_all_others_need_one(refused, words):
    assert f"--epsilon: {words[0]} needs a budget above 0, for instance 1" in refused("run", *words)


def test_more_than_twelve_columns(refused, tmp_path):
    path = tmp_path / "wide.csv"
    names = ",".join(f"x{i}" for i in range(13))
    np.savetxt(path, np.full((10, 13), 0.5), fmt="%.1f", delimiter=",", header=names, comments="")
    bounds = ("--lower", ",".join("0" * 13), "--upper", ",".join("1" * 13))
    message = refused("run", "histogram-recursive", "--data", path, *bounds)
    assert "13 columns are too many: one cut makes 2^13 = 8,192 cells" in message
    assert message.endswith("choose at most 12")


@pytest.mark.parametrize("words", [("histogram-shifted",), ("median", "--epsilon", 1)])
def test_no_numbers_at_all(refused, csv, words):
    path = csv(["x,y", "z,w"], header="a,b")
    message = refused("run", *words, "--data", path)
    assert message == "data.csv: no column holds only numbers; its columns are a, b"
