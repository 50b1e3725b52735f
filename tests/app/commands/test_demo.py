"""`sensiscope demo`: everything on bundled data, reproducible, and no other files touched."""

import functools
import io
import json
import time

import pytest

from app.commands import demo
from app.commands.main import main
from app.commands.support import demo_cases, figures
from engine.catalog import methods, sanitizers
from engine.extras.libraries.library import Peer
from engine.mechanisms import HistogramMechanism
from engine.mechanisms.facts import facts_of
from engine.privacy import neighbours_of


@pytest.fixture(scope="module", params=["few runs", pytest.param("all", marks=pytest.mark.slow)])
def made(request, tmp_path_factory):
    """Run the demo once; usually with few runs, and the first panel of each kind is drawn.

    Sensitivities along paths and against epsilon are then worked out once for each query, too.
    """
    folder = tmp_path_factory.mktemp("demo") / "new" / "folder"
    with pytest.MonkeyPatch.context() as patch:
        if request.param == "few runs":
            draw_each_kind_once(patch)
            for name in ("sensitivity_path", "sensitivity_sweep"):
                patch.setattr(figures, name, once_for_each_query(getattr(figures, name)))
            for module in (demo, demo_cases):
                patch.setattr(module, "RUNS", 30)
            patch.setattr(demo_cases, "MIN_RUNS", 4)
        start = time.process_time()  # what it costs, however busy the machine is
        assert main(["demo", "--out", str(folder)]) == 0
        seconds = time.process_time() - start
        yield folder, seconds


def once_for_each_query(work_out):
    """Return what gives the first result of a query for all data."""
    found = {}

    def first(query, *arguments):
        if query.name not in found:
            found[query.name] = work_out(query, *arguments)
        return found[query.name]

    return first


def draw_each_kind_once(patch):
    """Let a panel of a kind that was drawn before look like that one."""
    from app.plots import figure_panel

    figure, sheet, drawn, sheets = figure_panel.figure, figure_panel.sheet, {}, []

    def kind(panel):
        return panel.picture, type(panel.result), panel.private

    def figure_once(panel, *style):
        if kind(panel) not in drawn:
            drawn[kind(panel)] = figure(panel, *style)
        return drawn[kind(panel)]

    def sheet_once(panels):
        new = {kind(panel): panel for panel in panels if kind(panel) not in drawn}
        if new or not sheets:
            sheets.append(sheet([*new.values()] or panels[:1]))
        return sheets[-1]

    patch.setattr(figure_panel, "figure", figure_once)
    patch.setattr(figure_panel, "sheet", sheet_once)
    patch.setattr(figure_panel, "rendered", functools.cache(figure_panel.rendered))


def summary(folder):
    return json.loads((folder / "summary.json").read_text(encoding="utf-8"))


def test_it_is_a_simulation_with_figures_and_summary(made):
    folder, _ = made
    content = summary(folder)
    assert content["simulated"] is True
    assert content["seed"] == 1
    assert sorted(content["files"]) == sorted(path.name for path in folder.iterdir())
    suffixes = [name.rpartition(".")[2] for name in content["files"]]
    assert suffixes.count("png") >= 15
    assert suffixes.count("svg") == 2
    text = (folder / "summary.md").read_text(encoding="utf-8")
    assert "nothing in it is a release" in text
    assert "one record replaced, n public (median, quantile" in text
    assert "karate: 34 vertices, 78 edges, public bounds 0 to 8 occasions." in text
    assert "geyser: n = 272, public bounds eruptions 1 to 6 min, waiting 30 to 120 min." in text
    assert "one edge weight changed, edges public (mst); between graphs with one edge added" in text


def test_it_holds_every_method_query_noise_and_example(made):
    from app.commands.support.data import readers
    from engine.data import EXAMPLES
    from engine.mechanisms.aggregators import AGGREGATORS
    from engine.noise import noises_of_numbers

    cases = summary(made[0])["sanitizations"]
    assert {case["example"] for case in cases} == set(EXAMPLES)
    others = {name for name, kind in sanitizers().items() if issubclass(kind, Peer)}
    assert {case["query"] for case in cases} == set(readers()) - others
    ours = {name for name, kind in methods().items() if not issubclass(kind, Peer)}
    assert {case["method"] for case in cases if case["method"]} == {*ours, *AGGREGATORS}
    assert {case["noise"] for case in cases if case["noise"]} == {
        family.name for family in noises_of_numbers()
    }
    for case in cases:
        assert case["neighbours"] == neighbours_of(readers()[case["query"]])
        assert case["epsilon"] == (1 if facts_of(readers()[case["query"]]).is_private else None)
        assert (case["value"] is None) <= (case["refused"] > 0)


def test_it_compares_all_methods_for_the_median(made):
    assert (made[0] / "salaries-median-comparison.png").stat().st_size > 10_000


