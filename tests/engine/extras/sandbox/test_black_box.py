"""Functions from a file as they are declared: what shows without running them, and what loading tells."""

from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import pytest
from black_boxes import BOX, blocks, box, data, outputs

from engine.aggregation.spaces import Euclidean, Manhattan
from engine.domain import Box
from engine.errors import ParameterError
from engine.extras.sandbox import process
from engine.extras.sandbox.black_box import BlackBox


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (
            "import nowhere_to_be_found\ndef f(x): pass",
            "line 1 of bad.py: ModuleNotFoundError: No module named 'nowhere_to_be_found'",
        ),
        ("def f(x): pass\n\n1/0", "line 3 of bad.py: ZeroDivisionError: division by zero"),
        ("import sys\ndef f(x): pass\nsys.exit(1)", "line 3 of bad.py: SystemExit: 1"),
        (
            "import os\ndef f(x): pass\nos._exit(0)",
            "loading the file ends Python or takes more than 60 seconds",
        ),
        ("f = 3", "bad.py has no function 'f'"),
        ("print('hello')\nif False:\n    def f(x): pass", "bad.py has no function 'f'"),
    ],
)
def test_a_file_that_cannot_be_loaded_is_named(tmp_path, text, words, capfd):
    (tmp_path / "bad.py").write_text(text)
    with pytest.raises(ParameterError) as refused:
        outputs(box(tmp_path / "bad.py", "f"), data(), blocks(), 1)
    assert refused.value.field == "function"
    assert refused.value.problem == words
    assert capfd.readouterr() == ("", "")


def test_a_file_that_takes_for_ever_to_load(tmp_path, monkeypatch):
    monkeypatch.setattr(process, "LOADING", 0.5)
    (tmp_path / "bad.py").write_text("def f(x): pass\nimport time\ntime.sleep(1000)")
    with pytest.raises(ParameterError, match=r"takes more than 0\.5 seconds"):
        outputs(box(tmp_path / "bad.py", "f"), data(), blocks(), 1)


def test_the_reason_crosses_to_another_process_and_back(tmp_path):
    (tmp_path / "bad.py").write_text("def f(x): pass\n1/0")
    with (
        ProcessPoolExecutor(1, get_context("spawn")) as processes,
        pytest.raises(ParameterError, match="line 2"),
    ):
        outputs(box(tmp_path / "bad.py", "f"), data(), blocks(), 1, processes)


@pytest.mark.parametrize(
    ("text", "name", "words"),
    [
        (None, "f", "cannot be read (No such file or directory); give the path of a Python file"),
        ("def f(x:\n", "f", "line 1 of mine.py is not valid Python"),
        ("\0", "f", "mine.py"),
        ("def mean(x): pass\ndef other(x): pass", "meen", "mine.py has no function 'meen'; it has mean"),
        ("x = 1", "f", "mine.py has no function 'f'"),
    ],
)
def test_problems_that_show_without_running_it(tmp_path, text, name, words):
    path = tmp_path / "mine.py"
    if text is not None:
        path.write_text(text)
    field, problem = box(path, name).problem(BOX)
    assert field == "function"
    assert words in problem
    assert "\n" not in problem


@pytest.mark.parametrize(
    "text",
    [
        "def f(x): pass",
        "from math import exp as f",
        "f = lambda x: x",
        "import f",
        "class f: pass",
        "f, g = 1, 2",
    ],
)
def test_whatever_may_define_it_is_let_pass(tmp_path, text):
    (tmp_path / "mine.py").write_text(text)
    assert box(tmp_path / "mine.py", "f").problem(BOX) is None


def test_nothing_runs_before_it_is_asked_to(tmp_path):
    path = tmp_path / "mine.py"
    path.write_text("def f(x): return x\nraise ValueError('it was run')")
    function = box(path, "f")
    assert function.problem(BOX) is None
    function.space(BOX), function.default(BOX), function.settings(), repr(function), hash(function)
    with pytest.raises(ParameterError, match="it was run"):
        outputs(function, data(), blocks(), 1)


def test_as_it_is_written(tmp_path):
    function = BlackBox.named("a/b.py:mean", [0], [1], seconds=2)
    assert function == BlackBox("a/b.py", "mean", (0.0,), (1.0,), 2)
    assert BlackBox.named("C:\\mine.py:mean", [0], [1]).path == "C:\\mine.py"
    for wrong in ("mean", "b.py:", ":mean", "b.py:two words", ""):
        with pytest.raises(ParameterError, match=r"write FILE\.py:NAME"):
            BlackBox.named(wrong, [0], [1])


def test_bounds_of_the_output_are_declared():
    function = BlackBox("b.py", "f", (0, -1), (1, 1), metric="L1")
    assert function.space(Box.of([5], [6])) == Manhattan(Box.of([0, -1], [1, 1]))
    assert BlackBox("b.py", "f", (0,), (1,)).space(BOX) == Euclidean(Box.of([0], [1]))
    assert function.default(BOX).tolist() == [0.5, 0.0]
    assert function.settings() == {
        "function": "b.py:f",
        "output_lower": [0.0, -1.0],
        "output_upper": [1.0, 1.0],
        "metric": "L1",
        "seconds": 10.0,
        "memory_mb": 1024,
    }
    for lower, upper in (((), ()), ((0,), (1, 2)), ((1,), (0,)), ((0,), (float("nan"),))):
        with pytest.raises(ParameterError):
            BlackBox("b.py", "f", lower, upper)
    with pytest.raises(ParameterError) as refused:
        BlackBox("b.py", "f", (0,), (1,), seconds=0)
    assert refused.value.field == "seconds"
