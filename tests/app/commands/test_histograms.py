"""`run` on points in cells: what is released, what is said of it, and that nothing is promised."""

import re

import numpy as np
import pytest
from json_keys import RUN

from app.model.wording.not_dp import WHY_NOT_DP
from engine.data import load_example, read_table

AIRPORTS = ("--example", "airports")
SHIFTED = ("histogram-shifted", *AIRPORTS, "--t", 20)
GEYSER = ("histogram-shifted", "--example", "geyser", "--t", 3)
SQUARE = ("--lower", "0,0", "--upper", "1,1")


@pytest.fixture
def faces(csv):
    """Write ten points on each corner of the unit square, on one of its faces, and in its middle."""
    rows = ["0,0", "0,1", "1,0", "1,1", "0.5,1", "0.5,0.5"] * 10
    return csv(rows, header="x,y", name="faces.csv")


def counted(cells, points):
    """Count the points in each cell: its lower faces are in it, its upper ones only at 1."""
    lower, upper = (np.array([cell[end] for cell in cells])[:, None] for end in ("lower", "upper"))
    return ((points >= lower) & ((points < upper) | (upper == 1))).all(axis=2).sum(axis=1)


def test_json_of_a_histogram(cli):
    outcome = cli("run", *SHIFTED, "--json")
    assert outcome.status == 0
    content = outcome.json
    assert list(content) == [*RUN, "spent"]
    assert content["mechanism"] == "histogram-shifted"
    assert content["privacy"] == {
        "epsilon": None,
        "delta": None,
        "neighbours": "replace-one",
        "private": False,
    }
    assert content["simulated"] is False
    cells = content["value"]["cells"]
    assert [list(cell) for cell in cells[:1]] == [["lower", "upper", "count", "level"]]
    assert sum(cell["count"] for cell in cells) == 3069
    assert max(cell["count"] for cell in cells) < 40  # 2 t
    assert [content["parameters"][name] for name in ("t", "max_depth", "columns")] == [
        20,
        20,
        ["longitude", "latitude"],
    ]
    assert content["value"] != cli("run", *SHIFTED, "--json").json["value"]  # another shift


def rows_of(text):
    """Return the lower ends in the table of cells, row by row."""
    table = re.split(r"points +(?:95 % interval +)?level", text)[1].partition("These are")[0]
    sides = re.findall(r"^ +\S+ +(?:\S+ to \S+ +)?\d+ +(\S+) to", table, re.MULTILINE)
    return [float(side.replace(",", "")) for side in sides]


def test_rows_follow_the_axis(cli, csv):
    ages = csv(["20", "75", "35", "35", "50"], header="age", name="ages.csv")
    noisy = ("histogram-noisy", "--data", ages, "--column", "age", "--lower", 20, "--upper", 75)
    run = ("run", *noisy, "--epsilon", 1, "--seed", 1)
    text = cli(*run, "--bins", 12).out
    assert rows_of(text) == pytest.approx(20 + 55 / 12 * np.arange(12), abs=1e-3)
    assert "--json" not in text
    many = cli(*run, "--bins", 200).out
    assert len(rows_of(many)) == 40
    assert rows_of(many) == sorted(rows_of(many))
    assert "These are the fullest 40 of 200 cells; --json shows all." in many
    plane = rows_of(cli("run", *SHIFTED).out)
    assert len(plane) == 10
    assert plane == sorted(plane)


@pytest.mark.parametrize("name", ["histogram-noisy", "histogram-tree", "privtree"])
def test_released_counts_are_whole(cli, csv, name):
    ages = csv(["20", "75", "35", "35", "50"], header="age", name="ages.csv")
    bounds = ("--column", "age", "--lower", 20, "--upper", 75)
    run = cli("run", name, "--data", ages, *bounds, "--epsilon", 1, "--seed", 1, "--json")
    counts = [cell["count"] for cell in run.json["value"]["cells"]]
    assert all(count == round(count) >= 0 for count in counts)
    assert sum(counts) == 5


def test_nothing_is_promised_and_that_is_said(cli):
    outcome = cli("run", *SHIFTED)
    assert "\n  privacy                     NOT differentially private: some neighboring" in outcome.out
    assert "epsilon =" not in outcome.out
    assert outcome.err == f"sensiscope: note: histogram-shifted is {WHY_NOT_DP}\n"
    assert WHY_NOT_DP in cli("run", *SHIFTED, "--json").err


