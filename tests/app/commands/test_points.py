"""`run` on points: clusters, mixtures, any function on blocks, and the baselines beside them."""

import re

import numpy as np
import pytest
from grids import without_grid
from json_keys import RUN

from engine.aggregation.functions import FUNCTIONS
from engine.catalog import offered, sanitizers
from engine.data import EXAMPLES, load_example
from engine.extras.libraries.library import Peer
from engine.mechanisms.aggregators import AGGREGATORS

POINTS = [name for name, card in EXAMPLES.items() if card.kind == "points"]
CLUSTERS = [
    name for name, cls in sanitizers().items() if cls.facts.topic == "clusters" and not issubclass(cls, Peer)
]
SETS = ("clusters", "mixture", "lloyd", "k-means-on-cells")
HEAPS = ("--example", "four-heaps", "--epsilon", 1)
SQUARE = ("--lower", "0,0", "--upper", "1,1")


@pytest.fixture
def cloud(csv):
    """Write 60 points around two centers, one of them outside of the unit square; return its path."""
    rng = np.random.default_rng(1)
    points = np.concatenate([rng.normal(0.2, 0.02, (29, 2)), rng.normal(0.8, 0.02, (30, 2)), [[7.5, 0.25]]])
    return csv([f"p{i},{x:.4f},{y:.4f}" for i, (x, y) in enumerate(points)], header="name,x,y")


@pytest.mark.parametrize("name", POINTS)
def test_json_of_clusters(cli, name):
    found = cli("run", "clusters", "--k", 2, "--example", name, "--epsilon", 1, "--json")
    assert found.status == 0
    content, card = found.json, EXAMPLES[name]
    assert list(content) == [*RUN, "spent"]
    assert content["mechanism"] == "clusters"
    value, sides = np.array(content["value"]), card.columns
    assert value.shape == (2, len(sides))
    assert all((value >= [side.lower for side in sides]).ravel())
    assert all((value <= [side.upper for side in sides]).ravel())
    assert content["value"] == sorted(content["value"])
    assert content["privacy"] == {"epsilon": 1, "delta": 0, "neighbours": "replace-one"}
    assert content["noise"]["family"] == "power-laplace"
    assert content["simulated"] is False
    public = content["parameters"]
    assert public["columns"] == [side.name for side in sides]
    assert (public["k"], public["sampling"], public["aggregator"]) == (2, "partition", "center-of-attention")
    assert public["blocks"] == public["plan"]["blocks"]
    assert public["plan"]["block_size"] == card.n // public["blocks"]
    assert ("are not enough" in found.err) == (not public["plan"]["enough"])


@pytest.mark.parametrize("mechanism", CLUSTERS)
def test_every_mechanism(cli, mechanism):
    words = ("run", mechanism, *HEAPS, "--json")
    content = cli(*words).json
    assert list(content) == [*RUN, "spent"]
    shapes = {**dict.fromkeys(SETS, (3, 2)), "cluster-cost": ()}
    assert np.array(content["value"]).shape == shapes.get(mechanism, (2,))
    seeded = [cli(*words, "--seed", 3, "--show-private").json for _ in range(2)]
    assert seeded[0] == seeded[1]
    assert seeded[0]["simulated"] is True
    private = seeded[0]["diagnostics"]
    assert np.shape(private["true_value"]) == np.shape(content["value"])
    assert ("fell_back" in private) == ("blocks" in content["parameters"])
    assert "outputs" not in private
    assert seeded[0]["value"] != cli(*words, "--seed", 4).json["value"]


