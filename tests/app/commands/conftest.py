"""Runs the command line in this process, or as a program of its own."""

import dataclasses
import functools
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import engine.data
from app.commands.main import main, verb_parser
from engine.catalog import FAMILIES

SQUARE = ("a,b,1", "b,c,2", "c,d,3", "d,a,4")
HOUSE = Path(__file__).resolve().parents[3]


SPENT = "sensiscope: note: spent on "


@dataclasses.dataclass(frozen=True)
class Outcome:
    """What a command has said; what every release says about the budget is held apart."""

    status: int
    out: str
    err: str
    spent: str = ""

    @property
    def json(self):
        return json.loads(self.out, parse_constant=lambda word: pytest.fail(f"{word} is no JSON"))


examples = functools.cache(engine.data.load_example)


@functools.cache
def parser_of(verb, brief, *names):
    """Return what reads the words after a verb, as long as the catalog holds these names."""
    return verb_parser(verb, brief=brief)


@pytest.fixture(autouse=True, scope="module")
def made_once():
    """Let commands in this process share the tables of examples, and what reads their words.

    Neither is changed by a command; a parser takes a tenth of the time of most.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(engine.data, "load_example", examples)
        patch.setattr(
            "app.commands.main.verb_parser",
            lambda verb, *, brief=False, chosen=(): (
                verb_parser(verb, brief=brief, chosen=chosen)
                if chosen
                else parser_of(verb, brief, *map(tuple, FAMILIES.values()))
            ),
        )
        yield


@pytest.fixture
def cli(capsys, monkeypatch):
    """Call `main` with the words of the command; return status and output."""
    monkeypatch.delenv("SENSISCOPE_DEBUG", raising=False)

    def call(*words):
        capsys.readouterr()
        status = main([str(word) for word in words])
        captured = capsys.readouterr()
        assert "Traceback" not in captured.out + captured.err
        lines = captured.err.splitlines(keepends=True)
        said = [line for line in lines if not line.startswith(SPENT)]
        spent = "".join(line.removeprefix(SPENT) for line in lines if line.startswith(SPENT))
        return Outcome(status, captured.out, "".join(said), spent)

    return call


@pytest.fixture
def refused(cli):
    """Call `main` with what must be refused; return the one line that says why."""

    def call(*words):
        outcome = cli(*words)
        assert outcome.status == 2, outcome
        assert outcome.out == ""
        assert outcome.err.startswith("sensiscope: error: ")
        assert outcome.err.count("\n") == 1
        assert outcome.err.endswith("\n")
        return outcome.err.removeprefix("sensiscope: error: ").rstrip()

    return call


@pytest.fixture
def environment():
    """Return an environment without a display for a program of its own."""
    hidden = ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM", "SENSISCOPE_DEBUG")
    kept = {name: value for name, value in os.environ.items() if name not in hidden}
    return kept | {"PYTHONPATH": str(HOUSE)}


@pytest.fixture
def start(environment, tmp_path):
    """Start the program as a user would; return the `Popen`."""
    started = []

    def call(*words, program=(sys.executable, "-m", "app"), **options):
        settings = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
        settings |= {"env": environment, "cwd": tmp_path}
        process = subprocess.Popen([*program, *map(str, words)], **(settings | options))
        started.append(process)
        return process

    yield call
    for process in started:
        if process.poll() is None:
            process.kill()
        process.communicate()


@pytest.fixture
def csv(tmp_path):
    """Write a CSV file with one column ``x``; return its path."""

    def write(values, name="data.csv", header="x"):
        path = tmp_path / name
        path.write_text("\n".join([header, *map(str, values)]) + "\n", encoding="utf-8")
        return path

    return write


@pytest.fixture
def ten(csv):
    """The classroom set 1 ... 10."""
    return csv(range(1, 11), name="ten.csv")


@pytest.fixture
def edges(csv):
    """Write an edge list, by default a square with weights 1 to 4; return its path."""

    def write(rows=SQUARE, header="source,target,weight", name="edges.csv"):
        return csv(rows, header=header, name=name)

    return write


@pytest.fixture
def drawn(monkeypatch):
    """Catch figures on their way to the file, as of data that are not public; return all their words."""
    words = []

    def keep(figure, *_):
        from matplotlib.text import Text

        texts = " ".join(text.get_text() for text in figure.findobj(Text)).replace("\\", "")
        words.append(re.sub(r"(?<=\d),(?=\d{3})", "", texts))

    monkeypatch.setattr("app.plots.figure_panel.save_figure", keep)
    monkeypatch.setattr("app.commands.support.figures.of_public_data", lambda _: False)
    return words