def test_text_for_people(cli):
    text = cli("run", *SHIFTED, "--seed", 1).out
    assert text.startswith("SIMULATION with seed 1, not a release\n")
    assert re.search(r"simulated histogram-shifted +\d+ cells of 1 to 39 points\n", text)
    assert "Shifted histogram (t = 20, max_depth = 20)" in text
    assert re.search(r"\n  points  level +longitude \[°\] +latitude \[°\]\n", text)
    assert re.search(r"\n +39 +3 +-\d+\.\d+ to -\d+\.\d+ +\d+\.\d+ to \d+\.\d+\n", text)
    assert re.search(r"\n  These are the fullest 10 of \d+ cells; --json shows all\.\n\n +level +cells", text)
    assert len(text.splitlines()) < 30
    assert "do not share" not in text


def test_many_columns_are_said_to_be_there(cli):
    text = cli("run", "histogram-recursive", "--example", "mixture-5d", "--t", 500).out
    header = next(line for line in text.splitlines() if "points  level" in line)
    assert header.endswith("and 1 more")


def test_show_private_says_how_far_answers_are_from_the_truth(cli):
    words = ("run", *SHIFTED, "--seed", 1, "--show-private")
    private = cli(*words, "--json").json["diagnostics"]
    assert list(private) == ["true_value", "clamped", "dropped", "range_errors"]
    points = load_example("airports").points(["longitude", "latitude"]).values
    ranges = private["true_value"]["ranges"]
    assert len(ranges) == 100
    for question in ranges[:5]:
        inside = (points >= question["lower"]) & (points <= question["upper"])
        assert question["count"] == inside.all(axis=1).sum()
    errors = private["range_errors"]
    assert 0 < errors["mean"] < errors["largest"] < 300
    text = cli(*words).out
    assert "computed from public data, so nothing of it is confidential" in text
    assert re.search(r"records in 100 public ranges +\d+ to [\d,]+; the histogram is off by", text)


def test_without_show_private_there_is_only_the_release(cli, faces):
    words = ("run", "histogram-recursive", "--data", faces, *SQUARE, "--t", 5, "--json")
    full = cli(*words, "--seed", 1, "--show-private").json
    full.pop("diagnostics")
    assert cli(*words, "--seed", 1).json == full


@pytest.mark.parametrize("name", ["histogram-recursive", "histogram-shifted"])
def test_points_on_faces_are_counted_once(cli, faces, name):
    words = ("run", name, "--data", faces, *SQUARE, "--t", 2, "--max-depth", 3, "--json")
    cells = cli(*words).json["value"]["cells"]
    points = np.array([[0, 0], [0, 1], [1, 0], [1, 1], [0.5, 1], [0.5, 0.5]] * 10)
    assert [cell["count"] for cell in cells] == counted(cells, points).tolist()
    assert sum(cell["count"] for cell in cells) == 60


@pytest.mark.parametrize("name", ["histogram-recursive", "histogram-shifted"])
@pytest.mark.parametrize("n", [1, 100])
def test_equal_points_stay_in_one_cell(cli, csv, name, n):
    path = csv(["0.3,0.7"] * n, header="x,y")
    words = ("run", name, "--data", path, *SQUARE, "--t", 2, "--max-depth", 10)
    (cell,) = cli(*words, "--json").json["value"]["cells"]
    assert (cell["count"], cell["level"]) == (n, 10 if n > 3 else 1)
    text = cli(*words).out
    assert f"1 cell of {n} point" + "s" * (n > 1) in text
    sides = re.findall(r"0\.\d+ to 0?\.?\d+", text.partition("level")[2])
    assert all(len(set(side.split(" to "))) == 2 for side in sides)


def test_a_figure_of_what_is_released_and_of_what_is_not(cli, monkeypatch, tmp_path):
    from app.plots import figure_panel

    panels, draw = [], figure_panel.figure
    monkeypatch.setattr(
        figure_panel, "figure", lambda panel, style: panels.append(panel) or draw(panel, style)
    )
    for more in ((), ("--seed", 1), ("--show-private",)):
        assert cli("run", *SHIFTED, "--plot", tmp_path / "x.png", *more).status == 0
    released, simulated, private = panels
    assert released.title == "Shifted histogram: released"
    assert simulated.title == "Shifted histogram: simulated, not a release"
    assert [panel.private for panel in panels] == [False, False, True]
    assert [panel.result.released for panel in panels] == [True, False, True]
    assert released.result.records is simulated.result.records is None
    assert private.result.records.n == 3069
    assert private.result.cells.counts.sum() == 3069