@pytest.mark.parametrize("aggregator", [name for name in AGGREGATORS if name != "one-cluster"])
def test_every_aggregator(cli, aggregator):
    where = ("run", "sample-aggregate", *HEAPS, "--column", "x", "--aggregator", aggregator, "--blocks", 20)
    if aggregator == "friendly-core":
        where += ("--epsilon", 60, "--delta", 1e-3)
    content = cli(*where, "--show-private", "--json").json
    assert isinstance(content["value"], float)
    assert 0 <= content["value"] <= 1
    assert (content["parameters"]["aggregator"], content["parameters"]["blocks"]) == (aggregator, 20)
    assert "plan" not in content["parameters"]
    private = content["diagnostics"]
    smooth = "noise" in {parameter.kind for parameter in AGGREGATORS[aggregator].parameters()}
    assert ({"smooth", "argmax_k", "global", "scale"} <= set(private)) == smooth
    assert private["true_value"] == pytest.approx(
        load_example("four-heaps").numbers("x").values.mean(), abs=1e-12
    )
    if smooth:
        assert content["noise"]["alpha"] * private["scale"] >= private["smooth"] > 0


def test_a_small_ball_around_most_outputs_as_aggregator(cli):
    words = ("run", "clusters", "--example", "three-clusters", "--epsilon", 1, "--delta", 1e-6)
    found = cli(*words, "--aggregator", "one-cluster", "--held", 0.7, "--blocks", 700, "--seed", 1, "--json")
    content = found.json
    np.testing.assert_allclose(content["value"], [[0.25, 0.3], [0.4, 0.8], [0.75, 0.4]], atol=0.05)
    public = content["parameters"]
    assert (public["aggregator"], public["held"], public["blocks"]) == ("one-cluster", 0.7, 700)
    assert content["privacy"]["delta"] == 1e-6
    # the plan is for the center of attention, which would need more records
    planned = cli(*words, "--aggregator", "one-cluster", "--seed", 1, "--json")
    assert planned.json["parameters"]["plan"]["enough"] is False
    assert planned.err == ""
    assert "are not enough" in cli(*words, "--seed", 1, "--json").err


@pytest.mark.parametrize("function", offered("function"))
def test_every_function(cli, function):
    words = ("run", "sample-aggregate", "--function", function, *HEAPS)
    content = cli(*words, "--json").json
    assert content["parameters"]["function"] == function
    shape = {"k-means": (3, 2), "mixture": (3, 2), "regression": ()}.get(function, (2,))
    assert np.shape(content["value"]) == shape
    out = cli(*words).out
    assert FUNCTIONS[function].label in out
    assert ("slope of x" in out) == (function == "regression")


def test_the_true_centers_are_those_of_the_recipe(cli):
    words = ("clusters", "--example", "three-clusters", "--epsilon", 1, "--seed", 1, "--show-private")
    private = cli("run", *words, "--json").json["diagnostics"]
    centers = [[0.25, 0.3], [0.4, 0.8], [0.75, 0.4]]
    np.testing.assert_allclose(private["true_value"], centers, atol=2e-3)
    np.testing.assert_allclose(private["center"], centers, atol=2e-2)
    mixture = cli("run", "mixture", "--k", 4, "--example", "mixture-5d", *words[3:], "--json").json
    means = [[2, 2, 2, 2, 2], [2, 8, 5, 8, 5], [8, 2, 5, 2, 8], [8, 8, 2, 5, 2]]
    found = np.array(mixture["diagnostics"]["true_value"])
    gaps = np.linalg.norm(found[:, None] - means, axis=2)
    assert sorted(gaps.argmin(axis=1)) == [0, 1, 2, 3]
    assert gaps.min(axis=1).max() < 0.05


def test_one_point_moves_both_true_centers(cli):
    words = ("run", "clusters", "--k", 2, "--epsilon", 1, "--seed", 1, "--show-private", "--json")
    first, second = (
        cli(*words, "--example", f"four-heaps{end}").json["diagnostics"]["true_value"]
        for end in ("", "-neighbour")
    )
    np.testing.assert_allclose(first, [[0.5, 0.3], [0.5, 0.7]], atol=5e-3)
    np.testing.assert_allclose(second, [[0.3, 0.5], [0.7, 0.5]], atol=5e-3)


