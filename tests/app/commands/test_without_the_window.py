"""Without PySide6, matplotlib or scikit-learn everything else works, and the rest says what to install."""

import importlib.util
import subprocess
import sys

import pytest
import sensiscope

import engine.optional_packages
from app.commands.main import main
from engine.aggregation.functions.mixture import GaussianMixture

WINDOW = "needs PySide6; install it with: pip install 'sensiscope[window]'"
PLOTS = "a figure needs matplotlib; install it with: pip install 'sensiscope[plots]'"
EM = "EM needs scikit-learn; install it with: pip install 'sensiscope[scikit-learn]'"

ALONE = """
import sys

class Missing:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {"PySide6", "shiboken6", "matplotlib", "PIL", "sklearn"}:
            raise ModuleNotFoundError(name)

sys.meta_path.insert(0, Missing())
from app.commands.main import main

salaries = ["--example", "salaries", "--epsilon", "1"]
ledger = ["--ledger", sys.argv[1]]
bounds = ["--lower", "0", "--upper", "1e9"]
for words in (
    ["catalog", "median"],
    ["sensitivity", "median", *salaries],
    ["noise", "student-t", "--epsilon", "1"],
    ["bounds", *salaries, *bounds, *ledger],
    ["run", "median", *salaries, *ledger],
    ["budget", *ledger],
    ["compare", "median:smooth", "median:exponential", *salaries, "--runs", "1000", "--audit"],
    ["audit", "median", *salaries, "--runs", "1000"],
    ["lessons"],
):
    print("status of", words[0], main(words))
"""


@pytest.fixture
def absent(monkeypatch):
    """Let no optional package be found."""
    monkeypatch.setattr(engine.optional_packages, "find_spec", lambda module: None)


def test_all_verbs_but_the_screenshot_work(tmp_path):
    command = [sys.executable, "-P", "-c", ALONE, tmp_path / "ledger.json"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    ended = [line.split()[-2:] for line in done.stdout.splitlines() if line.startswith("status of ")]
    verbs = "catalog sensitivity noise bounds run budget compare audit lessons"
    assert ended == [[verb, "0"] for verb in verbs.split()], done.stderr


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([], f"the window {WINDOW}; sensiscope --help lists the verbs that work without"),
        (["screenshot", "median", "--out", "x.png"], f"a page of the window {WINDOW}"),
        (["sensitivity", "median", "--example", "salaries", "--epsilon", "1", "--plot", "x.png"], PLOTS),
    ],
)
def test_what_needs_a_package_says_so_in_one_line(absent, capsys, words, said):
    assert main(words) == 2
    assert capsys.readouterr().err == f"sensiscope: error: {said}\n"


def test_a_release_whose_figure_cannot_be_drawn_spends_nothing(absent, capsys, tmp_path):
    ledger = tmp_path / "ledger.json"
    words = ["run", "median", "--example", "salaries", "--epsilon", "1", "--ledger", str(ledger)]
    assert main([*words, "--plot", str(tmp_path / "x.png")]) == 2
    assert PLOTS in capsys.readouterr().err
    assert not ledger.exists()


def test_python_says_so_too(absent):
    with pytest.raises(sensiscope.SensiscopeError, match=r"sensiscope\[window\]"):
        sensiscope.view()
    box = sensiscope.Box.of([0], [1])
    assert GaussianMixture(fit="em").problem(box) == ("fit", EM)
    assert GaussianMixture().problem(box) is None


def test_a_checkout_has_all_of_them():
    assert all(importlib.util.find_spec(module) for module in engine.optional_packages.PACKAGES)
