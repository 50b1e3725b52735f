"""`--plot`: the figure of the window in three formats, and what may not be on it."""

import re

import pytest

MAGIC = {"png": b"\x89PNG\r\n\x1a\n", "svg": b"<?xml", "pdf": b"%PDF"}
VERBS = {
    "sensitivity": ("sensitivity", "median", "--example", "salaries", "--epsilon", 1),
    "noise": ("noise", "lcp", "--epsilon", 1),
    "run": ("run", "median", "--example", "salaries", "--epsilon", 1),
}


@pytest.mark.parametrize("suffix", MAGIC)
@pytest.mark.parametrize("verb", VERBS)
def test_three_formats(cli, tmp_path, verb, suffix):
    path = tmp_path / f"figure.{suffix}"
    outcome = cli(*VERBS[verb], "--json", "--plot", path)
    assert outcome.status == 0, outcome.err
    assert outcome.json
    assert path.read_bytes().startswith(MAGIC[suffix])
    assert [found.name for found in tmp_path.iterdir()] == [path.name]


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
    assert "48139" not in public
    assert "not private" not in public
    assert "48139" in private
    assert "not private: computed from raw data" in private


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
    assert "not private" in drawn[0]
    assert "not private" not in drawn[1]
