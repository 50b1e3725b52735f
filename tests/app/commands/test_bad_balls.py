"""Whatever is wrong with a search for balls: one line that says what would be right."""

import numpy as np
import pytest

BUDGET = ("--epsilon", 1, "--delta", 1e-6)
DISC = ("--example", "planted-disc", *BUDGET)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("one-cluster", "--t", 10_001), "t: 10,001 of 10,000 records are not possible; choose from"),
        (
            ("one-cluster", "--epsilon", 1e-3),
            "t: 10,000 records cannot give a ball, which needs at least",
        ),
        (("one-cluster", "--t", 1), "t: 1 point is too few for this budget, which needs at least 247"),
        (("one-cluster", "--t", 100), "t: 100 points are too few for this budget, which needs at least 247"),
        (("k-balls", "--t", 300), "t: 300 points are too few for this budget, which needs at least 494"),
        (("screened-mean", "--t", 250), "t: 250 points are too few for this budget, which needs at least 3"),
        (("one-cluster", "--t", 0), "t: 0 is not possible; it must be a whole number at least 1"),
        (("one-cluster", "--t", -5), "--t: '-5' is not a whole number of at least 0"),
        (("one-cluster", "--t", 2.5), "--t: '2.5' is not a whole number"),
        (("one-cluster", "--t", "many"), "--t: 'many' is not a whole number"),
        (("one-cluster", "--beta", 1), "beta: 1.0 is not possible"),
        (
            ("one-cluster", "--grid", 1),
            "grid: 1 is not possible; it must be a whole number at least 2 and at",
        ),
        (("one-cluster", "--grid", 2**21), "at most 1,048,576"),
        (("k-balls", "--k", 0), "k: 0 is not possible"),
        (("screened-mean", "--share", 1), "share: 1.0 is not possible"),
        (("one-cluster", "--method", "wide-boxes", "--t", 200), "t: 200 points are too few"),
        (
            ("one-cluster", "--method", "published", "--t", 10_000),
            "t: the published constants need a t of at",
        ),
        (("one-cluster", "--delta", 0), "delta: 0 is not possible for a 1-cluster; it must be above 0"),
        (("k-balls", "--delta", 0), "delta: 0 is not possible"),
        (("interior-point",), "an interior point needs one column, not 2; choose one of them"),
        (("interior-point", "--column", "x", "--way", "reduction", "--delta", 0), "delta: 0 is not possible"),
        (("interior-point", "--column", "x", "--epsilon", 0.001), "10,000 records are too few"),
    ],
)
def test_what_cannot_be_found(refused, words, message):
    assert message in refused("run", words[0], *DISC, *words[1:])


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("one-cluster", "--k", 2), "--k: one-cluster has no such parameter; it belongs to"),
        (("one-cluster", "--share", 0.5), "it belongs to cluster-cost, screened-mean"),
        (("clusters", "--t", 30), "it belongs to one-cluster, k-balls, screened-mean"),
        (("median", "--column", "x", "--t", 30), "it belongs to one-cluster"),
        (("interior-point", "--t", 30), "--t: interior-point has no such parameter"),
        (
            ("interior-point", "--method", "overlapping-cells"),
            "--method: interior-point is a mechanism of its own",
        ),
        (("one-cluster", "--noise", "laplace"), "one-cluster has its own noise"),
        (("one-cluster", "--blocks", 10), "--blocks: one-cluster does not use it"),
        (("one-cluster", "--aggregator", "median"), "--aggregator: one-cluster does not use it"),
        (("one-cluster", "--resolution", 0.1), "--resolution: one-cluster has a grid of its own"),
        (("clusters", "--held", 0.9), "it belongs to --aggregator friendly-core, --aggregator one-cluster"),
    ],
)
def test_options_of_something_else(refused, words, message):
    assert message in refused("run", *words, *DISC)


@pytest.mark.parametrize(
    ("words", "nearest"),
    [
        (("one-clusters",), "one-cluster"),
        (("k-ball",), "k-balls"),
        (("interior-pint",), "interior-point"),
        (("screened-men",), "screened-mean"),
        (("one-cluster", "--method", "publish"), "published"),
        (("k-balls", "--method", "autom"), "auto"),
        (("one-cluster", "--method", "smooth"), "auto, b, c"),
    ],
)
def test_unknown_names_are_answered_with_the_nearest(refused, words, nearest):
    answer = refused("run", *words, *DISC).partition("try ")[2]
    assert nearest.partition(",")[0] in answer


def test_too_many_dimensions_for_overlapping_cells(refused, tmp_path):
    path = tmp_path / "wide.csv"
    names = ",".join(f"x{i}" for i in range(30))
    np.savetxt(path, np.full((600, 30), 0.5), fmt="%.1f", delimiter=",", header=names, comments="")
    bounds = ("--lower", ",".join("0" * 30), "--upper", ",".join("1" * 30))
    message = refused("run", "one-cluster", "--method", "overlapping-cells", "--data", path, *bounds, *BUDGET)
    assert (
        "method: 30 dimensions have too many overlapping cells; use at most 8, or the method tight-boxes"
        in message
    )


def test_points_with_missing_values(cli, refused, csv):
    path = csv(["0.5,0.5"] * 500 + ["0.3,"], header="x,y")
    where = ("run", "one-cluster", "--data", path, "--lower", "0,0", "--upper", "1,1", "--t", 400, *BUDGET)
    assert "row 502, column 'y'" in refused(*where)
    dropped = cli(*where, "--missing", "drop", "--complete", 500, "--show-private", "--json")
    assert dropped.json["diagnostics"]["dropped"] == 1
    assert "is taken as public" in dropped.err


def test_blocks_that_are_too_few_for_a_ball(refused):
    words = ("--aggregator", "one-cluster", "--blocks", 20, *BUDGET)
    message = refused("run", "clusters", "--example", "four-heaps", *words)
    assert "blocks: 20 outputs are too few for a 1-cluster with this budget, which needs" in message
