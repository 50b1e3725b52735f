"""`run` on points in small balls: one, several, the mean inside of one, and interior points."""

import re

import numpy as np
import pytest
from grids import without_grid
from json_keys import RUN

from engine.data import load_example
from engine.mechanisms.one_cluster import FINDERS

BUDGET = ("--epsilon", 1, "--delta", 1e-6)
DISC = ("one-cluster", "--example", "planted-disc", "--t", 600, *BUDGET)
MINORITIES = ("k-balls", "--example", "two-minorities", "--t", 1500, *BUDGET)
OUTLIERS = ("screened-mean", "--example", "outliers", "--t", 4000, *BUDGET)
SQUARE = ("--lower", "0,0", "--upper", "1,1")
STEPS = {
    "overlapping-cells": ["scale", "box", "center", "reach"],
    "wide-boxes": ["scale", "threshold", "box", "center"],
}


@pytest.fixture
def spot(csv):
    """Write 400 points on one spot of the unit square, 50 on a line and one outside; return the path."""
    rows = ["0.625,0.25"] * 400 + [f"{i / 50},0.875" for i in range(50)] + ["7.5,-3"]
    return csv(rows, header="x,y", name="spot.csv")


def held(name, ball):
    points = load_example(name).points(["x", "y"]).values
    return int((np.linalg.norm(points - ball["center"], axis=1) <= ball["radius"]).sum())


def test_json_of_a_ball(cli):
    content = cli("run", *DISC, "--json").json
    assert list(content) == [*RUN, "spent"]
    assert content["mechanism"] == "one-cluster"
    ball = content["value"]
    assert list(ball) == ["center", "radius"]
    assert len(ball["center"]) == 2
    assert 0 < ball["radius"] < 1
    assert content["privacy"] == {"epsilon": 1, "delta": 1e-6, "neighbours": "replace-one"}
    assert content["simulated"] is False
    public = content["parameters"]
    assert [public[name] for name in ("t", "method", "finder", "beta", "grid")] == [
        600,
        "auto",
        "overlapping-cells",
        0.1,
        65536,
    ]
    assert public["grid_step"] == 2**-16
    assert 0 < public["promised_points"] < 600
    assert public["promised_share"] == public["promised_points"] / 600
    assert [step["name"] for step in public["steps"]] == STEPS["overlapping-cells"]
    assert sum(step["epsilon"] for step in public["steps"]) == pytest.approx(1, abs=1e-12)
    assert sum(step["delta"] for step in public["steps"]) == pytest.approx(1e-6, abs=1e-18)
    assert content["value"] != cli("run", *DISC, "--json").json["value"]


def test_the_planted_disc_is_found(cli):
    content = cli("run", *DISC, "--seed", 1, "--show-private", "--json").json
    assert content["simulated"] is True
    ball, true = content["value"], content["diagnostics"]["true_value"]
    np.testing.assert_allclose(true["center"], [0.62, 0.37], atol=5e-3)
    assert 0.01 < true["radius"] < 0.021
    assert np.linalg.norm(np.subtract(ball["center"], true["center"])) < 0.02
    assert held("planted-disc", ball) > 240
    # of records rounded to the grid
    assert content["diagnostics"]["held"] == pytest.approx(held("planted-disc", ball), abs=3)
    assert content == cli("run", *DISC, "--seed", 1, "--show-private", "--json").json


@pytest.mark.slow
def test_k_balls_are_two_minorities(cli):
    content = cli("run", *MINORITIES, "--seed", 2, "--show-private", "--json").json
    for balls in (content["value"], content["diagnostics"]["true_value"]):
        centers = sorted(ball["center"] for ball in balls)
        np.testing.assert_allclose(centers, [[0.2, 0.3], [0.8, 0.75]], atol=0.02)
    assert content["parameters"]["k"] == 2
    assert [step["epsilon"] for step in content["parameters"]["steps"]] == [0.5, 0.5]
    assert all(held("two-minorities", ball) > 750 for ball in content["value"])
    single = cli("run", *MINORITIES, "--k", 1, "--json").json["value"]
    assert [list(ball) for ball in single] == [["center", "radius"]]