def test_a_single_center_of_a_single_column_is_still_a_list_of_points(cli):
    where = ("--example", "one-to-ten", "--epsilon", 1, "--blocks", 3, "--show-private", "--json")
    content = cli("run", "clusters", "--k", 1, *where).json
    assert np.shape(content["value"]) == np.shape(content["diagnostics"]["true_value"]) == (1, 1)


def test_the_planner_chooses_as_the_verb_plan_says(cli):
    planned = cli(
        *("plan", "clusters", "--k", 2, "--n", 101, *SQUARE, "--epsilon", 3, "--delta", 1e-6, "--json")
    ).json
    words = ("run", "clusters", "--k", 2, "--example", "four-heaps", "--epsilon", 3, "--delta", 1e-6)
    content = cli(*words, "--json").json
    assert {name: planned[name] for name in content["parameters"]["plan"]} == content["parameters"]["plan"]
    assert planned["noise"] == content["noise"]
    out = cli(*words).out
    assert f"{planned['blocks']} of {planned['block_size']} records or more, the planner's choice" in out


def test_text_for_people(cli):
    text = cli("run", "clusters", "--k", 2, "--example", "geyser", "--epsilon", 1, "--blocks", 20).out
    assert "released clusters  2 points, in no order" in text
    assert "eruptions 1 to 6 min, waiting 30 to 120 min" in text
    assert "eruptions [min]  waiting [min]" in text
    assert "20 of 13 records or more\n" in text
    assert "with one record replaced, n public" in text
    assert "private" not in text
    simulated = cli(
        *("run", "clusters", "--k", 2, "--example", "geyser", "--epsilon", 1, "--blocks", 20),
        *("--seed", 5, "--show-private"),
    ).out
    assert simulated.startswith("SIMULATION with seed 5, not a release")
    assert "released" not in simulated
    assert "true_value  (2.0" in simulated
    average = cli("run", "noisy-average", "--example", "salaries", "--epsilon", 1).out
    assert "in each coordinate" in average


@pytest.mark.parametrize("mechanism", ["clusters", "lloyd", "sample-aggregate"])
def test_nothing_computed_from_raw_data_is_printed_but_the_release(cli, cloud, mechanism):
    k = ("--k", 2) if mechanism in SETS else ()
    blocks = ("--blocks", 12) if mechanism != "lloyd" else ()
    where = ("run", mechanism, "--data", cloud, *SQUARE, "--epsilon", 0.5, "--seed", 5, *k, *blocks)
    full = cli(*where, "--show-private", "--json").json
    private = full.pop("diagnostics")
    assert (private["clamped"], private["dropped"]) == (1, 0)
    outcome = cli(*where, "--json")
    assert outcome.json == full
    assert outcome.err == ""
    printed = {
        float(word.replace(",", ""))
        for word in re.findall(r"(?<![\w.])-?\d[\d,]*\.?\d*", without_grid(cli(*where).out, full["step"]))
        if word.strip(",")
    }
    public = [0, 0.5, 1, 2, 4, 5, 12, 60, *np.ravel(full["value"])]
    public += [value for value in full["noise"].values() if isinstance(value, float)]
    assert [x for x in printed if not any(np.isclose(x, known, rtol=1e-4) for known in public)] == []


def test_the_same_points_in_other_files(cli, cloud, tmp_path):
    import pyarrow.csv as pc
    import pyarrow.parquet as pq

    pq.write_table(pc.read_csv(cloud), tmp_path / "cloud.parquet")
    words = ("--epsilon", 1, "--seed", 1, "--k", 2, "--blocks", 12, "--json")
    contents = [
        cli("run", "clusters", "--data", path, *SQUARE, *named, *words).json
        for path, named in (
            (cloud, ()),
            (cloud, ("--column", "x", "--column", "y")),
            (tmp_path / "cloud.parquet", ()),
        )
    ]
    assert contents[0] == contents[1] == contents[2]
    turned = cli("run", "clusters", "--data", cloud, *SQUARE, "--column", "y", "--column", "x", *words).json
    assert turned["parameters"]["columns"] == ["y", "x"]


