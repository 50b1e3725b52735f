"""The program as a process: what it loads, how it is stopped, what it does without a display."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

PROBE = """
import json, sys
from app.commands.main import main
found = []
for words in json.loads(sys.argv[1]):
    status = main(words)
    found.append([status, [name for name in {heavy!r} if name in sys.modules]])
json.dump(found, sys.stderr)
"""
HEAVY = ("numpy", "PySide6", "matplotlib", "pyarrow", "scipy.stats", "sklearn")


@pytest.fixture
def loaded(environment, tmp_path):
    """Call `main` again and again in a fresh interpreter; return each status and the heavy modules loaded."""

    def call(lines):
        words = json.dumps([[str(word) for word in line] for line in lines])
        found = subprocess.run(
            [sys.executable, "-c", PROBE.format(heavy=HEAVY), words],
            env=environment,
            cwd=tmp_path,
            capture_output=True,
            text=True,
            timeout=600,
        )
        return json.loads(found.stderr[found.stderr.index("[[") :])

    return call


NOTHING, NUMBERS, TABLES = set(), {"numpy"}, {"numpy", "pyarrow"}
IN_TURN = (
    (("--version",), 0, NOTHING),
    (("--help",), 0, NOTHING),
    (("--theme", "dark"), 2, NOTHING),
    (("sensitvity",), 2, NOTHING),
    (("catalog",), 0, NUMBERS),
    (("run", "--help"), 0, NUMBERS),
    (("noise", "lcp", "--epsilon", 1), 0, NUMBERS),
    (("plan", "clusters", "--n", 1e4, "--lower", 0, "--upper", 1, "--epsilon", 1), 0, NUMBERS),
    (("run", "median", "--example", "salaries", "--epsilon", 1), 0, TABLES),
    (("sensitivity", "median", "--example", "salaries", "--beta", 1), 0, TABLES),
    (("run", "mst", "--example", "karate", "--epsilon", 1), 0, TABLES),
    (("sensitivity", "triangles", "--example", "karate", "--beta", 1), 0, TABLES),
    (("run", "clusters", "--example", "four-heaps", "--epsilon", 1), 0, TABLES),
)
"""Commands in one process, their status, and what may be loaded after each."""
A_FIGURE = ((("noise", "lcp", "--epsilon", 1, "--plot", "x.svg"), 0, {"numpy", "matplotlib"}),)


@pytest.mark.parametrize(
    "commands",
    [
        pytest.param(IN_TURN, id="numbers and tables"),
        pytest.param(A_FIGURE, id="figures", marks=pytest.mark.slow),
    ],
)
def test_verbs_load_only_what_they_need(loaded, commands):
    found = loaded([words for words, _, _ in commands])
    for (words, expected, allowed), (status, modules) in zip(commands, found, strict=True):
        assert status == expected, words
        assert set(modules) <= allowed, words


def test_a_window_is_painted_before_what_draws_and_reads_is_loaded(environment):
    code = (
        "import sys\n"
        "import app.window.application\n"
        "from app.window.layout import PAGES\n"
        "for page in PAGES.values():\n"
        "    page.widget()\n"
        "    [one.editor() for one in page.groups]\n"
        "print(*sys.modules)"
    )
    command = [sys.executable, "-c", code]
    found = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=600, check=True)
    late = {"matplotlib", "pyarrow", "scipy", "importlib.metadata", "app.pages.compare.page"}
    assert late.isdisjoint(found.stdout.split())


def test_declared_pages_load_no_mechanism_of_theirs(environment):
    code = "import sys, app.window.application; print(*sys.modules)"
    command = [sys.executable, "-c", code]
    found = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=600, check=True)
    assert {"engine.mechanisms.one_cluster", "engine.mechanisms.histograms"}.isdisjoint(found.stdout.split())


def test_version(start):
    from engine import __version__

    out, err = start("--version").communicate(timeout=600)
    assert out == f"sensiscope {__version__}\n"
    assert err == ""


@pytest.mark.skipif(os.name == "nt", reason="POSIX accounting")
@pytest.mark.parametrize("word", ["--version", "--help"])
def test_help_and_version_cost_less_than_a_fifth_of_a_second(start, word):
    import resource

    def cost():
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        assert start(word).communicate(timeout=600)[0]
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

    assert any(cost() < 0.2 for _ in range(3))


def test_the_window_opens_on_a_file_even_if_it_is_called_like_a_verb(cli, tmp_path, monkeypatch):
    from app.window import application

    opened = []
    monkeypatch.setattr(application, "open_window", lambda *given: opened.append(given) or 0)
    monkeypatch.setenv("QT_QPA_PLATFORM", "offscreen")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "run").write_text("x\n1\n")
    assert cli("./run", "--theme", "dark").status == 0
    assert cli("--ledger", "mine.sqlite").status == 0
    assert opened == [("./run", "dark", None), (None, None, Path("mine.sqlite"))]


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="macOS and Windows always have a display")
def test_without_a_display_the_window_is_refused_in_one_line(start, ten):
    process = start(ten)
    _, err = process.communicate(timeout=600)
    assert process.returncode == 2
    assert err.startswith("sensiscope: error: there is no display")
    assert "sensiscope run median" in err
    assert err.count("\n") == 1


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="macOS and Windows always have a display")
def test_without_a_display_and_arguments_examples_are_shown_and_made(start, tmp_path):
    process = start()
    out, err = process.communicate(timeout=600)
    assert process.returncode == 0
    assert "there is no display for the window" in err
    for line in ("run median --example salaries", "sensitivity median --example salaries"):
        assert f": sensiscope {line} --epsilon 1" in err
    assert "released median" in out
    assert "spent on salaries now" in err
    assert "global sensitivity" in out
    assert (tmp_path / "sensiscope-median.png").read_bytes().startswith(b"\x89PNG")


def test_a_verb_that_is_gone_says_what_to_do_instead(refused):
    message = refused("demo", "--out", "folder")
    assert "sensiscope run median" in message
    assert "--plot" in message


def test_the_installed_program_runs(start):
    program = Path(sys.executable).with_name("sensiscope.exe" if os.name == "nt" else "sensiscope")
    if not program.exists():
        pytest.skip("sensiscope is not installed in this environment")
    out, _ = start(
        "run", "median", "--example", "salaries", "--epsilon", 1, "--json", program=(program,)
    ).communicate()
    assert json.loads(out)["simulated"] is False


@pytest.mark.slow
def test_a_reader_who_has_had_enough_is_no_error(start):
    process = start(
        "sensitivity", "median", "--example", "salaries", "--beta", 0.1, "--k-max", 9000, "--json"
    )
    process.stdout.read(1)
    process.stdout.close()
    assert process.wait(timeout=600) == 0
    assert process.stderr.read() == ""


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a device that is always full")
@pytest.mark.parametrize(
    ("bounds", "status"), [pytest.param((0, 10), 0, marks=pytest.mark.slow), ((10, 0), 2)]
)
def test_a_standard_error_that_takes_nothing_changes_no_status(start, ten, bounds, status):
    words = ("--data", ten, "--lower", bounds[0], "--upper", bounds[1], "--method", "laplace")
    with open("/dev/full", "w") as full:
        # the noise is wider than the bounds, so there is a remark
        process = start("run", "median", *words, "--epsilon", 0.1, "--json", stderr=full)
        out, _ = process.communicate(timeout=600)
    assert process.returncode == status
    assert bool(out) == (status == 0)