def test_outliers_do_not_move_the_mean_inside_the_ball(cli):
    content = cli("run", *OUTLIERS, "--seed", 3, "--show-private", "--json").json
    assert (
        list(content["value"]) == list(content["diagnostics"]["true_value"]) == ["center", "radius", "mean"]
    )
    np.testing.assert_allclose(content["value"]["mean"], [0.2, 0.25], atol=5e-3)
    assert [step["name"] for step in content["parameters"]["steps"]] == [*STEPS["overlapping-cells"], "mean"]
    everything = cli("run", "noisy-average", "--example", "outliers", "--epsilon", 1, "--seed", 3, "--json")
    assert np.linalg.norm(np.subtract(everything.json["value"], [0.2, 0.25])) > 0.03
    more = cli("run", *OUTLIERS, "--share", 0.5, "--json").json["parameters"]["steps"]
    assert more[-1] == {"name": "mean", "epsilon": 0.5, "delta": 5e-7}


@pytest.mark.parametrize("way", ["exponential", "reduction"])
def test_an_interior_point(cli, way):
    words = ("run", "interior-point", "--example", "salaries", *BUDGET, "--way", way)
    content = cli(*words, "--seed", 1, "--show-private", "--json").json
    salaries = load_example("salaries").numbers("salary").values
    assert salaries.min() <= content["value"] <= salaries.max()
    assert content["diagnostics"]["true_value"] == pytest.approx(np.median(salaries), abs=500_000 / 2**16)
    assert content["parameters"]["way"] == way
    assert content["privacy"]["delta"] == (1e-6 if way == "reduction" else 0)
    text = cli(*words).out
    assert "promise" in text
    assert "between the smallest and the largest record with probability 90 %" in text


@pytest.mark.parametrize(
    "method",
    [
        pytest.param(name, marks=pytest.mark.slow if name == "wide-boxes" else ())
        for name in tuple(FINDERS)[:3]
    ],
)
def test_every_method(cli, method):
    words = ("run", "one-cluster", "--example", "outliers", "--t", 4000, *BUDGET, "--method", method)
    content = cli(*words, "--seed", 1, "--json").json
    assert (content["parameters"]["method"], content["parameters"]["finder"]) == (method, method)
    np.testing.assert_allclose(content["value"]["center"], [0.2, 0.25], atol=0.05)
    out = cli(*words).out
    assert f"{FINDERS[method].label.lower()}, on a grid of step" in out


def test_text_for_people(cli):
    text = cli("run", *DISC).out
    assert "released one-cluster  1 ball\n" in text
    assert "overlapping cells, on a grid of step 0.000015259" in text
    assert re.search(
        r"promise +at least \d+ of 600 points \(\d\d(\.\d)? %\) within 11.3 times the radius of the "
        r"smallest ball with 600 points, with probability 90 %, for points rounded to the grid\n",
        text,
    )
    assert "GoodRadius: 0.25, GoodCenter (cell): 0.35, NoisyAVG: 0.2 (delta 1e-06), Radius: 0.2" in text
    assert re.search(r"\n +x +y +radius\n +ball( +0\.\d+){3}\n", text)
    assert "confidential" not in text
    units = cli("run", "one-cluster", "--example", "airports", "--t", 300, *BUDGET).out
    assert "longitude [°]  latitude [°]  radius [°]" in units
    several = cli("run", *MINORITIES, "--seed", 5, "--show-private").out
    assert several.startswith("SIMULATION with seed 5, not a release")
    assert "released" not in several
    assert "2 balls of 2, in the order in which they were found" in several
    assert "first ball: at least" in several
    assert re.search(r"ball 2( +0\.\d+){3}\n", several)
    assert re.search(
        r"true ball: smallest around a record +center \(0\.\d+, 0\.\d+\), radius 0\.\d+; center", several
    )
    assert re.search(r"records in the ball +\([\d,]+, [\d,]+\)\n", several)
    assert "Ball 1: 0.5 (delta 5e-07), Ball 2: 0.5 (delta 5e-07)" in several
    mean = cli("run", *OUTLIERS).out
    assert "1 ball, and the mean inside" in mean
    assert re.search(r"\n +mean( +0\.\d+){2}\n", mean)


def test_a_promise_that_is_none_is_said(cli):
    words = ("one-cluster", "--example", "outliers", "--t", 300, *BUDGET, "--method", "wide-boxes")
    said = "nothing is promised for t = 300, only from t = {:,} on; ask for more points, or"
    content = cli("run", *words, "--json").json["parameters"]
    assert content["promised_points"] == 0
    assert said.format(content["needed"]) in cli("run", *words).out
    assert " at least " in cli("run", *words, "--t", content["needed"]).out


