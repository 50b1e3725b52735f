"""`--plot`: the figure of the window in three formats, and what may not be on it."""

import re

import numpy as np
import pytest
from PIL import Image

MAGIC = {"png": b"\x89PNG\r\n\x1a\n", "svg": b"<?xml", "pdf": b"%PDF"}
VERBS = {
    "sensitivity": ("sensitivity", "median", "--example", "salaries", "--epsilon", 1),
    "noise": ("noise", "lcp", "--epsilon", 1),
    "run": ("run", "median", "--example", "salaries", "--epsilon", 1),
    "points": ("run", "clusters", "--k", 2, "--example", "geyser", "--epsilon", 1, "--blocks", 20),
}


@pytest.mark.parametrize(
    ("verb", "suffix"),
    [*(("noise", suffix) for suffix in MAGIC), ("sensitivity", "png"), ("run", "pdf"), ("points", "svg")],
)
def test_three_formats(cli, tmp_path, verb, suffix):
    path = tmp_path / f"figure.{suffix}"
    outcome = cli(*VERBS[verb], "--json", "--plot", path)
    assert outcome.status == 0, outcome.err
    assert outcome.json
    assert path.read_bytes().startswith(MAGIC[suffix])
    assert [found.name for found in tmp_path.iterdir()] == [path.name]


def test_a_figure_of_public_data_has_the_width_of_a_column_and_no_stamp(cli, tmp_path):
    path = tmp_path / "figure.svg"
    cli(*VERBS["sensitivity"], "--plot", path, "--plot-width", "single", "--plot-font", "serif")
    drawing = path.read_text("utf-8")
    assert 'width="252pt"' in drawing
    assert "Confidential" not in drawing


@pytest.mark.parametrize(
    ("options", "width", "dpi"),
    [
        (("--plot-width", "single"), 1050, 300),
        (("--plot-width", "double"), 2100, 300),
        (("--plot-width", "single", "--dpi", 600), 2100, 600),
        (("--plot-width", "screen"), 2340, 300),
        (("--dpi", 100), 780, 100),
    ],
)
def test_an_image_has_the_resolution_of_its_use_or_the_stated_one(cli, tmp_path, options, width, dpi):
    path = tmp_path / "figure.png"
    assert cli(*VERBS["noise"], "--plot", path, *options).status == 0
    with Image.open(path) as image:
        assert image.width == width
        assert image.info["dpi"] == pytest.approx((dpi, dpi), abs=0.1)


@pytest.mark.parametrize("dpi", ["0", "49", "1201", "1e9", "high", "-3"])
def test_a_resolution_that_is_not_possible(refused, tmp_path, dpi):
    assert "--dpi" in refused(*VERBS["noise"], "--plot", tmp_path / "x.png", "--dpi", dpi)


def test_an_old_figure_is_replaced(cli, tmp_path):
    path = tmp_path / "figure.SVG"
    path.write_text("old")
    assert cli(*VERBS["noise"], "--plot", path).status == 0
    assert path.read_bytes().startswith(MAGIC["svg"])


def test_a_release_shows_the_truth_only_when_asked_by_name(cli, drawn, tmp_path):
    run = (*VERBS["run"], "--plot", tmp_path / "x.png")
    cli(*run)
    cli(*run, "--show-private")
    public, private = drawn
    assert "truth" not in public
    released, _, rest = public.partition("$")  # by chance it is the truth, to the dollar
    assert released[0].isdigit()
    assert "48139" not in rest
    assert "Confidential" not in public
    assert "48139" in private
    assert "Confidential: computed from raw data" in private


def test_a_simulation_says_so_on_its_figure(cli, drawn, tmp_path):
    for more in ((), ("--show-private",)):
        cli(*VERBS["run"], "--seed", 1, *more, "--plot", tmp_path / "x.png")
    assert "not a release" in drawn[0]
    assert not re.search(r"released \d", drawn[1])


def test_a_refusal_is_drawn_in_words(cli, drawn, tmp_path, csv):
    outcome = cli(
        *("run", "median", "--data", csv([0, 0, 0, 10, 10]), "--lower", 0, "--upper", 10, "--epsilon", 0.1),
        *("--delta", 1e-6, "--method", "propose-test-release", "--bound", 0.5, "--seed", 1),
        *("--plot", tmp_path / "x.png"),
    )
    assert outcome.status == 0
    assert "refused" in drawn[0]


def test_sensitivity_is_marked_and_noise_is_not(cli, drawn, tmp_path):
    cli(*VERBS["sensitivity"], "--plot", tmp_path / "x.png")
    cli(*VERBS["noise"], "--plot", tmp_path / "x.png")
    assert "Confidential" in drawn[0]
    assert "Confidential" not in drawn[1]


@pytest.fixture
def panels(monkeypatch):
    """Catch what figures of points show."""
    from app.plots import figure_panel

    shown, draw = [], figure_panel.figure
    monkeypatch.setattr(figure_panel, "figure", lambda panel, *style: shown.append(panel) or draw(panel))
    return shown