def test_it_draws_every_graph_with_what_decides(made):
    from engine.data import EXAMPLES

    drawn = {path.name for path in made[0].glob("*-graph.png")}
    graphs = {f"{name}-mst-graph.png" for name, card in EXAMPLES.items() if card.kind == "graph"}
    assert drawn == graphs | {"karate-triangles-graph.png"}


def test_it_draws_points_of_every_example_of_points(made):
    from engine.data import EXAMPLES

    examples = {name for name, card in EXAMPLES.items() if card.kind == "points"}
    drawn = {path.name for path in made[0].glob("*.png")}
    for name in examples:
        assert drawn & {f"{name}-{first}.png" for first in (*sanitizers(), "histograms")}
    cases = [case for case in summary(made[0])["sanitizations"] if case["example"] in examples]
    sets = [case for case in cases if case["query"] in ("clusters", "mixture", "lloyd")]
    assert sets
    for case in sets:
        assert len(case["value"]) == len(case["true_value"]) == case["parameters"]["k"]
        assert case["median_error"] <= case["p95_error"]


def test_it_searches_for_balls_where_there_are_some(made):
    cases = {case["query"]: case for case in summary(made[0])["sanitizations"] if case["delta"]}
    ball, balls, mean = (cases[name] for name in ("one-cluster", "k-balls", "screened-mean"))
    assert list(ball["value"]) == list(ball["true_value"]) == ["center", "radius"]
    assert (len(balls["value"]), balls["parameters"]["k"]) == (2, 2)
    assert mean["value"]["mean"] == pytest.approx([0.2, 0.25], abs=0.01)
    for case in (ball, balls, mean):
        assert demo_cases.MIN_RUNS <= case["runs"] < 1000
        assert case["median_error"] <= case["p95_error"]
    text = (made[0] / "summary.md").read_text(encoding="utf-8")
    assert "| one-cluster (t = 600) |" in text
    assert "center (0.619, 0.371), radius 0.0198 |" in text


def test_it_makes_histograms_and_says_which_promise_nothing(made):
    cases = [case for case in summary(made[0])["sanitizations"] if case["query"] in names(HistogramMechanism)]
    assert {case["query"] for case in cases} == names(HistogramMechanism)
    for case in cases:
        assert case["true_value"] is None
        assert list(case["value"]) == ["cells", "fewest points", "most"]
        assert 0 < case["median_error"] <= case["p95_error"] < case["n"]
    text = (made[0] / "summary.md").read_text(encoding="utf-8")
    assert "Not differentially private: histogram-recursive, histogram-shifted" in text
    assert "| histogram-recursive (t = 20) |  |  | none | none | – | cells " in text
    assert (made[0] / "airports-histograms.png").exists()


def names(kind):
    known = sanitizers().items()
    return {name for name, cls in known if issubclass(cls, kind) and not issubclass(cls, Peer)}


def test_its_figures_are_pictures(made):
    from matplotlib.image import imread

    for content in {path.read_bytes() for path in made[0].glob("*.png")}:
        pixels = imread(io.BytesIO(content))
        assert pixels.shape[1] >= 1000
        assert pixels[..., :3].std() > 0.02


def test_the_same_seed_gives_the_same_numbers_and_other_files_stay(cli, made, monkeypatch):
    from app.commands.support import demo_plan, demo_sanitizations

    folder, _ = made
    for drawing in (demo_plan, demo_sanitizations):
        monkeypatch.setattr(drawing, "drawings", lambda seed: {})
    kept = (folder / "summary.json").read_bytes()
    foreign = folder / "mine.txt"
    foreign.write_text("mine")
    outcome = cli("demo", "--out", folder)
    after, foreign_content = summary(folder), foreign.read_text()
    foreign.unlink()
    (folder / "summary.json").write_bytes(kept)
    assert outcome.status == 0
    assert "earlier demo" in outcome.err
    assert foreign_content == "mine"
    assert after["sanitizations"] == summary(folder)["sanitizations"]


def test_a_folder_of_somebody_else_is_refused(refused, tmp_path):
    for content in ('{"demo": "sensiscope", "files": [[1]]}', '{"mine": 1}'):
        (tmp_path / "summary.json").write_text(content)
        assert "other files" in refused("demo", "--out", tmp_path)
    assert "is a file" in refused("demo", "--out", tmp_path / "summary.json")
    assert "summary.json" in refused("demo", "--out", tmp_path / "summary.json" / "below")
    assert (tmp_path / "summary.json").read_text() == '{"mine": 1}'


def test_a_new_figure_never_replaces_a_foreign_file(refused, tmp_path):
    (tmp_path / "summary.json").write_text('{"demo": "sensiscope", "files": ["summary.json"]}')
    (tmp_path / "salaries-mean.png").write_text("mine")
    assert "salaries-mean.png" in refused("demo", "--out", tmp_path)
    assert (tmp_path / "salaries-mean.png").read_text() == "mine"


def test_it_is_done_in_25_seconds(made):
    assert made[1] < 25