def test_nothing_computed_from_raw_data_is_printed_but_the_release(cli, spot):
    where = ("run", "one-cluster", "--data", spot, *SQUARE, "--t", 380, *BUDGET, "--seed", 5)
    full = cli(*where, "--show-private", "--json").json
    private = full.pop("diagnostics")
    assert (private["clamped"], private["dropped"]) == (1, 0)
    outcome = cli(*where, "--json")
    assert outcome.json == full
    assert outcome.err == ""
    printed = re.findall(r"(?<![\w.])\d[\d,]*\.?\d*(?:e-\d+)?", without_grid(cli(*where).out, full["step"]))
    public = [0, 1, 5, 380, 451, 65536, 2**-16, 1e-6, 0.1, 0.25, 0.35, 0.2, 90]
    public += [
        *full["value"]["center"],
        full["value"]["radius"],
        np.ceil(full["parameters"]["promised_points"]),
    ]
    public += [100 * full["parameters"]["promised_share"], 8 * 2**0.5]
    numbers = [float(word.replace(",", "")) for word in printed if word.strip(",")]
    assert [x for x in numbers if not any(np.isclose(x, known, rtol=5e-3) for known in public)] == []


def test_duplicates_are_a_ball_of_radius_0(cli, spot):
    found = [
        cli("run", "one-cluster", "--data", spot, *SQUARE, "--t", 380, *BUDGET, "--seed", seed, "--json").json
        for seed in range(5)
    ]
    balls = [content["value"] for content in found if content["value"]["radius"] == 0]
    assert balls
    for ball in balls:
        np.testing.assert_allclose(ball["center"], [0.625, 0.25], atol=2**-16)


def test_one_column_and_a_coarse_grid(cli):
    words = ("run", "one-cluster", "--example", "outliers", "--column", "x", "--t", 3000, *BUDGET, "--json")
    assert len(cli(*words).json["value"]["center"]) == 1
    coarse = cli(*words, "--grid", 4, "--seed", 1, "--show-private").json
    assert coarse["parameters"]["grid_step"] == 0.25
    assert coarse["diagnostics"]["true_value"] == {"center": [0.25], "radius": 0}


@pytest.mark.slow
def test_thirty_columns(cli, tmp_path):
    rng = np.random.default_rng(1)
    near = np.clip(0.4 + 0.01 * rng.normal(size=(900, 30)), 0, 1)
    names = [f"x{i}" for i in range(30)]
    path = tmp_path / "wide.csv"
    np.savetxt(path, near, fmt="%.4f", delimiter=",", header=",".join(names), comments="")
    where = ("--data", path, "--lower", ",".join("0" * 30), "--upper", ",".join("1" * 30), "--t", 900)
    content = cli("run", "one-cluster", *where, "--epsilon", 20, "--delta", 1e-6, "--seed", 1, "--json").json
    assert content["parameters"]["finder"] == "tight-boxes"
    assert content["value"] is None or len(content["value"]["center"]) == 30


@pytest.fixture
def failing(monkeypatch):
    """Let every run, or every second one, end without a ball."""
    from engine.mechanisms.one_cluster.overlapping_cells import InCells

    def fail(always):
        run, calls = InCells.run, []

        def failed(self, rng, *progress):
            import dataclasses

            calls.append(self)
            found = run(self, rng, *progress)
            return (
                dataclasses.replace(found, ball=None, why="a secret") if always or len(calls) % 2 else found
            )

        monkeypatch.setattr(InCells, "run", failed)

    return fail


def test_a_run_that_fails_releases_nothing(cli, drawn, failing, tmp_path):
    failing(always=True)
    for words in (DISC, OUTLIERS):
        found = cli("run", *words, "--json", "--plot", tmp_path / "x.png")
        assert found.status == 0
        assert found.json["value"] is None
        assert "found no clear result, and its budget is spent" in found.err
        text = cli("run", *words, "--show-private", "--plot", tmp_path / "x.png")
        assert "no ball" in text.out
        assert "secret" not in text.out + text.err
    assert len(drawn) == 4


@pytest.mark.slow
def test_one_ball_of_two_may_fail(cli, drawn, failing, tmp_path):
    failing(always=False)
    found = cli("run", *MINORITIES, "--seed", 1, "--show-private", "--json", "--plot", tmp_path / "x.png")
    assert found.json["value"][0] is None
    assert found.json["diagnostics"]["held"][0] is None
    assert list(found.json["value"][1]) == ["center", "radius"]
    assert "1 of 2 balls not found; the budget of each is spent" in found.err
    assert len(drawn) == 1


def test_a_ball_as_wide_as_the_bounds_is_said(cli):
    found = cli("run", "one-cluster", "--example", "outliers", "--t", 5000, *BUDGET, "--seed", 1)
    assert "a ball is as wide as the bounds, so it is useless" in found.err