PRIVATE = ("records", "outputs", "center", "radius", "regions", "truth")


def test_points_show_records_and_blocks_only_when_asked_by_name(cli, panels, drawn, tmp_path):
    run = (*VERBS["points"], "--plot", tmp_path / "x.png")
    values = [cli(*run, *more, "--json").json["value"] for more in ((), ("--show-private",), ("--seed", 1))]
    public, private, simulated = panels
    for panel, value in zip(panels, values, strict=True):
        assert panel.result.released.tolist() == value
    for name in PRIVATE:
        assert getattr(public.result, name) is None
        assert getattr(private.result, name) is not None
    assert (public.private, private.private, simulated.private) == (False, True, False)
    assert private.result.outputs.shape == (20, 2, 2)
    assert (private.result.records.n, private.result.majority) == (272, 11)
    assert "Confidential" not in drawn[0]
    assert "Confidential" in drawn[1]
    assert "simulated, not a release" in drawn[2]
    assert "released" not in drawn[2]


@pytest.mark.parametrize(
    "words",
    [
        ("lloyd", "--example", "mixture-5d"),
        ("mixture", "--k", 4, "--example", "mixture-5d", "--aggregator", "winsorized-mean"),
        ("clusters", "--k", 2, "--example", "geyser", "--aggregator", "median"),
        ("clusters", "--k", 2, "--example", "one-to-ten", "--blocks", 4),
        ("noisy-average", "--example", "salaries"),
        ("sample-aggregate", "--function", "regression", "--example", "geyser"),
        ("sample-aggregate", "--column", "x", "--aggregator", "shortest-interval", "--example", "four-heaps"),
    ],
    ids=lambda words: " ".join(map(str, words[:3])),
)
def test_every_kind_of_points_release_is_drawn(cli, panels, drawn, tmp_path, words):
    for more in ((), ("--show-private",)):
        outcome = cli("run", *words, "--epsilon", 1, "--seed", 1, *more, "--plot", tmp_path / "x.png")
        assert outcome.status == 0, outcome.err
    assert "Confidential" not in drawn[0]
    assert "Confidential" in drawn[1]
    assert all(getattr(panels[0].result, name) is None for name in PRIVATE)
    view = panels[1].result
    assert view.truth.shape == view.released.shape == (len(view.truth), len(view.directions))
    assert (view.records is None) == ("regression" in words)
    assert (view.outputs is None) == (words[0] in ("lloyd", "noisy-average"))
    for side, column in zip(view.window, view.released.T, strict=True):
        assert np.all((side.lower <= column) & (column <= side.upper))


BALLS = ("--epsilon", 1, "--delta", 1e-6, "--seed", 1)


@pytest.mark.parametrize(
    "words",
    [
        ("one-cluster", "--example", "airports", "--t", 300),
        ("one-cluster", "--example", "salaries", "--t", 2000),
        ("k-balls", "--example", "two-minorities", "--t", 1500),
        ("screened-mean", "--example", "outliers", "--t", 4000),
        ("one-cluster", "--example", "penguins", "--t", 200, "--missing", "drop", "--epsilon", 10),
    ],
    ids=lambda words: " ".join(map(str, words[:3])),
)
def test_balls_show_records_and_true_balls_only_when_asked_by_name(cli, panels, drawn, tmp_path, words):
    run = ("run", *words[:1], *BALLS, *words[1:], "--plot", tmp_path / "x.png", "--json")
    value = cli(*run).json["value"]
    cli(*run, "--show-private")
    public, private = (panel.result for panel in panels)
    assert "Confidential" not in drawn[0]
    assert "simulated, not a release" in drawn[0]
    assert "Confidential" in drawn[1]
    balls = value if isinstance(value, list) else [value]
    for view in (public, private):
        assert [disc.radius for disc in view.balls] == [ball["radius"] for ball in balls]
        for disc, ball in zip(view.balls, balls, strict=True):
            assert disc.center.tolist() == ball["center"][:2]
        assert (view.mean is None) == ("screened-mean" not in words)
    assert (public.records, public.truth, public.true_mean, public.boxes) == (None, (), None, None)
    assert all(disc.held is None for disc in public.balls)
    assert private.records.n == public.n
    assert len(private.truth) == len(balls)
    # around a record: it holds as many as were asked for, and perhaps some at the same distance
    assert private.truth[0].held >= private.target
    assert private.balls[0].held > 0
    assert (private.true_mean is None) == (private.mean is None)


def test_an_interior_point_is_drawn_on_its_column(cli, panels, tmp_path):
    run = ("run", "interior-point", "--example", "salaries", *BALLS, "--plot", tmp_path / "x.png", "--json")
    values = [cli(*run, *more).json["value"] for more in ((), ("--show-private",))]
    for panel, value in zip(panels, values, strict=True):
        assert panel.result.released.tolist() == [[value]]
    assert panels[0].result.truth is panels[0].result.records is None
    assert panels[1].result.records.n == 10_001