def test_bounds_belong_to_columns(cli, csv):
    path = csv(["5,-0.5", "6,-0.25", "7,-0.75", "8,-2"], header="a,b")
    bounds = ("--lower", "0,-1", "--upper", "10,0")
    found = cli("run", "noisy-average", "--data", path, *bounds, "--epsilon", 1, "--show-private", "--json")
    assert found.json["diagnostics"]["true_value"] == [6.5, -0.625]
    assert found.json["diagnostics"]["clamped"] == 1
    assert (found.json["parameters"]["lower"], found.json["parameters"]["upper"]) == ([0, -1], [10, 0])
    example = cli("run", "noisy-average", "--example", "geyser", "--upper", "9,200", "--epsilon", 1, "--json")
    assert example.json["parameters"]["lower"] == [1, 30]
    assert example.json["parameters"]["upper"] == [9, 200]


def test_examples_of_tables_give_points_of_their_columns(cli, refused):
    where = ("run", "noisy-average", "--example", "penguins", "--epsilon", 1)
    assert "row 5, column 'body_mass_g'" in refused(*where)
    found = cli(*where, "--missing", "drop", "--json")
    assert len(found.json["value"]) == 4
    assert "n, the number of all others, is taken as public" in found.err
    bills = ("--column", "bill_length_mm", "--column", "bill_depth_mm")
    assert cli(*where, *bills, "--missing", "drop", "--json").json["parameters"]["lower"] == [20, 10]


def test_missing_values_are_refused_or_dropped(cli, refused, csv):
    path = csv(["0.1,0.2", "0.3,", "0.5,0.6", "0.7,0.8"], header="x,y")
    where = ("run", "noisy-average", "--data", path, *SQUARE, "--epsilon", 1)
    message = refused(*where)
    assert "row 3" in message
    assert "column 'y'" in message
    drop = (*where, "--missing", "drop")
    assert "needs the number of rows that are left, which is confidential" in refused(*drop)
    assert "another number of rows has a value; correct --complete" in refused(*drop, "--complete", 4)
    found = cli(*drop, "--complete", 3, "--show-private", "--json")
    assert found.json["diagnostics"]["dropped"] == 1
    assert found.json["parameters"]["missing"] == "drop"
    assert "--complete: it belongs to --missing drop" in refused(*where, "--complete", 3)


@pytest.mark.parametrize("rows", [["0.5,0.5"] * 30, [f"{i / 30},0.5" for i in range(30)]])
@pytest.mark.parametrize("mechanism", ["clusters", "mixture", "lloyd"])
def test_constant_columns_and_fewer_distinct_points_than_centers(cli, csv, rows, mechanism):
    words = ("run", mechanism, "--data", csv(rows, header="x,y"), *SQUARE, "--k", 5, "--epsilon", 1)
    assert np.shape(cli(*words, "--json").json["value"]) == (5, 2)


@pytest.mark.parametrize("fit", ["spectral", "em"])
def test_parameters_reach_the_parts(cli, fit):
    words = ("--noise", "student-t", "--nu", 4, "--pattern", 7, "--sampling", "subsets", "--most", 8)
    content = cli("run", "mixture", "--fit", fit, "--k", 2, *HEAPS, *words, "--blocks", 30, "--json").json
    assert content["noise"]["family"] == "student-t"
    assert content["noise"]["nu"] == 4
    public = content["parameters"]
    assert [public[name] for name in ("fit", "k", "pattern", "sampling", "most", "blocks")] == [
        *(fit, 2, 7, "subsets", 8, 30)
    ]


def test_a_release_is_never_the_same_twice(cli):
    """Centers are drawn into the bounds: two may agree in their corners, six with chance 1e-9."""
    drawn = [cli("run", "clusters", *HEAPS[:2], "--epsilon", 20, "--json").json["value"] for _ in range(6)]
    assert any(value != drawn[0] for value in drawn)