def test_estimates_from_the_release_alone_and_the_truth_beside_them(cli):
    words = ("run", *GEYSER, "--seed", 1, "--estimates", "--price", 100)
    public = cli(*words, "--json").json
    assert list(public) == [*RUN, "estimates"]
    full = cli(*words, "--show-private", "--json").json
    assert full["estimates"] == public["estimates"]
    learned, true = full["estimates"], full["diagnostics"]["estimates"]
    assert list(learned) == ["mst_upper", "mst_resampled", "diameter", "matching", "facility"]
    assert learned["matching"]["lower"] <= true["matching"]["upper"]
    assert true["matching"]["lower"] <= learned["matching"]["upper"]
    assert learned["mst_upper"] >= true["mst"]
    assert learned["mst_resampled"] == pytest.approx(true["mst"], rel=0.5)
    assert true["diameter"] <= learned["diameter"] <= 2 * true["diameter"]
    facility = learned["facility"]
    assert facility["count"] == len(facility["places"]) > 1
    assert facility["price"] * facility["count"] < true["facility"]["cost"] < facility["cost"]
    text = cli(*words, "--show-private").out
    assert "\nestimates, only from the simulated counts\n" in text
    assert re.search(
        r"spanning tree +[\d,.]+ min by the distance of cells, [\d,.]+ min of points drawn", text
    )
    assert re.search(r"facilities +\d+ facilities, which cost [\d,.]+ in all\n", text)
    assert re.search(r"  spanning tree +[\d,.]+ min\n", text.partition("computed from public data")[2])
    assert "estimates" not in cli("run", *GEYSER, "--json").json


def test_a_release_is_printed_even_if_estimates_are_interrupted(cli, monkeypatch):
    from engine.histograms import spanning_tree

    def interrupted(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr(spanning_tree, "resampled_tree", interrupted)
    outcome = cli("run", *GEYSER, "--estimates", "--json")
    assert outcome.status == 130
    assert "estimates" not in outcome.json
    assert len(outcome.json["value"]["cells"]) > 10


@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
def test_synthetic_points_are_drawn_from_the_release(cli, tmp_path, suffix):
    path = tmp_path / f"points{suffix}"
    words = ("run", *GEYSER, "--seed", 1, "--synthetic", path)
    outcome = cli(*words, "--json")
    assert outcome.status == 0
    assert f"note: 272 synthetic points in {path}" in outcome.err
    table = read_table(path)
    assert [column.name for column in table.columns] == ["eruptions", "waiting"]
    points, cells = table.points(["eruptions", "waiting"]).values, outcome.json["value"]["cells"]
    for cell in cells:
        inside = (points >= cell["lower"]) & (points <= cell["upper"])
        assert inside.all(axis=1).sum() == cell["count"]
    before = path.read_bytes()
    assert "note: 10 synthetic points" in cli(*words, "--points", 10).err
    assert path.read_bytes() != before


def test_more_to_hide_among_than_there_are(cli, csv):
    path = csv(["0.3,0.7"] * 9, header="x,y")
    words = ("run", "histogram-recursive", "--data", path, *SQUARE)
    assert "is more than" not in cli(*words, "--t", 9).err
    assert cli(*words, "--t", 1e9).err.endswith(
        "note: t = 1,000,000,000 is more than n = 9: no record is hidden among t points, and "
        "the bounds are cut only once\n"
    )


def test_empty_cells_are_told_apart(cli):
    outcome = cli("run", "privtree", *AIRPORTS, "--epsilon", 1, "--delta", 0.1, "--seed", 1)
    found = re.search(r"privtree +(\d+) cells of 0 to [\d.]+ points, (\d+) of them above 0\n", outcome.out)
    assert 0 < int(found[2]) < int(found[1])
    assert outcome.err == (
        "sensiscope: note: --delta is not used: privtree costs only epsilon, and delta is 0\n"
    )


@pytest.mark.parametrize(("name", "boxes"), [("histogram-embedded", False), ("histogram-shifted", True)])
def test_rows_lie_within_the_bounds(cli, name, boxes):
    text = cli("run", name, *AIRPORTS, "--t", 300, "--seed", 1).out
    assert ("cells are not boxes: each range is that of a box around the cell" in text) is not boxes
    rows = re.findall(r"\n +\d+ +\d+ +(-[\d.]+) to (-[\d.]+) +([\d.]+) to ([\d.]+)", text)
    ends = np.array(rows, dtype=float)
    assert len(ends) >= 5
    assert (ends[:, [0, 2]] >= [-125, 24]).all()
    assert (ends[:, [1, 3]] <= [-66, 50]).all()


def test_one_line_of_json_for_each_cell(cli):
    outcome = cli("run", *GEYSER, "--json")
    cells = outcome.json["value"]["cells"]
    assert outcome.out.count('\n      {"lower": [') == len(cells)


def test_noisy_histograms_are_private(cli):
    words = ("run", "histogram-noisy", *AIRPORTS, "--bins", 4, "--epsilon", 0.5)
    content = cli(*words, "--json").json
    assert content["privacy"] == {"epsilon": 0.5, "delta": 0, "neighbours": "replace-one"}
    assert content["noise"]["family"] == "laplace"
    assert len(content["value"]["cells"]) == 16
    outcome = cli(*words)
    assert "epsilon = 0.5, delta = 0 between databases with one record replaced" in outcome.out
    assert "NOT" not in outcome.out
    assert outcome.err == ""
    gaussian = cli(*words, "--noise", "gaussian", "--delta", 1e-6, "--json").json
    assert (gaussian["noise"]["family"], gaussian["privacy"]["delta"]) == ("gaussian", 1e-6)


def test_a_covariance_is_a_matrix_and_a_mean(cli, drawn, tmp_path):
    words = ("run", "covariance", *AIRPORTS, "--epsilon", 1, "--plot", tmp_path / "x.png")
    content = cli(*words, "--json", "--show-private").json
    points = load_example("airports").points(["longitude", "latitude"]).values
    true = content["diagnostics"]["true_value"]
    np.testing.assert_allclose(true["matrix"], np.cov(points.T, bias=True), rtol=1e-3)
    np.testing.assert_allclose(true["center"], points.mean(axis=0), rtol=1e-3)
    assert "scale of noise (sums, sides -1 to 1)  4\n" in cli(*words, "--show-private").out
    assert np.shape(content["value"]["matrix"]) == (2, 2)
    text = cli(*words).out
    assert "covariance, 2 by 2, about the mean below" in text
    assert re.search(
        r"\n +longitude( +-?[\d.]+){2}\n +latitude( +-?[\d.]+){2}\n +mean( +-?[\d.]+){2}\n", text
    )
    axes = cli("run", "covariance", *AIRPORTS, "--epsilon", 1, "--axes", 1).out
    assert "axis 1" in axes
    assert "axis 2" not in axes
    about = cli("run", "covariance", *AIRPORTS, "--epsilon", 1, "--about", "center").out
    assert "second moments, 2 by 2, about the center below" in about
    assert len(drawn) == 3


@pytest.mark.slow
def test_synthetic_points_of_their_own_say_how_far_the_promise_goes(cli, drawn, tmp_path):
    words = ("run", "synthetic", *AIRPORTS, "--epsilon", 1, "--size", 3, "--plot", tmp_path / "x.png")
    exact = cli(*words, "--show-private")
    assert "guarantee           exactly" in exact.out
    assert "questions 100, smallest share 0, largest 1" in exact.out
    assert exact.err == ""
    walk = cli(*words, "--sampler", "metropolis", "--json")
    assert len(walk.json["value"]) == 3
    assert "note: the guarantee holds only up to the distance of the Metropolis chain" in walk.err
    assert len(drawn) == 2


def test_conditions_name_their_columns(cli, refused, csv):
    people = csv(["20,170", "30,180", "40,160"], header="age,height [cm]", name="people.csv")
    chosen = ("--data", people, "--column", "age", "--column", "height [cm]", "--lower", 0, "--upper", 200)
    run = ("counts", *chosen, "--epsilon", 50, "--seed", 1)
    named = cli("run", *run, "--where", "age > 25; height [cm] >= 165").out
    assert re.search(r"\n +age > 25 +2 +2 +2\n +height \[cm\] ≥ 165 +2 +2 +2\n", named)
    assert named == cli("run", *run, "--where", "1: > 25; 2: >= 165").out
    assert "--where: there is no column 'agee'; try age" in refused("run", *run, "--where", "agee > 2")
    audit = ("audit", *run[:-4], "--where", "age > 25", "--epsilon", 1, "--runs", 1000)
    assert cli(*audit, "--seed", 1).status == 0


def test_cells_have_edges_of_ones_own(cli, refused, csv):
    where = (
        "--data",
        csv([20, 75, 30, 50, 25], header="age"),
        "--column",
        "age",
        "--lower",
        18,
        "--upper",
        80,
    )
    found = cli(
        "run", "histogram-noisy", *where, "--edges", "25,35,65", "--epsilon", 100, "--seed", 1, "--json"
    )
    cells = [(cell["lower"], cell["upper"], cell["count"]) for cell in found.json["value"]["cells"]]
    assert cells == [([18], [25], 1), ([25], [35], 2), ([35], [65], 1), ([65], [80], 1)]
    words = ("run", "histogram-noisy", *where, "--epsilon", 1, "--seed", 1)
    assert "95 is not between the bounds, 18 and 80" in refused(*words, "--edges", "25,95")
    assert "does not increase" in refused(*words, "--edges", "35,25")
    assert "'old' is not a number" in refused(*words, "--edges", "old")
